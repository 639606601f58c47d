// Hashing, the one place that touches node:crypto for digests. Pure: same bytes, same answer on every machine and Node.
// It must never salt, truncate or normalise what it is given.
import { createHash, hash } from "node:crypto";

/** Lower-case hex SHA-256 of the UTF-8 bytes of `text`. */
export function sha256Hex(text: string | Uint8Array): string {
  return hash("sha256", text, "hex");
}

/** The same of bytes that come in pieces; stops with the signal's reason when that is aborted. */
export async function sha256OfPieces(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const digest = createHash("sha256");
  for await (const piece of pieces) {
    signal.throwIfAborted();
    digest.update(piece);
  }
  return digest.digest("hex");
}
