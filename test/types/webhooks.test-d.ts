// Type tests of webhooks: what a sender configures and a receiver gets, and that what does not fit does not compile. `npm run types`
// compiles this file and nothing ever runs it, so that a line marked as an error which no longer is one fails the check.
import { engine, workflow, type DeliveryView, type EndpointView } from "../../src/index.ts";
import { connect } from "../../src/client.ts";
import { verifyWebhook, type CloudEvent, type WebhookData } from "../../src/webhooks.ts";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(_proof?: T): void => {};

export async function sender(): Promise<void> {
  const app = await engine({ workflows: [workflow({ name: "w" }, async () => 1)], webhooks: { allowPrivate: true, keep: "3d" } });
  const { endpoint, secret } = await app.webhooks.add({ url: "https://example.com", events: ["pawl.run.*"], timeout: "5s" });
  is<Eq<typeof endpoint, EndpointView>>();
  is<Eq<typeof secret, string | undefined>>();
  const dead = await app.webhooks.dead(endpoint.id);
  is<Eq<typeof dead, readonly DeliveryView[]>>();
  await app.webhooks.replay(endpoint.id, { dead: true });
  await app.webhooks.replay(endpoint.id, { run: "o-1" });
  // @ts-expect-error a replay says of what
  await app.webhooks.replay(endpoint.id, {});
  // @ts-expect-error an endpoint has a URL
  await app.webhooks.add({ id: "a" });
  // @ts-expect-error a listing has no secret
  void endpoint.secret;
  // @ts-expect-error an engine delivers until it is stopped
  await engine({ webhooks: { once: true } });
  const client = await connect();
  const delivering = client.webhooks.deliver({ once: true });
  is<Eq<typeof delivering.done, Promise<void>>>();
}

export function receiver(
  request: Request,
  nodeHeaders: import("node:http").IncomingHttpHeaders,
  body: Uint8Array,
): CloudEvent<WebhookData> {
  verifyWebhook(nodeHeaders, body, ["whsec_new", "whsec_old"], { tolerance: "1m", now: () => 0 });
  const { id, at, event } = verifyWebhook(request.headers, "{}", "whsec_");
  is<Eq<typeof id, string>>();
  is<Eq<typeof at, Date>>();
  // @ts-expect-error a secret is needed
  verifyWebhook(nodeHeaders, body);
  return event as CloudEvent<WebhookData>;
}
