// The envelope of a webhook (Standard Webhooks 1.0): an id that stays the same however often the event is sent, the time of this
// attempt, and a signature per key over `id.timestamp.body`. It must never sign another text than the one that is sent.
import { Buffer } from "node:buffer";
import { ed25519Sign, ed25519Verify, hmacSha256, isSameBytes } from "../platform/crypto/raw-signatures.ts";
import type { SigningKey, VerifyingKey } from "./secrets.ts";

const versions = { hmac: "v1", ed25519: "v1a" } as const;

function signedBytes(id: string, timestamp: string, body: string | Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), typeof body === "string" ? Buffer.from(body) : body]);
}

function signatureOf(key: SigningKey, data: Uint8Array): string {
  const bytes = key.scheme === "hmac" ? hmacSha256(key.key, data) : ed25519Sign(key.seed, data);
  return `${versions[key.scheme]},${Buffer.from(bytes).toString("base64")}`;
}

/** `atMs`: of this attempt. Several keys during a rotation: each signs, and the receiver needs one of them. */
export function signedHeaders(id: string, atMs: number, body: string, keys: readonly SigningKey[]): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const data = signedBytes(id, timestamp, body);
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": keys.map((k) => signatureOf(k, data)).join(" "),
  };
}

/** Whether one of the signatures in the header is of one of the keys. Every pair is looked at, whatever the others say. */
export function isSigned(
  e: { readonly id: string; readonly timestamp: string; readonly body: string | Uint8Array; readonly signatures: string },
  keys: readonly VerifyingKey[],
): boolean {
  const data = signedBytes(e.id, e.timestamp, e.body);
  let found = false;
  for (const text of e.signatures.split(" ")) {
    const comma = text.indexOf(",");
    const signature = Buffer.from(text.slice(comma + 1), "base64");
    for (const key of keys) {
      if (comma < 0 || text.slice(0, comma) !== versions[key.scheme]) continue;
      if (key.scheme === "hmac" ? isSameBytes(hmacSha256(key.key, data), signature) : ed25519Verify(key.publicKey, data, signature))
        found = true;
    }
  }
  return found;
}
