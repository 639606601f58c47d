// One engine of the campaign's clock part, in a process whose wall clock is set while it runs. Its orders nap, pay a bank that takes its
// time, and try again; what really happened is written down with the machine's uptime, which nobody sets.
import { setTimeout as pause } from "node:timers/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { openEngine } from "../../../src/client/engine.ts";
import { workflow } from "../../../src/index.ts";
import { openStore } from "../../../src/open.ts";
import type { Platform } from "../../../src/platform/platform.ts";
import { systemPlatform } from "../../../src/platform/system.ts";
import { insist } from "./insist.ts";
import { bank, napMs, note, payLimitMs, retryMs, settleMs, uptimeMs, type ClockDuty } from "./bank.ts";

const wanted = JSON.parse(process.argv[2] ?? "{}") as ClockDuty;
const { ledger } = wanted;

/** The planted bug: elapsed time is read off the wall clock, and no two processes share a clock. */
function machine(): Platform {
  const real = systemPlatform();
  if (wanted.bug === undefined) return real;
  return { ...real, uptimeMs: () => Date.now(), bootId: () => String(process.pid) };
}

const order = workflow({ name: "order", input: z.string() }, async (ctx, id) => {
  await ctx.step("before", () => note(ledger, { run: id, what: "before", at: uptimeMs() }));
  await ctx.sleep("nap", napMs);
  await ctx.step("after", () => note(ledger, { run: id, what: "after", at: uptimeMs() }));
  await ctx.step(
    "pay",
    async () => {
      note(ledger, { run: id, what: "pay", at: uptimeMs() });
      while (!bank(ledger, id)) await pause(50);
      return "paid";
    },
    {
      verify: async () => (bank(ledger, id) ? { state: "completed-with-result", result: "paid" } : { state: "not-completed" }),
      timeout: payLimitMs,
      settle: settleMs,
    },
  );
  await ctx.step(
    "tries",
    ({ attempt }) => {
      note(ledger, { run: id, what: `try ${attempt.logical}`, at: uptimeMs() });
      if (attempt.logical === 1) throw new Error("not yet");
    },
    { retry: { attempts: 2, initial: retryMs, backoff: "fixed" } },
  );
});

const platform = machine();
const log = (_: string, message: string): void => {
  if (message.includes("was declared dead")) note(ledger, { run: wanted.name, what: "declared dead", at: uptimeMs() });
};
const { engine: e } = await insist(() =>
  openEngine({ platform, log: () => {}, open: () => openStore(wanted.store, platform) }, { workflows: [order], lease: "10s", log }),
);
console.log("ready");

let enough = false;
createInterface({ input: process.stdin }).on("line", (l) => {
  if (l === "enough") enough = true;
  if (l === "stop") void e.stop({ grace: 1_000 }).finally(() => process.exit(0));
});

async function keep(lane: number): Promise<void> {
  for (let n = 0; !enough; n++) {
    const id = `${wanted.name}-${lane}-${n}`;
    const h = await insist(() => e.start(order, id, { id }));
    note(ledger, { run: id, what: "accepted", at: uptimeMs() });
    await insist(() => h.result()).catch(() => undefined);
  }
}
await Promise.all(Array.from({ length: wanted.orders }, (_, i) => keep(i)));
