// The workflow of the web recipes, and the two answers that all of them give: what a run looks like to a client, and which HTTP status
// belongs to an error. It knows nothing of any web framework.
import { PawlError, workflow, type Handle } from "pawl";
import { z } from "zod";

export const order = workflow(
  { name: "order", input: z.object({ orderId: z.string().min(1), cents: z.number().int().positive() }) },
  async (ctx, { orderId, cents }) => {
    const charge = await ctx.step("charge", (s) => ({ id: `ch_${s.key}`, cents }), { key: orderId, dedup: "24h" });
    await ctx.sleep("packing", "300ms");
    return { charge: charge.id, shipped: true };
  },
);

/** 202 while the run is under way, 200 with its result, 500 with the reason of its failure. */
export async function report(run: Handle<typeof order>): Promise<{ code: 200 | 202 | 500; body: Record<string, unknown> }> {
  const { status, waiting } = await run.status();
  if (status === "COMPLETED") return { code: 200, body: { status, result: await run.result() } };
  if (status !== "FAILED" && status !== "CANCELLED") return { code: 202, body: { status, waiting } };
  return { code: 500, body: { status, error: await run.result().catch((e: Error) => e.message) } };
}

/** The client's mistakes get a 4xx; everything else may be tried again. */
export function statusOf(error: unknown): 400 | 409 | 503 {
  if (!(error instanceof PawlError)) return 503;
  if (error.code === "PAWL1008") return 400; // the input does not fit the schema
  return error.code === "PAWL4009" ? 409 : 503; // the same id with another input
}
