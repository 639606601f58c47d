// The typed handle of a run: the verbs of the client with the ids of the run filled in and the types of its workflow around them. It keeps no
// state and must never know more than the client does: a handle can be thrown away and made again.
import { errorFromFailure } from "../codec/failure.ts";
import type { RunEventRecord } from "../core/contract.ts";
import { durationMs } from "../core/duration.ts";
import { checkOptions } from "../core/guarantee.ts";
import { isSettled } from "../core/model.ts";
import type { StepStreams } from "../engine/streams/step-streams.ts";
import { PawlError } from "../errors/error.ts";
import type { AnyWorkflow, OutputOf } from "../workflow/types.ts";
import type { Handle } from "./engine-types.ts";
import { controlRunChain } from "./control/run-chain-control.ts";
import type { ForkOptions, Forked, ForkPlan, ForkQuestion } from "../api/types/fork.ts";
import type { Retried, RetryOptions, RetryPlan } from "../api/types/retry.ts";
import type { StartAnswer } from "./start/start.ts";
import type { Client, RunEnd } from "./types.ts";

const resultOptions: ReadonlySet<string> = new Set(["timeout", "whenDiverged", "signal"]);
/** How often a follower looks at a run about which no hint came. */
const followMs = 250;
/** No engine of this process runs it: nothing can be heard. */
const nowhere: Pick<StepStreams, "listen"> = { listen: () => () => {} };

export function handleOf<W extends AnyWorkflow>(
  client: Client,
  wf: W,
  at: Pick<StartAnswer, "runId" | "workflowId" | "committed">,
  streams: Pick<StepStreams, "listen"> = nowhere,
): Handle<W> {
  const { runId, workflowId, committed } = at;
  return {
    runId,
    workflowId,
    status: async () => {
      const row = await client.get(runId);
      if (row === undefined) throw new PawlError("PAWL4001", `there is no run ${runId}`);
      return { status: row.status, ...(row.waiting === undefined ? {} : { waiting: row.waiting }) };
    },
    result: async (o) => {
      if (o !== undefined) checkOptions(o, resultOptions, "result"); // a misspelt time limit would be a wait without end
      const timeoutMs = o?.timeout === undefined ? undefined : durationMs(o.timeout, "timeout");
      await committed?.(timeoutMs, o?.signal);
      const end = await client.waitForEnd(runId, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        whenDiverged: o?.whenDiverged ?? "reject",
        signal: o?.signal,
      });
      return unwrapEnd(end) as OutputOf<W>;
    },
    signal: (name, value, o) => client.signal(workflowId, name, value, o),
    update: async (name, value, o) => {
      const { timeout, ...rest } = o ?? {};
      return (await client.update(workflowId, name, value, {
        ...rest,
        ...(timeout === undefined ? {} : { timeoutMs: durationMs(timeout, "timeout") }),
      })) as never;
    },
    view: async (name) => (await client.view(runId, name)) as never,
    pause: (reason) => controlRunChain(client, runId, "pause", reason),
    resume: (reason) => controlRunChain(client, runId, "resume", reason),
    cancel: (reason) => controlRunChain(client, runId, "cancel", reason),
    terminate: (reason) => controlRunChain(client, runId, "terminate", reason),
    retry: (async (o?: RetryOptions) => {
      const answer = await (client.retry as (id: string, o?: RetryOptions) => Promise<RetryPlan | Retried>)(runId, o);
      return "dryRun" in answer ? answer : handleOf(client, wf, answer, streams);
    }) as Handle<W>["retry"],
    questions: () => client.questions(runId),
    answer: (questionId, value, o) => client.answer(questionId, value, o),
    steps: () => client.steps(runId),
    proof: () => client.proof(runId),
    state: async (o) => (await client.state(runId, o)) as never,
    history: async (o) => (await client.history(runId, o)) as never,
    stream: (o) => client.streamGraph(runId, o) as never,
    io: (superstep) => client.io(runId, superstep),
    next: async (input, o) => handleOf(client, wf, await client.next(runId, input, o), streams),
    fork: (async (o: ForkOptions | ForkQuestion) => {
      const answer = await (client.fork as (id: string, o: ForkOptions | ForkQuestion) => Promise<ForkPlan | Forked>)(runId, o);
      return "dryRun" in answer ? answer : handleOf(client, wf, answer, streams);
    }) as Handle<W>["fork"],
    usage: () => client.usage(runId),
    causes: async (o) =>
      (await client.causes(runId)).filter(
        ({ effect }) => (o?.stepId === undefined || effect.stepId === o.stepId) && (o?.key === undefined || effect.key === o.key),
      ),
    events: (o) => followEvents(client, runId, o ?? {}),
    listen: (listener) => streams.listen(runId, listener),
    evidence: (o) => client.evidence(runId, o),
  };
}

/** The recorded result, or the recorded failure, thrown. */
export function unwrapEnd(end: RunEnd): unknown {
  if (end.status === "COMPLETED") return end.result;
  const data = { runId: end.runId, status: end.status, category: end.category ?? null };
  if (end.status === "CANCELLED")
    throw new PawlError("PAWL1014", `run ${end.runId} was cancelled${end.reason === undefined ? "" : `: ${end.reason}`}`, { data });
  const cause = end.error === undefined ? undefined : errorFromFailure(end.error);
  throw new PawlError("PAWL1013", cause?.message ?? `run ${end.runId} failed`, { cause, data });
}

async function* followEvents(
  client: Client,
  runId: string,
  o: { after?: number; follow?: boolean; signal?: AbortSignal },
): AsyncGenerator<RunEventRecord> {
  let after = o.after ?? 0;
  for (;;) {
    // Before anything is read: what comes meanwhile is not waited for in vain.
    const changed = o.follow === true ? client.waitForChange(runId, { timeoutMs: followMs }) : undefined;
    changed?.catch(() => {}); // a store that is closed meanwhile is reported by what is read
    const row = await client.get(runId);
    const page = await client.events(runId, { after });
    yield* page;
    after = page.at(-1)?.runSeq ?? after;
    const ended = row !== undefined && isSettled(row.status);
    if (page.length > 0) continue;
    if (o.follow !== true || ended || o.signal?.aborted === true) return;
    await changed;
  }
}
