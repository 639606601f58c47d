// The key of a checkpoint: one digest over the run, the step, what is to be done next, and the state. Anyone who computes it
// again after a crash gets the same key, which is how a store tells a commit that was made already from another one.
// It must never depend on a clock, a random number, or the order in which branches happened to end.

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

/** "sha256:" and 64 hex digits. Ties of order are legal: the node's id decides, so that the key is the same every time. */
export function checkpointKey(sha256Hex: (bytes: Uint8Array) => string, place: CheckpointPlace): string {
  const sorted = [...place.frontier].sort(
    (a, b) => Number(a.orderKey > b.orderKey) - Number(a.orderKey < b.orderKey) || compare(a.nodeId, b.nodeId),
  );
  const parts = [text.encode(place.runId), bigEndian(BigInt(place.stepId))];
  for (const item of sorted) parts.push(text.encode(item.nodeId), bigEndian(item.orderKey));
  parts.push(text.encode(place.stateJson));
  const bytes = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const p of parts) {
    bytes.set(p, at);
    at += p.length;
  }
  return `sha256:${sha256Hex(bytes)}`;
}

/** What a graph's checkpoint holds beside its key: the event of its superstep. The state itself is in the log. */
export function checkpointBody(runSeq: number): string {
  return `{"at":${runSeq}}`;
}

function bigEndian(n: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, n);
  return bytes;
}

/** By code units: no locale has a say. */
function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
