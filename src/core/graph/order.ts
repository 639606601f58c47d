// The order of a graph's work: each item has a key that follows from the way that led to it, so that items are begun and merged in one order
// however long each of them took. Pure. It must never look at a clock or at the order in which items ended.
import type { Sha256 } from "../step-id.ts";

/** What led to an item: its own way, its node, and the superstep in which it ran. The start has an empty path. */
export interface Parent {
  readonly path: string;
  readonly node: string;
  readonly superstep: number;
}

const indexBits = 20n;
/** 44 bits are 11 hex digits. */
const hashDigits = 11;

/** 44 bits of the parent's way, then the place of the edge or send: siblings keep the order in which they were sent. */
export function orderKey(sha256: Sha256, parent: Parent, index: number): bigint {
  const { path, node, superstep } = parent;
  const hash = sha256(`${path.length}:${path}${node.length}:${node}${superstep}`);
  return (BigInt(`0x${hash.slice(0, hashDigits)}`) << indexBits) | BigInt(index);
}

/** The way to an item: 16 bytes as hex. */
export function itemPath(sha256: Sha256, parentPath: string, key: bigint): string {
  return sha256(`${parentPath.length}:${parentPath}${key}`).slice(0, 32);
}

/** LX-01's formula, kept for comparing with keys of it: the first 8 bytes of SHA-256 over the parent's name and the edge as 4 bytes. */
export function parentEdgeKey(sha256Hex: (bytes: Uint8Array) => string, parentNode: string, edge: number): bigint {
  const name = new TextEncoder().encode(parentNode);
  const bytes = new Uint8Array(name.length + 4);
  bytes.set(name);
  new DataView(bytes.buffer).setUint32(name.length, edge);
  return BigInt(`0x${sha256Hex(bytes).slice(0, 16)}`);
}

/** LX-05: the first 8 bytes of SHA-256 over the run's id, as a signed number. */
export function runSeed(sha256: Sha256, runId: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${sha256(runId).slice(0, 16)}`));
}
/** The seed of one item's random numbers, as hex. */
export function itemSeed(seed: bigint, key: bigint): string {
  return BigInt.asUintN(64, seed ^ key)
    .toString(16)
    .padStart(16, "0");
}

/** By order key; ties by node. */
export function compareItems(
  a: { readonly orderKey: bigint; readonly node: string },
  b: { readonly orderKey: bigint; readonly node: string },
): number {
  return Number(a.orderKey > b.orderKey) - Number(a.orderKey < b.orderKey) || Number(a.node > b.node) - Number(a.node < b.node);
}
