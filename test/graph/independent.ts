// Reads the supersteps of a log a second time, written from the requirements alone: the state that they fold to, the key of each, its order. It uses
// nothing of src/core, so that a mistake there is not repeated here.
import { createHash } from "node:crypto";

type Json = null | boolean | number | string | readonly Json[] | { readonly [k: string]: Json };
interface Item {
  readonly item: string;
  readonly node: string;
  readonly orderKey: string;
  readonly ok: boolean;
  readonly update?: Readonly<Record<string, Json>>;
  readonly route: readonly string[];
}
export interface ReadStep {
  readonly n: number;
  readonly key: string;
  readonly seed: string;
  readonly values: Readonly<Record<string, Json>>;
  readonly frontier: readonly { readonly node: string; readonly orderKey: string; readonly input?: Json }[];
  readonly items: readonly Item[];
  readonly runSeq: number;
}

/** RFC 8785 for what these tests keep in a state. */
export function canonical(v: Json): string {
  if (Array.isArray(v)) return `[${v.map((x) => canonical(x as Json)).join(",")}]`;
  if (typeof v !== "object" || v === null) return JSON.stringify(v);
  const o = v as { readonly [k: string]: Json };
  const names = Object.keys(o).sort((a, b) => (a < b ? -1 : 1));
  return `{${names.map((k) => `${JSON.stringify(k)}:${canonical(o[k]!)}`).join(",")}}`;
}

/** L-36 … L-41, byte by byte. */
export function independentKey(
  runId: string,
  n: number,
  frontier: readonly { readonly node: string; readonly orderKey: string | bigint }[],
  values: Readonly<Record<string, Json>>,
): string {
  const hash = createHash("sha256").update(Buffer.from(runId, "utf8"));
  const eight = (x: bigint): Buffer => {
    const b = Buffer.alloc(8);
    b.writeBigUInt64BE(x);
    return b;
  };
  hash.update(eight(BigInt(n)));
  const sorted = frontier
    .map((f) => ({ node: f.node, key: BigInt(f.orderKey) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.node < b.node ? -1 : 1));
  for (const f of sorted) hash.update(Buffer.from(f.node, "utf8")).update(eight(f.key));
  hash.update(Buffer.from(canonical(values), "utf8"));
  return `sha256:${hash.digest("hex")}`;
}

export function readSteps(
  events: readonly { readonly eventType: string; readonly payload: string | null; readonly runSeq: number }[],
): ReadStep[] {
  const steps: ReadStep[] = [];
  let kinds: Readonly<Record<string, string>> = {};
  let values: Record<string, Json> = {};
  let parts = "";
  for (const e of events) {
    if (e.eventType === "pawl.SuperstepPart") parts += (JSON.parse(e.payload!) as { text: string }).text;
    if (e.eventType !== "pawl.Superstep") continue;
    const head = JSON.parse(e.payload!) as Record<string, never>;
    const p = (head["parts"] === undefined ? head : { ...head, ...(JSON.parse(parts) as object) }) as unknown as ReadStep & {
      channels?: Record<string, string>;
      state?: Record<string, Json>;
      set?: Record<string, Json>;
    };
    parts = "";
    kinds = p.channels ?? kinds;
    values = { ...(p.state ?? { ...values, ...p.set }) };
    if (p.state === undefined)
      for (const { update } of p.items)
        for (const [name, u] of Object.entries(update ?? {})) values[name] = applied(kinds[name]!, values[name]!, u);
    steps.push({ n: p.n, key: p.key, seed: p.seed, values, frontier: p.frontier, items: p.items, runSeq: e.runSeq });
  }
  return steps;
}

function applied(kind: string, value: Json, update: Json): Json {
  if (kind === "last") return update;
  if (kind === "sum") return (value as number) + (update as number);
  const list = value as readonly { readonly id: string }[];
  if (kind === "append") return [...(list as unknown as Json[]), ...((Array.isArray(update) ? update : [update]) as Json[])];
  const removed = (update as { remove?: string | string[] }).remove;
  if (removed !== undefined && (update as { id?: string }).id === undefined)
    return list.filter((x) => ![removed].flat().includes(x.id)) as unknown as Json;
  const out = [...list];
  for (const item of [update].flat() as unknown as { readonly id: string }[]) {
    const at = out.findIndex((x) => x.id === item.id);
    if (at < 0) out.push(item);
    else out[at] = item;
  }
  return out as unknown as Json;
}
