// The conformance suite of the port: every case, as data. A store that passes all of them may be used by the engine;
// each store of this package is held to it by a test file beside this one, others by whoever writes them.
import type { SuiteCase } from "./bundle.ts";
import { checkpointCases } from "./checkpoints.ts";
import { claimCases } from "./claim.ts";
import { commitCases } from "./commit.ts";
import { effectCases } from "./effects.ts";
import { engineCases } from "./engines.ts";
import { familyCases } from "./family.ts";
import { feedCases } from "./feed.ts";
import { inboxCases } from "./inbox.ts";
import { movingCases } from "./moving.ts";
import { ownerCases } from "./owners.ts";
import { retentionCases } from "./retention.ts";
import { runCases } from "./runs.ts";
import { shelfCases } from "./shelf.ts";
import { transitionCases } from "./transitions.ts";
import { txCases } from "./tx.ts";
import { viewCases } from "./views.ts";
import { withinCases } from "./within.ts";

export const suite: readonly SuiteCase[] = [
  ...runCases,
  ...commitCases,
  ...familyCases,
  ...claimCases,
  ...ownerCases,
  ...engineCases,
  ...inboxCases,
  ...viewCases,
  ...effectCases,
  ...checkpointCases,
  ...transitionCases,
  ...shelfCases,
  ...feedCases,
  ...retentionCases,
  ...movingCases,
  ...txCases,
  ...withinCases,
];

export type { OwnConnection, SuiteBundle, SuiteCase } from "./bundle.ts";
