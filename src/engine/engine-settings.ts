// What an engine is made with: the machine, the store, and every number that a user may set. It holds no behaviour, and no defaults: client/engine.ts
// has them.
import type { Recovery } from "./recovery-check.ts";
import type { OnVersionChange } from "./version-binding.ts";
import type { EngineLimits } from "../core/limits.ts";
import type { Scope } from "../core/model.ts";
import type { Platform } from "../platform/platform.ts";
import type { EffectStore } from "../store/effect-store.ts";
import type { FullStore } from "../store/full-store.ts";
import type { DecisionNotice } from "./decisions/decision-notice.ts";
import type { Logger } from "./run-host.ts";
import type { Sealer } from "./sealer.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

export interface EngineSettings {
  readonly platform: Platform;
  readonly store: FullStore;
  readonly scope: Scope;
  readonly limits: EngineLimits;
  readonly log: Logger;
  readonly checkpointOwnership: "cas-required" | "single-owner";
  readonly leaseMs: number;
  /** Absent: a third of the lease. */
  readonly renewMs?: number;
  readonly idleMs: number;
  readonly pollMs: number;
  readonly liveRunsMax: number;
  readonly effectsMax: number;
  readonly ledger: "declared" | "all";
  readonly requireTwoApprovers: boolean;
  readonly onGivenUp: "ask" | "fail";
  readonly onVersionChange: OnVersionChange;
  readonly recovery: Recovery;
  readonly effectStore: EffectStore | null;
  readonly production: boolean;
  readonly onDecision: ((notice: DecisionNotice) => unknown) | null;
  /** Absent: logs are chained and not sealed. */
  readonly sealer?: Sealer | null;
  /** Absent: no spans are made. */
  readonly telemetry?: Telemetry | null;
}
