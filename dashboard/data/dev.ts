// What `pawl dev` answers beside the catalogue, and no other server does: the state of the code, runs that a change stopped, the crash lab. A header on its
// answers says that it is there, so that nothing is asked of a server that has none of this.
import { signal } from "@preact/signals";
import { fromProblem } from "../../src/api/problem.ts";

/** As in src/cli/dev; the shapes of what is shown. */
export interface DevState {
  readonly serving: { readonly version: number; readonly pid: number; readonly workflows: readonly string[] } | null;
  readonly problem: { readonly code: string; readonly message: string; readonly fix: string } | null;
  readonly diverged: readonly { readonly runId: string; readonly workflowId: string; readonly reason: string }[];
  readonly lab: { readonly windows: Readonly<Record<string, string>>; readonly trials: readonly DevTrial[] };
}
export interface DevTrial {
  readonly trialId: number;
  readonly workflowId: string;
  readonly stepId: string;
  readonly window: string;
  readonly state: "armed" | "killed" | "judged" | "missed" | "withdrawn";
  readonly cells: readonly DevCell[];
  readonly waits?: string;
}
export interface DevCell {
  readonly step: string;
  readonly cause: string;
  readonly window: string;
  readonly class?: string;
  readonly count: number;
  readonly ok: boolean;
  readonly end: string;
  readonly why?: string;
  readonly fix?: string;
}

/** Undefined: not a pawl dev. Else which version of the code answered, and whether a newer one does not load. */
export const devMark = signal<{ readonly version: string; readonly failed: boolean } | undefined>(undefined);

export function noteDev(headers: Headers): void {
  const mark = headers.get("x-pawl-dev");
  if (mark === null) return;
  const next = { version: mark.split(";", 1)[0]!, failed: mark.includes("failed") };
  const known = devMark.peek();
  if (known?.version !== next.version || known.failed !== next.failed) devMark.value = next;
}

export async function askDev<T>(
  base: string,
  half: string | null,
  path: "state" | "crash" | "again",
  body: object,
  signalled?: AbortSignal,
): Promise<T> {
  const response = await fetch(`${base}/dev/${path}`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json", ...(half === null ? {} : { "x-pawl-session": half }) },
    body: JSON.stringify(body),
    ...(signalled === undefined ? {} : { signal: signalled }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw fromProblem(answer) ?? new Error(`the server answered ${response.status}`);
  return answer as T;
}
