// A service as it is deployed: an engine, a health page, metrics for Prometheus, and an orderly shutdown on SIGTERM that hands its runs
// to the next process. The store comes from PAWL_STORE.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { engine } from "pawl";
import { order } from "./order.ts";

const pawl = await engine({
  workflows: [order],
  log: (level, message, data) => level !== "debug" && console.error(JSON.stringify({ level, message, ...data, at: new Date() })),
  onDecision: (d) => console.error(JSON.stringify({ level: "error", message: "a person must decide", ...d })), // or page somebody
});

const server = createServer((request, response) => {
  if (request.url === "/metrics") return void response.setHeader("content-type", "text/plain; version=0.0.4").end(pawl.metrics());
  const { ok, trouble } = pawl.health();
  response.writeHead(ok ? 200 : 503, { "content-type": "application/json" }).end(JSON.stringify({ ok, trouble }));
});
server.listen(Number(process.env["PORT"] ?? 9090), () => console.log(`listening on ${(server.address() as AddressInfo).port}`));

process.once("SIGTERM", () => {
  server.close(() => void pawl.stop({ grace: "20s" }));
});
