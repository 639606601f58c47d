// Next.js, app/orders/route.ts: the route handlers record what is asked and read what is known, through pawl/client. They run no workflow:
// a worker process with an engine does that (next-worker.ts). So a route may come and go with its request, as Next likes it.
import { PawlError } from "pawl";
import { connect, type Client } from "pawl/client";
import { z } from "zod";

const input = z.object({ orderId: z.string().min(1), cents: z.number().int().positive() });

// One client per process, kept over hot reloads.
const kept = globalThis as { pawlClient?: Promise<Client> };
const pawl = (): Promise<Client> => (kept.pawlClient ??= connect());

export async function POST(request: Request): Promise<Response> {
  const parsed = input.safeParse(await request.json()); // the workflow's code is not here: check before you record
  if (!parsed.success) return Response.json({ error: parsed.error.issues[0]?.message }, { status: 400 });
  const id = `order-${parsed.data.orderId}`;
  try {
    await (await pawl()).start({ workflow: "order", input: parsed.data, id });
  } catch (e) {
    if (e instanceof PawlError && e.code === "PAWL4009") return Response.json({ error: e.message }, { status: 409 });
    throw e;
  }
  return Response.json({ id }, { status: 202, headers: { location: `/orders?id=${id}` } });
}

export async function GET(request: Request): Promise<Response> {
  const id = new URL(request.url).searchParams.get("id") ?? "";
  const client = await pawl();
  const run = await client.get(id);
  if (run === undefined) return Response.json({ error: "no such order" }, { status: 404 });
  const { status, waiting } = run;
  if (status !== "COMPLETED" && status !== "FAILED" && status !== "CANCELLED") return Response.json({ status, waiting }, { status: 202 });
  const { result, error } = await client.waitForEnd(id);
  return Response.json({ status, result, error: error?.message }, { status: status === "COMPLETED" ? 200 : 500 });
}
