// One cell of the crash table: a run of three steps, the middle one of the class under test. It goes on until the run has
// settled or waits for a person, then says what it sees and ends. Started again after its death, it is the same program
// under the same environment.
import { setImmediate as turn } from "node:timers/promises";
import { engine, workflow, type Ctx, type StepOpts, type Verdict } from "../../../src/index.ts";
import { arrived, requests, send } from "./receiver.ts";

const [store = "", ledger = "", cls = ""] = process.argv.slice(2);
const asked = `${ledger}.asked`;

type Options = StepOpts<string>;
const verdict =
  (answer: () => Verdict<string>): (() => Promise<Verdict<string>>) =>
  async () => {
    send(asked, { key: "verify", fence: "" });
    return answer();
  };
/** What an honest receiver says. */
const honest = (): Verdict<string> =>
  arrived(ledger).length > 0 ? { state: "completed-with-result", result: "paid" } : { state: "not-completed" };

/** Short limits where the engine has to wait until a request of the last dispatch can no longer arrive. */
const soon = { timeout: 400, settle: 200 } as const;
const options: Record<string, Options> = {
  UNDECLARED: {},
  REPEATABLE: { repeatable: true },
  KEYED: { key: "order-1", dedup: "1d" },
  "KEYED+verify": { key: "order-1", dedup: "1d", verify: verdict(honest) },
  VERIFIED: { verify: verdict(honest), ...soon },
  "VERIFIED not-completed": { verify: verdict(honest), ...soon },
  "VERIFIED completed-result-unavailable": { verify: verdict(() => ({ state: "completed-result-unavailable" })) },
  "VERIFIED indeterminate": { verify: verdict(() => ({ state: "indeterminate", reason: "the bank is closed" })) },
  "AT-MOST-ONCE once": { once: true },
  "AT-MOST-ONCE key": { key: "order-1" },
};
/** In this column a request that left before the kill is lost on its way, so that the honest answer is not-completed. */
const losesFirst = cls === "VERIFIED not-completed" && /:[CD]$/.test(process.env["PAWL_CRASH"] ?? "");

async function pay(ctx: Ctx): Promise<string> {
  if (cls === "ATOMIC")
    return ctx.tx("effect", async (db) => {
      await db.sql`insert into charges (what) values ('order-1')`;
      await turn();
      return "paid";
    });
  return ctx.step(
    "effect",
    async (s) => {
      send(ledger, { key: s.key, fence: s.fence, lost: losesFirst && requests(ledger).length === 0 });
      await turn(); // window C lies here: the request has left, the answer has not come
      return "paid";
    },
    options[cls] as Options,
  );
}

const cell = workflow({ name: "cell" }, async (ctx) => {
  if (cls === "ATOMIC") await ctx.tx("before", async (db) => void (await db.sql`create table if not exists charges (what text)`));
  else await ctx.step("before", () => "begun", { repeatable: true });
  const effect = await pay(ctx);
  const after = await ctx.step("after", () => "done", { repeatable: true });
  return { effect, after };
});

const e = await engine({ store: `sqlite:${store}`, workflows: [cell] });
const handle = await e.start(cell, undefined, { id: "cell" });
let state = await handle.status();
const settled = handle.result().catch((error: unknown) => error);
while (state.status === "RUNNING" && state.waiting !== "decision") {
  await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 20))]);
  state = await handle.status();
}
const end = state.status === "RUNNING" ? undefined : await settled;
/** The codes of a failure and its causes, outermost first. */
const codes = (error: unknown): string[] =>
  error instanceof Error ? [String((error as { code?: string }).code ?? error.name), ...codes(error.cause)] : [];
const events: string[] = [];
let startedAt = 0;
let waitedMs = 0;
for await (const x of handle.events()) {
  events.push(x.eventType);
  if (x.eventType === "StepStarted" && x.stepId === "effect") startedAt = Date.parse(x.persistedAt);
  if (x.eventType === "pawl.StepRedispatched" && startedAt !== 0 && waitedMs === 0) waitedMs = Date.parse(x.persistedAt) - startedAt;
}
console.log(
  JSON.stringify({
    ...state,
    ...(end instanceof Error ? { failure: codes(end) } : { result: end }),
    step: (await handle.steps()).find((s) => s.stepId === "effect"),
    events,
    waitedMs,
  }),
);
await e.stop();
