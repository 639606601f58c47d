// A step that ended before the snapshot that its run was read from, made again when the run must undo it or have it confirmed: its places are in the
// base, its start and its result are read from the log, and the style gives the author's functions back. It sends nothing and decides nothing.
import { decode } from "../../codec/value.ts";
import { readPayload, type StepCompletedPayload, type StepStartedPayload } from "../../events/payload.ts";
import type { RecordedOutcome } from "../fold/recorded-step.ts";
import type { FullStore } from "../../store/full-store.ts";
import { effectKind } from "../steps/effect.ts";
import { OpenStep } from "../steps/open-step.ts";
import { transactionKind } from "../steps/transaction.ts";
import type { RecordedEnd } from "../calls.ts";
import type { ResumePoint, Style } from "../style.ts";
import type { EffectRef } from "./base.ts";
import { readPayloads, recordedEnd } from "./wanted-results.ts";

export interface RestoredEffect {
  readonly step: OpenStep;
  /** Encoded; null = undefined. */
  readonly result: string | null;
  readonly outcome: Extract<RecordedOutcome, { ok: true }>;
}

/** Null: no code here knows the step. */
export async function restoreEffect(
  store: FullStore,
  runId: string,
  style: Style,
  input: string | null,
  point: ResumePoint,
  ref: EffectRef,
): Promise<RestoredEffect | null> {
  const { stepId, seq, outcomeSeq, attempt, engineAttempt, firstAt } = ref;
  const [start = null, end = null] = await readPayloads(store, runId, [seq, outcomeSeq]);
  const started = readPayload<StepStartedPayload>(start);
  const read = async (seqs: readonly number[]): Promise<readonly RecordedEnd[]> =>
    (await readPayloads(store, runId, seqs)).map((p) => recordedEnd(p));
  const restored = await style.restore(
    { stepId, runSeq: seq, started, outcomeSeq, input: declaredInput(start) },
    point,
    read,
    input === null ? undefined : decode(input),
  );
  if (restored === null) return null;
  const known = { stepId, name: started.name, undoes: null, chain: null };
  const step =
    "effect" in restored
      ? new OpenStep(
          { ...known, kind: effectKind, body: null, spec: restored.effect, declaredAt: restored.effect.declaredAt },
          started,
          undefined,
        )
      : new OpenStep(
          { ...known, kind: transactionKind, body: { fn: neverCalled, undo: restored.tx }, spec: null, declaredAt: null },
          started,
          undefined,
        );
  Object.assign(step, { seq, attempt, engineAttempt, firstAt });
  const payload = readPayload<StepCompletedPayload>(end);
  const result = payload.result === undefined ? null : JSON.stringify(payload.result);
  return { step: step as OpenStep, result, outcome: { ok: true, payload, runSeq: outcomeSeq, eventId: "" } };
}

/** As the step was called with it; undefined: nothing was declared. */
function declaredInput(start: string | null): unknown {
  const { input } = readPayload<{ input?: unknown }>(start);
  return input === undefined ? undefined : decode(JSON.stringify(input));
}

async function neverCalled(): Promise<never> {
  throw new Error("a transaction that has ended runs no more");
}
