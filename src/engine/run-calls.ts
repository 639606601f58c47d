// The calls of workflow code, as the run answers them. Every one that waits becomes a step here: named, matched with
// the record or added to the draft, and given a promise that carries a no-op catch (K16). A call outside an open
// activation was woken by something unrecorded: the run stops before the call is recorded (K15).
import { decode, encode, revive } from "../codec/value.ts";
import { repeats } from "../core/guarantee.ts";
import { isSettled } from "../core/model.ts";
import { nameBytesMax, utf8Length } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";
import { jsonObject, pawlEvents, quote } from "../log/payload.ts";
import { sha256Hex } from "../platform/hash.ts";
import { callerPlace, placeText } from "../platform/places.ts";
import type { Notice, RunRow, TxSql } from "../store/port.ts";
import { adopt, withLine } from "./adopt.ts";
import { unrecorded } from "./beginning.ts";
import type { Calls, ChildSpec, EffectSpec, StartedChild, TxUndo } from "./calls.ts";
import { continuedChild } from "./continue-child.ts";
import { createCommit } from "./create.ts";
import type { Proto } from "./draft.ts";
import type { StepPast } from "./history.ts";
import type { LineVerdict } from "./line.ts";
import type { LiveRun } from "./live-run.ts";
import { dispatched, effectOf } from "./ledger.ts";
import { isEffect, type OpenStep, type Work } from "./open-step.ts";
import { ContinueAsNew, FailRun } from "./ending.ts";
import { refuseCall } from "./refusal.ts";
import { keptUnder } from "./split.ts";
import { approvalOf, asks } from "./approve.ts";
import { notePlace } from "./call-places.ts";
import { wokenUnrecorded } from "./standstill.ts";
import { callDigest, called, declared, startedPayload, type Started } from "./started.ts";

/** What rides with a step's start. */
type Extra = Pick<Proto, "child" | "notices"> & { readonly started?: Partial<Started> };
/** `before`: what the line says of it. Nothing that is taken over leaves a second time. */
type Rider = (stepId: string, before: LineVerdict | undefined) => Extra;

const ignored = (): void => {};

/** Never settles. A new one each time: whoever awaited a shared one would be kept by it for as long as the process lives. */
const never = (): Promise<never> => new Promise(() => {});

/** Opens a step. `extra` rides with its StepStarted; `at` once opened live, before anything is committed. */
function open(
  r: LiveRun,
  scope: string,
  s: Started,
  work: (stepId: string) => Work,
  input: string | null,
  extra?: Rider,
): Promise<unknown> {
  const refused = refusal(r, callText(s));
  if (refused !== null) return rejected(refused);
  if (r.gone || r.replay.diverged) return never();
  if (!r.activation) {
    r.replay.diverge("PAWL1007", `${callText(s)} was called ${wokenUnrecorded(r)}`, "a recorded outcome", s.name, {
      calledAt: callerPlace(),
    });
    return never();
  }
  r.replay.reachStop();
  if (r.stopping !== null || r.end !== null) return rejected(refuseCall(r, s.kind === "effect" ? "step" : s.kind, s.name));
  if (r.open.size >= r.host.limits.openStepsMax)
    return rejected(new PawlError("PAWL1010", `${r.open.size} steps are open, the limit is ${r.host.limits.openStepsMax}`));
  notePlace(r.definition, (r.lastCall = callText(s)));
  const stepId = r.names.next(scope, s.name);
  const call = called(s, input);
  const past = r.replay.expect(stepId, call);
  if (past === null) return never();
  const live = past === undefined;
  const before = r.line === null ? undefined : r.line.judge(stepId, call, input);
  const more = live && extra !== undefined ? extra(stepId, before) : undefined;
  const whole = more?.started === undefined ? call : { ...call, ...more.started };
  const started = past?.started ?? (before === undefined ? whole : withLine(r, whole, before));
  const what = work(stepId);
  let step!: OpenStep;
  const promise = new Promise((resolve, reject) => {
    step = {
      stepId,
      name: s.name,
      work: what,
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
      beginning: unrecorded(),
      dueAt: null,
      heartbeat: past?.heartbeat === undefined ? undefined : revive(past.heartbeat),
      line: before ?? null,
      carried: false,
      seq: past?.runSeq ?? 0,
      doubtSeq: past?.doubtSeq ?? 0,
      maySent: past?.maySent ?? false,
      learns: false,
      unsent: past?.unsent ?? started.approve === true,
      proposal: past?.proposal ?? null,
      declaredAt: what.kind === "effect" ? placeOf(what.spec, past) : null,
      abort: null,
    };
  });
  r.open.set(stepId, step);
  r.mailbox.opened(step);
  if (!live) return promise;
  const key = keptUnder(r, step);
  const payload = startedPayload(key === null ? started : { ...started, invocation: key }, input);
  const effect = isEffect(step) && !step.unsent ? effectOf(r, step, dispatched, input) : undefined;
  const asking = step.unsent ? asks(r, step) : undefined;
  r.pen.append({
    eventType: "StepStarted",
    stepId,
    logical: 1,
    payload,
    starts: step,
    child: more?.child,
    notices: more?.notices,
    effect,
    placed: asking?.placed,
    onAck: asking?.onAck,
  });
  adopt(r, step);
  if (s.kind === "send") r.arrive({ type: "completed", step, result: null });
  return promise;
}

