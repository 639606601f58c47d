// Operating runs from another process: why a run waits, how many failed, a paused workflow, and one order that retries all that failed. It uses a
// store of its own in this folder.
import { engine, workflow } from "pawl";
import { connect } from "pawl/client";

let bankIsUp = false;
const order = workflow({ name: "order" }, (ctx) =>
  ctx.step("charge", () => {
    if (!bankIsUp) throw new Error("the bank is down");
  }),
);
const store = "sqlite:operating.db";
const tags = { day: String(process.pid) };
const client = await connect({ store });

const app = await engine({ store, workflows: [order] });
for (let n = 0; n < 3; n++) await app.run(order, undefined, { tags }).catch(() => {});
await app.stop();
console.log("failed:", (await client.count({ tags })).byStatus.FAILED);

const { runId, served } = await client.start({ workflow: "order", tags });
console.log("served:", served, "-", (await client.get(runId))?.because.text);

await client.pauseWorkflow("order", { reason: "the bank is down" });
console.log((await client.get(runId))?.because.text);

bankIsUp = true;
await client.resumeWorkflow("order");
const next = await engine({ store, workflows: [order] });
const { batchId } = await client.batches.create({
  filter: { status: ["FAILED"], tags },
  action: "retry",
  reason: "the bank is back",
});
const { done, skipped, failed } = await client.batches.wait(batchId);
console.log(`retried: ${done}, skipped: ${skipped}, failed: ${failed}`);
for (const run of (await client.list({ tags })).runs) await client.waitForEnd(run.runId);
console.log("completed:", (await client.count({ tags })).byStatus.COMPLETED);

await next.stop();
await client.close();
