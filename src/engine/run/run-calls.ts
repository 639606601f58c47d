// The calls of workflow code, as the run answers them. Those that wait become steps, each in the file of its kind (steps/); those that
// answer at once are here. A call outside an open activation was woken by something unrecorded: the run stops before the call is
// recorded (K15).
import { decode, encode } from "../../codec/value.ts";
import { jsonObject, pawlEvents, jsonValue } from "../../events/payload.ts";
import { callerLocation } from "../../platform/source-location.ts";
import type { TxSql } from "../../store/transaction-store.ts";
import type { SkipReason } from "../../core/trigger.ts";
import type { Limits } from "../../core/limits.ts";
import type {
  GivenByPlan,
  AskSpec,
  Calls,
  ChildSpec,
  EffectSpec,
  ForkPoint,
  ItemWatch,
  MarkedCheckpoint,
  PlannedSteps,
  RecordedEnd,
  StartedChild,
  StyleMark,
  TxOf,
  TxUndo,
  WantedResults,
} from "../calls.ts";
import { wokenByUnrecorded } from "../decisions/needs-decision.ts";
import { openQuestion } from "../steps/ask.ts";
import { awaitChild, callChild, startChild } from "../steps/child.ts";
import { openEffect } from "../steps/effect.ts";
import { callRefusal } from "../steps/open.ts";
import { sendToChild } from "../steps/send.ts";
import { openSignal } from "../steps/signal.ts";
import { openTimer } from "../steps/timer.ts";
import { openTransaction } from "../steps/transaction.ts";
import { ContinueAsNew, FailRun } from "./ending.ts";
import { itemWatch } from "../graphs/item-watch.ts";
import type { LiveRun } from "./live-run.ts";
import { planSteps, skipStep } from "./planned-steps.ts";
import { refuseCall } from "./refused-call.ts";

/** One object per run with its methods on the prototype: a thousand runs in memory do not hold seventeen functions each. */
export class RunCalls implements Calls {
  readonly run: Calls["run"];
  readonly #r: LiveRun;
  /** Patches that were asked for: one answer per run. */
  readonly #patches = new Map<string, boolean>();
  #viewsPublished: number;
  #items: ItemWatch | null = null;

  constructor(r: LiveRun) {
    this.#r = r;
    this.#viewsPublished = r.from?.viewsPublished ?? 0;
    this.run = { runId: r.row.runId, workflowId: r.row.workflowId, workflow: r.row.workflow, version: r.row.version };
  }
  get rootRunId(): string {
    return this.#r.row.rootRunId;
  }
  get forkPoint(): ForkPoint | null {
    return this.#r.forkPoint;
  }
  get limits(): Limits {
    return this.#r.host.limits;
  }
  #encode(value: unknown, what: string): string {
    return encode(value, this.#r.host.limits, what);
  }

