// The public shapes of operating: why a run waits, counts, timelines, batches, workflows, checks, tokens and the audit log. Types only; times
// are RFC 3339, and a secret is in the one answer that hands it out.
import type { AccessScope, Principal } from "../../core/principal.ts";
import type { GuaranteeClass, RunStatus, StepKindName, StepStatus } from "../../core/model.ts";
import type { Control, EngineView, Hidden, RunFilter, RunView } from "./run.ts";

/** Why a run is not further than it is. */
export interface Because {
  readonly code:
    | "no-engine"
    | "workflow-paused"
    | "queued"
    | "working"
    | "worker"
    | "timer"
    | "retry"
    | "signal"
    | "child"
    | "decision"
    | "approval"
    | "question"
    | "paused"
    | "diverged"
    | "moved"
    | "external"
    | "ended";
  /** One sentence for a person. */
  readonly text: string;
  /** Words in it that a step's error or a verifier said. Without the scope `payloads` the sentence has "…" in their place. */
  readonly quotes?: string;
  readonly hidden?: Hidden;
  readonly since: string;
  /** When it continues by itself, where that is known. */
  readonly until?: string;
  /** What somebody can do about it, as a command where there is one. */
  readonly fix?: string;
}

/** One run, with the reason why it is not further. */
export interface ExplainedRun extends RunView {
  readonly because: Because;
}

/** An engine, and whether somebody asked it to drain. */
export interface ExplainedEngine extends EngineView {
  readonly draining?: { readonly since: string; readonly by?: Principal; readonly reason?: string };
}

/** Each number stops at `max`; then there may be more. */
export interface RunCounts {
  readonly max: number;
  readonly byStatus: Readonly<Partial<Record<RunStatus, number>>>;
  readonly byWorkflow: Readonly<Record<string, number>>;
  readonly byErrorCode: Readonly<Record<string, number>>;
  /** More runs matched than were looked at. */
  readonly more?: true;
}

/**
 * What can be said of a run's effects as a whole: it is as strong as its weakest. It is read from the ledger, which leaves out steps that may repeat.
 * A run that has only such steps says REPEATABLE or UNDECLARED, by its first events: each may have happened more than once. One that has begun no
 * step there has no guarantee.
 */
export interface RunGuarantee {
  readonly runId: string;
  readonly weakest: GuaranteeClass;
  /** Nobody knows of one of them whether it happened. */
  readonly inDoubt?: true;
  /** Its ledger has more than 64 effects; the others were not looked at. */
  readonly more?: true;
}

export interface TimelineBar {
  readonly stepId: string;
  readonly name: string;
  readonly kind: StepKindName;
  readonly class?: GuaranteeClass;
  readonly status: StepStatus;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly attempts: number;
  /** Of a single step that was tried more than once: each of its first 20 tries. What lies between two of them was a wait. */
  readonly tries?: readonly TimelineTry[];
  /** More than one: this bar stands for that many steps, which follow each other. */
  readonly steps: number;
}

/** One try of a step: it has no end while it is under way. */
export interface TimelineTry {
  readonly from: string;
  readonly to?: string;
  readonly status: StepStatus;
}

/** A time during which no engine worked on the run although it could have continued. */
export interface TimelineGap {
  readonly from: string;
  readonly to: string;
  readonly reason: "crash" | "handover";
  /** Who took over. */
  readonly engine?: string;
  /** The engine that was lost; absent where the log does not name it. */
  readonly lost?: string;
}

export interface Timeline {
  readonly runId: string;
  readonly from: string;
  readonly to: string;
  readonly bars: readonly TimelineBar[];
  readonly gaps: readonly TimelineGap[];
  /** The steps that recorded a plan of tool calls, oldest first, at most 100; absent where there is none. */
  readonly plans?: readonly string[];
}

/** What a check of one run found. It changes nothing. */
export interface RunVerification {
  readonly runId: string;
  readonly ok: boolean;
  readonly stepsHash: string;
  readonly eventChainRoot: string;
  readonly ledger: { readonly ok: boolean; readonly pendingKeys: readonly string[] };
  readonly replay: { readonly ok: boolean; readonly error?: string };
}

/** What became of a signal or an update. */
export interface MessageState {
  readonly state: "accepted" | "delivered" | "rejected";
  /** Absent only where it is hidden. */
  readonly result?: unknown;
  /** Why the run's owner did not take it. */
  readonly reason?: string;
  /** The answer to an update, once there is one. */
  readonly answer?: unknown;
  readonly hidden?: Hidden;
}

export interface ControlRequest {
  readonly reason?: string;
  /** A UUID v4; the same one asks for the same thing again. */
  readonly requestId?: string;
  /** Refused (PAWL4083) when the run's log has another head by the time it is acted on. */
  readonly expectHead?: number;
  /** Says what would happen, and writes nothing. */
  readonly dryRun?: boolean;
}

/** A control over HTTP. `wait`: seconds to wait for the run's owner, 0 to 30; 5 unless given. */
export type ControlInput = { readonly id: string; readonly wait?: number } & ControlRequest;

/** What became of a control. applied: the log shows it. posted: durable, and the run's owner will act on it. */
export interface ControlAnswer {
  readonly state: "applied" | "posted" | "dry-run";
  readonly run: RunView;
  readonly requestId: string;
  /** It had been asked for before under this requestId. */
  readonly replayed: boolean;
}

export type BatchAction = Control | "retry";

export interface NewBatch {
  readonly filter: Omit<RunFilter, "limit" | "cursor">;
  readonly action: BatchAction;
  readonly reason: string;
  /** At most this many runs; 1,000 unless given. */
  readonly max?: number;
  readonly requestId?: string;
  readonly dryRun?: boolean;
}

export interface BatchView {
  readonly batchId: string;
  readonly action: BatchAction;
  readonly filter: NewBatch["filter"];
  readonly reason: string;
  readonly max: number;
  readonly state: "working" | "done" | "stopped" | "dry-run";
  readonly createdAt: string;
  readonly by?: Principal;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** The first runs that failed, with their code. */
  readonly failures: readonly { readonly runId: string; readonly code: string; readonly message: string }[];
  /** Of an order: it had been given before, under this requestId. */
  readonly replayed?: true;
  /** Of a dry run: some of the runs that match. */
  readonly sample?: readonly string[];
  /** Of a dry run: how many match, up to `max`. */
  readonly matches?: number;
}

/** A workflow as its engines published it. */
export interface WorkflowView {
  readonly workflow: string;
  readonly versions: readonly WorkflowVersionView[];
  /** The version of a start that names none. */
  readonly latest: string;
  /** An engine that serves `latest` is alive. */
  readonly served: boolean;
  readonly paused?: { readonly since: string; readonly by?: Principal; readonly reason?: string };
}

export interface WorkflowVersionView {
  readonly version: string;
  readonly served: boolean;
  readonly publishedAt: string;
  /** JSON Schemas; null where the schema has no JSON form. */
  readonly input: unknown;
  readonly signals: Readonly<Record<string, unknown>>;
  readonly updates: Readonly<Record<string, unknown>>;
  readonly views: Readonly<Record<string, unknown>>;
  /** Its runs take their id from the input: a start without code must send one. */
  readonly derivesId: boolean;
}

export interface MeView {
  readonly principal: Principal;
  readonly tenant: string;
  readonly scopes: readonly AccessScope[];
  readonly tokenId?: string;
  readonly expiresAt?: string;
}

export type { AuditQuery, AuditRecord, CreatedToken, NewToken, TokenView } from "../../access/types.ts";
