// Confirmation on replay (A-31 … A-36). An owner that replays a run from its log asks, for each recorded and completed effect of a
// task with `confirm`, whether the world still matches: once per owner, before the last recorded outcome reaches the code, so that
// nothing new is decided on a result that is no longer true. Verifiers only look: their answer is never an outcome and never part of
// the schedule (K13). A verifier that throws, is late or gives neither of its two answers has not confirmed.
import type { RestoredEffect } from "../snapshot/restore-step.ts";
import { decode } from "../../codec/value.ts";
import { isCalledByCode } from "../../core/step-kind-facts.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import { jsonObject, pawlEvents, jsonValue } from "../../events/payload.ts";
import type { ConfirmSpec } from "../calls.ts";
import { EffectScope } from "./effect-scope.ts";
import type { History, RecordedOutcome } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { verifyLimitMs } from "./verdict.ts";
import { askDecision } from "../decisions/needs-decision.ts";

interface RecordedEffect {
  readonly step: OpenStep;
  readonly spec: ConfirmSpec;
  readonly limitMs: number;
  readonly outcome: Extract<RecordedOutcome, { ok: true }>;
}
export interface Unconfirmed {
  readonly stepId: string;
  readonly mode: ConfirmSpec["mode"];
  readonly verifier: string;
  readonly reason: string;
}

/** What follows from what was not confirmed: strict before human; warnings alone are no error. The codes differ (A-34). */
export function confirmationError(found: readonly Unconfirmed[]): PawlError | null {
  const strict = found.filter((u) => u.mode === "strict");
  const human = found.filter((u) => u.mode === "human");
  const say = (all: readonly Unconfirmed[]): string =>
    all.map((u) => `${u.stepId} is not confirmed by ${u.verifier}: ${u.reason}`).join("; ");
  if (strict.length > 0) return new PawlError("PAWL2006", say(strict));
  if (human.length > 0) return new PawlError("PAWL2007", say(human));
  return null;
}

export class Confirmations {
  readonly #run: LiveRun;
  readonly #history: History;
  readonly #recorded: RecordedEffect[] = [];
  readonly #scopes: EffectScope[] = [];
  #state: "gathering" | "asking" | "over" = "gathering";
  #refusal: PawlError | null = null;

  constructor(run: LiveRun, history: History) {
    this.#run = run;
    this.#history = history;
  }
  /** Verifiers are looking: the run waits for their answers. */
  get isAsking(): boolean {
    return this.#state === "asking";
  }

