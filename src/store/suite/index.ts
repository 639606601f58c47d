// The conformance suite of the port: every case, as data. A store that passes all of them may be used by the engine;
// each store of this package is held to it by a test file beside this one, others by whoever writes them.
import type { SuiteCase } from "./bundle.ts";
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
import { retentionCases } from "./maintenance/retention.ts";
import { runCases } from "./runs.ts";
import { kvCases } from "./reader/kv.ts";
import { transitionCases } from "./transitions.ts";
import { transactCases } from "./sql/transact.ts";
import { viewCases } from "./views.ts";
import { userTransactionCases } from "./sql/user-transaction.ts";

/** The conformance suite of the store port, as data: run each case against a store of your own. */
export const suite: readonly SuiteCase[] = [
  ...runCases,
  ...commitCases,
  ...childCases,
  ...claimCases,
  ...ownerCases,
  ...engineCases,
  ...inboxCases,
  ...viewCases,
  ...effectCases,
  ...checkpointCases,
  ...transitionCases,
  ...kvCases,
  ...feedCases,
  ...retentionCases,
  ...movingCases,
  ...transactCases,
  ...userTransactionCases,
];

export type { UserConnection, SuiteBundle, SuiteCase } from "./bundle.ts";