/** As an author would say it: "step charge", "timer nap". */
function callText(s: Started): string {
  return `${s.kind === "effect" ? "step" : s.kind} ${s.name}`;
}

/**
 * A call that can never be answered, and is refused at once: inside a step's function, or after the code has ended. One of a run that this
 * engine lost is not refused: no `catch` of the user's may run for it (K14).
 */
function refusal(r: LiveRun, call: string): PawlError | null {
  const step = r.host.context.step();
  if (step !== null) return new PawlError("PAWL1030", `${call} was called inside step ${step}`);
  const over = r.status !== null && isSettled(r.status);
  if (!over && (r.end === null || r.activation || r.gone)) return null;
  return new PawlError("PAWL1015", `${call} was called after the run's code had ended`, { data: { runId: r.row.runId } });
}

/** A proof names the place of what it rests on. A stack costs too much for every step; one that is read back, and may be sent again, has one. */
function placeOf(spec: EffectSpec, past: StepPast | undefined): string | null {
  if (spec.declaredAt !== null || past === undefined) return spec.declaredAt;
  const undoes = spec.compensate !== null && !repeats(spec.compensate.class);
  if (!undoes && (past.outcome !== null || repeats(spec.guarantee.class))) return null;
  const place = callerPlace();
  return place === undefined ? null : placeText(place);
}

function rejected(e: unknown): Promise<never> {
  const p = Promise.reject(e);
  p.catch(() => {});
  return p;
}

