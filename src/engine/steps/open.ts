// A call of the code becomes an open step: named, matched with the record or added to the draft, and given a promise that carries a
// no-op catch (K16). A call outside an open activation was woken by something unrecorded: the run stops before the call is recorded
// (K15). Every step passes here: no spread and no closure that is not needed.
import { mayRepeat } from "../../core/guarantee.ts";
import { isSettled } from "../../core/model.ts";
import { kindLabel } from "../../core/step-kind-facts.ts";
import { PawlError } from "../../errors/error.ts";
import type { StepStartedPayload } from "../../events/payload.ts";
import { callerLocation, locationText } from "../../platform/source-location.ts";
import { holdsFailure, type EffectSpec, type OnOpened } from "../calls.ts";
import { adoptFromChain, withChainVerdict } from "../chain/adopt.ts";
import type { ChainVerdict } from "../chain/run-chain.ts";
import { askForApproval } from "../decisions/approve.ts";
import { askPerson } from "../decisions/question.ts";
import { wokenByUnrecorded } from "../decisions/needs-decision.ts";
import { externalResultKey } from "../effects/external-results.ts";
import { dispatchedState, effectDraft } from "../effects/ledger.ts";
import { dispatchLedgerState, dispatchWithStart, viaOf } from "../queued/dispatch.ts";
import { noteCallSite } from "../run/call-sites.ts";
import type { PendingEvent } from "../run/commit-draft.ts";
import type { RecordedStep } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import { refuseCall } from "../run/refused-call.ts";
import { OpenStep } from "./open-step.ts";
import type { StepKind } from "./step-kind.ts";
import { stepStartPayload, withCallDigest, type StepStart } from "./step-start.ts";

/** What goes with a step's start in one Commit. */
export type StartExtras = Pick<PendingEvent, "child" | "notices"> & { readonly started?: Partial<StepStart> };

export interface StepCall<B> {
  readonly scope: string;
  readonly start: StepStart;
  /** Declared and encoded; it enters the digest of the call. */
  readonly input: string | null;
  readonly body: (stepId: string) => B;
  /** Of a node of a plan: what it was given, as a hash that enters the digest. */
  readonly given?: string | undefined;
  /** Of an effect. */
  readonly spec?: EffectSpec;
  /** Of a tool: what an equal call of this run means. */
  readonly repeat?: ChainVerdict | undefined;
  readonly onOpened?: OnOpened | undefined;
  /** `before`: what the run chain says of it. Nothing that is taken over leaves a second time. */
  readonly extras?: ((stepId: string, before: ChainVerdict | undefined) => StartExtras) | undefined;
}

const ignored = (): void => {};

/** Never settles. A new one each time: a shared one would keep everything that awaits it in memory for as long as the process lives. */
const never = (): Promise<never> => new Promise(() => {});

