// Express: a request starts a run and is answered with 202; another one asks for the result. SIGTERM closes the server first, then
// stops the engine, which hands its runs to the next process.
import type { AddressInfo } from "node:net";
import express, { type NextFunction, type Request, type Response } from "express";
import { engine } from "pawl";
import { order, report, statusOf } from "./order.ts";

const pawl = await engine({ workflows: [order] });
const web = express();
web.use(express.json());

web.post("/orders", async (request: Request, response: Response) => {
  const input = request.body as { orderId: string; cents: number }; // checked by the workflow's schema
  const run = await pawl.start(order, input, { id: `order-${input.orderId}` });
  response.status(202).location(`/orders/${run.workflowId}`).json({ id: run.workflowId });
});

web.get("/orders/:id", async (request: Request<{ id: string }>, response: Response) => {
  const run = await pawl.get(order, request.params.id);
  if (run === undefined) return void response.status(404).json({ error: "no such order" });
  const { code, body } = await report(run);
  response.status(code).json(body);
});

web.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
  response.status(statusOf(error)).json({ error: error.message });
});

const server = web.listen(Number(process.env["PORT"] ?? 3000), () => {
  console.log(`listening on ${(server.address() as AddressInfo).port}`);
});

process.once("SIGTERM", () => {
  server.close(() => void pawl.stop({ grace: "10s" })); // requests under way are answered first
});
