// The calls of workflow code, as the run answers them. Every one that waits becomes a step here: named, matched with
// the record or added to the draft, and given a promise that carries a no-op catch (K16). A call outside an open
// activation was woken by something unrecorded: the run stops before the call is recorded (K15).
import { decode, encode, revive } from "../../codec/value.ts";
import { mayRepeat } from "../../core/guarantee.ts";
import { isSettled } from "../../core/model.ts";
import { nameBytesMax, utf8Length } from "../../core/names.ts";
import { PawlError } from "../../errors/error.ts";
import { jsonObject, pawlEvents, jsonValue } from "../../events/payload.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { callerLocation, locationText } from "../../platform/source-location.ts";
import type { Notice, RunRow } from "../../store/port.ts";
import type { TxSql } from "../../store/transaction-store.ts";
import { adoptFromChain, withChainVerdict } from "../chain/adopt.ts";
import { noDispatchRecord } from "../effects/dispatch-age.ts";
import type { Calls, ChildSpec, EffectSpec, StartedChild, TxUndo } from "../calls.ts";
import { childToContinue } from "../steps/continue-child.ts";
import { createCommit } from "../create-run.ts";
import type { PendingEvent } from "./commit-draft.ts";
import type { RecordedStep } from "./history.ts";
import type { ChainVerdict } from "../chain/run-chain.ts";
import type { LiveRun } from "./live-run.ts";
import { dispatchedState, effectDraft } from "../effects/ledger.ts";
import { isEffect, type OpenStep, type StepBody } from "../steps/open-step.ts";
import { ContinueAsNew, FailRun } from "./ending.ts";
import { refuseCall } from "./refused-call.ts";
import { externalResultKey } from "../effects/external-results.ts";
import { approvalFields, askForApproval } from "../decisions/approve.ts";
import { noteCallSite } from "./call-sites.ts";
import { wokenByUnrecorded } from "../decisions/needs-decision.ts";
import { withCallDigest, declaredOptions, stepStartPayload, type StepStart } from "../steps/step-start.ts";

/** What rides with a step's start. */
type StartExtras = Pick<PendingEvent, "child" | "notices"> & { readonly started?: Partial<StepStart> };
/** `before`: what the line says of it. Nothing that is taken over leaves a second time. */
type StartExtrasOf = (stepId: string, before: ChainVerdict | undefined) => StartExtras;

const ignored = (): void => {};

/** Never settles. A new one each time: whoever awaited a shared one would be kept by it for as long as the process lives. */
const never = (): Promise<never> => new Promise(() => {});

