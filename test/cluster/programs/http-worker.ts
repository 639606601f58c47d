// The cluster's worker in Node over HTTP: it has no store, and reaches the queues through one of the orchestrators. Asked about a price, it looks
// whether somebody has sent it.
import { z } from "zod";
import { task, worker } from "../../../src/index.ts";
import { effect, readEffects } from "./effects.ts";

const price = task({ name: "cluster.price", input: z.object({ id: z.string() }) }, ({ id }) => effect("price", id), {
  verify: async ({ id }) => {
    const sent = readEffects().find((e) => e.step === "price" && e.id === id);
    return sent === undefined ? { state: "not-completed" } : { state: "completed-with-result", result: { id, by: sent.by } };
  },
  timeout: "5s",
  settle: "500ms",
});
const app = await worker({ url: process.env["PAWL_URL"] ?? "", tasks: [price], queues: { "http-node": {} } });
console.log("ready");
process.once("SIGTERM", () => void app.stop({ grace: "10s" }).then(() => process.exit(0)));
