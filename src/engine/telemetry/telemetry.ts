// Spans as the engine sees them. The one implementation is OpenTelemetry's (opentelemetry.ts); without it there is none of this, and
// nothing is paid for. Attributes are names, ids and numbers, never values of users. Types only.

export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface SpanRequest {
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** The span that it belongs under, as W3C trace context; undefined: it begins a trace. */
  readonly parent: string | undefined;
  /** Spans that led to it, as W3C trace context. */
  readonly links: readonly string[];
}

export interface TelemetrySpan {
  readonly traceId: string;
  /** As W3C trace context, for what it starts. */
  readonly traceparent: string;
  /** A span under this one; `isClient`: of work that another process does. */
  child(name: string, attributes: SpanAttributes, isClient?: true): TelemetrySpan;
  /** Runs `fn`, and all that it starts, with this span as the active one: instrumented clients pass it on. */
  run<R>(fn: () => R): R;
  /** Something else led here as well. */
  link(traceparent: string): void;
  /** `errorType`: it failed, and with what kind of error. Ending twice is harmless. */
  end(attributes: SpanAttributes, errorType?: string): void;
}

export interface Telemetry {
  /** Somebody wants spans: a provider is registered. */
  isOn(): boolean;
  /** The span that is active where this is called, as W3C trace context. */
  current(): string | undefined;
  /** Null: nobody wants it. */
  start(request: SpanRequest): TelemetrySpan | null;
}
