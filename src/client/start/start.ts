// Starting a run, and what happens when its id or key has one already. The same id attaches or resumes, never restarts
// by itself; the same id with another input is refused. With an engine here the run is created, claimed and started in
// one Commit; without one, or inside a transaction of the caller's own, it is queued for an engine that serves the workflow.
import { retryUnknown } from "../messages/retry-unknown.ts";
import { inputDigest } from "../../codec/canonical.ts";
import { encode } from "../../codec/value.ts";
import { durationMs } from "../../core/duration.ts";
import { isSettled } from "../../core/model.ts";
import { checkId, checkName } from "../../core/names.ts";
import { principalText } from "../../core/principal.ts";
import { checkTraceparent } from "../../core/traceparent.ts";
import { createCommit, noInputDigest, type Creation } from "../../engine/create-run.ts";
import type { Definition } from "../../engine/definition.ts";
import type { RunOutcome } from "../../engine/end-waiters.ts";
import type { EngineCore } from "../../engine/engine.ts";
import { missingRows, noteRegistered, registerTemplate } from "../../engine/publish/template-registry.ts";
import { PawlError } from "../../errors/error.ts";
import type { TransactionView } from "../../store/user-transaction.ts";
import type { Commit, CommitAnswer, RunRow } from "../../store/port.ts";
import type { ClientContext, LocalClientDeps } from "../client-deps.ts";
import { endForRestart } from "../control/end-for-restart.ts";
import { assertLocal } from "../archive/availability.ts";
import { joinUserTransaction } from "./join-transaction.ts";
import { withIdentity } from "./start-identity.ts";
import { checkStart, type CheckedStart } from "./start-check.ts";
import { requestDifferences, requestDigest, hasStartKey, runOfSameRequest, runOfStartKey } from "./start-key.ts";
import { checkPriority } from "../../workflow/queue-options.ts";
import type { StartRequest, StartWait } from "../types.ts";

export interface StartAnswer {
  readonly runId: string;
  readonly workflowId: string;
  readonly created: boolean;
  /** The same request was made before under its key. */
  readonly replayed?: true;
  /** What of a start by name could not be checked. */
  readonly unchecked?: string;
  /** Started inside a transaction: resolves when that was committed, PAWL4001 when it was not. */
  readonly committed?: (timeoutMs: number | undefined, signal?: AbortSignal) => Promise<void>;
}

export async function resolveStart(c: ClientContext, r: StartRequest, known?: Definition, o: StartWait = {}): Promise<StartAnswer> {
  const definition = findDefinition(c, r, known);
  const inside = r.tx === undefined ? null : await joinUserTransaction(c.store, r.tx);
  let asked: Creation;
  try {
    const given = definition === undefined ? r.input : definition.input(r.input, "input");
    asked = buildCreation(c, r, definition, given instanceof Promise ? await given : given);
  } catch (e) {
    // A request that was answered before is answered again, even if the workflow would not take it today.
    const own = await runOfSameRequest(c, inside, r);
    if (own === undefined) throw e;
    return { ...(await attachedAnswer(c, inside, definition, assertLocal(own))), replayed: true };
  }
  if (definition?.identity !== undefined) asked = withIdentity(asked, definition.identity, r);
  const { runId, workflowId } = asked;
  const likelyNew = c.freshIds?.likely === true && canBeginHere(c, inside, asked, definition);
  const existing = likelyNew ? undefined : await findExisting(c, inside, asked);
  // A request that was answered before is answered again; only what would make a run is checked.
  const makesRun = existing === undefined || (r.onConflict === "restart" && !hasStartKey(asked, existing));
  const checked: CheckedStart = makesRun && definition === undefined ? await checkStart(c, r, asked) : { base: asked };
  const { base, unchecked } = checked;
  const met = existing ?? (await createRegistered(c, inside, base, definition));
  if (met === null) c.freshIds?.created();
  else c.freshIds?.met();
  const made = met === null ? { runId, workflowId, created: true } : await attachTo(c, inside, r, base, definition, met, o);
  const answer = unchecked === undefined || !made.created ? made : { ...made, unchecked };
  return inside === null
    ? answer
    : { ...answer, committed: (timeoutMs, signal) => waitUntilCommitted(c, inside, answer.runId, timeoutMs, signal) };
}

