// Signing in and out. A token buys a session: half of its secret is a cookie that scripts cannot read, the other half is kept by this tab. Tabs of the same
// page give it to each other; it is never written anywhere else, and the token itself is forgotten at once.
import { signal } from "@preact/signals";
import type { MeView } from "../../src/api/types/operate.ts";
import { fromProblem } from "../../src/api/problem.ts";
import { PawlError } from "../../src/errors/error.ts";
import { call, endedBy, serverBase, useHalf } from "./server.ts";

export type SessionState = "starting" | "out" | "in" | "unreachable";

export const sessionState = signal<SessionState>("starting");
export const me = signal<MeView | undefined>(undefined);
/** What went wrong with the last try. */
export const signInProblem = signal<string | undefined>(undefined);

const storeKey = `pawl-session ${serverBase}`;
const channel = new BroadcastChannel(storeKey);
const neighbourMs = 200;

endedBy.subscribe((e) => {
  if (e === undefined || sessionState.peek() !== "in") return;
  forget();
  signInProblem.value = "Your session has ended: its token was revoked or has expired. Sign in again to continue here.";
  sessionState.value = "out";
});

channel.addEventListener("message", (message) => {
  const own = sessionStorage.getItem(storeKey);
  if (message.data === "who has it?" && own !== null) channel.postMessage({ half: own });
});

/** Uses what this tab has: a token in the address, its own half, a neighbour's half, or open mode. */
export async function startSession(): Promise<void> {
  const given = /^#(?:.*[?&])?token=([\w.~-]+)/.exec(location.hash)?.[1];
  if (given !== undefined) {
    history.replaceState(null, "", "#/");
    dispatchEvent(new HashChangeEvent("hashchange"));
    return signIn(given);
  }
  const half = sessionStorage.getItem(storeKey) ?? (await askNeighbours());
  if (half !== null) keep(half);
  await enter();
}

export async function signIn(token: string): Promise<void> {
  signInProblem.value = undefined;
  try {
    const response = await fetch(`${serverBase}/session`, {
      method: "POST",
      headers: { authorization: `Bearer ${token.trim()}`, "content-type": "application/json" },
      credentials: "same-origin",
    });
    const body = (await response.json()) as { readonly session?: string };
    if (!response.ok || typeof body.session !== "string") throw fromProblem(body) ?? new Error(`the server answered ${response.status}`);
    keep(body.session);
  } catch (e) {
    signInProblem.value = e instanceof PawlError ? e.message : "The server did not accept this. Is it a token of this server?";
    sessionState.value = "out";
    return;
  }
  await enter();
}

export async function signOut(): Promise<void> {
  const half = sessionStorage.getItem(storeKey);
  if (half !== null)
    await fetch(`${serverBase}/session`, { method: "DELETE", headers: { "x-pawl-session": half }, credentials: "same-origin" }).catch(
      () => {},
    );
  forget();
  sessionState.value = "out";
}

async function enter(): Promise<void> {
  try {
    me.value = await call("me", {});
    endedBy.value = undefined;
    signInProblem.value = undefined;
    sessionState.value = "in";
  } catch (e) {
    if (e instanceof PawlError && e.page === "PAWL4080") {
      forget();
      sessionState.value = "out";
    } else {
      signInProblem.value = e instanceof Error ? e.message : String(e);
      sessionState.value = "unreachable";
    }
  }
}

function keep(half: string): void {
  sessionStorage.setItem(storeKey, half);
  useHalf(half);
}

function forget(): void {
  sessionStorage.removeItem(storeKey);
  useHalf(null);
  me.value = undefined;
}

function askNeighbours(): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(null), neighbourMs);
    const hear = (message: MessageEvent): void => {
      const { half } = (message.data ?? {}) as { readonly half?: unknown };
      if (typeof half === "string") finish(half);
    };
    const finish = (half: string | null): void => {
      clearTimeout(timer);
      channel.removeEventListener("message", hear);
      resolve(half);
    };
    channel.addEventListener("message", hear);
    channel.postMessage("who has it?");
  });
}

/** Whether the caller may; what it may not is shown as text, never as a button that fails. */
export function may(scope: MeView["scopes"][number]): boolean {
  return me.value?.scopes.includes(scope) === true;
}
