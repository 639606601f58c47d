// What a node may ask for while its superstep is replayed: every call is answered from the record, in the order in which the ends were recorded, and none is
// made. A call that the record does not have, or has with another request, is noted for the comparison. It must never call a function of a step.
import { decode, encode } from "../../codec/value.ts";
import type { Limits } from "../../core/limits.ts";
import { StepNames } from "../../core/step-id.ts";
import type { Calls, EffectSpec, ItemWatch, OnOpened } from "../../engine/calls.ts";
import { FailRun } from "../../engine/run/ending.ts";
import { stepError } from "../../engine/steps/outcome.ts";
import { PawlError } from "../../errors/error.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { GraphRecording, RecordedCall, RecordedSuperstep } from "./graph-recording.ts";

/** A call that has no recording: none at all, or one of another request. */
export interface Unrecorded {
  readonly stepId: string;
  readonly recorded: RecordedCall | undefined;
  /** Encoded; null: it declares none. */
  readonly request: string | null;
}

interface OpenCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export class RecordedCalls {
  readonly run: Calls["run"];
  readonly rootRunId: string;
  readonly forkPoint: null = null;
  /** Nothing is measured: it all happened before. */
  readonly items: ItemWatch = { queued() {}, began: () => () => {}, conflicts() {}, backpressure() {} };
  readonly limits: Limits;
  readonly unrecorded: Unrecorded[] = [];
  readonly #recording: GraphRecording;
  readonly #superstep: RecordedSuperstep;
  readonly #names = new StepNames(sha256Hex);
  readonly #open = new Map<string, OpenCall>();
  readonly #opened = new Set<string>();
  readonly #delivered = new Set<string>();
  #nowMs: number;
  #next = 0;

  constructor(
    recording: GraphRecording,
    superstep: RecordedSuperstep,
    limits: Limits,
    of: { readonly workflowId: string | undefined; readonly workflow: string; readonly version: string },
  ) {
    this.#recording = recording;
    this.#superstep = superstep;
    this.limits = limits;
    this.rootRunId = recording.runId;
    this.run = { ...of, runId: recording.runId, workflowId: of.workflowId ?? recording.runId };
    this.#nowMs = superstep.before?.now ?? superstep.after.now;
  }

  /** The next recorded end reaches the code; false: none of those that it waits for is left. */
  deliverNext(): boolean {
    const { ends } = this.#superstep;
    while (this.#next < ends.length) {
      const call = ends[this.#next++]!;
      const open = this.#open.get(call.stepId);
      if (open === undefined) continue; // the code does not make this call any more
      this.#open.delete(call.stepId);
      this.#delivered.add(call.stepId);
      this.#nowMs = Math.max(this.#nowMs, call.at);
      if (call.end?.ok === true) {
        const { result, timedOut } = call.end.payload;
        open.resolve(result === undefined || timedOut === true ? undefined : decode(JSON.stringify(result)));
      } else if (call.end !== null) open.reject(stepError(call.started.name, call.end.payload.category, call.end.payload.error));
      return true;
    }
    return false;
  }

  /** Calls that are open and whose ends are not recorded. */
  giveUpOpen(): void {
    for (const [stepId, open] of this.#open) {
      this.#note(stepId, null);
      open.reject(noRecording(stepId));
    }
    this.#open.clear();
  }

  #note(stepId: string, request: string | null): void {
    this.unrecorded.push({ stepId, recorded: this.#recording.calls.get(stepId), request });
  }

  #call(scope: string, name: string, request: string | null, declares: boolean, onOpened?: OnOpened): Promise<unknown> {
    const stepId = this.#names.next(scope, name);
    const recorded = this.#recording.calls.get(stepId);
    this.#opened.add(stepId);
    const was = recorded?.started.input === undefined ? null : JSON.stringify(recorded.started.input);
    if (recorded === undefined || (declares && was !== request)) {
      this.#note(stepId, request);
      const refused = Promise.reject(noRecording(stepId));
      refused.catch(() => {});
      return refused;
    }
    onOpened?.({ stepId, repeatOf: recorded.started.repeatOf });
    return new Promise((resolve, reject) => this.#open.set(stepId, { resolve, reject }));
  }

  effect(scope: string, name: string, spec: EffectSpec): Promise<unknown> {
    return this.#call(scope, name, spec.input, true, spec.onOpened);
  }
  tx(
    scope: string,
    name: string,
    ...[, , of]: [unknown, unknown, { readonly input: string; readonly onOpened?: OnOpened }?]
  ): Promise<unknown> {
    return this.#call(scope, name, of?.input ?? null, of !== undefined, of?.onOpened);
  }
  timer(scope: string, name: string): Promise<unknown> {
    return this.#call(scope, name, null, false);
  }
  receive(scope: string, signal: string, _timeoutMs: number | null, name: string = signal): Promise<unknown> {
    return this.#call(scope, name, null, false);
  }
  ask(scope: string, name: string): Promise<unknown> {
    return this.#call(scope, name, null, false);
  }
  callChild(scope: string, spec: { readonly name?: string; readonly definition: { readonly name: string } }): Promise<unknown> {
    return this.#call(scope, spec.name ?? spec.definition.name, null, false);
  }
  /** Nobody hears it; what has no encoding is refused, as it was then. */
  emit(item: string, value: unknown): void {
    encode(value, this.limits, `what ${item} emits`);
  }
  publish(view: string, value: unknown): void {
    encode(value, this.limits, `view ${view}`);
  }
  mark(): void {}
  nowMs(): number {
    return this.#nowMs;
  }
  fail(reason: string, data: unknown): never {
    throw new FailRun(reason, data);
  }
  closeScope(): void {}
  subscope(scope: string, name: string): string {
    return this.#names.next(scope, name);
  }
  /** As the record has it up to here. */
  toolCallState(identity: string): ReturnType<Calls["toolCallState"]> {
    const last = [...this.#recording.calls.values()].findLast(
      ({ stepId, started }) =>
        started.tool?.identity === identity && (this.#opened.has(stepId) || Number.parseInt(stepId, 10) < this.#superstep.n),
    );
    if (last === undefined) return undefined;
    if (this.#opened.has(last.stepId) && !this.#delivered.has(last.stepId)) return "open";
    return last.end?.ok === true ? "completed" : "unknown";
  }
}

function noRecording(stepId: string): PawlError {
  return new PawlError("PAWL1006", `the record has no end of ${stepId} with this request`, { data: { stepId } });
}
