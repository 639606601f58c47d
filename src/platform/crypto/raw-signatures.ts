// Signatures over bytes with raw keys: HMAC-SHA256 with a shared one, Ed25519 with a pair of which the receiver has the public
// half. Comparison takes the same time wherever two differ. Keys are bytes that the caller keeps; none is logged here.
import { createHmac, createPrivateKey, createPublicKey, sign, timingSafeEqual, verify, type KeyObject } from "node:crypto";

/** What stands before the 32 bytes of a key in its DER form (RFC 8410). */
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");

export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array {
  return createHmac("sha256", key).update(data).digest();
}

/** In constant time for bytes of one length; a length is no secret. */
export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function privateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: "der", type: "pkcs8" });
}

/** The 32 bytes of the public key that belong to a seed of 32 bytes. */
export function ed25519Public(seed: Uint8Array): Uint8Array {
  return createPublicKey(privateKey(seed)).export({ format: "der", type: "spki" }).subarray(publicPrefix.length);
}

export function ed25519Sign(seed: Uint8Array, data: Uint8Array): Uint8Array {
  return sign(null, data, privateKey(seed));
}

export function ed25519Verify(publicKey: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, publicKey]), format: "der", type: "spki" });
  return verify(null, data, key, signature);
}
