// `retry`: a new run in place of one that has ended, which takes over what its run chain completed (K19). What it will do with each step
// is the table's to say (core/send-again.ts); the dry run reads the same table. Sending a completed effect again is an order of a
// person, recorded with who and why. The old run's log stays as it is (I8).
import { checkOptions } from "../../core/guarantee.ts";
import { isCalledEffect } from "../../core/step-kind-facts.ts";
import { isSettled } from "../../core/model.ts";
import { isUuidV4, isWellFormedText, nameBytesMax, utf8Length } from "../../core/names.ts";
import { principalText } from "../../core/principal.ts";
import { mayRerun, sendClassOf } from "../../core/send-again.ts";
import { type ManualUndo, manualUndoText } from "../../engine/chain/manual-undo.ts";
import { retryPoint } from "../../engine/chain/fork-point.ts";
import { createCommit } from "../../engine/create-run.ts";
import { RunChain } from "../../engine/chain/run-chain.ts";
import { readEvents } from "../../engine/run/read-events.ts";
import { earlierRuns } from "../../engine/chain/read-run-chain.ts";
import { PawlError } from "../../errors/error.ts";
import { readPayload, type RerunOrder, type RunStartPayload } from "../../events/payload.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { retryUnknown } from "../messages/retry-unknown.ts";
import { statedBy } from "../stated-by.ts";
import { assertLocal, requirePayloads } from "../archive/availability.ts";
import { planStep } from "./planned-steps.ts";
import type { Retried, RetryOptions, RetryPlan, RetryWarning } from "../../api/types/retry.ts";

const retryOptions: ReadonlySet<string> = new Set(["fromStep", "rerun", "by", "reason", "requestId", "dryRun"]);

export async function retryRun(c: LocalClientDeps, run: RunRow, o: RetryOptions): Promise<RetryPlan | Retried> {
  // A misspelt dryRun would really retry.
  if (typeof o !== "object" || o === null) throw new PawlError("PAWL5001", "retry takes an object of options");
  checkOptions(o, retryOptions, "retry");
  const key = o.requestId === undefined ? null : requestKey("retry", run.workflowId, o.requestId);
  const order = rerunOrder(c, o);
  const asked = { ...(o.fromStep === undefined ? {} : { fromStep: o.fromStep }), ...(order === null ? {} : { rerun: order }) };
  const known = key === null || o.dryRun === true ? undefined : await c.store.run({ scope: c.scope, idempotencyKey: key });
  if (known !== undefined) return answerAgain(c, known, asked);
  const old = requirePayloads(assertLocal(run));
  if (old.origin === "external") throw new PawlError("PAWL4010", `run ${old.runId} is written by producers: no engine can run it again`);
  if (!isSettled(old.status))
    throw new PawlError("PAWL4010", `run ${old.runId} is ${old.status}: only a run that has ended can be retried`);
  if (old.status === "COMPLETED" && o.fromStep === undefined && o.rerun === undefined)
    throw new PawlError(
      "PAWL4010",
      `run ${old.runId} completed: say from which step to run it again (fromStep, --from-step), or what to send again (rerun, --rerun)`,
    );
  const { earlier, lost } = await earlierRuns(c.store, old.runId);
  const last = earlier.at(-1)!;
  const { fromStep } = o;
  if (fromStep !== undefined && !last.history.steps.has(fromStep))
    throw new PawlError("PAWL4011", `run ${old.runId} has no step ${fromStep}`, { data: { runId: old.runId, stepId: fromStep } });
  const begin = order === null && fromStep === undefined ? await beginOf(c, old, last.history.start) : startOf(last.history.start);
  const start: RunStartPayload = { retryOf: old.runId, ...asked, ...begin };
  const line = new RunChain(earlier, { start, runInput: last.runInput });
  if (order !== null) checkOrder(line, order, old.runId);
  const warnings = lostStepWarnings(last.manualUndo ?? null);
  if (o.dryRun === true) return retryPlan(c, old, line, lost, warnings);

  const { input, parsed, priority } = last.history.start;
  const runId = c.platform.uuidV7();
  const commit = createCommit(c, {
    runId,
    workflowId: old.workflowId,
    definition: { name: old.workflow, version: old.version },
    input: input === undefined ? null : JSON.stringify(input),
    parsed: parsed === true,
    tags: old.tags,
    priority,
    deadlineMs: old.deadlineAt === null ? null : old.deadlineAt - old.createdAt, // as long again
    supersedes: old.runId,
    originalRunId: old.runId,
    rootRunId: old.rootRunId,
    retryOf: old.runId,
    traceparent: c.telemetry?.current(),
    idempotencyKey: key,
    by: principalText(c.by),
    ...asked,
    ...begin,
    ...(o.reason === undefined ? {} : { reason: o.reason }),
  });
  const [answer] = (await retryUnknown(c.platform, () => c.store.commit([commit]))).answers;
  const made = { runId, workflowId: old.workflowId, ...(warnings.length === 0 ? {} : { warnings }), replayed: false };
  if (answer?.kind === "committed" || answer?.kind === "duplicate") return made;
  if (answer?.kind !== "conflict") throw new PawlError("PAWL3002", `the new run was answered ${answer?.kind ?? "not at all"}`);
  const { existing } = answer;
  if (existing.runId === runId) return made; // asked again, it met its own run
  const own = key === null ? undefined : await c.store.run({ scope: c.scope, idempotencyKey: key });
  if (own !== undefined) return answerAgain(c, own, asked); // the same request, sent twice at once
  throw new PawlError("PAWL4002", `${old.workflowId} has a newer run: ${existing.runId}`, { data: { runId: existing.runId } });
}

