// The key of a checkpoint: one digest over the run, the step, what is to be done next, and the state. Anyone who computes it
// again after a crash gets the same key, which is how a store tells a commit that was made already from another one.
// It must never depend on a clock, a random number, or the order in which branches happened to end.
import { utf8Length } from "./names.ts";

export interface FrontierItem {
  readonly nodeId: string;
  /** An unsigned 64-bit number: the item's place among its siblings. */
  readonly orderKey: bigint;
}

export interface CheckpointPlace {
  readonly runId: string;
  readonly stepId: number;
  readonly frontier: readonly FrontierItem[];
  /** The state after the step, as JSON. What cannot be written as JSON has no key: its producer fails before it comes here. */
  readonly stateJson: string;
}

const text = new TextEncoder();
/** Where a number of 8 bytes goes. */
const place8 = "\0".repeat(8);

/** "sha256:" and 64 hex digits. Ties of order are legal: the node's id decides, so that the key is the same every time. */
export function checkpointKey(sha256Hex: (bytes: Uint8Array) => string, place: CheckpointPlace): string {
  const sorted = place.frontier.length < 2 ? place.frontier : [...place.frontier].sort(compareItems);
  // All text is encoded at once: a call of the encoder costs as much as a hash.
  let said = place.runId + place8;
  for (const item of sorted) said += item.nodeId + place8;
  const bytes = text.encode(said + place.stateJson);
  const numbers = new DataView(bytes.buffer, bytes.byteOffset);
  let at = utf8Length(place.runId);
  numbers.setBigUint64(at, BigInt(place.stepId));
  for (const item of sorted) {
    at += 8 + utf8Length(item.nodeId);
    numbers.setBigUint64(at, item.orderKey);
  }
  return `sha256:${sha256Hex(bytes)}`;
}

/** What a graph's checkpoint holds beside its key: the event of its superstep. The state itself is in the log. */
export function checkpointBody(runSeq: number): string {
  return `{"at":${runSeq}}`;
}

function compareItems(a: FrontierItem, b: FrontierItem): number {
  return Number(a.orderKey > b.orderKey) - Number(a.orderKey < b.orderKey) || compare(a.nodeId, b.nodeId);
}

/** By code units: no locale has a say. */
function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
