// The workflows of the suite for both clients, and an engine for them in a process of its own: run with STORE set, it works until it is killed.
// Nothing here may depend on which client asked.
import { z } from "zod";
import { engine, workflow } from "../../../src/index.ts";
import type { AnyWorkflow } from "../../../src/workflow/types.ts";

/** Takes anything and gives it back. */
const echo = workflow({ name: "echo", input: z.any() }, async (ctx, input) => {
  const first = await ctx.step("first", async () => 1, { repeatable: true });
  return { input, first };
});

/** A signal, an update, a view, an effect under a key. */
const order = workflow(
  {
    name: "order",
    input: z.object({ id: z.string() }),
    signals: { approved: z.object({ by: z.string() }) },
    updates: { address: { input: z.object({ city: z.string() }) } },
    views: { status: z.string() },
  },
  async (ctx, { id }) => {
    let city = "nowhere";
    ctx.onUpdate("address", (a: { city: string }) => {
      if (a.city === "Atlantis") throw new Error("it is under water");
      city = a.city;
      return `to ${city}` as never;
    });
    ctx.publish("status", "charging");
    await ctx.step("charge", async () => ({ charged: id }), { key: `charge/${id}`, dedup: "1d" });
    ctx.publish("status", "waiting");
    const { by } = await ctx.receive("approved");
    return { id, by, city };
  },
);

const fails = workflow({ name: "fails", input: z.any() }, async (ctx) => {
  await ctx.step("kept", async () => 1, { repeatable: true });
  await ctx.step(
    "broken",
    async () => {
      throw Object.assign(new RangeError("too far"), { code: "E_FAR", data: { at: new Date(5), big: 5n } });
    },
    { retry: { attempts: 1 } },
  );
});

/** Waits for a person. */
const gated = workflow({ name: "gated", input: z.string() }, async (ctx, id) => {
  return ctx.step("pay", async () => `paid ${id}`, { key: `pay/${id}`, dedup: "1d", approve: true });
});

export const shop: readonly AnyWorkflow[] = [echo, order, fails, gated];

const store = process.env["STORE_OF_SHOP"];
if (store !== undefined) {
  await engine({ store, workflows: shop, log: () => {}, lease: "2s" });
  console.log("ready");
  setInterval(() => {}, 60_000);
}
