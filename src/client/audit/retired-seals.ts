// The seals of logs that retention removed, as the store's signed records say. A record that none of the given keys signed is
// believed by nobody: it is handed back as a problem, and what it names counts as removed by somebody else.
import type { Keyring } from "../../events/keyring.ts";
import { readStatement } from "../../events/seal.ts";
import { readSealRecords } from "../../log/seal-records.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { WitnessedHead } from "./witness-file.ts";

export type SealRanges = ReadonlyMap<string, readonly (readonly [number, number])[]>;

export interface RetiredSeals {
  /** Of each sealer: the numbers of its seals, from and to. */
  readonly ranges: SealRanges;
  /** Records that cannot be believed, and why. */
  readonly refused: readonly string[];
}

export async function retiredSeals(store: FullStore, ring: Keyring, storeId: string): Promise<RetiredSeals> {
  const ranges = new Map<string, readonly (readonly [number, number])[]>();
  const refused: string[] = [];
  for (const row of await readSealRecords(store, "retired")) {
    const read = readStatement(row.value, "pawl.retired", ring);
    if (!read.ok) refused.push(`${row.key}: ${read.why}`);
    else if (read.statement.storeId === storeId) ranges.set(read.statement.sealer, read.statement.ranges);
  }
  return { ranges, refused };
}

/** Whether retention signed for the removal of the run with this head. */
export function isRetired(head: WitnessedHead, ranges: SealRanges): boolean {
  const { seal } = head;
  return seal !== undefined && (ranges.get(seal.sealer) ?? []).some(([from, to]) => seal.n >= from && seal.n <= to);
}
