// A run whose code and steps throw promises away that reject, and a program that may do so outside any run. Told apart by
// its second argument. That the process lives, or ends, is what is tested.
import { setTimeout as sleep } from "node:timers/promises";
import { engine, workflow } from "../../../src/index.ts";

const [store = "", where = "inside"] = process.argv.slice(2);
const odd = workflow({ name: "odd" }, async (ctx) => {
  void ctx.step("unawaited", () => Promise.reject(new RangeError("nobody awaits this step")), { retry: { attempts: 1 } });
  void Promise.reject(new RangeError("thrown away by the code"));
  await ctx.sleep("a moment", 30);
  return ctx.step("works", async () => {
    void Promise.reject(new RangeError("thrown away by a step"));
    await sleep(30);
    return "fine";
  });
});

const e = await engine({ store, workflows: [odd], log: (level, message) => console.log(`log ${level} ${message}`) });
const h = await e.start(odd, undefined, { id: "odd" });
console.log(`run ${h.runId}`);
console.log(`result ${await h.result()}`);
if (where === "outside") {
  void Promise.reject(new RangeError("nobody's"));
  await sleep(30);
  console.log("still here");
}
await e.stop();
