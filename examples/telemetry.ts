// Spans of a run, with OpenTelemetry's own SDK. An application registers a provider, as always; Pawl finds it. The spans are kept in memory
// here and printed as a tree; yours go to a collector.
import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { engine, workflow } from "pawl";

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));

let calls = 0;
const order = workflow({ name: "order" }, async (ctx) => {
  await ctx.step("reserve", () => ({ shelf: 7 }), { repeatable: true });
  const charge = (): string => {
    if (calls++ === 0) throw new Error("the bank did not answer");
    return "ch_1";
  };
  return ctx.step("charge", charge, { key: "o-1", dedup: "1d", retry: { attempts: 3, initial: "1s" } });
});

const app = await engine({ store: "memory:", workflows: [order] });
// A request of yours has a span, and its headers name it. Instrumentation makes it the active span, and nothing has to be passed on.
const request = trace.getTracer("shop").startSpan("POST /orders");
const { traceId, spanId } = request.spanContext();
await app.run(order, undefined, { id: "o-1", traceparent: `00-${traceId}-${spanId}-01` });
request.end();
await app.stop();

const spans = exporter.getFinishedSpans().toSorted((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1]);
const print = (parent: string | undefined, indent: string): void => {
  for (const s of spans.filter((x) => x.parentSpanContext?.spanId === parent)) {
    const attempt = s.attributes["pawl.step.attempt"];
    const outcome = s.attributes["pawl.outcome"] ?? "";
    console.log(`${indent}${s.name}${attempt === undefined ? "" : ` (attempt ${String(attempt)})`} ${String(outcome)}`.trimEnd());
    print(s.spanContext().spanId, `${indent}  `);
  }
};
print(undefined, "");
