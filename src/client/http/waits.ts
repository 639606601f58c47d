// Waiting over HTTP: long polls in a loop, each shorter than what proxies cut. The run that a wait began with stays the one it waits for, and the
// caller's time limit ends it (PAWL4006). A wait survives a server that restarts meanwhile.
import { PawlError } from "../../errors/error.ts";
import type { RunEnd, WhenDiverged } from "../../api/types/run.ts";
import type { DecisionAnswer, Resolved } from "../../api/types/ledger.ts";
import type { HttpCaller } from "./call.ts";

/** Proxies cut a silent line after 60 seconds, some after 30. */
const pollMs = 25_000;
/** How long an answer to a decision waits for the run's owner, as in process. */
const ownerWaitMs = 5_000;

interface WaitLimits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function pollForEnd(
  c: HttpCaller,
  id: string,
  o: WaitLimits & { readonly whenDiverged?: WhenDiverged } = {},
): Promise<RunEnd> {
  const limit = limitOf(c, o);
  let runId = id;
  for (;;) {
    const waitMs = limit.nextMs();
    const diverged = o.whenDiverged === undefined ? {} : { whenDiverged: o.whenDiverged };
    const answer = await c.call("runs.result", { id: runId, wait: waitMs / 1_000, ...diverged }, limit.options(waitMs));
    if (!("pending" in answer)) return answer;
    runId = answer.runId;
    if (limit.passed()) throw new PawlError("PAWL4006", `run ${runId} did not end within ${o.timeoutMs} ms`, { data: { runId } });
  }
}

/** Asked for again under the same id, it is the same update. */
export async function pollForAnswer(
  c: HttpCaller,
  input: { readonly id: string; readonly name: string; readonly payload?: unknown; readonly updateId: unknown },
  o: WaitLimits,
): Promise<unknown> {
  const limit = limitOf(c, o);
  for (;;) {
    const waitMs = limit.nextMs();
    const answer = await c.call("runs.update", { ...input, wait: waitMs / 1_000 }, limit.options(waitMs));
    if (answer.pending !== true) return answer.answer;
    if (limit.passed())
      throw new PawlError("PAWL4006", `nothing came of run ${input.id} within ${o.timeoutMs} ms`, { data: { runId: input.id } });
  }
}

export async function pollForResolved(
  c: HttpCaller,
  decisionId: string,
  answer: DecisionAnswer,
  o: WaitLimits & { readonly requestId?: string } = {},
): Promise<Resolved> {
  const limit = limitOf(c, { timeoutMs: ownerWaitMs, ...o });
  const requestId = o.requestId === undefined ? {} : { requestId: o.requestId };
  for (let first = true; ; first = false) {
    const waitMs = limit.nextMs();
    const resolved = await c.call("decisions.resolve", { decisionId, answer, wait: waitMs / 1_000, ...requestId }, limit.options(waitMs));
    if (resolved.state !== "posted" || limit.passed()) return first ? resolved : { state: resolved.state };
  }
}

interface WaitLimit {
  /** How long the next poll may take. */
  nextMs(): number;
  options(waitMs: number): { readonly waitMs: number; readonly deadline?: number; readonly signal?: AbortSignal };
  passed(): boolean;
}

/** Without a limit a poll is sent again as any other read is; with one, until it has passed. */
function limitOf({ target }: HttpCaller, o: WaitLimits): WaitLimit {
  const { web } = target;
  const deadline = o.timeoutMs === undefined ? undefined : web.monotonicMs() + Math.max(0, o.timeoutMs);
  return {
    nextMs: () => (deadline === undefined ? pollMs : Math.min(pollMs, Math.max(0, Math.ceil(deadline - web.monotonicMs())))),
    options: (waitMs) => ({
      waitMs,
      // The server needs a moment to say that the time is over.
      ...(deadline === undefined ? {} : { deadline: Math.max(deadline, web.monotonicMs()) + graceMs }),
      ...(o.signal === undefined ? {} : { signal: o.signal }),
    }),
    passed: () => deadline !== undefined && web.monotonicMs() >= deadline,
  };
}

const graceMs = 5_000;
