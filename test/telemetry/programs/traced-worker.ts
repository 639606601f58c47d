// An engine with tracing in a process of its own, to be killed: it starts one run inside a span, says where that span is, and stands still in
// the second step until it dies.
import { trace } from "@opentelemetry/api";
import { engine, workflow } from "../../../src/index.ts";
import { registerTracing } from "./tracing.ts";

registerTracing();
export const ledger = workflow({ name: "ledger" }, async (ctx) => {
  await ctx.step("first", () => 1);
  return ctx.step("second", () => {
    if (process.argv[3] === "hold") {
      console.log("second");
      return new Promise<number>(() => {});
    }
    return 2;
  });
});

if (process.argv[2] !== undefined) {
  const app = await engine({ store: `sqlite:${process.argv[2]}`, workflows: [ledger] });
  await trace.getTracer("test").startActiveSpan("starter", async (span) => {
    const handle = await app.start(ledger);
    const { traceId, spanId } = span.spanContext();
    console.log(`started ${handle.runId} ${traceId} ${spanId}`);
    span.end();
  });
}
