// Spans through @opentelemetry/api, an optional peer: loaded where it is installed, on the provider that the application registered, at
// any time. Nothing of its types leaves this file. It must never fail what it observes: without it, or without a provider, there are no
// spans.
import type { Attributes, Context, Span, SpanContext, Tracer, TracerProvider } from "@opentelemetry/api";
import { parseTraceparent, traceparentText } from "../../core/traceparent.ts";
import { dynamicImport } from "../../platform/modules.ts";
import { ownVersion } from "../../platform/own-package.ts";
import type { SpanAttributes, SpanRequest, Telemetry, TelemetrySpan } from "./telemetry.ts";

type Api = typeof import("@opentelemetry/api");

let loaded: Promise<Telemetry | null> | undefined;

/** Null where the package is not installed. */
export function loadTelemetry(): Promise<Telemetry | null> {
  return (loaded ??= dynamicImport("@opentelemetry/api").then(
    (module) => new OpenTelemetry(module as Api),
    () => null,
  ));
}

class OpenTelemetry implements Telemetry {
  readonly #api: Api;
  #provider: TracerProvider | undefined;
  #tracer: Tracer | undefined;

  constructor(api: Api) {
    this.#api = api;
  }

  isOn(): boolean {
    return this.#tracerNow() !== undefined;
  }

  /** Of the provider that is registered now: a tracer passes spans to its first provider for ever. */
  #tracerNow(): Tracer | undefined {
    const provider = this.#api.trace.getTracerProvider();
    if (provider !== this.#provider) {
      this.#provider = provider;
      this.#tracer = undefined;
    }
    if (this.#tracer !== undefined) return this.#tracer;
    // The API's own provider passes everything on to the application's, and has none to pass it to before there is one.
    const isThere = !(provider instanceof this.#api.ProxyTracerProvider) || provider.getDelegateTracer("pawl") !== undefined;
    return (this.#tracer = isThere ? provider.getTracer("pawl", ownVersion()) : undefined);
  }

  current(): string | undefined {
    const { trace, context } = this.#api;
    const active = trace.getSpanContext(context.active());
    return active === undefined || !this.#api.isSpanContextValid(active) ? undefined : textOf(active);
  }

  start({ name, attributes, parent, links }: SpanRequest): TelemetrySpan | null {
    const tracer = this.#tracerNow();
    if (tracer === undefined) return null;
    const { trace, ROOT_CONTEXT, SpanKind, isSpanContextValid } = this.#api;
    const above = contextOf(parent);
    const under = above === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above);
    const linked = links.flatMap((text) => contextOf(text) ?? []).map((context) => ({ context }));
    const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes: plain(attributes), links: linked }, under);
    if (!isSpanContextValid(span.spanContext())) return null;
    return new OpenTelemetrySpan(this.#api, tracer, span, trace.setSpan(ROOT_CONTEXT, span));
  }
}

class OpenTelemetrySpan implements TelemetrySpan {
  readonly traceId: string;
  readonly traceparent: string;
  readonly #api: Api;
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;

  constructor(api: Api, tracer: Tracer, span: Span, context: Context) {
    this.#api = api;
    this.#tracer = tracer;
    this.#span = span;
    this.#context = context;
    const place = span.spanContext();
    this.traceId = place.traceId;
    this.traceparent = textOf(place);
  }

  child(name: string, attributes: SpanAttributes, isClient?: true): TelemetrySpan {
    const { INTERNAL, CLIENT } = this.#api.SpanKind;
    const span = this.#tracer.startSpan(name, { kind: isClient ? CLIENT : INTERNAL, attributes: plain(attributes) }, this.#context);
    return new OpenTelemetrySpan(this.#api, this.#tracer, span, this.#api.trace.setSpan(this.#context, span));
  }

  run<R>(fn: () => R): R {
    return this.#api.context.with(this.#context, fn);
  }

  link(traceparent: string): void {
    const context = contextOf(traceparent);
    if (context !== undefined) this.#span.addLink({ context });
  }

  end(attributes: SpanAttributes, errorType?: string): void {
    if (!this.#span.isRecording()) return;
    this.#span.setAttributes(plain(attributes));
    if (errorType !== undefined) {
      this.#span.setAttribute("error.type", errorType);
      this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

/** A copy: the SDK may keep what it is given. */
function plain(attributes: SpanAttributes): Attributes {
  return { ...attributes } as Attributes;
}

function textOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return traceparentText({ traceId, spanId, flags: traceFlags });
}

function contextOf(text: string | undefined): SpanContext | undefined {
  const place = parseTraceparent(text);
  return place === null ? undefined : { traceId: place.traceId, spanId: place.spanId, traceFlags: place.flags, isRemote: true };
}
