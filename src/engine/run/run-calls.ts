// The calls of workflow code, as the run answers them. Those that wait become steps, each in the file of its kind (steps/); those that
// answer at once are here. A call outside an open activation was woken by something unrecorded: the run stops before the call is
// recorded (K15).
import { decode, encode } from "../../codec/value.ts";
import { jsonObject, pawlEvents, jsonValue } from "../../events/payload.ts";
import { callerLocation } from "../../platform/source-location.ts";
import type { TxSql } from "../../store/transaction-store.ts";
import type { Calls, ChildSpec, EffectSpec, StartedChild, TxUndo } from "../calls.ts";
import { wokenByUnrecorded } from "../decisions/needs-decision.ts";
import { awaitChild, callChild, startChild } from "../steps/child.ts";
import { openEffect } from "../steps/effect.ts";
import { callRefusal } from "../steps/open.ts";
import { sendToChild } from "../steps/send.ts";
import { openSignal } from "../steps/signal.ts";
import { openTimer } from "../steps/timer.ts";
import { openTransaction } from "../steps/transaction.ts";
import { ContinueAsNew, FailRun } from "./ending.ts";
import type { LiveRun } from "./live-run.ts";
import { refuseCall } from "./refused-call.ts";

/** One object per run with its methods on the prototype: a thousand runs in memory do not hold seventeen functions each. */
export class RunCalls implements Calls {
  readonly run: Calls["run"];
  readonly #r: LiveRun;
  /** Patches that were asked for: one answer per run. */
  readonly #patches = new Map<string, boolean>();
  #viewsPublished = 0;

  constructor(r: LiveRun) {
    this.#r = r;
    this.run = { runId: r.row.runId, workflowId: r.row.workflowId, workflow: r.row.workflow, version: r.row.version };
  }
  #encode(value: unknown, what: string): string {
    return encode(value, this.#r.host.limits, what);
  }

  effect(scope: string, name: string, spec: EffectSpec): Promise<unknown> {
    return openEffect(this.#r, scope, name, spec);
  }
  tx(scope: string, name: string, fn: (sql: TxSql) => Promise<unknown>, undo: TxUndo | null): Promise<unknown> {
    return openTransaction(this.#r, scope, name, { fn, undo });
  }
  timer(scope: string, name: string, due: { readonly delayMs: number } | { readonly until: number }): Promise<void> {
    return openTimer(this.#r, scope, name, due) as Promise<void>;
  }
  receive(scope: string, signal: string, timeoutMs: number | null): Promise<unknown> {
    return openSignal(this.#r, scope, signal, timeoutMs);
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
  subscope(scope: string, name: string): string {
    return this.#r.names.next(scope, name);
  }
}
