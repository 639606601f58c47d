// Heads of runs for a witness: the last event of each run and its link, as the store says now, of every run whose head moved
// since it was last looked at. A first pass reads the row of every run; later ones only of runs that were not settled then or
// were created since. It writes nothing. A head that went back, has another link than before, or belongs to a run that is not
// in the store any more is reported and never passed over.
import { isSettled, type Scope } from "../../core/model.ts";
import type { Keyring } from "../../events/keyring.ts";
import { pawlEvents } from "../../events/payload.ts";
import type { SealStatement } from "../../events/seal.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { RunRow } from "../../store/port.ts";
import { isRetired, retiredSeals } from "./retired-seals.ts";
import type { WitnessedHead } from "./witness-file.ts";

export interface HeadPass {
  readonly heads: readonly WitnessedHead[];
  /** Heads that were seen before and are not in the store any more: the log was rewritten or cut, or a backup restored. */
  readonly lost: readonly {
    readonly seen: WitnessedHead;
    /** Null: the whole run is gone. */
    readonly now: { readonly runSeq: number; readonly link: string } | null;
  }[];
}

const pageSize = 500;
/** How far two looks may overlap: a run whose Commit was slow has an earlier time than the look that missed it. */
const overlapMs = 60_000;

export class HeadReader {
  readonly #store: FullStore;
  readonly #scope: Scope;
  readonly #seen: Map<string, WitnessedHead>;
  readonly #open = new Set<string>();
  /** Runs that were reported as gone. */
  readonly #gone = new Set<string>();
  readonly #ring: Keyring | null;
  #lookedAt = 0;

  /** `seen`: the last head of each run that is on record already. `ring`: whose records of removed logs are believed. */
  constructor(store: FullStore, scope: Scope, seen: ReadonlyMap<string, WitnessedHead>, ring: Keyring | null = null) {
    this.#ring = ring;
    this.#store = store;
    this.#scope = scope;
    this.#seen = new Map(seen);
  }

  /** `full` also finds runs that were imported, whose times are those of another store, and ended runs that were removed. */
  async pass(full: boolean): Promise<HeadPass> {
    const { storeId, nowMs } = await this.#store.info();
    const since = full ? 0 : this.#lookedAt - overlapMs;
    const found: HeadPass = { heads: [], lost: [] };
    const looked = new Set<string>();
    const take = async (row: RunRow): Promise<void> => {
      looked.add(row.runId);
      await this.#take(storeId, row, found as MutableHeadPass);
    };
    let cursor: string | undefined;
    do {
      const page = await this.#store.runs({ scope: this.#scope, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
      for (const row of page.runs) if (row.createdAt >= since) await take(row);
      const last = page.runs.at(-1);
      cursor = last !== undefined && last.createdAt >= since ? page.cursor : undefined;
    } while (cursor !== undefined);
    const missing: WitnessedHead[] = [];
    for (const runId of full ? this.#seen.keys() : this.#open) {
      if (looked.has(runId) || this.#gone.has(runId)) continue;
      const row = await this.#store.run({ runId });
      if (row !== undefined) await take(row);
      else missing.push(this.#seen.get(runId) as WitnessedHead);
    }
    if (missing.length > 0) await this.#miss(storeId, missing, found as MutableHeadPass);
    this.#lookedAt = nowMs;
    return found;
  }

  async #miss(storeId: string, missing: readonly WitnessedHead[], into: MutableHeadPass): Promise<void> {
    const retired = this.#ring === null ? null : await retiredSeals(this.#store, this.#ring, storeId);
    for (const seen of missing) {
      this.#gone.add(seen.runId);
      this.#open.delete(seen.runId);
      if (retired === null || !isRetired(seen, retired.ranges)) into.lost.push({ seen, now: null });
    }
  }

  async #take(storeId: string, row: RunRow, into: MutableHeadPass): Promise<void> {
    const { runId, headSeq, headLink } = row;
    const known = this.#seen.get(runId);
    if (isSettled(row.status)) this.#open.delete(runId);
    else this.#open.add(runId);
    if (known !== undefined && (headSeq < known.runSeq || (headSeq === known.runSeq && headLink !== known.link))) {
      into.lost.push({ seen: known, now: { runSeq: headSeq, link: headLink } });
      return;
    }
    if (known?.runSeq === headSeq) return;
    const seal = isSettled(row.status) && row.purgedAt === null ? await this.#seal(row) : undefined;
    const head: WitnessedHead = {
      storeId,
      runId,
      runSeq: headSeq,
      link: headLink,
      status: row.status,
      persistedAt: new Date(row.persistedAt).toISOString(),
      ...(seal === undefined ? {} : { seal }),
    };
    into.heads.push(head);
    this.#seen.set(runId, head);
  }

  /** The number of the seal before the end: a run that retention removes is known by it. */
  async #seal(row: RunRow): Promise<WitnessedHead["seal"]> {
    const [e] = await this.#store.events({ runId: row.runId, after: row.headSeq - 2, limit: 1 });
    if (e?.eventType !== pawlEvents.sealed || e.payload === null) return undefined;
    try {
      const { statement } = JSON.parse(e.payload) as { statement: string };
      const { sealer, n } = JSON.parse(statement) as SealStatement;
      return { sealer, n };
    } catch {
      return undefined; // a seal that cannot be read is for doctor --verify --key
    }
  }
}

interface MutableHeadPass {
  readonly heads: WitnessedHead[];
  readonly lost: HeadPass["lost"][number][];
}
