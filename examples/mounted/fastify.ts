// Pawl's server inside a Fastify app, below /pawl. Its routes have no body parser: Pawl reads its requests itself. Fastify's own hooks
// end both, the server first.
import Fastify from "fastify";
import { engine } from "pawl";
import { server } from "pawl/server";
import { order } from "../recipes/order.ts";
import { whoAsks } from "./sign-on.ts";

const pawl = await engine({ workflows: [order] });
const api = await server({ engine: pawl, auth: whoAsks, base: "/pawl" });

const web = Fastify();
web.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _body, done) => done(null));
  scope.all("/pawl/*", (request, reply) => {
    reply.hijack();
    api.node(request.raw, reply.raw);
  });
});
web.post("/echo", async (request) => request.body);

web.addHook("preClose", () => api.stop()); // what waits is answered
web.addHook("onClose", () => pawl.stop({ grace: "10s" }));

const address = await web.listen({ port: Number(process.env["PORT"] ?? 3000) });
console.log(`listening on ${new URL(address).port}`);

process.once("SIGTERM", () => void web.close());
