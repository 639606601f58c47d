// How a completed step will be undone: what is run, and how its start is recorded. A compensation that an earlier owner began keeps
// what was recorded: code that declares something else today says nothing of a request that was sent yesterday.
import { decode } from "../../codec/value.ts";
import { deriveGuarantee, type Guarantee } from "../../core/guarantee.ts";
import { retryPolicy } from "../../core/retry.ts";
import type { TxSql } from "../../store/transaction-store.ts";
import type { EffectSpec, TxUndo, UndoSpec } from "../calls.ts";
import type { RecordedStep } from "../run/history.ts";
import { declaredOptions, recordedGuarantee, type StepStart } from "./step-start.ts";

/** By an effect (`spec`), or by a transaction (`tx`). */
export interface UndoPlan {
  readonly spec: EffectSpec | null;
  readonly tx: ((sql: TxSql) => Promise<unknown>) | null;
  readonly start: StepStart;
}

/** `undone`: what the step was declared with; a worker that undoes it is given its input, too. */
export function undoByEffect(
  name: string,
  undo: UndoSpec,
  undone: EffectSpec,
  result: string | null,
  past: RecordedStep | undefined,
): UndoPlan {
  const declared = undone.input === null ? null : ({ of: "value", value: JSON.parse(undone.input) as unknown } as const);
  const queued = undo.queued && { ...undo.queued, input: undone.queued?.input ?? declared, undone: result, resultParse: null };
  const spec = { ...undoEffectSpec(undo, result, past), queued };
  return { spec, tx: null, start: declaredOptions("compensation", name, spec) };
}

/** I5: the rows go back in the transaction that records it. */
export function undoByTransaction(name: string, undo: TxUndo, result: string | null): UndoPlan {
  const tx = async (sql: TxSql): Promise<void> => undo(result === null ? undefined : decode(result), sql);
  return { spec: null, tx, start: { kind: "compensation", name, class: "ATOMIC" } };
}

function undoEffectSpec(undo: UndoSpec, recorded: string | null, past: RecordedStep | undefined): EffectSpec {
  const result = (): unknown => (recorded === null ? undefined : decode(recorded)); // each call gets its own (K12)
  const { verify, timeoutMs, heartbeatMs } = undo;
  const plain = {
    compensate: null,
    confirm: null,
    approve: null,
    input: null,
    receiver: undo.receiver,
    declaredAt: null,
    queued: null,
  };
  let guarantee: Guarantee;
  try {
    guarantee = past?.started.key === undefined ? undo.guarantee(result()) : recordedGuarantee(past.started);
  } catch (e) {
    // Without its key it must not be sent: it is recorded as a compensation that failed.
    const fn = (): never => {
      throw e;
    };
    return {
      ...plain,
      fn,
      verify: null,
      guarantee: deriveGuarantee({}),
      retry: retryPolicy(undefined),
      timeoutMs: null,
      heartbeatMs: null,
    };
  }
  return {
    ...plain,
    fn: (s) => undo.fn(result(), s),
    verify: verify === null ? null : (s) => verify(result(), s),
    guarantee: past === undefined ? guarantee : recordedGuarantee(past.started),
    retry: undo.retry,
    timeoutMs,
    heartbeatMs,
  };
}
