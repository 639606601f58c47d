// The order key as LX-01 writes it, for programs that compare with keys of it.
// Graphs use another one (core/graph/order.ts), which also tells loops apart.
import { parentEdgeKey } from "../core/graph/order.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";

/**
 * The order key as the formula of LX-01 gives it: the first 8 bytes of SHA-256 over the parent's name and the number of the edge.
 *
 * @example
 * const key = legacyOrderKey("plan", 0);
 */
export function legacyOrderKey(parentNode: string, edge: number): bigint {
  return parentEdgeKey(sha256Hex, parentNode, edge);
}
