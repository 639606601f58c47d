// Pawl's server inside a Hono app, below /pawl. On SIGTERM it answers waiting requests, closes the port, then stops the engine.
// The second argument tells Pawl the address of the caller, for its limits.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { engine } from "pawl";
import { server } from "pawl/server";
import { order } from "../recipes/order.ts";
import { whoAsks } from "./sign-on.ts";

const pawl = await engine({ workflows: [order] });
const api = await server({ engine: pawl, auth: whoAsks, base: "/pawl" });

const web = new Hono();
web.all("/pawl/*", (c) => api.fetch(c.req.raw, c.env));
web.post("/echo", async (c) => c.json(await c.req.json()));

const listening = serve({ fetch: web.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => {
  console.log(`listening on ${port}`);
});

async function end(): Promise<void> {
  await api.stop(); // what waits is answered
  listening.close(() => void pawl.stop({ grace: "10s" }));
}
process.once("SIGTERM", () => void end());
