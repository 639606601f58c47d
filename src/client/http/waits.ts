// Waiting over HTTP: long polls in a loop, each shorter than what proxies cut. The run that a wait began with stays the one it waits for, and the
// caller's time limit ends it (PAWL4006). A wait survives a server that restarts meanwhile.
import { isPawlError, PawlError } from "../../errors/error.ts";
import type { ControlAnswer, ControlRequest } from "../../api/types/operate.ts";
import type { Control, RunEnd, StartedRun, StartRequest, WhenDiverged } from "../../api/types/run.ts";
import type { DecisionAnswer, Resolved } from "../../api/types/ledger.ts";
import type { AnswerOptions, Answered } from "../../api/types/questions.ts";
import type { OperationInput } from "../../api/operation-types.ts";
import type { HttpCaller } from "./call.ts";

/** Proxies cut a silent line after 60 seconds, some after 30. */
const pollMs = 25_000;
/** How long an answer to a decision waits for the run's owner, as in process. */
const ownerWaitMs = 5_000;
/** How long a start waits for the end of the run that is in its way; the server answers every 10 seconds. */
const restartMs = 30_000;
/** Between two of those answers: one that comes at once must not be asked for again at once. */
const againMs = 200;

interface WaitLimits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A restart whose old run takes its time is sent again: under the same key it is the same start. */
export async function pollForStart(c: HttpCaller, r: Omit<StartRequest, "tx">, o: WaitLimits = {}): Promise<StartedRun> {
  const { web, closed } = c.target;
  const limit = limitOf(c, { timeoutMs: restartMs, ...o });
  const request = { ...r, idempotencyKey: r.idempotencyKey ?? web.uuidV4() };
  for (;;) {
    const answer = await c.call("runs.start", request, o.signal === undefined ? {} : { signal: o.signal });
    if (!("pending" in answer)) {
      const { end: _, ...started } = answer;
      return started;
    }
    const { ending: runId, workflowId } = answer;
    if (limit.passed())
      throw new PawlError("PAWL4006", `run ${runId} is still ending: start again, and it continues`, { data: { runId, workflowId } });
    await web.sleep(againMs, o.signal === undefined ? closed : AbortSignal.any([closed, o.signal]));
  }
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
export async function pollForAnswer(c: HttpCaller, input: Omit<OperationInput<"runs.update">, "wait">, o: WaitLimits): Promise<unknown> {
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

/** A step on a queue is taken off it first, which its worker may keep waiting. Asked again under the same id, it is the same act. */
export async function pollForAct(c: HttpCaller, input: Omit<OperationInput<"steps.act">, "wait">, o: WaitLimits): Promise<Resolved> {
  const limit = limitOf(c, { signal: o.signal, timeoutMs: o.timeoutMs ?? ownerWaitMs });
  const act = { ...input, requestId: input.requestId ?? c.target.web.uuidV4() };
  for (let first = true; ; first = false) {
    const waitMs = limit.nextMs();
    try {
      const acted = await c.call("steps.act", { ...act, wait: waitMs / 1_000 }, limit.options(waitMs));
      if (acted.state !== "posted" || limit.passed()) return first ? acted : { state: acted.state };
    } catch (e) {
      if (!isPawlError(e, "PAWL4006") || limit.passed()) throw e;
    }
  }
}

/** Asked again under the same request id, it is the same control. */
export async function pollForControl(
  c: HttpCaller,
  id: string,
  what: Control,
  { timeoutMs = ownerWaitMs, signal, requestId = c.target.web.uuidV4(), ...o }: WaitLimits & ControlRequest,
): Promise<ControlAnswer> {
  const limit = limitOf(c, { timeoutMs, signal });
  let replayed: boolean | undefined;
  for (;;) {
    const waitMs = limit.nextMs();
    const askedMs = c.target.web.monotonicMs();
    const answer = await c.call(`runs.${what}`, { id, requestId, ...o, wait: waitMs / 1_000 }, limit.options(waitMs));
    replayed ??= answer.replayed;
    // An answer before its time says that nobody is there to wait for.
    const waited = c.target.web.monotonicMs() - askedMs >= waitMs;
    if (answer.state !== "posted" || !waited || limit.passed()) return { ...answer, replayed };
  }
}

/** Asked again under the same submission, it is the same answer. */
export async function pollForAnswered(c: HttpCaller, questionId: string, value: unknown, o: AnswerOptions = {}): Promise<Answered> {
  const limit = limitOf(c, { timeoutMs: ownerWaitMs, ...o });
  const { by, reason, submissionId = c.target.web.uuidV4() } = o;
  const input = { questionId, submissionId, ...(value === undefined ? {} : { value }), ...(by === undefined ? {} : { by }) };
  const said = reason === undefined ? input : { ...input, reason };
  for (let first = true; ; first = false) {
    const waitMs = limit.nextMs();
    const answered = await c.call("questions.answer", { ...said, wait: waitMs / 1_000 }, limit.options(waitMs));
    if (answered.state !== "posted" || limit.passed()) return first ? answered : { ...answered, replayed: false };
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
