// The spans of one live run: one for each activation, from its claim, its start or the moment it woke to the moment it waits, ends or is
// given up, and under it one for each attempt of a step that acts outside, and under that one for each call of a tool or a model. What is only replayed makes none. An activation is recorded with
// the first event that it writes, so that the next one, in whichever process, can link to it. Names, ids and numbers only, no payloads.
import { isPawlError } from "../../errors/error.ts";
import type { RunRow } from "../../store/port.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { conversation, toolSpan, type NamedSpan } from "./gen-ai.ts";
import type { SpanAttributes, Telemetry, TelemetrySpan } from "./telemetry.ts";

/** More attempts than this in one activation have no span of their own; their activation says how many. */
const attemptSpansMax = 1_000;

export interface TraceOrigin {
  /** The span that was active where the run was started. */
  readonly starter: string | undefined;
  /** The run's first activation, and its latest one, as its log has them. */
  readonly first: string | undefined;
  readonly latest: string | null;
  /** It is an agent's run. */
  readonly isAgent: boolean;
}

export class RunTrace {
  readonly #telemetry: Telemetry;
  readonly #row: RunRow;
  readonly #engineId: () => string;
  readonly #starter: string | undefined;
  readonly #isAgent: boolean;
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
    this.#isAgent = origin.isAgent;
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
        ...(this.#isAgent ? { "gen_ai.operation.name": "invoke_agent", ...conversation(this.#row) } : {}),
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
    const attempt = new AttemptTrace(this.#span, span, this.#open, () => conversation(this.#row));
    this.#open.add(attempt);
    attempt.beginTool(step);
    return attempt;
  }

  /** A message brought its sender's span along. */
  link(traceparent: string): void {
    if (this.#span === null) this.begin("wake");
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
  readonly #of: () => SpanAttributes;
  /** Calls of a tool or of models that have not ended. */
  readonly #inner = new Set<TelemetrySpan>();
  #tool: TelemetrySpan | null = null;

  constructor(under: TelemetrySpan, span: TelemetrySpan | null, open: Set<AttemptTrace>, of: () => SpanAttributes) {
    this.#under = under;
    this.#span = span;
    this.#open = open;
    this.#of = of;
  }
  run<R>(fn: () => R): R {
    return (this.#tool ?? this.#span ?? this.#under).run(fn);
  }
  beginTool(step: OpenStep): void {
    if (step.started.tool !== undefined) this.#tool = this.within((of) => toolSpan(step.started, of));
  }
  /** A span under this attempt, which ends with it at the latest. Null: the attempt has none, or has ended. */
  within(describe: (of: SpanAttributes) => NamedSpan | null): TelemetrySpan | null {
    if (this.#span === null || !this.#open.has(this)) return null;
    const named = describe(this.#of());
    if (named === null) return null;
    const span = this.#span.child(named.name, named.attributes, named.isClient);
    this.#inner.add(span);
    return span;
  }
  end(outcome: string, errorType?: string): void {
    if (!this.#open.delete(this)) return;
    // A model call that was answered has ended; one that is still open was given up with its attempt.
    for (const span of this.#inner)
      span.end(span === this.#tool && outcome !== "abandoned" ? {} : { "pawl.outcome": "abandoned" }, errorType);
    this.#span?.end({ "pawl.outcome": outcome }, errorType);
  }
  /** Its kind, never its message: that may hold what the user must not share. */
  fail(error: unknown): void {
    this.end("failed", errorKind(error));
  }
}

export function errorKind(error: unknown): string {
  return isPawlError(error) ? error.page : error instanceof Error ? error.name : typeof error;
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

/** The payload as it was before its activation was named in it. */
export function withoutActivation(payload: string): string {
  const named = recordedActivation(payload);
  if (named === undefined) return payload;
  const rest = payload.slice(0, -(mark.length + traceparentChars + 2));
  return `${rest.endsWith(",") ? rest.slice(0, -1) : rest}}`;
}
