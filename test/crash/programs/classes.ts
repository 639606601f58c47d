// The workflow of one cell of the crash table: three steps, the middle one of the class under test, or undone by one; its requests
// are counted in a ledger that the engine never reads. The same code for every store: what differs is who kills it, and where. And what such a
// run looks like from outside once nothing more will happen to it by itself.
import { setImmediate as turn } from "node:timers/promises";
import {
  workflow,
  type Compensation,
  type Ctx,
  type Handle,
  type StepOpts,
  type Tx,
  type Verdict,
  type Workflow,
} from "../../../src/index.ts";
import { arrived, requests, send } from "./receiver.ts";

export interface CellOptions {
  readonly name: string;
  readonly cls: string;
  readonly ledger: string;
  /** The first request is lost on its way, so that the honest answer is not-completed. */
  readonly losesFirst: boolean;
  /** Makes the table of the charges in the first step. A server would end its transaction over it: there it is there before. */
  readonly makesTable: boolean;
  /** Called when the request has left and the answer has not come: window C. */
  readonly during?: () => Promise<void>;
}

/** Short limits where the engine has to wait until a request of the last dispatch can no longer arrive. */
const soon = { timeout: 400, settle: 200 } as const;

function optionsOf({ cls, ledger }: CellOptions): StepOpts<string> {
  const verdict =
    (answer: () => Verdict<string>): (() => Promise<Verdict<string>>) =>
    async () => {
      send(`${ledger}.asked`, { key: "verify", fence: "" });
      return answer();
    };
  /** What an honest receiver says. */
  const honest = (): Verdict<string> =>
    arrived(ledger).length > 0 ? { state: "completed-with-result", result: "paid" } : { state: "not-completed" };
  const options: Record<string, StepOpts<string>> = {
    "UNDECLARED": {},
    "REPEATABLE": { repeatable: true },
    "KEYED": { key: "order-1", dedup: "1d" },
    "KEYED+verify": { key: "order-1", dedup: "1d", verify: verdict(honest) },
    "VERIFIED": { verify: verdict(honest), ...soon },
    "VERIFIED not-completed": { verify: verdict(honest), ...soon },
    "VERIFIED completed-result-unavailable": { verify: verdict(() => ({ state: "completed-result-unavailable" })) },
    "VERIFIED indeterminate": { verify: verdict(() => ({ state: "indeterminate", reason: "the bank is closed" })) },
    "AT-MOST-ONCE once": { once: true },
    "AT-MOST-ONCE key": { key: "order-1" },
  };
  return options[cls] as StepOpts<string>;
}

/** Its effects are rows in the store's own database. */
export function isAtomic(cls: string): boolean {
  return cls.startsWith("ATOMIC");
}

/** The step under test: of most cells the effect, of the others what undoes it. */
export function stepOf(cls: string): string {
  return cls.endsWith(" compensation") ? "effect/~compensate" : "effect";
}

function compensationOf(o: CellOptions): Compensation<[result: string]> {
  const undo = async (_: string, s: { readonly key: string; readonly fence: string }): Promise<string> => request(o, s);
  if (o.cls.startsWith("KEYED")) return { undo, key: (paid) => `undo-${paid}`, dedup: "1d" };
  if (o.cls.startsWith("AT-MOST-ONCE")) return { undo, once: true };
  const { verify } = optionsOf({ ...o, cls: "VERIFIED" }) as { verify: () => Promise<Verdict<string>> };
  return { undo, verify, ...soon };
}

async function request(o: CellOptions, s: { readonly key: string; readonly fence: string }): Promise<string> {
  send(o.ledger, { key: s.key, fence: s.fence, lost: o.losesFirst && requests(o.ledger).length === 0 });
  await (o.during ?? turn)();
  return "paid";
}

async function pay(ctx: Ctx, o: CellOptions): Promise<string> {
  const row = async (db: Tx): Promise<string> => {
    await db.sql`insert into charges (what) values (${o.name})`;
    await (o.during ?? turn)();
    return "paid";
  };
  if (o.cls === "ATOMIC") return ctx.tx("effect", row);
  if (o.cls === "ATOMIC compensation") {
    await ctx.tx("effect", () => "paid", { compensate: (_, db) => row(db) });
    return ctx.fail("the order is not wanted");
  }
  if (stepOf(o.cls) === "effect") return ctx.step("effect", (s) => request(o, s), optionsOf(o));
  await ctx.step("effect", () => "paid", { repeatable: true, compensate: compensationOf(o) });
  return ctx.fail("the order is not wanted");
}

export type CellWorkflow = Workflow<string, undefined, { effect: string; after: string }>;

export function cellWorkflow(o: CellOptions): CellWorkflow {
  return workflow({ name: o.name }, async (ctx) => {
    if (o.makesTable && isAtomic(o.cls))
      await ctx.tx("before", async (db) => void (await db.sql`create table if not exists charges (what text)`));
    else await ctx.step("before", () => "begun", { repeatable: true });
    const effect = await pay(ctx, o);
    const after = await ctx.step("after", () => "done", { repeatable: true });
    return { effect, after };
  });
}

/** The codes of a failure and its causes, outermost first. */
const codes = (error: unknown): string[] =>
  error instanceof Error ? [String((error as { code?: string }).code ?? error.name), ...codes(error.cause)] : [];

/** Waits until the run has settled or waits for a person, and tells what is seen of it then. */
export async function lookAt(handle: Handle<CellWorkflow>, stepId: string): Promise<unknown> {
  let state = await handle.status();
  const settled = handle.result().catch((error: unknown) => error);
  while (state.status === "PENDING" || (state.status === "RUNNING" && state.waiting !== "decision")) {
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 20))]);
    state = await handle.status();
  }
  const end = state.status === "RUNNING" ? undefined : await settled;
  const events: string[] = [];
  let startedAt = 0;
  let waitedMs = 0;
  let undone = false;
  for await (const x of handle.events()) {
    events.push(x.eventType);
    if (x.eventType === "StepStarted" && x.stepId === stepId) startedAt = Date.parse(x.persistedAt);
    if (x.eventType === "RunFailed") undone = !("compensationsFailed" in (x.payload as object));
    if (x.eventType === "pawl.StepRedispatched" && startedAt !== 0 && waitedMs === 0) waitedMs = Date.parse(x.persistedAt) - startedAt;
  }
  const step = (await handle.steps()).find((s) => s.stepId === stepId);
  return { ...state, ...(end instanceof Error ? { failure: codes(end) } : { result: end }), step, events, waitedMs, undone };
}
