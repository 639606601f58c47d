// Comparison that takes as long for a wrong secret as for a right one, so that nobody can guess one a character at a time. It compares
// digests, never secrets, so that the length says nothing either.
import { hash, timingSafeEqual } from "node:crypto";

/** Whether SHA-256 of `secret` is `digestHex`, in lower-case hex. */
export function matchesDigest(secret: string, digestHex: string): boolean {
  const known = /^[0-9a-f]{64}$/.test(digestHex) ? digestHex : "0".repeat(64);
  const equal = timingSafeEqual(
    hash("sha256", secret, "buffer"),
    Uint8Array.from(known.match(/../g)!, (b) => Number.parseInt(b, 16)),
  );
  return equal && known === digestHex;
}
