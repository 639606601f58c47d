// An engine of its own process that works batches: the store's file is its argument. It prints "ready", and ends on a line on standard input. The
// workflow fails once for every order and completes when it is retried.
import { appendFileSync, readFileSync } from "node:fs";
import { engine, workflow } from "../../../src/index.ts";

const [store = "", ledger = ""] = process.argv.slice(2);
const order = workflow({ name: "order" }, (ctx, input) =>
  ctx.step("pay", () => {
    appendFileSync(ledger, `${String(input)}\n`);
    const times = readFileSync(ledger, "utf8")
      .split("\n")
      .filter((l) => l === String(input)).length;
    if (times === 1) throw new Error("the bank is down");
    return times;
  }),
);
const e = await engine({ store: `sqlite:${store}`, workflows: [order], lease: "2s", log: () => {} });
console.log("ready");
process.stdin.once("data", () => void e.stop({ grace: 1_000 }).finally(() => process.exit(0)));