export function openStep<B>(r: LiveRun, kind: StepKind<B>, call: StepCall<B>): Promise<unknown> {
  const { start, input } = call;
  const { name } = start;
  const text = `${kindLabel(start.kind)} ${name}`;
  const refused = callRefusal(r, text);
  if (refused !== null) return rejectedPromise(refused);
  if (r.state.isUnloaded || r.replay.hasDiverged) return never();
  if (!r.state.inActivation) {
    r.replay.diverge("PAWL1007", `${text} was called ${wokenByUnrecorded(r)}`, "a recorded outcome", name, { calledAt: callerLocation() });
    return never();
  }
  r.replay.takeRecordedStop();
  if (r.state.isEnding) return rejectedPromise(refuseCall(r, kindLabel(start.kind), name));
  if (r.steps.size >= r.host.limits.openStepsMax)
    return rejectedPromise(new PawlError("PAWL1010", `${r.steps.size} steps are open, the limit is ${r.host.limits.openStepsMax}`));
  r.state.noteCall(text);
  noteCallSite(r.definition, text);
  const stepId = r.names.next(call.scope, name);
  const made = withCallDigest(start, input, call.given);
  const past = r.replay.expect(stepId, made);
  if (past === null) return never();
  const live = past === undefined;
  const chained = r.chain === null ? undefined : r.chain.judge(stepId, made, input, call.given);
  const before = call.repeat ?? chained;
  const extras = live && call.extras !== undefined ? call.extras(stepId, before) : undefined;
  const whole = extras?.started === undefined ? made : { ...made, ...extras.started };
  const started = past?.started ?? (before === undefined ? whole : withChainVerdict(r, whole, before));
  const spec = call.spec ?? null;
  const declaredAt = spec === null ? null : declaredPlace(spec, past);
  const step = new OpenStep<B>(
    { stepId, name, kind, body: call.body(stepId), spec, undoes: null, declaredAt, chain: before ?? null },
    started,
    past,
  );
  const promise = new Promise((resolve, reject) => {
    step.resolve = resolve;
    // K16: nobody may await it. The catch comes before the rejection; a promise that is fulfilled needs none.
    step.reject = (e) => {
      promise.catch(ignored);
      reject(e);
    };
  });
  r.steps.open(step);
  if (started.tool !== undefined) r.toolCalls.noteStart(stepId, started);
  call.onOpened?.({ stepId, repeatOf: started.repeatOf });
  kind.open(r, step);
  if (live) recordStart(r, step, input, extras);
  return promise;
}

function recordStart(r: LiveRun, step: OpenStep, input: string | null, extras: StartExtras | undefined): void {
  const { started } = step;
  const key = externalResultKey(r, step);
  const dispatch = step.queue === null ? undefined : dispatchWithStart(r, step);
  const plain = r.snapshots === null ? started : withUndoAndConfirm(step);
  const said = dispatch === undefined ? plain : { ...plain, via: viaOf(dispatch) };
  const payload = stepStartPayload(key === null ? said : { ...said, invocation: key }, input);
  const state = dispatch === undefined ? dispatchedState : dispatchLedgerState(dispatch);
  const effect = step.kind.actsOutside && !step.awaitingApproval ? effectDraft(r, step, state, input) : undefined;
  const asking = step.awaitingApproval ? askForApproval(r, step) : started.kind === "ask" ? askPerson(r, step) : undefined;
  r.commits.append({
    eventType: "StepStarted",
    stepId: step.stepId,
    logical: 1,
    payload,
    starts: step,
    child: extras?.child,
    notices: extras?.notices,
    dispatch,
    effect,
    onPlaced: asking?.onPlaced ?? (needsPlace(step) ? (runSeq) => (step.seq = runSeq) : undefined),
    onAck: asking?.onAck,
  });
  adoptFromChain(r, step);
  step.kind.started(r, step);
}

/** It may get its first record in the ledger while its owner lives on: a person is asked, or its workers have died too often. */
function needsPlace(step: OpenStep): boolean {
  return holdsFailure(step.spec) || step.queue !== null;
}

/** Who folds the log without the code must know which steps are remembered after their end. */
function withUndoAndConfirm(step: OpenStep): StepStartedPayload {
  const undo = step.kind.hasCompensation(step);
  const confirm = step.spec !== null && step.spec.confirm !== null;
  if (!undo && !confirm) return step.started;
  const task = step.spec?.task;
  return { ...step.started, ...(undo ? { undo } : {}), ...(confirm ? { confirm } : {}), ...(task === undefined ? {} : { task }) };
}

/**
 * A call that can never be answered, and is refused at once: inside a step's function, or after the code has ended. One of a run that this
 * engine lost is not refused: no `catch` of the user's may run for it (K14).
 */
export function callRefusal(r: LiveRun, call: string): PawlError | null {
  const step = r.host.context.step();
  if (step !== null) return new PawlError("PAWL1030", `${call} was called inside step ${step}`);
  const over = r.status !== null && isSettled(r.status);
  if (!over && (r.state.codeEnd === null || r.state.inActivation || r.state.isUnloaded)) return null;
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

export function rejectedPromise(e: unknown): Promise<never> {
  const p = Promise.reject(e);
  p.catch(() => {});
  return p;
}
