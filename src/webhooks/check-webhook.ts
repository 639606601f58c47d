// For receivers: whether a request is one of ours, and recent. Guards that nothing is read from a body before its signature was
// checked. It keeps nothing: that an event was seen before is for the receiver to say, by its webhook-id.
import { Buffer } from "node:buffer";
import { durationMs, type Duration } from "../core/duration.ts";
import { PawlError } from "../errors/error.ts";
import type { CloudEvent } from "./cloud-event.ts";
import { isSigned } from "./signature-headers.ts";
import { verifyingKey } from "./secrets.ts";

/** As Node's http gives them, or as the web's Headers do. */
export type WebhookHeaders = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOpts {
  /** How far the attempt's time may be from now, in both directions; 5 minutes unless said otherwise. */
  tolerance?: Duration;
  /** The receiver's clock, milliseconds since 1970. */
  now: () => number;
}

export interface VerifiedWebhook {
  /** The event's id: the same however often it is sent. */
  readonly id: string;
  /** When this attempt was made. */
  readonly at: Date;
  readonly event: CloudEvent;
}

/** Throws PAWL4035 unless one of the secrets (`whsec_…`, or `whpk_…` for Ed25519) signed this body, and not long ago. */
export function checkWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  o: VerifyWebhookOpts,
): VerifiedWebhook {
  const keys = (typeof secret === "string" ? [secret] : secret).map(verifyingKey);
  const toleranceMs = durationMs(o.tolerance ?? "5m", "tolerance");
  const id = headerText(headers, "webhook-id");
  const timestamp = headerText(headers, "webhook-timestamp");
  const signatures = headerText(headers, "webhook-signature");
  if (!/^\d{1,12}$/.test(timestamp)) throw unverified("webhook-timestamp is not a time");
  if (!isSigned({ id, timestamp, body, signatures }, keys)) throw unverified("no signature is of this secret and this body");
  const at = Number(timestamp) * 1000;
  if (Math.abs(o.now() - at) > toleranceMs) throw unverified("it was sent too long ago, or in the future");
  return { id, at: new Date(at), event: parseEvent(body) };
}

function headerText(headers: WebhookHeaders, name: string): string {
  const value = typeof headers["get"] === "function" ? (headers as Headers).get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value !== "string" || value === "") throw unverified(`${name} is missing, or there are several`);
  return value;
}

function parseEvent(body: string | Uint8Array): CloudEvent {
  try {
    return JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8")) as CloudEvent;
  } catch {
    throw unverified("the body is no JSON");
  }
}

function unverified(message: string): PawlError {
  return new PawlError("PAWL4035", message);
}
