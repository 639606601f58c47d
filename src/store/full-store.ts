// A store with all facets, and what takes the place of one that a store leaves out: verbs that refuse, and say what is missing and what to
// do. Inside Pawl every store is such a one; only engine() and connect() meet others, and complete them here.
import { PawlError } from "../errors/error.ts";
import type { Maintenance } from "./maintenance.ts";
import { headsOf, ledgerOneByOne, payloadsOneByOne, reusedOneByOne } from "./one-by-one.ts";
import type { Store } from "./port.ts";
import type { QueueStore, QueueTable } from "./queue-store.ts";
import type { ReaderStore } from "./reader-store.ts";
import type { TransactionStore } from "./transaction-store.ts";

export type Facet = "reader" | "transactions" | "maintenance" | "queues";

export interface FullStore extends Store, ReaderStore, TransactionStore, Maintenance, QueueStore {
  watch: NonNullable<Store["watch"]>;
  heads: NonNullable<Store["heads"]>;
  payloadsAt: NonNullable<Store["payloadsAt"]>;
  reusedKeys: NonNullable<Store["reusedKeys"]>;
  ledgerParts: NonNullable<Store["ledgerParts"]>;
  snapshots: NonNullable<Store["snapshots"]>;
  /** Facets whose verbs refuse, because the store does not have them. Absent: it has all. */
  readonly lacks?: readonly Facet[];
}

/** A store as somebody else may write it: the verbs of `Store`, and those facets that it has. */
export type AnyStore = Store & Partial<ReaderStore & TransactionStore & Maintenance & QueueStore>;

const facets: readonly Facet[] = ["reader", "transactions", "maintenance", "queues"];

export function facetsOf(s: AnyStore & { readonly lacks?: readonly Facet[] }): readonly Facet[] {
  const has: Readonly<Record<Facet, boolean>> = {
    reader: s.kv !== undefined && s.feed !== undefined,
    transactions: s.transact !== undefined,
    maintenance: s.audit !== undefined && s.archive !== undefined,
    queues: s.queues !== undefined,
  };
  return facets.filter((f) => has[f] && s.lacks?.includes(f) !== true);
}

/** Verbs that many others can stand in for, one thing at a time. */
const replaceable = ["watch", "heads", "payloadsAt", "reusedKeys", "ledgerParts", "snapshots"] as const;

/** The store itself where it has everything. Else each verb is handed on, so that a class keeps its private members. */
export function completeStore(s: AnyStore): FullStore {
  const has = facetsOf(s);
  if ("lacks" in s || (has.length === facets.length && replaceable.every((v) => s[v] !== undefined))) return s as FullStore;
  const lacks = facets.filter((f) => !has.includes(f));
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
    watch: (listener, o) => s.watch?.(listener, o) ?? ((): void => {}),
    heads: (runIds) => s.heads?.(runIds) ?? headsOf(s, runIds),
    payloadsAt: (places) => s.payloadsAt?.(places) ?? payloadsOneByOne(s, places),
    reusedKeys: (q) => s.reusedKeys?.(q) ?? reusedOneByOne(s, q),
    ledgerParts: (q) => s.ledgerParts?.(q) ?? ledgerOneByOne(s, q),
    snapshots: (q) => s.snapshots?.(q) ?? Promise.resolve([]),
    transact: (user, seal, timeoutMs) => s.transact?.(user, seal, timeoutMs) ?? refuseSql(name),
    ...(s.joinTransaction === undefined ? {} : { joinTransaction: (own) => s.joinTransaction!(own) }),
    ...(s.kv !== undefined && s.feed !== undefined ? { kv: s.kv, feed: s.feed } : refusingReader(name)),
    queues: s.queues ?? refusingQueues(name),
    ...(s.audit !== undefined && s.archive !== undefined ? { audit: s.audit, archive: s.archive } : refusingMaintenance(name)),
  };
}

/** Also for a store of Pawl's own that has no SQL. */
export async function refuseSql(store: string): Promise<never> {
  throw new PawlError("PAWL3008", `the ${store} store has no SQL`, { outcome: "none" });
}

const needs = {
  reader: "Consumers, projections, webhooks, appended events, seals, holds and moving runs need it: add kv and feed",
  queues: "Queued steps, workers and limits need it: add queues",
  maintenance: "Retention, moving runs, and checks and repairs of the whole store need it: add audit and archive",
} as const;

/** Says what the store lacks, what needs that, and what to do. */
export function missingFacet(store: string, facet: keyof typeof needs, what: string): PawlError {
  const interfaceName = { reader: "ReaderStore", maintenance: "Maintenance", queues: "QueueStore" }[facet];
  return new PawlError(
    "PAWL3019",
    `${what}: the ${store} store does not implement ${interfaceName}. ${needs[facet]} to the store, or use memory:, sqlite:, postgres: or mysql:`,
    { outcome: "none", data: { store, facet: interfaceName } },
  );
}

/** Options of an engine that need a facet are refused when it opens, not when they are first used. */
export function checkFacets(
  s: FullStore,
  o: { readonly seal: unknown; readonly retention: unknown; readonly webhooks: unknown; readonly schedules: unknown },
): void {
  const needed: readonly (readonly [unknown, string, keyof typeof needs])[] = [
    [o.seal, "seal", "reader"],
    [o.webhooks, "webhooks", "reader"],
    [o.schedules, "schedules", "reader"],
    [o.retention, "retention", "reader"],
    [o.retention, "retention", "maintenance"],
  ];
  for (const [option, name, facet] of needed)
    if (option !== undefined && option !== null && s.lacks?.includes(facet) === true)
      throw missingFacet(s.name, facet, `the option ${name}`);
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

function refusingQueues(store: string): QueueTable {
  return refusing(store, "queues", "queues", [
    "open",
    "list",
    "configure",
    "claim",
    "finish",
    "postLate",
    "beat",
    "giveBack",
    "lapse",
    "rows",
    "depth",
    "sweep",
  ]);
}
