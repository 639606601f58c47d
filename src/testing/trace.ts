// A run's log as lines that a person reads and a test compares: what happened, to which step, and why. No ids, no times: the
// same run gives the same lines. It must never show a payload's content beyond what names a failure.
import type { RunEventRecord } from "../core/contract.ts";

interface Payload {
  readonly class?: string;
  readonly kind?: string;
  readonly stepId?: string;
  readonly name?: string;
  readonly id?: string;
  readonly category?: string;
  readonly reason?: string;
  readonly retryAt?: string;
  readonly retry?: boolean;
  readonly via?: string;
  readonly timedOut?: boolean;
  readonly error?: { readonly message?: string };
}

/** "StepStarted charge effect KEYED", "StepFailed charge FAILED: the bank said no, again later", "RunCompleted". */
export function traceLines(events: readonly RunEventRecord[]): string[] {
  return events.map((e) => {
    const p = (typeof e.payload === "object" && e.payload !== null ? e.payload : {}) as Payload;
    const words = [e.eventType, e.stepId ?? p.stepId ?? (e.eventType.startsWith("pawl.") ? (p.name ?? p.id) : undefined)];
    if (e.eventType === "StepStarted") words.push(p.retry === true ? "again" : p.kind, p.class);
    if (e.eventType === "StepCompleted")
      words.push(p.via === undefined ? undefined : `via ${p.via}`, p.timedOut === true ? "timed out" : undefined);
    const line = words.filter((w) => w !== undefined && w !== "").join(" ");
    const why = [p.category, p.error?.message ?? (e.eventType.startsWith("pawl.StepInDoubt") ? p.reason : undefined)].filter(
      (w) => w !== undefined,
    );
    return `${line}${why.length === 0 ? "" : ` ${why.join(": ")}`}${p.retryAt === undefined ? "" : ", again later"}`;
  });
}