  /** An outcome of the record, before it is delivered to the code. */
  collect(step: OpenStep | undefined, outcome: RecordedOutcome): void {
    if (this.#state !== "gathering" || !outcome.ok || step === undefined || !step.spec?.confirm) return;
    const { confirm, timeoutMs } = step.spec;
    const { accepted, warned } = this.#history.confirmations;
    if (accepted.has(step.stepId) || warned.get(step.stepId) === this.#run.fence.epoch) return;
    this.#recorded.push({ step, spec: confirm, limitMs: timeoutMs ?? verifyLimitMs, outcome });
  }

  /** Effects that ended before the snapshot that the run was read from; first, since they ended first. */
  addRestored(effects: readonly RestoredEffect[]): void {
    for (const { step, outcome } of effects) this.collect(step, outcome);
  }

  /** The record is about to be used up: verifiers are asked, and the run is pumped when all have answered. */
  askVerifiers(): void {
    const nobody = this.#recorded.length === 0 || recordIsEnding(this.#history);
    this.#state = nobody ? "over" : "asking";
    if (nobody) return;
    Promise.all(this.#recorded.map((x) => this.#ask(x))).then(
      (said) => this.#conclude(said.filter((u) => u !== null)),
      (e: unknown) => this.#run.reloadAfterError(e),
    );
  }
  abort(reason: unknown): void {
    for (const s of this.#scopes) s.abort(reason);
  }

  /** The record is used up and strict was not satisfied: the run ends as failed, after compensations (A-32). */
  stopIfUnconfirmed(): void {
    if (this.#refusal === null || this.#run.state.stopReason !== null) return;
    stopUnconfirmed(this.#run, this.#refusal.message);
  }

  /** Null: it matches. Never rejects for anything that a verifier does. */
  async #ask({ step, spec, limitMs, outcome }: RecordedEffect): Promise<Unconfirmed | null> {
    const { host } = this.#run;
    const entered = host.effectLimiter.acquire();
    if (entered !== true) await entered;
    const scope = new EffectScope(this.#run, step);
    this.#scopes.push(scope);
    let cancel = (): void => {};
    let answer: unknown;
    try {
      const late = new Promise<object>((resolve) => {
        cancel = host.platform.timer(limitMs, () => {
          scope.abort(new PawlError("PAWL2008", `verifier ${spec.verifier} did not answer within ${limitMs} ms`));
          resolve({ matches: false, reason: `it did not answer within ${limitMs} ms` });
        });
      });
      const { result } = outcome.payload;
      const recorded = result === undefined ? undefined : decode(JSON.stringify(result));
      answer = await Promise.race([host.context.run(this.#run, async () => spec.check(recorded, scope)), late]);
    } catch (e) {
      answer = { matches: false, reason: `it threw ${e instanceof Error ? `${e.name}: ${e.message}` : typeof e}` };
    } finally {
      cancel();
      host.effectLimiter.release();
    }
    const reason = whyNotConfirmed(answer);
    return reason === null ? null : { stepId: step.stepId, mode: spec.mode, verifier: spec.verifier, reason };
  }

  #conclude(found: readonly Unconfirmed[]): void {
    const r = this.#run;
    this.#state = "over";
    if (r.state.isUnloaded || r.replay.hasDiverged) return;
    for (const u of found) {
      r.log("warn", `run ${r.row.runId} (${r.row.workflow}): ${u.stepId} is not confirmed by ${u.verifier}: ${u.reason}`, {
        mode: u.mode,
      });
      const { stepId, mode, verifier, reason } = u;
      r.commits.append({
        eventType: pawlEvents.confirmationFailed,
        stepId: null,
        payload: jsonObject({
          stepId: jsonValue(stepId),
          mode: jsonValue(mode),
          verifier: jsonValue(verifier),
          reason: jsonValue(reason),
          epoch: String(r.fence.epoch),
        }),
        ...(mode === "warn" ? { onAck: () => r.host.metrics.add("pawl_confirmation_replay_warn_total") } : {}),
      });
    }
    const error = confirmationError(found);
    if (isPawlError(error, "PAWL2007")) {
      // A-35: parked. It is read again when a person has answered.
      const unconfirmed = found.filter((u) => u.mode === "human").map((u) => u.stepId);
      askDecision(r, error.message, { code: error.code, unconfirmed });
      r.state.requestRelease();
    } else this.#refusal = error;
    r.pump();
  }
}

/** A run that is ending only undoes: there is nothing left to build on what was recorded. */
function recordIsEnding(h: History): boolean {
  if (h.schedule.some((e) => e.type === "cancel")) return true;
  for (const s of h.steps.values()) if (!isCalledByCode(s.started.kind)) return true;
  return false;
}

export function stopUnconfirmed(r: LiveRun, reason: string): void {
  r.commits.append({
    eventType: pawlEvents.cancelRequested,
    stepId: null,
    payload: jsonObject({ category: jsonValue("UNCONFIRMED"), reason: jsonValue(reason) }),
  });
  r.state.stop({ kind: "unconfirmed", reason });
}

/** Null for { matches: true } and for nothing else. */
function whyNotConfirmed(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("matches" in answer)) return "it gave neither of its two answers";
  const { matches, reason } = answer as { matches: unknown; reason?: unknown };
  if (matches === true) return reason === undefined ? null : "it contradicts itself: it matches, and a reason why not";
  if (matches !== false) return "it gave neither of its two answers";
  return typeof reason === "string" && reason !== "" ? reason : "it does not match";
}
