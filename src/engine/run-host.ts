// What a live run needs of the engine around it. One object, made by the engine and handed to every run. A run never reaches past
// it.
import type { EngineLimits } from "../core/limits.ts";
import type { RunStatus, Scope } from "../core/model.ts";
import type { RunContext } from "../platform/run-context.ts";
import type { Platform } from "../platform/platform.ts";
import type { EffectStore } from "../store/effect-store.ts";
import type { FullStore } from "../store/full-store.ts";
import type { Commit, CommitAnswer, RunRow } from "../store/port.ts";
import type { CommitListener } from "./committer.ts";
import type { Definition } from "./definition.ts";
import type { LocalQueues, QueueConfigs } from "./queued/queue-configs.ts";
import type { Limiter } from "./limiter.ts";
import type { OnVersionChange } from "./version-binding.ts";
import type { LiveRun } from "./run/live-run.ts";
import type { StepStreams } from "./streams/step-streams.ts";
import type { Metrics } from "./metrics.ts";
import type { DecisionNotice } from "./decisions/decision-notice.ts";
import type { Sealer } from "./sealer.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

/** Why a run left memory. */
export type UnloadReason =
  | { readonly kind: "settled"; readonly status: RunStatus; readonly payload: string | null }
  | { readonly kind: "released" }
  /** The fence or the version was lost: whatever this owner knew is void (K14). */
  | { readonly kind: "abandoned" }
  /** The create met an existing run. */
  | { readonly kind: "conflict"; readonly answer: Extract<CommitAnswer, { kind: "conflict" }> }
  /** Still owned here, to be read again from its log: the store refused an outcome, or something broke. */
  | { readonly kind: "reload"; readonly refused: ReadonlySet<string>; readonly reason: string | null };

export type LogLevel = "debug" | "info" | "warn" | "error";
export type Logger = (level: LogLevel, message: string, data?: Readonly<Record<string, unknown>>) => void;

export interface RunHost {
  readonly platform: Platform;
  readonly store: FullStore;
  readonly limits: EngineLimits;
  readonly scope: Scope;
  readonly engineId: () => string;
  readonly context: RunContext<LiveRun>;
  readonly effectLimiter: Limiter;
  readonly metrics: Metrics;
  /** What steps say while they run, for listeners in this process. */
  readonly streams: StepStreams;
  readonly log: Logger;
  /** Null: nobody wants spans. */
  readonly telemetry: Telemetry | null;
  readonly idleMs: number;
  /** Which effects have a record: those that declare something, or all. */
  readonly ledger: "declared" | "all";
  /** External effect store: results of effects are stored there before the Commit. */
  readonly effectStore: EffectStore | null;
  /** An effect in doubt is decided by two people. */
  readonly requireTwoApprovers: boolean;
  /** A run on which engine after engine died: a person decides, or it fails. */
  readonly onGivenUp: "ask" | "fail";
  /** Code of another version than the log's. */
  readonly onVersionChange: OnVersionChange;
  /** Placeholders are refused. */
  readonly production: boolean;
  /** Signs heads with a key that is not in the store; null: the chain alone (docs/sealing.md). */
  readonly sealer: Sealer | null;
  /** What is known of the queues of this tenant. */
  readonly queueConfigs: QueueConfigs;
  /** The queues that this engine serves itself; null: none. */
  localQueues(): LocalQueues | null;
  /** Reads the run's inbox now: something was put there for it. */
  lookAtInbox(run: LiveRun): void;
  /** So many runs are in memory that one which waits for long leaves at once (K18). */
  isCrowded(): boolean;
  /** The store's clock, as this process estimates it. */
  storeNowMs(): number;
  /** K3: true when an effect may begin; renews first when the last renewal is too old. */
  ensureFreshLease(): true | Promise<boolean>;
  submit(commit: Commit, bytes: number, by: CommitListener): void;
  /** Makes a workflow known that a run's code called. */
  registerWorkflow(d: Definition): void;
  /** Has a run read that may wait for one whose workflow is not known here. */
  wakeIfWaitingForChild(row: RunRow | undefined): Promise<void>;
  /** Tells whether a live engine serves exactly this version (K20). */
  isServedElsewhere(workflow: string, version: string): Promise<boolean>;
  /** Something waits for a person, and that is committed. */
  onDecisionNeeded(notice: DecisionNotice): void;
  onUnloaded(run: LiveRun, why: UnloadReason): void;
}
