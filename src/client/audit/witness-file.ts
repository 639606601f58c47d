// Heads kept outside of the store: a file of JSON lines, each a run, its last event then, and that event's link. A link covers
// everything before it (K22), so a log that was rewritten or cut has another one, or none. Reads the lines; compares nothing.
import { PawlError } from "../../errors/error.ts";

export interface WitnessedHead {
  readonly storeId: string;
  readonly runId: string;
  readonly runSeq: number;
  readonly link: string;
  readonly status: string;
  /** The store's time of that event, RFC 3339. */
  readonly persistedAt: string;
  /** The seal of the run's end, if it has one. */
  readonly seal?: { readonly sealer: string; readonly n: number };
}

export interface WitnessedRuns {
  /** Of each run: every head that was seen, and the last one. */
  readonly heads: ReadonlyMap<string, ReadonlyMap<number, string>>;
  readonly last: ReadonlyMap<string, WitnessedHead>;
}

/** A last line without an end was cut by a crash: it is passed over. */
export function readWitness(text: string): WitnessedRuns {
  const heads = new Map<string, Map<number, string>>();
  const last = new Map<string, WitnessedHead>();
  const lines = text.split("\n");
  for (const [i, line] of lines.entries()) {
    if (line === "") continue;
    const head = headOf(line);
    if (head === undefined) {
      if (i === lines.length - 1) break;
      throw new PawlError("PAWL4065", `line ${i + 1} is not a head of a run`);
    }
    const of = heads.get(head.runId) ?? new Map<number, string>();
    const known = of.get(head.runSeq);
    if (known !== undefined && known !== head.link)
      throw new PawlError("PAWL4065", `line ${i + 1} contradicts an earlier one: run ${head.runId} has another link at ${head.runSeq}`);
    heads.set(head.runId, of.set(head.runSeq, head.link));
    if ((last.get(head.runId)?.runSeq ?? 0) <= head.runSeq) last.set(head.runId, head);
  }
  return { heads, last };
}

function headOf(line: string): WitnessedHead | undefined {
  try {
    const head = JSON.parse(line) as Partial<WitnessedHead> | null;
    const whole =
      typeof head?.runId === "string" && Number.isSafeInteger(head.runSeq) && typeof head.link === "string" && head.link.length === 64;
    return whole ? (head as WitnessedHead) : undefined;
  } catch {
    return undefined;
  }
}
