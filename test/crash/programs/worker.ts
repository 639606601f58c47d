// An engine in a process of its own. What it does comes as one JSON argument: the store, the ledger, a run to start, a
// lease. It tells what it sees line by line, and stops when a line "stop" comes in or the run it started has ended.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { engine, workflow } from "../../../src/index.ts";
import { send } from "./receiver.ts";

interface Wanted {
  readonly store: string;
  readonly ledger: string;
  readonly lease?: string;
  readonly start?: { readonly workflow: "count" | "held" | "waiter" | "mixed" | "gather"; readonly id: string; readonly input?: number };
  /** A held step of this process goes on when this file appears; without it, at once. */
  readonly hold?: string;
}
const wanted = JSON.parse(process.argv[2] ?? "{}") as Wanted;
const { ledger, hold } = wanted;

/** As many steps as asked for, each one request. */
const count = workflow({ name: "count", input: z.number() }, async (ctx, steps) => {
  let sum = 0;
  for (let i = 1; i <= steps; i++) {
    sum += await ctx.step(`s${i}`, (s) => {
      send(ledger, { key: `s${i}`, fence: s.fence });
      return i;
    });
  }
  return sum;
});

/** One long step and one after it. */
const held = workflow({ name: "held" }, async (ctx) => {
  const by = await ctx.step("long", async (s) => {
    send(ledger, { key: "begun", fence: s.fence });
    console.log(`begun ${s.fence}`);
    while (hold !== undefined && !existsSync(hold)) await sleep(10);
    send(ledger, { key: "done", fence: s.fence });
    return s.fence;
  });
  await ctx.step("next", (s) => send(ledger, { key: "next", fence: s.fence }));
  return by;
});

/** Two receives of one signal. */
const waiter = workflow({ name: "waiter", signals: { go: z.string() } }, async (ctx) => [await ctx.receive("go"), await ctx.receive("go")]);

/** Steps of several classes, three branches at a time, with short waits between. */
const mixed = workflow({ name: "mixed", input: z.number() }, async (ctx, rounds) => {
  let paid = 0;
  for (let i = 1; i <= rounds; i++) {
    const step = (name: string, o: object): Promise<number> =>
      ctx.step(
        `${name}${i}`,
        async (s) => {
          send(ledger, { key: `${name}${i}`, fence: s.fence });
          await sleep(2);
          return 1;
        },
        o,
      );
    const got = await Promise.all([
      step("keyed", { key: `keyed${i}`, dedup: "1h" }),
      step("again", { repeatable: true }),
      step("plain", {}),
    ]);
    await ctx.sleep(`pause${i}`, 5);
    paid += got[0] + got[1] + got[2];
  }
  return paid;
});

/** As many signals as asked for, a step after each. */
const gather = workflow({ name: "gather", input: z.number(), signals: { go: z.number() } }, async (ctx, wantedSignals) => {
  const got: number[] = [];
  while (got.length < wantedSignals) {
    const n = await ctx.receive("go");
    got.push(await ctx.step(`take ${n}`, () => n, { repeatable: true }));
  }
  return got;
});

const all = { count, held, waiter, mixed, gather };
const e = await engine({
  store: wanted.store.includes("://") ? wanted.store : `sqlite:${wanted.store}`,
  workflows: Object.values(all),
  ...(wanted.lease === undefined ? {} : { lease: wanted.lease as `${number}s` }),
  log: (level, message) => console.log(`log ${level} ${message}`),
});
console.log("ready");

const stop = async (): Promise<void> => {
  await e.stop({ grace: 2_000 });
  console.log(`metrics ${e.metrics().replaceAll("\n", " ")}`);
  process.exit(0);
};
createInterface({ input: process.stdin }).on("line", (l) => void (l === "stop" && stop()));

if (wanted.start !== undefined) {
  const { workflow: name, id, input } = wanted.start;
  const handle = await e.start(all[name] as typeof count, input as number, { id });
  console.log(`started ${handle.created} ${handle.runId}`);
  console.log(`result ${JSON.stringify(await handle.result())}`);
  await stop();
}