function child(r: LiveRun, scope: string, spec: ChildSpec, kind: "child" | "start"): Promise<unknown> {
  r.host.learn(spec.definition);
  const { name } = spec.definition;
  let input: string;
  try {
    input = encode(spec.input, r.host.limits, `input of ${name}`);
  } catch (e) {
    return rejected(e);
  }
  const calls = { definition: spec.definition, input };
  let ref: StartedChild = { runId: "", workflowId: "", stepId: "" };
  const work = (stepId: string): Work => {
    const recorded = r.replay.past(stepId)?.started.child;
    if (recorded !== undefined) ref = { ...recorded, stepId };
    return kind === "child" ? { kind, childStepId: stepId, cancels: true, calls } : { kind, child: ref, calls };
  };
  return open(r, scope, { kind, name, ...(spec.timeoutMs === null ? {} : { delayMs: spec.timeoutMs }) }, work, input, (stepId, before) => {
    if (before?.then === "adopt") return {};
    const continues = continuedChild(before, name, spec.workflowId, callDigest({ kind, name }, input));
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
  });
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
    const needs = repeats(g.class) ? spec.compensate?.class : g.class;
    if (needs !== undefined && !repeats(needs) && !this.#r.host.store.capabilities().conditionalBatch)
      throw new PawlError(
        "PAWL3006",
        `step ${name}${needs === g.class ? "" : "'s compensation"} is ${needs}, which needs conditionalBatch; the ${this.#r.host.store.name} store does not report it`,
      );
    if (spec.confirm?.placeholder === true && this.#r.host.production)
      throw new PawlError("PAWL5009", `task ${name} is confirmed by ${spec.confirm.verifier}, which looks at nothing`); // A-37
    const s = declared("effect", name, spec);
    const extra =
      spec.approve === null ? undefined : (_: string, before: LineVerdict | undefined): Extra => ({ started: approvalOf(before, spec) });
    return open(this.#r, scope, s, () => ({ kind: "effect", spec }), spec.input, extra);
  }
  tx(scope: string, name: string, fn: (sql: TxSql) => Promise<unknown>, undo: TxUndo | null): Promise<unknown> {
    return open(this.#r, scope, { kind: "tx", name, class: "ATOMIC" }, () => ({ kind: "tx", fn, undo, undoes: null }), null);
  }
  timer(scope: string, name: string, due: { readonly delayMs: number } | { readonly until: number }): Promise<void> {
    return open(this.#r, scope, { kind: "timer", name, ...due }, () => ({ kind: "timer" }), null) as Promise<void>;
  }
  receive(scope: string, signal: string, timeoutMs: number | null): Promise<unknown> {
    const s: Started = { kind: "signal", name: signal, signal, ...(timeoutMs === null ? {} : { delayMs: timeoutMs }) };
    return open(this.#r, scope, s, () => ({ kind: "signal", signal }), null);
  }
  call(scope: string, spec: ChildSpec): Promise<unknown> {
    return child(this.#r, scope, spec, "child");
  }
  start(scope: string, spec: ChildSpec): Promise<StartedChild> {
    return child(this.#r, scope, spec, "start") as Promise<StartedChild>;
  }
  awaitChild(scope: string, c: StartedChild): Promise<unknown> {
    const adopted = this.#r.line === null ? {} : { adopted: c.runId };
    const work: Work = { kind: "child", childStepId: c.stepId, cancels: false, ...adopted };
    return open(this.#r, scope, { kind: "child", name: "result" }, () => work, JSON.stringify(c.stepId));
  }
  send(scope: string, c: StartedChild, what: Parameters<Calls["send"]>[2]): Promise<void> {
    const name = "signal" in what ? what.signal : "cancel";
    const payload = "signal" in what ? this.#encode(what.payload, `signal ${name}`) : jsonObject({ reason: quote(what.cancel) });
    // What was sent stays sent: a schema of later does not refuse a recorded call.
    if ("signal" in what && !this.#r.replay.comesNext("send", name)) what.check();
    const notice = (stepId: string): Notice => ({
      toRunId: c.runId,
      kind: "signal" in what ? "signal" : "control",
      name,
      id: `${this.#r.row.runId}/${stepId}`,
      payload,
    });
    const extra: Rider = (stepId, before) => (before?.then === "adopt" ? {} : { notices: [notice(stepId)] });
    return open(this.#r, scope, { kind: "send", name }, () => ({ kind: "send" }), payload, extra) as Promise<void>;
  }
  /** The calls that answer at once throw what the others reject with. */
  #check(call: string): void {
    const refused = refusal(this.#r, call);
    if (refused !== null) throw refused;
  }
  onUpdate(name: string, handler: (input: unknown) => unknown, validate: ((input: unknown) => void) | null): void {
    this.#check(`onUpdate ${name}`);
    this.#r.mailbox.onUpdate(name, handler, validate);
  }
  publish(view: string, value: unknown): void {
    const r = this.#r;
    this.#check(`publish ${view}`);
    if (r.gone || r.replay.diverged) return;
    if (r.stopping !== null || r.end !== null) return void refuseCall(r, "view", view);
    if (!r.activation)
      return r.replay.diverge("PAWL1007", `view ${view} was published ${wokenUnrecorded(r)}`, "a recorded outcome", view, {
        calledAt: callerPlace(),
      });
    const text = this.#encode(value, `view ${view}`);
    if (r.viewsSeen++ < r.replay.viewsRecorded) return; // recorded by an earlier owner
    r.pen.append({
      eventType: pawlEvents.view,
      stepId: null,
      payload: jsonObject({ name: quote(view), value: text }),
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
    if (!r.activation || r.gone || r.replay.diverged) return false;
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