/** Opens a step. `extra` rides with its StepStarted; `at` once opened live, before anything is committed. */
function openStep(
  r: LiveRun,
  scope: string,
  s: StepStart,
  work: (stepId: string) => StepBody,
  input: string | null,
  extra?: StartExtrasOf,
): Promise<unknown> {
  const refused = callRefusal(r, callText(s));
  if (refused !== null) return rejectedPromise(refused);
  if (r.isUnloaded || r.replay.hasDiverged) return never();
  if (!r.inActivation) {
    r.replay.diverge("PAWL1007", `${callText(s)} was called ${wokenByUnrecorded(r)}`, "a recorded outcome", s.name, {
      calledAt: callerLocation(),
    });
    return never();
  }
  r.replay.takeRecordedStop();
  if (r.stopReason !== null || r.codeEnd !== null) return rejectedPromise(refuseCall(r, s.kind === "effect" ? "step" : s.kind, s.name));
  if (r.open.size >= r.host.limits.openStepsMax)
    return rejectedPromise(new PawlError("PAWL1010", `${r.open.size} steps are open, the limit is ${r.host.limits.openStepsMax}`));
  noteCallSite(r.definition, (r.lastCall = callText(s)));
  const stepId = r.names.next(scope, s.name);
  const call = withCallDigest(s, input);
  const past = r.replay.expect(stepId, call);
  if (past === null) return never();
  const live = past === undefined;
  const before = r.chain === null ? undefined : r.chain.judge(stepId, call, input);
  const more = live && extra !== undefined ? extra(stepId, before) : undefined;
  const whole = more?.started === undefined ? call : { ...call, ...more.started };
  const started = past?.started ?? (before === undefined ? whole : withChainVerdict(r, whole, before));
  const what = work(stepId);
  let step!: OpenStep;
  const promise = new Promise((resolve, reject) => {
    step = {
      stepId,
      name: s.name,
      body: what,
      started,
      resolve,
      // K16: nobody may await it. The catch comes before the rejection; a promise that is fulfilled needs none.
      reject: (e) => {
        promise.catch(ignored);
        reject(e);
      },
      state: live ? "starting" : "recovering",
      attempt: past?.attempt ?? 1,
      engineAttempt: past?.engineAttempt ?? 1,
      firstAt: past?.firstAt ?? 0,
      lastAt: past?.lastAt ?? 0,
      dispatchRecord: noDispatchRecord(),
      dueAt: null,
      heartbeat: past?.heartbeat === undefined ? undefined : revive(past.heartbeat),
      chain: before ?? null,
      inheritedInDoubt: false,
      seq: past?.runSeq ?? 0,
      doubtSeq: past?.doubtSeq ?? 0,
      mayHaveBeenSent: past?.mayHaveBeenSent ?? false,
      resentToLearn: false,
      awaitingApproval: past?.awaitingApproval ?? started.approve === true,
      proposal: past?.proposal ?? null,
      declaredAt: what.kind === "effect" ? declaredPlace(what.spec, past) : null,
      abort: null,
    };
  });
  r.open.set(stepId, step);
  r.mailbox.addWaiter(step);
  if (!live) return promise;
  const key = externalResultKey(r, step);
  const payload = stepStartPayload(key === null ? started : { ...started, invocation: key }, input);
  const effect = isEffect(step) && !step.awaitingApproval ? effectDraft(r, step, dispatchedState, input) : undefined;
  const asking = step.awaitingApproval ? askForApproval(r, step) : undefined;
  r.commits.append({
    eventType: "StepStarted",
    stepId,
    logical: 1,
    payload,
    starts: step,
    child: more?.child,
    notices: more?.notices,
    effect,
    onPlaced: asking?.onPlaced,
    onAck: asking?.onAck,
  });
  adoptFromChain(r, step);
  if (s.kind === "send") r.arrive({ type: "completed", step, result: null });
  return promise;
}

/** As an author would say it: "step charge", "timer nap". */
function callText(s: StepStart): string {
  return `${s.kind === "effect" ? "step" : s.kind} ${s.name}`;
}

/**
 * A call that can never be answered, and is refused at once: inside a step's function, or after the code has ended. One of a run that this
 * engine lost is not refused: no `catch` of the user's may run for it (K14).
 */
function callRefusal(r: LiveRun, call: string): PawlError | null {
  const step = r.host.context.step();
  if (step !== null) return new PawlError("PAWL1030", `${call} was called inside step ${step}`);
  const over = r.status !== null && isSettled(r.status);
  if (!over && (r.codeEnd === null || r.inActivation || r.isUnloaded)) return null;
  return new PawlError("PAWL1015", `${call} was called after the run's code had ended`, { data: { runId: r.row.runId } });
}

/** A proof names the place of what it rests on. A stack costs too much for every step; one that is read back, and may be sent again, has one. */
function declaredPlace(spec: EffectSpec, past: RecordedStep | undefined): string | null {
  if (spec.declaredAt !== null || past === undefined) return spec.declaredAt;
  const undoes = spec.compensate !== null && !mayRepeat(spec.compensate.class);
  if (!undoes && (past.outcome !== null || mayRepeat(spec.guarantee.class))) return null;
  const place = callerLocation();
  return place === undefined ? null : locationText(place);
}

function rejectedPromise(e: unknown): Promise<never> {
  const p = Promise.reject(e);
  p.catch(() => {});
  return p;
}

