// The spans of one live run: one for each activation, from its claim, its start or the moment it woke to the moment it waits, ends or is
// given up, and under it one for each attempt of a step that acts outside. What is only replayed makes none. An activation is recorded with
// the first event that it writes, so that the next one, in whichever process, can link to it. Names, ids and numbers only, no payloads.
import { isPawlError } from "../../errors/error.ts";
import type { RunRow } from "../../store/port.ts";
import type { OpenStep } from "../steps/open-step.ts";
import type { SpanAttributes, Telemetry, TelemetrySpan } from "./telemetry.ts";

/** More attempts than this in one activation have no span of their own; their activation says how many. */
const attemptSpansMax = 1_000;

export interface TraceOrigin {
  /** The span that was active where the run was started. */
  readonly starter: string | undefined;
  /** The run's first activation, and its latest one, as its log has them. */
  readonly first: string | undefined;
  readonly latest: string | null;
}

export class RunTrace {
  readonly #telemetry: Telemetry;
  readonly #row: RunRow;
  readonly #engineId: () => string;
  readonly #starter: string | undefined;
  #first: string | undefined;
  #latest: string | null;
  #span: TelemetrySpan | null = null;
  /** The current activation is in the log, or is of no interest to anybody. */
  #recorded = true;
  #attempts = 0;
  readonly #open = new Set<AttemptTrace>();

  constructor(telemetry: Telemetry, row: RunRow, engineId: () => string, origin: TraceOrigin) {
    this.#telemetry = telemetry;
    this.#row = row;
    this.#engineId = engineId;
    this.#starter = origin.starter;
    this.#first = origin.first;
    this.#latest = origin.latest;
  }

  /** What the run starts belongs under it. */
  get traceparent(): string | undefined {
    return this.#span?.traceparent ?? this.#latest ?? this.#starter;
  }

  begin(began: "start" | "claim" | "wake"): void {
    if (this.#span !== null) return;
    const { runId, workflowId, workflow, version } = this.#row;
    const links = [this.#starter, this.#latest ?? undefined].filter((text) => text !== undefined);
    this.#span = this.#telemetry.start({
      name: `run ${workflow}`,
      attributes: {
        "pawl.run.id": runId,
        "pawl.workflow.id": workflowId,
        "pawl.workflow.name": workflow,
        "pawl.workflow.version": version,
        "pawl.engine.id": this.#engineId(),
        "pawl.activation.began": began,
      },
      parent: this.#starter ?? this.#first,
      links,
    });
    this.#recorded = this.#span === null;
    this.#attempts = 0;
    if (this.#span === null) return;
    this.#latest = this.#span.traceparent;
    this.#first ??= this.#latest;
  }

  /** The payload of an event that is about to be appended; the first of an activation names it. */
  stamp(payload: string | null): string | null {
    if (this.#span === null) this.begin("wake");
    if (this.#recorded || this.#span === null) return payload;
    this.#recorded = true;
    return withActivation(payload, this.#span.traceparent);
  }

  /** A function of the user's is about to be called. Null: it has no span of its own. */
  attempt(step: OpenStep): AttemptTrace | null {
    if (this.#span === null) this.begin("wake");
    if (this.#span === null) return null;
    const isOver = this.#attempts++ >= attemptSpansMax;
    const span = isOver ? null : this.#span.child(`step ${step.name}`, attemptAttributes(step));
    const attempt = new AttemptTrace(this.#span, span, this.#open);
    this.#open.add(attempt);
    return attempt;
  }

  /** A message brought its sender's span along. */
  link(traceparent: string): void {
    this.#span?.link(traceparent);
  }

  /** It only waits from now on, has ended, or is given up. */
  end(outcome: string, errorType?: string): void {
    for (const attempt of this.#open) attempt.end("abandoned");
    const without = this.#attempts - attemptSpansMax;
    this.#span?.end({ "pawl.outcome": outcome, ...(without > 0 ? { "pawl.attempts.without_span": without } : {}) }, errorType);
    this.#span = null;
  }
}

/** One call of a step's function. */
export class AttemptTrace {
  readonly #under: TelemetrySpan;
  readonly #span: TelemetrySpan | null;
  readonly #open: Set<AttemptTrace>;

  constructor(under: TelemetrySpan, span: TelemetrySpan | null, open: Set<AttemptTrace>) {
    this.#under = under;
    this.#span = span;
    this.#open = open;
  }
  run<R>(fn: () => R): R {
    return (this.#span ?? this.#under).run(fn);
  }
  end(outcome: string, errorType?: string): void {
    if (this.#open.delete(this)) this.#span?.end({ "pawl.outcome": outcome }, errorType);
  }
  /** Its kind, never its message: that may hold what the user must not share. */
  fail(error: unknown): void {
    this.end("failed", isPawlError(error) ? error.page : error instanceof Error ? error.name : typeof error);
  }
}

function attemptAttributes(step: OpenStep): SpanAttributes {
  return {
    "pawl.step.id": step.stepId,
    "pawl.step.name": step.name,
    "pawl.step.kind": step.started.kind,
    "pawl.step.class": step.started.class ?? "UNDECLARED",
    "pawl.step.attempt": step.attempt,
    "pawl.step.engine_attempt": step.engineAttempt,
  };
}

const mark = '"activation":"';
/** Of W3C trace context, version 00. */
const traceparentChars = 55;

function withActivation(payload: string | null, traceparent: string): string {
  const member = `${mark}${traceparent}"}`;
  return payload === null || payload === "{}" ? `{${member}` : `${payload.slice(0, -1)},${member}`;
}

/** The activation that wrote this event, where it says so: its last member does. */
export function recordedActivation(payload: string | null): string | undefined {
  const at = payload === null ? -1 : payload.length - mark.length - traceparentChars - 2;
  if (at < 1 || !payload!.startsWith(mark, at)) return undefined;
  return payload!.slice(at + mark.length, -2);
}