/** Of a graph: where the retry begins. It must not replay what it need not know of; else it begins where the run that it retries began. */
async function beginOf(c: LocalClientDeps, old: RunRow, start: RunStartPayload): Promise<Pick<RunStartPayload, "fork" | "begin">> {
  const point = start.style === "graph" ? retryPoint(await readEvents(c.store, old.runId)) : undefined;
  return point === undefined ? startOf(start) : { begin: { runId: old.runId, ...point } };
}
function startOf({ fork, begin }: RunStartPayload): Pick<RunStartPayload, "fork" | "begin"> {
  return { ...(fork === undefined ? {} : { fork }), ...(begin === undefined ? {} : { begin }) };
}

/**
 * The start key of the run that a retry, or a turn, makes: its workflowId and its requestId, so that a request to a workflowId finds it although a newer
 * run has the place by then. No key of a caller has its bar.
 */
export function requestKey(what: "retry" | "next", workflowId: string, requestId: string): string {
  if (!isUuidV4(requestId)) throw new PawlError("PAWL4011", "requestId must be a UUID of version 4, such as crypto.randomUUID() makes");
  return `${what}|${requestId.toLowerCase()}|${sha256Hex(workflowId).slice(0, 32)}`;
}

/** The run that this request made; refused when it asks for another retry than then. */
async function answerAgain(c: LocalClientDeps, own: RunRow, asked: Pick<RunStartPayload, "fromStep" | "rerun">): Promise<Retried> {
  const { runId, workflowId, originalRunId } = own;
  const [first] = own.purgedAt === null ? await c.store.events({ runId, after: 0, limit: 1 }) : [];
  const then = readPayload<RunStartPayload>(first?.payload ?? null);
  const same = first === undefined || own.expiredAt !== null || (then.fromStep === asked.fromStep && sameSteps(then.rerun, asked.rerun));
  if (!same)
    throw new PawlError("PAWL4053", `this requestId was used for another retry of ${workflowId}, which made run ${runId}`, {
      data: { workflowId, runId },
    });
  const before = originalRunId === null ? undefined : await c.store.run({ runId: originalRunId });
  const readable = before !== undefined && before.expiredAt === null && before.purgedAt === null && before.origin === "engine";
  const warnings = readable ? lostStepWarnings((await earlierRuns(c.store, before.runId)).earlier.at(-1)?.manualUndo ?? null) : [];
  return { runId, workflowId, ...(warnings.length === 0 ? {} : { warnings }), replayed: true };
}

function sameSteps(a: RerunOrder | undefined, b: RerunOrder | undefined): boolean {
  return JSON.stringify(a?.steps) === JSON.stringify(b?.steps);
}

function rerunOrder(c: LocalClientDeps, { rerun, by: said, reason }: RetryOptions): RerunOrder | null {
  const by = statedBy(c.by, said, "/by");
  if (rerun === undefined) return null;
  if (!Array.isArray(rerun) || rerun.length === 0 || rerun.some((id) => typeof id !== "string"))
    throw new PawlError("PAWL4011", "rerun is a list of step ids, with at least one");
  return {
    steps: [...new Set(rerun as readonly string[])],
    by: checkStatedText(by, "by: who orders it"),
    reason: checkStatedText(reason, "reason: why"),
  };
}

export function checkStatedText(text: unknown, what: string, of = "rerun"): string {
  if (typeof text !== "string" || text.trim() === "" || !isWellFormedText(text) || utf8Length(text) > nameBytesMax)
    throw new PawlError("PAWL4011", `${of} needs ${what}, well-formed text of 1 to ${nameBytesMax} bytes`);
  return text;
}

/** Only what completed, and whose class lets a person send it again. */
function checkOrder(line: RunChain, order: RerunOrder, runId: string): void {
  for (const stepId of order.steps) {
    const step = line.steps.find((e) => e.past.stepId === stepId);
    if (step === undefined)
      throw new PawlError("PAWL4011", `run ${runId} and those before it have no step ${stepId}`, { data: { runId, stepId } });
    const { started } = step.past;
    const refuse = (why: string): PawlError =>
      new PawlError("PAWL4052", `${stepId} cannot be sent again: ${why}`, { data: { runId, stepId } });
    if (!isCalledEffect(started.kind)) throw refuse(`it is a ${started.kind}, not an effect`);
    const of = sendClassOf(started);
    if (!mayRerun(of)) throw refuse(`it is ${of}, which happens once: its recorded result is always kept`);
    if (step.recorded !== "completed") throw refuse(`it did not complete (${step.recorded}): a plain retry continues it by its class`);
  }
}

function lostStepWarnings(found: ManualUndo | null): RetryWarning[] {
  return found === null ? [] : [{ code: "PAWL1023", message: manualUndoText(found), steps: found.steps }];
}

async function retryPlan(
  c: LocalClientDeps,
  old: RunRow,
  line: RunChain,
  lost: string | null,
  warnings: readonly RetryWarning[],
): Promise<RetryPlan> {
  const { nowMs } = await c.store.info();
  return {
    dryRun: true,
    runId: old.runId,
    workflowId: old.workflowId,
    ...(lost === null ? {} : { lost }),
    steps: await Promise.all(line.steps.map((e) => planStep(c, line, e, nowMs))),
    warnings,
  };
}
