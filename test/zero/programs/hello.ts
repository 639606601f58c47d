// The first five minutes: one file, one call of run(). Its input says what its only step does. It never calls
// process.exit: that the process ends is part of what is tested.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { run, workflow, type StepScope } from "../../../src/index.ts";
import { send } from "../../crash/programs/receiver.ts";

const input = z.object({ does: z.enum(["greet", "fail", "rest", "hold", "pay"]), ledger: z.string() });
const hello = workflow({ name: "hello", input }, async (ctx, { does, ledger }) => {
  const greet = async (s: StepScope): Promise<string> => {
    send(ledger, { key: ctx.run.workflowId, fence: s.fence });
    console.log("begun");
    while (does === "hold" && !existsSync(`${ledger}.go`)) await sleep(10);
    if (does === "fail") throw new RangeError("no such town");
    return `hello ${ctx.run.workflowId}`;
  };
  const said = await ctx.step("greet", greet, does === "pay" ? { once: true } : {});
  if (does === "rest") await ctx.sleep("long", "1h");
  return said;
});

const [id = "", does = "greet", ledger = ""] = process.argv.slice(2);
try {
  console.log(`result ${await run(hello, { does: does as "greet", ledger }, { id })}`);
} catch (error) {
  const e = error as Error & { code?: string };
  console.log(`failed ${e.code} ${e.message} (${(e.cause as Error | undefined)?.name})`);
}
