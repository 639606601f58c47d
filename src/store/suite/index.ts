// The conformance suite of the port: every case, as data. A store that passes all of them may be used by the engine;
// each store of this package is held to it by a test file beside this one, others by their authors.
import { type AnyStore, type Facet, facetsOf } from "../full-store.ts";
import type { SuiteCase, SuiteFacet } from "./bundle.ts";
import { checkpointCases } from "./checkpoints.ts";
import { claimCases } from "./claim.ts";
import { commitCases } from "./commit.ts";
import { effectCases } from "./effects.ts";
import { engineCases } from "./engines.ts";
import { childCases } from "./children.ts";
import { feedCases } from "./reader/feed.ts";
import { inboxCases } from "./inbox.ts";
import { movingCases } from "./maintenance/moving.ts";
import { ownerCases } from "./owners.ts";
import { manyAtOnceCases } from "./listing/many-at-once.ts";
import { pageCases } from "./listing/pages.ts";
import { queueClaimCases } from "./queues/claim.ts";
import { queueCommitCases } from "./queues/commit.ts";
import { queueEndCases } from "./queues/ends.ts";
import { queueLimitCases } from "./queues/limits.ts";
import { commitRowCases } from "./queues/rows.ts";
import { retentionCases } from "./maintenance/retention.ts";
import { runCases } from "./runs.ts";
import { kvCases } from "./reader/kv.ts";
import { transitionCases } from "./transitions.ts";
import { transactCases } from "./sql/transact.ts";
import { viewCases } from "./views.ts";
import { userTransactionCases } from "./sql/user-transaction.ts";

/**
 * The cases of each facet, most useful first for a store that is being written.
 *
 * @example
 * for (const c of suites.store) it(c.title, () => c.run(bundle));
 */
export const suites: Readonly<Record<SuiteFacet, readonly SuiteCase[]>> = {
  store: [
    ...runCases,
    ...pageCases,
    ...commitCases,
    ...childCases,
    ...claimCases,
    ...ownerCases,
    ...engineCases,
    ...inboxCases,
    ...viewCases,
    ...effectCases,
    ...manyAtOnceCases,
    ...checkpointCases,
    ...transitionCases,
  ],
  reader: [...kvCases, ...feedCases],
  maintenance: [...retentionCases, ...movingCases],
  transactions: [...transactCases, ...userTransactionCases],
  queues: [...queueCommitCases, ...queueClaimCases, ...queueLimitCases, ...queueEndCases, ...commitRowCases],
};

/** The conformance suite of the store port, as data: every case, whatever its facet. Run each against a store of your own. */
export const suite: readonly SuiteCase[] = Object.values(suites).flat();

/**
 * What the suite has for this store: the facets that it runs with their cases, and those that the store does not have (docs/store-port.md).
 *
 * @example
 * for (const { facet, cases } of suiteFor(store).runs)
 *   describe(facet, () => cases.forEach((c) => it(c.title, () => c.run(bundle))));
 */
export function suiteFor(s: AnyStore): {
  readonly runs: readonly { readonly facet: SuiteFacet; readonly cases: readonly SuiteCase[] }[];
  readonly skips: readonly Facet[];
} {
  const has = facetsOf(s);
  const facets = ["store", ...has] as const;
  return {
    runs: facets.map((facet) => ({ facet, cases: suites[facet] })),
    skips: (["reader", "transactions", "maintenance", "queues"] as const).filter((f) => !has.includes(f)),
  };
}

export type { SuiteBundle, SuiteCase, SuiteFacet, UserConnection } from "./bundle.ts";
