// The work of a campaign: one order is a chain of steps of several classes, a transaction, a signal and a timer between them.
// Each step sends one request and returns the fence it was sent under, so that the log itself tells who recorded what. One
// step after the other: whoever begins a step has the outcomes of all steps before it on record.
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { workflow, type Ctx, type StepOpts, type Workflow } from "../../../src/index.ts";
import { note } from "./ledger.ts";

/** The steps that send something, in the order of the code. "once" only in every third order: a kill leaves it to a person. */
export const places = ["plain", "keyed", "shipped", "again", "once", "last"] as const;
export type Place = (typeof places)[number];

const optionsOf = (step: Place, id: string): StepOpts<number> =>
  ({
    "plain": {},
    "keyed": { key: `${id} keyed`, dedup: "1h" },
    "shipped": {},
    "again": { repeatable: true },
    "once": { once: true },
    "last": {},
  })[step] as StepOpts<number>;

export interface OrderInput {
  readonly id: string;
  /** How long each effect takes. */
  readonly holdMs: number;
  readonly once: boolean;
}
const input = z.object({ id: z.string(), holdMs: z.number(), once: z.boolean() });
const signals = { paid: z.number() };

async function send(ctx: Ctx, ledger: string, o: OrderInput, step: Place): Promise<number> {
  return ctx.step(
    step,
    async (s) => {
      const fence = Number(s.fence);
      note(ledger, { kind: "effect", run: o.id, place: places.indexOf(step), step, key: s.key, fence });
      if (o.holdMs > 0) await pause(o.holdMs);
      return fence;
    },
    optionsOf(step, o.id),
  );
}

/** What an order that went well returns: what it was paid. */
export const orderResult = 7;

/** Who reads the log meanwhile, where somebody does. */
export const readerName = "seen";

export function orders(ledger: string): Workflow<"order", OrderInput, number, OrderInput, typeof signals> {
  return workflow({ name: "order", input, signals }, async (ctx, o) => {
    const c = ctx as unknown as Ctx;
    await send(c, ledger, o, "plain");
    await send(c, ledger, o, "keyed");
    await ctx.tx("charge", async (db) => void (await db.sql`insert into charges (run) values (${o.id})`));
    await send(c, ledger, o, "shipped");
    const paid = await ctx.receive("paid");
    await ctx.sleep("pause", 5);
    await send(c, ledger, o, "again");
    if (o.once) await send(c, ledger, o, "once");
    await send(c, ledger, o, "last");
    return paid;
  });
}
