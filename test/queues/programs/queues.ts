// One process of the queue tests: an owner that starts a run of every class and runs no step, a worker that runs them, or an owner that does both. Every effect is a line in
// a file that no engine reads. A worker that holds waits with each effect sent and nothing reported.
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { engine, task, worker, workflow, type TaskOpts } from "../../../src/index.ts";
import { requests, send } from "../../crash/programs/receiver.ts";

interface Wanted {
  readonly role: "owner" | "worker" | "both";
  readonly store: string;
  readonly ledger: string;
  /** Runs are called `<prefix>-<class>`. */
  readonly prefix: string;
  /** Effects that were sent wait until this file is there. */
  readonly hold?: string;
  /** An owner that does both: so many places, and all but one of them are taken by steps that hold, once it has seen that its functions end quickly. */
  readonly places?: number;
  /** The worker has this task alone. */
  readonly only?: keyof typeof tasks;
}
const wanted = JSON.parse(process.argv[2] ?? "{}") as Wanted;
const { ledger, hold, prefix, role, store } = wanted;

const effect = (name: string) => async (key: string, s: { key: string; fence: string }) => {
  send(ledger, { key: `${name} ${s.key}`, fence: s.fence });
  console.log(`sent ${name}`);
  while (hold !== undefined && !existsSync(hold)) await sleep(10);
  return `${name} ${key}`;
};
const asked = (name: string) => async () =>
  requests(ledger).some((r) => r.key.startsWith(`${name} `))
    ? ({ state: "completed-with-result", result: `${name} verified` } as const)
    : ({ state: "not-completed" } as const);

const input = z.string();
const make = (name: string, o: TaskOpts<string, string>) => task({ name, input }, effect(name), { queue: `q-${prefix}`, ...o });
const tasks = {
  repeatable: make("repeatable", { repeatable: true }),
  undeclared: make("undeclared", {}),
  keyed: make("keyed", { key: (k) => `key-${k}`, dedup: "1h", timeout: "60s" }),
  verified: make("verified", { verify: asked("verified"), timeout: "2s", settle: "500ms" }),
  once: make("once", { once: true, timeout: "60s" }),
};
const quick = task({ name: "quick", input }, async (k) => k, { queue: `q-${prefix}`, repeatable: true });
const quickly = workflow({ name: "quickly", input }, async (ctx, k) => ctx.do(quick, k));
const fill = make("fill", { repeatable: true });
const filling = workflow({ name: "filling", input }, async (ctx, k) => ctx.do(fill, k));
const workflows = Object.entries(tasks).map(([name, t]) => workflow({ name, input }, async (ctx, k) => ctx.do(t, k)));

const log = (level: string, message: string): void => console.log(`log ${level} ${message}`);
const app =
  role !== "worker"
    ? await engine({
        store,
        workflows: [...workflows, quickly, filling],
        queues: role === "both" ? { [`q-${prefix}`]: wanted.places === undefined ? {} : { concurrency: wanted.places } } : {},
        lease: "2s",
        log,
      })
    : await worker({
        store,
        tasks: wanted.only === undefined ? Object.values(tasks) : [tasks[wanted.only]],
        queues: { [`q-${prefix}`]: {} },
        lease: "2s",
        log,
      });
if ("start" in app && wanted.places !== undefined) {
  for (let n = 0; n < 30; n++) await (await app.start(quickly, "", { id: `${prefix}-quickly-${n}` })).result();
  for (let n = 1; n < wanted.places; n++) await app.start(filling, "", { id: `${prefix}-filling-${n}` });
}
if ("start" in app) for (const wf of workflows) await app.start(wf, `${prefix}-${wf.name}`, { id: `${prefix}-${wf.name}` });
console.log("ready");
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "stop") void app.stop({ grace: "1s" }).then(() => process.exit(0));
});
