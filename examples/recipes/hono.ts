// Hono: a request starts a run and is answered with 202; another one asks for the result. SIGTERM closes the server first, then
// stops the engine, which hands its runs to the next process.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { engine } from "pawl";
import { order, report, statusOf } from "./order.ts";

const pawl = await engine({ workflows: [order] });
const web = new Hono();

web.post("/orders", async (c) => {
  const input = await c.req.json<{ orderId: string; cents: number }>(); // checked by the workflow's schema
  const run = await pawl.start(order, input, { id: `order-${input.orderId}` });
  c.header("Location", `/orders/${run.workflowId}`);
  return c.json({ id: run.workflowId }, 202);
});

web.get("/orders/:id", async (c) => {
  const run = await pawl.get(order, c.req.param("id"));
  if (run === undefined) return c.json({ error: "no such order" }, 404);
  const { code, body } = await report(run);
  return c.json(body, code);
});

web.onError((error, c) => c.json({ error: error.message }, statusOf(error)));

const server = serve({ fetch: web.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => {
  console.log(`listening on ${port}`);
});

process.once("SIGTERM", () => {
  server.close(() => void pawl.stop({ grace: "10s" })); // requests under way are answered first
});