/**
 * The usual call: a run that has no id but its own is new, and is awaited where it is started. `told` hears of its end, null if
 * it left this engine's memory before. Nothing on the way makes a promise: each costs as much as a hash.
 */
export function startAndAwait(
  c: LocalClientDeps & { readonly engine: EngineCore },
  known: Definition,
  input: unknown,
  told: (runId: string, ended: RunOutcome | null) => void,
  failed: (e: unknown) => void,
): void {
  const r = { workflow: known.name, input };
  findDefinition(c, r, known);
  const start = (parsed: unknown): void => {
    const base = buildCreation(c, r, known, parsed);
    c.engine.runHere(known, base, (ended) => told(base.runId, ended), failed);
  };
  const given = known.input(input, "input");
  if (given instanceof Promise) given.then(start).catch(failed);
  else start(given);
}

function findDefinition(c: LocalClientDeps, r: StartRequest, known: Definition | undefined): Definition | undefined {
  const registered = c.engine?.definition(r.workflow);
  if (known !== undefined && registered !== undefined && registered.code !== known.code)
    throw new PawlError("PAWL5004", `two workflows are named ${known.name}`);
  // Another version than that of this engine is started as any caller without the code would.
  return known ?? (r.version === undefined || r.version === registered?.version ? registered : undefined);
}

/** Without an id of its own it has its runId for one. */
function buildCreation(c: LocalClientDeps, r: StartRequest, definition: Definition | undefined, parsed: unknown): Creation {
  const input = parsed === undefined ? null : encode(parsed, c.limits, "input");
  const named = r.id ?? definition?.idOf?.(parsed);
  const runId = c.platform.uuidV7();
  if (r.idempotencyKey !== undefined) checkId(r.idempotencyKey, "idempotencyKey");
  if (r.onConflict !== undefined && !["attach", "reject", "restart"].includes(r.onConflict))
    throw new PawlError("PAWL4011", 'onConflict is "attach", "reject" or "restart"');
  return {
    runId,
    workflowId: named === undefined ? runId : checkId(named, "the run's id"),
    definition: definition ?? { name: checkName(r.workflow, "the workflow's name"), version: r.version ?? "1" },
    input,
    parsed: definition !== undefined,
    tags: checkTags(r.tags),
    idempotencyKey: r.idempotencyKey ?? null,
    deadlineMs: r.deadlineMs === undefined ? null : durationMs(r.deadlineMs, "deadlineMs"),
    namedVersion: r.version,
    priority: r.priority === undefined ? undefined : checkPriority(r.priority, "priority"),
    delayMs: r.delayMs === undefined || r.delayMs === 0 ? undefined : durationMs(r.delayMs, "delayMs"),
    traceparent: r.traceparent === undefined ? c.telemetry?.current() : checkTraceparent(r.traceparent),
    by: principalText(c.by),
    request: requestDigest(c, r),
  };
}

/**
 * A run that exists is found by a read, so that its code is not begun for nothing. The start key comes before onConflict; it is looked for
 * after the id: what was read then is no later run of this request.
 */
async function findExisting(c: LocalClientDeps, inside: TransactionView | null, base: Creation): Promise<RunRow | undefined> {
  const { runId, workflowId, idempotencyKey } = base;
  const byId = workflowId === runId ? undefined : await (inside ?? c.store).run({ scope: c.scope, workflowId });
  return typeof idempotencyKey === "string" ? ((await runOfStartKey(c, inside, base)) ?? byId) : byId;
}

/** A run that is not there although its transaction is over was rolled back with it. */
async function waitUntilCommitted(
  c: ClientContext,
  inside: TransactionView,
  runId: string,
  timeoutMs: number | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    const over = await inside.hasEnded(runId);
    if ((await c.store.run({ runId })) !== undefined) return true;
    if (over) throw new PawlError("PAWL4001", `there is no run ${runId}: its transaction was not committed`, { data: { id: runId } });
    return false;
  };
  await c.parts.watcher.until(runId, timeoutMs, isThere, signal);
}

