// Webhooks in: a provider's event becomes a signal to the run that waits for it. The event's own id is the signal's id, so an event that
// is delivered twice reaches the run once. The provider is played by this program itself.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { engine, PawlError, workflow } from "pawl";
import { z } from "zod";

const payment = workflow(
  { name: "payment", input: z.object({ orderId: z.string() }), signals: { paid: z.object({ cents: z.number() }) } },
  async (ctx) => {
    const paid = await ctx.receive("paid", { timeout: "3d" });
    return paid === undefined ? "never paid" : `paid ${paid.cents}`;
  },
);

const secret = "whsec_of_the_provider";
const signatureOf = (body: string): string => createHmac("sha256", secret).update(body).digest("hex");
const event = z.object({ id: z.string(), orderId: z.string(), cents: z.number() });

/** The status to answer with. A provider sends an event again unless the answer is 2xx. */
async function received(request: IncomingMessage): Promise<number> {
  const body = await text(request);
  const given = Buffer.from(String(request.headers["x-signature"] ?? ""));
  const wanted = Buffer.from(signatureOf(body));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 401;
  const { id, orderId, cents } = event.parse(JSON.parse(body));
  const run = await pawl.get(payment, `payment-${orderId}`);
  if (run === undefined) return 404; // not started yet: the provider will try again
  try {
    const { replayed } = await run.signal("paid", { cents }, { signalId: id });
    console.log(replayed ? `${id} was here before` : `${id} accepted`);
    return 204;
  } catch (e) {
    if (e instanceof PawlError && e.code === "PAWL4003") return 204; // the run has ended: nothing waits for this event
    throw e;
  }
}

const pawl = await engine({ workflows: [payment] });
const server = createServer((request, response) => {
  received(request).then(
    (code) => response.writeHead(code).end(),
    () => response.writeHead(500).end(),
  );
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

async function deliver(sent: z.infer<typeof event>, signature?: string): Promise<number> {
  const body = JSON.stringify(sent);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const answer = await fetch(url, { method: "POST", body, headers: { "x-signature": signature ?? signatureOf(body) } });
  return answer.status;
}
const paid = { id: "evt_7", orderId: "o-1", cents: 900 };
console.log(await deliver(paid), "before the run exists");
const run = await pawl.start(payment, { orderId: "o-1" }, { id: "payment-o-1" });
console.log(await deliver(paid, "forged"), "with a forged signature");
console.log(await deliver(paid), await deliver(paid), "twice");
console.log(await run.result());
console.log(await deliver({ ...paid, id: "evt_8" }), "after the end");

server.close();
await pawl.stop();