function openChild(r: LiveRun, scope: string, spec: ChildSpec, kind: "child" | "start"): Promise<unknown> {
  r.host.registerWorkflow(spec.definition);
  const { name } = spec.definition;
  let input: string;
  try {
    input = encode(spec.input, r.host.limits, `input of ${name}`);
  } catch (e) {
    return rejectedPromise(e);
  }
  const calls = { definition: spec.definition, input };
  let ref: StartedChild = { runId: "", workflowId: "", stepId: "" };
  const work = (stepId: string): StepBody => {
    const recorded = r.replay.recordedStep(stepId)?.started.child;
    if (recorded !== undefined) ref = { ...recorded, stepId };
    return kind === "child" ? { kind, childStepId: stepId, cancels: true, calls } : { kind, child: ref, calls };
  };
  return openStep(
    r,
    scope,
    { kind, name, ...(spec.timeoutMs === null ? {} : { delayMs: spec.timeoutMs }) },
    work,
    input,
    (stepId, before) => {
      if (before?.then === "adopt") return {};
      const continues = childToContinue(before, name, spec.workflowId, input);
      if (continues !== null) return { started: { continues } };
      ref = { runId: r.host.platform.uuidV7(), workflowId: spec.workflowId ?? childId(r.row, stepId), stepId };
      const commit = createCommit(r.host, {
        runId: ref.runId,
        workflowId: ref.workflowId,
        definition: spec.definition,
        input,
        parsed: false,
        parent: { runId: r.row.runId, stepId },
      });
      return { child: commit, started: { child: { runId: ref.runId, workflowId: ref.workflowId, workflow: name } } };
    },
  );
}

/** Of a child without an id of its own. A later run under the same id, continued, retried or restarted, has children of its own. */
function childId(parent: Pick<RunRow, "workflowId" | "runId" | "originalRunId">, stepId: string): string {
  const id = `${parent.workflowId}/${parent.originalRunId === null ? "" : `${parent.runId}/`}${stepId}`;
  return utf8Length(id) <= nameBytesMax ? id : `${parent.runId}/sha256-${sha256Hex(stepId)}`;
}

/** One object per run with its methods on the prototype: a thousand runs in memory do not hold seventeen functions each. */
export class RunCalls implements Calls {
  readonly run: Calls["run"];
  readonly #r: LiveRun;

  constructor(r: LiveRun) {
    this.#r = r;
    this.run = { runId: r.row.runId, workflowId: r.row.workflowId, workflow: r.row.workflow, version: r.row.version };
  }
  #encode(value: unknown, what: string): string {
    return encode(value, this.#r.host.limits, what);
  }