/** TX-18: what a template needs is read before anything is written; its missing rows go into the Commit that creates the run (T-26). */
async function createRegistered(
  c: LocalClientDeps,
  inside: TransactionView | null,
  base: Creation,
  definition: Definition | undefined,
): Promise<RunRow | null> {
  const template = definition?.template;
  if (template === undefined) return (await createRun(c, inside, base, definition)) as RunRow | null;
  // Rows of a registry are no part of a transaction of the user's own.
  if (inside !== null) await registerTemplate(c.store, c.scope, template);
  for (;;) {
    const puts = await missingRows(c.store, c.scope, template);
    const met = await createRun(c, inside, puts.length === 0 ? base : { ...base, puts }, definition);
    if (met === "unmet") continue; // T-31: somebody else put a row meanwhile: it is read, and compared
    if (met === null && puts.length > 0) noteRegistered(c.store, c.scope, template);
    return met;
  }
}

/** null when created; else the run that is in the way; unmet: a row that goes with it is there meanwhile. */
function createRun(
  c: LocalClientDeps,
  inside: TransactionView | null,
  base: Creation,
  definition: Definition | undefined,
): Promise<RunRow | null | "unmet"> {
  return canBeginHere(c, inside, base, definition)
    ? c.engine!.startHere(definition!, base).then((started) => (started.kind === "created" ? null : started.existing))
    : queueRun(c, inside, base, definition);
}

/** It is created, claimed and started in one Commit by the engine of this process. */
function canBeginHere(c: LocalClientDeps, inside: TransactionView | null, base: Creation, definition: Definition | undefined): boolean {
  if (c.engine === null || definition === undefined || base.delayMs !== undefined || inside !== null || base.puts !== undefined)
    return false;
  return c.engine.takesOn(definition.name);
}

async function queueRun(
  c: LocalClientDeps,
  inside: TransactionView | null,
  base: Creation,
  definition: Definition | undefined,
): Promise<RunRow | null | "unmet"> {
  if (c.engine !== null && definition !== undefined) c.engine.registerWorkflow(definition);
  const commit = createCommit(c, base);
  const answer = inside === null ? await commitUnlessBusy(c, commit) : await inside.create(commit);
  if (answer?.kind === "committed" || answer?.kind === "duplicate") {
    if (base.puts !== undefined) c.engine?.wake();
    return null;
  }
  if (answer?.kind === "unmet") return "unmet";
  // Asked again, it may meet its own run, which an engine has taken on meanwhile: the id was made for this call.
  if (answer?.kind === "conflict") return answer.existing.runId === base.runId ? null : answer.existing;
  throw new PawlError("PAWL3002", `the run was not created: ${answer?.kind === "refused" ? answer.reason : (answer?.kind ?? "no answer")}`);
}

/** Busy: somebody holds a row that it needs, such as a name that many first starts put at once. Nothing was written, so it is asked again. */
async function commitUnlessBusy(c: LocalClientDeps, commit: Commit): Promise<CommitAnswer | undefined> {
  for (let n = 1; ; n++) {
    const [answer] = (await retryUnknown(c.platform, () => c.store.commit([commit]))).answers;
    if (answer?.kind !== "busy" || n === busyTriesMax) return answer;
    await new Promise<void>((again) => c.platform.timer(10 * n, again));
  }
}
const busyTriesMax = 40;

async function attachTo(
  c: ClientContext,
  inside: TransactionView | null,
  r: StartRequest,
  base: Creation,
  definition: Definition | undefined,
  met: RunRow,
  o: StartWait,
): Promise<StartAnswer> {
  assertLocal(met);
  const own = hasStartKey(base, met) ? met : await runOfStartKey(c, inside, base);
  if (own !== undefined && base.hasIdentity === true) return attachToSameIdentity(c, inside, base, definition, own);
  if (own !== undefined) return attachToOwnKey(c, inside, base, definition, own);
  const where = { data: { workflowId: met.workflowId, runId: met.runId } };
  if (met.workflow !== base.definition.name)
    throw new PawlError("PAWL4002", `${met.workflowId} is a run of workflow ${met.workflow}`, where);
  if (r.onConflict === "reject") throw new PawlError("PAWL4002", `${met.workflowId} has a run already`, where);
  if (r.onConflict === "restart") return restartRun(c, inside, base, definition, met, { ...o, reason: r.reason });
  const digest = base.input === null ? noInputDigest : inputDigest(base.input);
  if (met.inputDigest !== digest) throw new PawlError("PAWL4009", `${met.workflowId} was started with another input`, where);
  return attachedAnswer(c, inside, definition, met);
}

