// Events out: a receiver on this machine gets every event of an order, signed and in order. It rejects the first one as busy, so
// that event is sent again with the same id. A receiver that remembers ids handles each event once.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import { engine, workflow } from "pawl";
import { verifyWebhook } from "pawl/webhooks";

const order = workflow({ name: "order" }, async (ctx) => {
  await ctx.step("charge", () => "ch_1");
  await ctx.step("ship", () => "parcel 7");
  return "shipped";
});

let secret = "";
const seen = new Set<string>();
let completed: () => void;
const complete = new Promise<void>((resolve) => (completed = resolve));
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, event } = verifyWebhook(request.headers, await text(request), secret); // throws unless it is ours, whole and recent
  const { stepId = "" } = event.data as { stepId?: string };
  const first = seen.size === 0;
  const again = seen.has(id);
  seen.add(id);
  response.writeHead(first ? 503 : 204).end();
  console.log([event.type, stepId, first ? "(busy)" : again ? "(again)" : ""].filter(Boolean).join(" "));
  if (event.type === "pawl.run.completed") completed();
}
const receiver = createServer((request, response) => {
  receive(request, response).catch(() => response.writeHead(400).end());
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

// Loopback and http: for this example only. A public receiver needs neither.
const app = await engine({ workflows: [order], webhooks: { allowInsecure: true, allowPrivate: true } });
for (const old of await app.webhooks.list()) await app.webhooks.remove(old.id);
const made = await app.webhooks.add({ id: "shop", url, allowInsecure: true, initial: "100ms" });
secret = made.secret ?? "";

const result = await app.run(order, undefined);
await complete;
console.log(result);
await app.stop();
receiver.close();
