// The real SDK with spans in memory, and the active context in AsyncLocalStorage. Whoever registers it gives it back: a provider belongs to
// the whole process.
import { AsyncLocalStorage } from "node:async_hooks";
import { context, ROOT_CONTEXT, trace, type Context } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace-base";

class StoredContext {
  readonly #storage = new AsyncLocalStorage<Context>();
  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    c: Context,
    fn: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(c, () => fn.call(self, ...args));
  }
  bind<T>(_: Context, target: T): T {
    return target;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    return this;
  }
}

export interface Tracing {
  /** Spans that have ended, in the order in which they ended. */
  spans(): ReadableSpan[];
  /** The most spans that were open at one time. */
  openMax(): number;
  reset(): void;
  stop(): void;
}

export function registerTracing(): Tracing {
  const exporter = new InMemorySpanExporter();
  const inner = new SimpleSpanProcessor(exporter);
  let open = 0;
  let most = 0;
  const provider = new BasicTracerProvider({
    spanProcessors: [
      {
        onStart: (span, c) => {
          most = Math.max(most, ++open);
          inner.onStart(span, c);
        },
        onEnd: (span) => {
          open--;
          inner.onEnd(span);
        },
        forceFlush: () => inner.forceFlush(),
        shutdown: () => inner.shutdown(),
      },
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new StoredContext());
  return {
    spans: () => exporter.getFinishedSpans(),
    openMax: () => most,
    reset: () => {
      exporter.reset();
      most = open;
    },
    stop: () => {
      trace.disable();
      context.disable();
    },
  };
}

/** A span as one line, for another process. */
export function spanLine(s: ReadableSpan): string {
  const { traceId, spanId } = s.spanContext();
  return JSON.stringify({
    name: s.name,
    traceId,
    spanId,
    parent: s.parentSpanContext?.spanId,
    links: s.links.map((l) => l.context.spanId),
  });
}
