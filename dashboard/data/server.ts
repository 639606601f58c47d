// The way to the server: every operation of the catalogue by its name, through the same client code that programs use. It says who the page is by the
// half of the session that the page keeps; the other half is a cookie. It must never call a route that is not in the catalogue.
import { signal } from "@preact/signals";
import type { OperationInput, OperationOutput } from "../../src/api/operation-types.ts";
import type { Operation } from "../../src/api/operations.ts";
import type { FollowItem, FollowOptions, WatchItem } from "../../src/api/types/follow.ts";
import type { RunFilter } from "../../src/api/types/run.ts";
import { callerOf } from "../../src/client/http/call.ts";
import { followRun, watchRuns } from "../../src/client/http/follow.ts";
import type { SendOptions } from "../../src/client/http/retry.ts";
import type { HttpTarget } from "../../src/client/http/target.ts";
import { PawlError } from "../../src/errors/error.ts";
import { askDev, noteDev } from "./dev.ts";
import { webPlatform } from "../../src/platform/web.ts";

/** Where the server is mounted: the folder of this page. */
export const serverBase: string = new URL(".", `${location.origin}${location.pathname}`).href.replace(/\/$/, "");

/** False while requests do not arrive; the page keeps what it has. */
export const reachable = signal(true);
/** Why the session ended; undefined while it has not. */
export const endedBy = signal<PawlError | undefined>(undefined);

let half: string | null = null;
export function useHalf(text: string | null): void {
  half = text;
}

const web = webPlatform();
const target: HttpTarget = {
  base: serverBase,
  web: {
    ...web,
    fetch: async (url, init) => {
      try {
        const response = await web.fetch(url, { ...init, credentials: "same-origin" });
        noteDev(response.headers);
        reachable.value = response.status < 502 || response.status > 504;
        return response;
      } catch (e) {
        if (init.signal?.aborted !== true) reachable.value = false;
        throw e;
      }
    },
  },
  closed: new AbortController().signal,
  renewable: false,
  credentials: () => Promise.resolve(half === null ? {} : { "x-pawl-session": half }),
};
const caller = callerOf(target);

export async function call<O extends Operation>(operation: O, input: OperationInput<O>, o: SendOptions = {}): Promise<OperationOutput<O>> {
  try {
    return await caller.call(operation, input, o);
  } catch (e) {
    throw noted(e);
  }
}

/** What `pawl dev` answers beside the catalogue. */
export async function dev<T>(path: "state" | "crash" | "again", input: object, signalled?: AbortSignal): Promise<T> {
  try {
    return await askDev<T>(serverBase, half, path, input, signalled);
  } catch (e) {
    throw noted(e);
  }
}

/** The log of a run as it grows, until the signal ends it. */
export async function* follow(id: string, o: FollowOptions): AsyncGenerator<FollowItem> {
  try {
    yield* followRun(caller, id, o);
  } catch (e) {
    throw noted(e);
  }
}

/** Runs as they change, until the signal ends it. */
export async function* watch(filter: Omit<RunFilter, "limit" | "cursor">, signalled: AbortSignal): AsyncGenerator<WatchItem> {
  try {
    yield* watchRuns(caller, filter, { signal: signalled });
  } catch (e) {
    throw noted(e);
  }
}

/** A refused credential ends the session for the whole page. */
function noted(e: unknown): unknown {
  if (e instanceof PawlError && e.page === "PAWL4080") endedBy.value = e;
  return e;
}
