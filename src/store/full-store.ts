// A store with all facets, and what takes the place of one that a store leaves out: verbs that refuse, and say what is missing and what to
// do. Inside Pawl every store is such a one; only engine() and connect() meet others, and complete them here.
import { PawlError } from "../errors/error.ts";
import type { Maintenance } from "./maintenance.ts";
import type { Store } from "./port.ts";
import type { ReaderStore } from "./reader-store.ts";
import type { TransactionStore } from "./transaction-store.ts";

export type Facet = "reader" | "transactions" | "maintenance";

export interface FullStore extends Store, ReaderStore, TransactionStore, Maintenance {
  watch: NonNullable<Store["watch"]>;
  /** Facets whose verbs refuse, because the store does not have them. Absent: it has all. */
  readonly lacks?: ReadonlySet<Facet>;
}

/** A store as somebody else may write it: the verbs of `Store`, and those facets that it has. */
export type AnyStore = Store & Partial<ReaderStore & TransactionStore & Maintenance>;

export function facetsOf(s: AnyStore): readonly Facet[] {
  if ("lacks" in s) {
    const { lacks } = s as FullStore;
    return (["reader", "transactions", "maintenance"] as const).filter((f) => lacks?.has(f) !== true);
  }
  const has: Facet[] = [];
  if (s.kv !== undefined && s.feed !== undefined) has.push("reader");
  if (s.transact !== undefined) has.push("transactions");
  if (s.audit !== undefined && s.archive !== undefined) has.push("maintenance");
  return has;
}

/** The store itself where it has everything. Else each verb is handed on, so that a class keeps its private members. */
export function completeStore(s: AnyStore): FullStore {
  const has = facetsOf(s);
  if (has.length === 3 && s.watch !== undefined) return s as FullStore;
  const lacks = new Set((["reader", "transactions", "maintenance"] as const).filter((f) => !has.includes(f)));
  const { name } = s;
  return {
    name,
    lacks,
    capabilities: () => s.capabilities(),
    info: () => s.info(),
    registerEngine: (e) => s.registerEngine(e),
    renew: (r) => s.renew(r),
    declareDead: (q) => s.declareDead(q),
    claim: (q) => s.claim(q),
    ownedRuns: (q) => s.ownedRuns(q),
    commit: (batch, renewal) => s.commit(batch, renewal),
    post: (p) => s.post(p),
    inbox: (q) => s.inbox(q),
    run: (q) => s.run(q),
    runs: (q) => s.runs(q),
    events: (q) => s.events(q),
    views: (runId) => s.views(runId),
    checkpoint: (q) => s.checkpoint(q),
    effects: (q) => s.effects(q),
    close: () => s.close(),
    watch: (listener) => s.watch?.(listener) ?? ((): void => {}),
    transact: (user, seal, timeoutMs) => s.transact?.(user, seal, timeoutMs) ?? refuseSql(name),
    ...(s.joinTransaction === undefined ? {} : { joinTransaction: (own) => s.joinTransaction!(own) }),
    ...(s.kv !== undefined && s.feed !== undefined ? { kv: s.kv, feed: s.feed } : refusingReader(name)),
    ...(s.audit !== undefined && s.archive !== undefined ? { audit: s.audit, archive: s.archive } : refusingMaintenance(name)),
  };
}

/** Also for a store of Pawl's own that has no SQL. */
export async function refuseSql(store: string): Promise<never> {
  throw new PawlError("PAWL3008", `the ${store} store has no SQL`, { outcome: "none" });
}

const needs = {
  reader: "consumers, projections, webhooks, appended events, seals, holds and moving runs need it; add kv and feed",
  maintenance: "retention, moving runs, and checks and repairs of the whole store need it; add audit and archive",
} as const;

/** Says what the store lacks, what needs that, and what to do. */
export function missingFacet(store: string, facet: keyof typeof needs, what: string): PawlError {
  const interfaceName = { reader: "ReaderStore", maintenance: "Maintenance" }[facet];
  return new PawlError(
    "PAWL3017",
    `${what}: the ${store} store does not implement ${interfaceName}. ${needs[facet]} to it, or use memory:, sqlite:, postgres: or mysql:`,
    { outcome: "none", data: { store, facet: interfaceName } },
  );
}

function refusing<T extends string>(
  store: string,
  facet: keyof typeof needs,
  of: string,
  verbs: readonly T[],
): Readonly<Record<T, () => Promise<never>>> {
  const entries = verbs.map((v) => [v, () => Promise.reject(missingFacet(store, facet, `${of}.${v}`))]);
  return Object.fromEntries(entries) as Record<T, () => Promise<never>>;
}

function refusingReader(store: string): ReaderStore {
  return {
    kv: refusing(store, "reader", "kv", ["put", "get", "list"]),
    feed: refusing(store, "reader", "feed", ["join", "leave", "consumers", "next"]),
  };
}

function refusingMaintenance(store: string): Maintenance {
  return {
    audit: refusing(store, "maintenance", "audit", ["size", "runIds", "messages", "checkpoints", "repair"]),
    archive: refusing(store, "maintenance", "archive", ["prune", "move", "copyRun", "insertRun"]),
  };
}