  effect(scope: string, name: string, spec: EffectSpec): Promise<unknown> {
    const g = spec.guarantee;
    // W-138, W-139: what must be recorded before it is sent needs a write that is conditional; nothing else will do.
    const needs = mayRepeat(g.class) ? spec.compensate?.class : g.class;
    if (needs !== undefined && !mayRepeat(needs) && !this.#r.host.store.capabilities().conditionalBatch)
      throw new PawlError(
        "PAWL3006",
        `step ${name}${needs === g.class ? "" : "'s compensation"} is ${needs}, which needs conditionalBatch; the ${this.#r.host.store.name} store does not report it`,
      );
    if (spec.confirm?.placeholder === true && this.#r.host.production)
      throw new PawlError("PAWL5009", `task ${name} is confirmed by ${spec.confirm.verifier}, which looks at nothing`); // A-37
    const s = declaredOptions("effect", name, spec);
    const extra =
      spec.approve === null
        ? undefined
        : (_: string, before: ChainVerdict | undefined): StartExtras => ({ started: approvalFields(before, spec) });
    return openStep(this.#r, scope, s, () => ({ kind: "effect", spec }), spec.input, extra);
  }
  tx(scope: string, name: string, fn: (sql: TxSql) => Promise<unknown>, undo: TxUndo | null): Promise<unknown> {
    return openStep(this.#r, scope, { kind: "tx", name, class: "ATOMIC" }, () => ({ kind: "tx", fn, undo, undoes: null }), null);
  }
  timer(scope: string, name: string, due: { readonly delayMs: number } | { readonly until: number }): Promise<void> {
    return openStep(this.#r, scope, { kind: "timer", name, ...due }, () => ({ kind: "timer" }), null) as Promise<void>;
  }
  receive(scope: string, signal: string, timeoutMs: number | null): Promise<unknown> {
    const s: StepStart = { kind: "signal", name: signal, signal, ...(timeoutMs === null ? {} : { delayMs: timeoutMs }) };
    return openStep(this.#r, scope, s, () => ({ kind: "signal", signal }), null);
  }
  callChild(scope: string, spec: ChildSpec): Promise<unknown> {
    return openChild(this.#r, scope, spec, "child");
  }
  startChild(scope: string, spec: ChildSpec): Promise<StartedChild> {
    return openChild(this.#r, scope, spec, "start") as Promise<StartedChild>;
  }
  awaitChild(scope: string, c: StartedChild): Promise<unknown> {
    const adopted = this.#r.chain === null ? {} : { adopted: c.runId };
    const work: StepBody = { kind: "child", childStepId: c.stepId, cancels: false, ...adopted };
    return openStep(this.#r, scope, { kind: "child", name: "result" }, () => work, JSON.stringify(c.stepId));
  }
  sendToChild(scope: string, c: StartedChild, what: Parameters<Calls["sendToChild"]>[2]): Promise<void> {
    const name = "signal" in what ? what.signal : "cancel";
    const payload = "signal" in what ? this.#encode(what.payload, `signal ${name}`) : jsonObject({ reason: jsonValue(what.cancel) });
    // What was sent stays sent: a schema of later does not refuse a recorded call.
    if ("signal" in what && !this.#r.replay.isNextCall("send", name)) what.check();
    const notice = (stepId: string): Notice => ({
      toRunId: c.runId,
      kind: "signal" in what ? "signal" : "control",
      name,
      id: `${this.#r.row.runId}/${stepId}`,
      payload,
    });
    const extra: StartExtrasOf = (stepId, before) => (before?.then === "adopt" ? {} : { notices: [notice(stepId)] });
    return openStep(this.#r, scope, { kind: "send", name }, () => ({ kind: "send" }), payload, extra) as Promise<void>;
  }
  /** The calls that answer at once throw what the others reject with. */
  #check(call: string): void {
    const refused = callRefusal(this.#r, call);
    if (refused !== null) throw refused;
  }
  onUpdate(name: string, handler: (input: unknown) => unknown, validate: ((input: unknown) => void) | null): void {
    this.#check(`onUpdate ${name}`);
    this.#r.mailbox.registerUpdateHandler(name, handler, validate);
  }
  publish(view: string, value: unknown): void {
    const r = this.#r;
    this.#check(`publish ${view}`);
    if (r.isUnloaded || r.replay.hasDiverged) return;
    if (r.stopReason !== null || r.codeEnd !== null) return void refuseCall(r, "view", view);
    if (!r.inActivation)
      return r.replay.diverge("PAWL1007", `view ${view} was published ${wokenByUnrecorded(r)}`, "a recorded outcome", view, {
        calledAt: callerLocation(),
      });
    const text = this.#encode(value, `view ${view}`);
    if (r.viewsPublished++ < r.replay.viewsRecorded) return; // recorded by an earlier owner
    r.commits.append({
      eventType: pawlEvents.view,
      stepId: null,
      payload: jsonObject({ name: jsonValue(view), value: text }),
      view: { name: view, value: text },
    });
  }
  nowMs(): number {
    return this.#r.nowMs;
  }
  uuid(): string {
    this.#check("uuid");
    return this.#r.seed.uuid();
  }
  random(): number {
    this.#check("random");
    return this.#r.seed.random();
  }
  patched(id: string): boolean {
    const r = this.#r;
    this.#check(`patched ${id}`);
    const known = r.patches.get(id);
    if (known !== undefined) return known;
    if (!r.inActivation || r.isUnloaded || r.replay.hasDiverged) return false;
    const answer = r.replay.patched(id);
    r.patches.set(id, answer);
    return answer;
  }
  continueAsNew(input: unknown): never {
    throw new ContinueAsNew(this.#encode(input, "input"));
  }
  fail(reason: string, data: unknown): never {
    throw new FailRun(reason, data === undefined ? undefined : (decode(this.#encode(data, "data")) as unknown));
  }
  subscope(scope: string, name: string): string {
    return this.#r.names.next(scope, name);
  }
}