async function attachedAnswer(
  c: LocalClientDeps,
  inside: TransactionView | null,
  definition: Definition | undefined,
  met: RunRow,
): Promise<StartAnswer> {
  if (definition !== undefined) c.engine?.registerWorkflow(definition);
  c.engine?.wake();
  if (inside === null) await c.engine?.wakeIfWaitingForChild(met);
  return { runId: met.runId, workflowId: met.workflowId, created: false };
}

/** the same input attaches; anything else under the key is refused, and learns nothing of the run that has it. */
async function attachToSameIdentity(
  c: LocalClientDeps,
  inside: TransactionView | null,
  base: Creation,
  definition: Definition | undefined,
  own: RunRow,
): Promise<StartAnswer> {
  const digest = base.input === null ? noInputDigest : inputDigest(base.input);
  if (own.workflow !== base.definition.name || own.inputDigest !== digest)
    throw new PawlError("PAWL4009", "this start key was used for another request");
  return { ...(await attachedAnswer(c, inside, definition, assertLocal(own))), replayed: true };
}

/** The same request again is answered with its own run, whatever onConflict says; another one under its key is refused, without an id. */
async function attachToOwnKey(
  c: LocalClientDeps,
  inside: TransactionView | null,
  base: Creation,
  definition: Definition | undefined,
  own: RunRow,
): Promise<StartAnswer> {
  const differs = await requestDifferences(c, base, assertLocal(own));
  if (differs.length === 0) return { ...(await attachedAnswer(c, inside, definition, own)), replayed: true };
  throw new PawlError(
    "PAWL4053",
    `start key ${base.idempotencyKey ?? ""} was used for another request: it differs in ${differs.join(", ")}`,
    { data: { differs: differs.join(",") } },
  );
}

/** The latest run ends first, if it has not; then a new one supersedes it. The old log stays as it is (I8). */
async function restartRun(
  c: ClientContext,
  inside: TransactionView | null,
  base: Creation,
  definition: Definition | undefined,
  met: RunRow,
  o: StartWait & { readonly reason: string | undefined },
): Promise<StartAnswer> {
  let old = met;
  // Its end would be written by its owner, outside of the transaction that waits for it.
  if (inside !== null && !isSettled(old.status))
    throw new PawlError("PAWL4010", `run ${old.runId} is ${old.status}: inside a transaction only a run that has ended can be restarted`);
  // I8: one request ends a run once. Under its key it is the same request; and its own run, once there is one, has the key.
  if (!isSettled(old.status)) old = await endForRestart(c, old, base.idempotencyKey ?? null, o.reason ?? "restarted", o);
  // K19: the run chain continues: what the old run may have sent is carried over. The engine that claims it reads the chain first.
  const line = old.origin === "external" ? {} : { restartOf: old.runId, rootRunId: old.rootRunId };
  const inTheWay = await queueRun(c, inside, { ...base, supersedes: old.runId, originalRunId: old.runId, ...line }, definition);
  if (inTheWay === null || inTheWay === "unmet") return { runId: base.runId, workflowId: base.workflowId, created: true };
  const own = hasStartKey(base, inTheWay) ? inTheWay : await runOfStartKey(c, inside, base); // the same request, sent twice at once
  if (own === undefined)
    throw new PawlError("PAWL4002", `${met.workflowId} was restarted by somebody else`, { data: { runId: inTheWay.runId } });
  return attachToOwnKey(c, inside, base, definition, own);
}

const tagsMax = 100;

function checkTags(tags: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const given = Object.entries(tags ?? {});
  // Every list of runs shows them.
  if (given.length > tagsMax) throw new PawlError("PAWL4011", `a run has at most ${tagsMax} tags, not ${given.length}`);
  for (const [k, v] of given) {
    checkId(k, "a tag's name");
    if (typeof v !== "string") throw new PawlError("PAWL4011", `tag ${k} must be a string`);
    checkId(v, `tag ${k}`);
  }
  return tags ?? {};
}