  effect(scope: string, name: string, spec: EffectSpec): Promise<unknown> {
    return openEffect(this.#r, scope, name, spec);
  }
  tx(
    scope: string,
    name: string,
    fn: (sql: TxSql) => Promise<unknown>,
    undo: TxUndo | null,
    of?: TxOf,
    given?: GivenByPlan,
  ): Promise<unknown> {
    return openTransaction(this.#r, scope, name, { fn, undo }, of, given);
  }
  timer(scope: string, name: string, due: { readonly delayMs: number } | { readonly until: number }, given?: GivenByPlan): Promise<void> {
    return openTimer(this.#r, scope, name, due, given) as Promise<void>;
  }
  receive(scope: string, signal: string, timeoutMs: number | null, name?: string, given?: GivenByPlan): Promise<unknown> {
    return openSignal(this.#r, scope, signal, timeoutMs, name, given);
  }
  ask(scope: string, name: string, spec: AskSpec): Promise<unknown> {
    return openQuestion(this.#r, scope, name, spec);
  }
  callChild(scope: string, spec: ChildSpec): Promise<unknown> {
    return callChild(this.#r, scope, spec);
  }
  startChild(scope: string, spec: ChildSpec): Promise<StartedChild> {
    return startChild(this.#r, scope, spec) as Promise<StartedChild>;
  }
  awaitChild(scope: string, c: StartedChild): Promise<unknown> {
    return awaitChild(this.#r, scope, c);
  }
  sendToChild(scope: string, c: StartedChild, what: Parameters<Calls["sendToChild"]>[2]): Promise<void> {
    return sendToChild(this.#r, scope, c, what) as Promise<void>;
  }
  /** The calls that answer at once throw what the others reject with. */
  #check(call: string): void {
    const refused = callRefusal(this.#r, call);
    if (refused !== null) throw refused;
  }
  onUpdate(name: string, handler: (input: unknown) => unknown, validate: ((input: unknown) => void) | null): void {
    this.#check(`onUpdate ${name}`);
    this.#r.updates.registerHandler(name, handler, validate);
  }
  publish(view: string, value: unknown): void {
    const r = this.#r;
    this.#check(`publish ${view}`);
    if (r.state.isUnloaded || r.replay.hasDiverged) return;
    if (r.state.isEnding) return void refuseCall(r, "view", view);
    if (!r.state.inActivation)
      return r.replay.diverge("PAWL1007", `view ${view} was published ${wokenByUnrecorded(r)}`, "a recorded outcome", view, {
        calledAt: callerLocation(),
      });
    const text = this.#encode(value, `view ${view}`);
    if (this.#viewsPublished++ < r.replay.viewsRecorded) return; // recorded by an earlier owner
    r.commits.append({
      eventType: pawlEvents.view,
      stepId: null,
      payload: jsonObject({ name: jsonValue(view), value: text }),
      view: { name: view, value: text },
    });
  }
  emit(item: string, value: unknown): void {
    const r = this.#r;
    this.#check("emit");
    const text = this.#encode(value, `what ${item} emits`); // also on replay: what is refused is refused every time
    if (r.replay.isActive || r.state.isUnloaded || r.state.isEnding) return;
    r.host.streams.emit(r.row, item, () => decode(text));
  }
  nowMs(): number {
    return this.#r.state.nowMs;
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
    const known = this.#patches.get(id);
    if (known !== undefined) return known;
    if (!r.state.inActivation || r.state.isUnloaded || r.replay.hasDiverged) return false;
    const answer = r.replay.patched(id);
    this.#patches.set(id, answer);
    return answer;
  }
  continueAsNew(input: unknown): never {
    throw new ContinueAsNew(this.#encode(input, "input"));
  }
  fail(reason: string, data: unknown): never {
    throw new FailRun(reason, data === undefined ? undefined : (decode(this.#encode(data, "data")) as unknown));
  }
  skip(stepId: string, why: SkipReason, by: readonly string[]): void {
    this.#check(`skip ${stepId}`);
    skipStep(this.#r, stepId, why, by);
  }
  plan(by: string, made: PlannedSteps): void {
    this.#check(`plan ${by}`);
    planSteps(this.#r, by, made);
  }
  get isEnding(): boolean {
    const r = this.#r;
    if (r.state.inActivation && !r.state.isUnloaded && !r.replay.hasDiverged) r.replay.takeRecordedStop();
    return r.state.isEnding;
  }
  get openStepsMax(): number {
    return this.#r.host.limits.openStepsMax;
  }
  mark(eventType: StyleMark, payload: string, checkpoint?: MarkedCheckpoint): void {
    const r = this.#r;
    this.#check(eventType);
    if (r.state.isUnloaded || r.replay.hasDiverged || r.state.isEnding) return;
    if (!r.state.inActivation)
      return r.replay.diverge("PAWL1007", `${eventType} was recorded ${wokenByUnrecorded(r)}`, "a recorded outcome", eventType);
    if (r.replay.expectMark(eventType, payload) === false) r.commits.append({ eventType, stepId: null, payload, checkpoint });
  }
  diverge(what: string, expected: string, found: string): Promise<never> {
    if (!this.#r.state.isUnloaded) this.#r.replay.diverge("PAWL1006", what, expected, found);
    return new Promise(() => {});
  }
  get items(): ItemWatch {
    return (this.#items ??= itemWatch(this.#r));
  }
  closeScope(scope: string): void {
    this.#r.closingScopes.add(scope);
  }
  forgetScope(scope: string): void {
    this.#r.names.forget(scope);
    this.#r.commits.forgetSteps(scope);
  }
  onWants(wants: WantedResults): void {
    this.#r.results.onWants(wants);
  }
  result(runSeq: number): RecordedEnd {
    return this.#r.results.get(runSeq);
  }
  toolCallState(identity: string): ReturnType<Calls["toolCallState"]> {
    return this.#r.toolCalls.stateOf(identity);
  }
  subscope(scope: string, name: string): string {
    return this.#r.names.next(scope, name);
  }
}
