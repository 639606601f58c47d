// An engine in a process of its own, for tests that kill it: it runs one workflow whose steps it writes to a ledger file,
// and stays in the second one until it is killed or told to go on. Prints a line for each fact. Never decides what is right.
import { appendFileSync } from "node:fs";
import { engine, workflow } from "../../../src/index.ts";

const [url, name, mode, ledger, lease] = process.argv.slice(2);
const note = (what) => appendFileSync(ledger, `${name} ${what}\n`);
const say = (line) => process.stdout.write(`${line}\n`);

const order = workflow({ name: "order" }, async (ctx) => {
  const one = await ctx.step("one", () => {
    note("one");
    return 1;
  });
  const two = await ctx.step(
    "two",
    async () => {
      note("two");
      say("in two");
      if (mode === "hang") await new Promise(() => {});
      return 2;
    },
    { repeatable: true },
  );
  return one + two;
});

const e = await engine({ store: url, workflows: [order], lease });
say("ready");
if (mode === "hang") await e.start(order, undefined, { id: "order-1" });
process.stdin.on("data", () => {
  void e.stop().then(() => process.exit(0));
});
