// pawl/webhooks: for receivers of Pawl's events. One function that says whether a request is one of ours, and the shapes of what
// is sent. Apart from the main entry, so that a receiver loads neither an engine nor a store.
import { systemPlatform } from "./platform/system.ts";
import { checkWebhook, type VerifiedWebhook, type VerifyWebhookOpts, type WebhookHeaders } from "./webhooks/check-webhook.ts";

const platform = systemPlatform();

/**
 * Checks a request before anything in it is believed: throws PAWL4035 unless one of the secrets (`whsec_…`, or `whpk_…` for Ed25519) signed
 * exactly this body, and recently. `body` must be the raw body as it arrived.
 *
 * @example
 * const { id, event } = verifyWebhook(request.headers, rawBody, "whsec_…");
 * if (await isNew(id)) await handle(event);
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  o: Partial<VerifyWebhookOpts> = {},
): VerifiedWebhook {
  return checkWebhook(headers, body, secret, { now: () => platform.wallMs(), ...o });
}

export type { VerifiedWebhook, VerifyWebhookOpts, WebhookHeaders } from "./webhooks/check-webhook.ts";
export type { CloudEvent, WebhookData } from "./webhooks/cloud-event.ts";
export { PawlError } from "./errors/error.ts";
