// Fastify: a request starts a run and is answered with 202; another one asks for the result. The engine is stopped by Fastify's own
// onClose hook, after the server has stopped taking requests.
import Fastify from "fastify";
import { engine } from "pawl";
import { order, report, statusOf } from "./order.ts";

const pawl = await engine({ workflows: [order] });
const web = Fastify();

web.post<{ Body: { orderId: string; cents: number } }>("/orders", async (request, reply) => {
  const input = request.body; // checked by the workflow's schema
  const run = await pawl.start(order, input, { id: `order-${input.orderId}` });
  return reply.code(202).header("location", `/orders/${run.workflowId}`).send({ id: run.workflowId });
});

web.get<{ Params: { id: string } }>("/orders/:id", async (request, reply) => {
  const run = await pawl.get(order, request.params.id);
  if (run === undefined) return reply.code(404).send({ error: "no such order" });
  const { code, body } = await report(run);
  return reply.code(code).send(body);
});

web.setErrorHandler((error: Error, _request, reply) => reply.code(statusOf(error)).send({ error: error.message }));
web.addHook("onClose", () => pawl.stop({ grace: "10s" }));

const address = await web.listen({ port: Number(process.env["PORT"] ?? 3000) });
console.log(`listening on ${new URL(address).port}`);

process.once("SIGTERM", () => void web.close()); // requests under way are answered first
