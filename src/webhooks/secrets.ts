// The keys of webhooks as people copy them: `whsec_` a shared secret, `whsk_` a signing key of which `whpk_` is the public half.
// Guards that a text is exactly one of them before anything is signed or trusted. A secret never appears in a message.
import { Buffer } from "node:buffer";
import { PawlError } from "../errors/error.ts";
import type { Platform } from "../platform/platform.ts";
import { ed25519Public } from "../platform/crypto/raw-signatures.ts";

export type Scheme = "hmac" | "ed25519";
/** What a sender signs with. */
export type SigningKey = { readonly scheme: "hmac"; readonly key: Uint8Array } | { readonly scheme: "ed25519"; readonly seed: Uint8Array };
/** What a receiver checks with. */
export type VerifyingKey =
  | { readonly scheme: "hmac"; readonly key: Uint8Array }
  | { readonly scheme: "ed25519"; readonly publicKey: Uint8Array };

const secretBytes = 32;
const hmacBytes = { min: 24, max: 64 };

export function newSecret(scheme: Scheme, platform: Platform): string {
  const bytes = Buffer.from(platform.randomHex(secretBytes), "hex");
  if (scheme === "hmac") return `whsec_${bytes.toString("base64")}`;
  return `whsk_${Buffer.concat([bytes, ed25519Public(bytes)]).toString("base64")}`;
}

export function signingKey(secret: string): SigningKey {
  const hmac = hmacKey(secret);
  if (hmac !== undefined) return { scheme: "hmac", key: hmac };
  const pair = bytesOf(secret, "whsk_");
  // A seed alone, or with the public half behind it, which must then be its own.
  const seed = pair?.subarray(0, 32);
  if (pair === undefined || seed === undefined || (pair.length !== 32 && pair.length !== 64)) throw unusableSecret("whsec_… or whsk_…");
  if (pair.length === 64 && !Buffer.from(ed25519Public(seed)).equals(pair.subarray(32))) throw unusableSecret("whsec_… or whsk_…");
  return { scheme: "ed25519", seed };
}

export function verifyingKey(secret: string): VerifyingKey {
  const hmac = hmacKey(secret);
  if (hmac !== undefined) return { scheme: "hmac", key: hmac };
  const publicKey = bytesOf(secret, "whpk_");
  if (publicKey?.length !== 32) throw unusableSecret("whsec_… or whpk_…");
  return { scheme: "ed25519", publicKey };
}

/** What may be shown of a key: its public half, if it has one. */
export function publicHalf(secret: string): string | undefined {
  const key = signingKey(secret);
  return key.scheme === "hmac" ? undefined : `whpk_${Buffer.from(ed25519Public(key.seed)).toString("base64")}`;
}

function hmacKey(secret: string): Uint8Array | undefined {
  const bytes = bytesOf(secret, "whsec_");
  if (bytes === undefined) return undefined;
  if (bytes.length < hmacBytes.min || bytes.length > hmacBytes.max) throw unusableSecret("whsec_ and base64 of 24 to 64 bytes");
  return bytes;
}

/** undefined unless it begins so and continues as canonical base64. */
function bytesOf(secret: unknown, prefix: string): Buffer | undefined {
  if (typeof secret !== "string" || !secret.startsWith(prefix)) return undefined;
  const text = secret.slice(prefix.length);
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

function unusableSecret(wanted: string): PawlError {
  return new PawlError("PAWL5020", `the secret is not ${wanted}`);
}
