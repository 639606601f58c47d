// Hashing, the one place that touches node:crypto for digests. Pure: same bytes, same answer on every machine and Node.
// It must never salt, truncate or normalise what it is given.
import { hash } from "node:crypto";

/** Lower-case hex SHA-256 of the UTF-8 bytes of `text`. */
export function sha256Hex(text: string | Uint8Array): string {
  return hash("sha256", text, "hex");
}
