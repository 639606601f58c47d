// The run-event contract as types and tables, made from contract/schema by `npm run generate`. It must never be edited by hand:
// change the contract's files, and make it again. `npm run tidy` compares.

export const contractVersion = "2.0.1";
export const runEventTypes = ["RunQueued", "RunStarted", "RunPaused", "RunResumed", "RunCompleted", "RunFailed", "RunCancelled"] as const;
export const stepEventTypes = ["StepStarted", "StepCompleted", "StepFailed", "StepSkipped"] as const;
export const runStatuses = ["PENDING", "RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED"] as const;
export type RunEventType = (typeof runEventTypes)[number];
export type StepEventType = (typeof stepEventTypes)[number];
export type KnownEventType = RunEventType | StepEventType;
/** The known union plus open string (D-087); `pawl.*` are Pawl's own, and never change derived state (K21). */
export type EventType = KnownEventType | (string & {});
export type RunStatus = (typeof runStatuses)[number];
export type StepStatus = "PENDING" | "RUNNING" | "SUCCESS" | "FAILED" | "SKIPPED";

export function isSettled(s: RunStatus): boolean {
  return s === "COMPLETED" || s === "FAILED" || s === "CANCELLED";
}

export interface RunRule {
  readonly from: readonly (RunStatus | "none")[];
  readonly to: RunStatus;
}
export interface StepRule {
  readonly from: StepStatus;
  readonly to: StepStatus;
  /** The statuses of the run in which it may happen. */
  readonly while: readonly RunStatus[];
}
export const runTable: Readonly<Record<string, RunRule>> = {
  RunQueued: { from: ["none"], to: "PENDING" },
  RunStarted: { from: ["none", "PENDING"], to: "RUNNING" },
  RunPaused: { from: ["RUNNING"], to: "PAUSED" },
  RunResumed: { from: ["PAUSED"], to: "RUNNING" },
  RunCompleted: { from: ["RUNNING"], to: "COMPLETED" },
  RunFailed: { from: ["PENDING", "RUNNING", "PAUSED"], to: "FAILED" },
  RunCancelled: { from: ["PENDING", "RUNNING", "PAUSED"], to: "CANCELLED" },
};
export const stepTable: Readonly<Record<string, StepRule>> = {
  StepStarted: { from: "PENDING", to: "RUNNING", while: ["RUNNING"] },
  StepCompleted: { from: "RUNNING", to: "SUCCESS", while: ["RUNNING", "PAUSED"] },
  StepFailed: { from: "RUNNING", to: "FAILED", while: ["RUNNING", "PAUSED"] },
  StepSkipped: { from: "PENDING", to: "SKIPPED", while: ["RUNNING"] },
};

/**
 * An event as a producer writes it. Further members are permitted and mean nothing; what is specific to an engine or a
 * source goes into payload. A source's own time goes into payload.sourceOccurredAt.
 */
export type RunEventWrite = {
  /** Random, and the same for the same fact. */
  readonly eventId: string;
  /** The run that the event is of. */
  readonly runId: string;
  /** Whose run it is. */
  readonly tenantId: string;
  /** Of which of the tenant's projects. */
  readonly projectId: string;
  /** In which environment: production, a trial. */
  readonly environmentId: string;
  /** What runs: the name of the workflow. */
  readonly planId: string;
  /** In which version. */
  readonly planVersion: string;
  /** A real re-dispatch of the same logical attempt; 1 where a provider has none. */
  readonly engineAttemptId: number;
  /** A retry; for run-level types the ordinal of the type in the run. */
  readonly logicalAttemptId: number;
  /** Of the fact: the same fact has the same key, no matter who writes it, and how often. */
  readonly idempotencyKey: string;
  /** The producer's clock. Kept as it was written. */
  readonly emittedAt: string;
  /** Whatever the event carries: errors, outputs, reasons. */
  readonly payload?: Readonly<Record<string, unknown>>;
} & (
  | { readonly eventType: StepEventType; readonly stepId: string }
  | { readonly eventType: Exclude<EventType, StepEventType>; readonly stepId?: never }
);

/** An event as it is persisted: the write, its place and the store's time. */
export type RunEventRecord = RunEventWrite & {
  /** Rises per run; gaps are allowed. */
  readonly runSeq: number;
  /** The store's clock. Time windows go by this one. */
  readonly persistedAt: string;
};

/**
 * What a projector reports when an event is invalid in the state of its run. One alert per (runId, eventId), however often
 * the event is seen.
 */
export interface InvalidTransitionAlert {
  /** The condition. */
  readonly code: "INVALID_TRANSITION";
  /** The run that the event is of. */
  readonly runId: string;
  /** Whose run it is. */
  readonly tenantId: string;
  /** Of which of the tenant's projects. */
  readonly projectId: string;
  /** In which environment: production, a trial. */
  readonly environmentId: string;
  /** Of the invalid event. */
  readonly eventId: string;
  /** Its type. */
  readonly eventType: EventType;
  /** Its step; on the four step types, and only there. */
  readonly stepId?: string;
  /** Its place in the run. */
  readonly runSeq: number;
  /** The store's clock. */
  readonly persistedAt: string;
  /** What the log said before: of the run, or of the step's attempt. */
  readonly priorState: string;
  /** What the event would have made of it. */
  readonly attemptedState: string;
}

/** manifest.json of an evidence archive (docs/evidence.md). Further members are permitted. */
export interface EvidenceManifest {
  /** What the archive is. */
  readonly kind: "pawl.evidence";
  /** Of the archive: 1 is of a run alone, 3 carries the other runs of its line too. Another one is another specification. */
  readonly format: 1 | 3;
  /** The program that wrote it. */
  readonly madeBy: {
    /** Its name. */
    readonly name: string;
    /** Its version. */
    readonly version: string;
  };
  /** The store that the run lies in. */
  readonly store: {
    /** Which kind of store. */
    readonly store: string;
    /** Made with the store. */
    readonly storeId: string;
    /** Of its tables. */
    readonly format: number;
    /** Raised when the store was restored from a copy. */
    readonly incarnation: number;
    /** Of the file or server that it lies on, when this was made. */
    readonly identity: string;
    /** The same as the store recorded it; if they differ, this is a copy. */
    readonly identityRecorded: string;
    /** Whether it outlives its process. */
    readonly persistence: "durable" | "volatile";
    /** Settings that were accepted although they can lose what was acknowledged. */
    readonly unsafe: readonly string[];
    /** What durability rests on, as read back. */
    readonly settings: Readonly<Record<string, string>>;
  };
  /** The run's row. */
  readonly run: {
    /** The run that this is the evidence of. */
    readonly runId: string;
    /** Whose run it is. */
    readonly tenantId: string;
    /** Of which of the tenant's projects. */
    readonly projectId: string;
    /** In which environment: production, a trial. */
    readonly environmentId: string;
    /** The id that its caller gave. */
    readonly workflowId: string;
    /** Its number among the runs of its workflowId. */
    readonly generation?: number;
    /** Only on a run that producers outside an engine wrote. */
    readonly origin?: "external";
    /** What the log must say too. */
    readonly status: RunStatus;
    /** What a run that has not ended waits for. */
    readonly waiting?: string | null;
    /** The store's clock. */
    readonly createdAt: string;
    /** The run that this one retries, restarts or continues. */
    readonly originalRunId?: string | null;
    /** The first of that line. */
    readonly rootRunId?: string;
    /** The run that called it. */
    readonly parentRunId?: string | null;
    /** The caller's step. */
    readonly parentStepId?: string | null;
    /** As its caller gave them. */
    readonly tags?: Readonly<Record<string, string>>;
    /** Only where every payload is shown whole: it has no salt. */
    readonly inputDigest?: string;
  };
  /** What runs. */
  readonly definition: {
    /** planId of its events. */
    readonly workflow: string;
    /** planVersion of its events. */
    readonly version: string;
  };
  /** The last event. */
  readonly head: {
    /** Its place. */
    readonly runSeq: number;
    /** Its link: the whole log hangs on it. */
    readonly link: string;
    /** Of the Commit that wrote it. */
    readonly stateVersion: number;
    /** The store's clock. */
    readonly persistedAt: string;
  };
  /** How many there are. */
  readonly events: number;
  /** Whether they are in the archive. */
  readonly payloads: "shown" | "left out";
  /** Paths whose values were replaced. */
  readonly redacted: readonly string[];
  /** How those values left, where they were not replaced by a fixed text. */
  readonly redactedAs?: "remove" | "hash";
  /** Only in format 3: the runs that retry or restart each other, this one among them. */
  readonly line?: {
    /** When the latest event of any of its runs was written: what the line did later is not here. */
    readonly asOf: string;
    /** The runs whose logs are here, oldest first. */
    readonly runs: readonly {
      /** Its id. */
      readonly runId: string;
      /** The file with its own archive; none for the run that this is the evidence of. */
      readonly member?: string;
    }[];
    /** Runs of the line whose logs do not say all that they sent: every verdict says less. */
    readonly missing: readonly {
      /** Its id. */
      readonly runId: string;
      /** Retention removed it, it continues in another store, or the store does not have it. */
      readonly reason: "expired" | "moved" | "absent";
    }[];
  };
  /** Every other file of the archive but manifest.sig. */
  readonly members: readonly {
    /** Its name. */
    readonly name: string;
    /** Its size. */
    readonly bytes: number;
    /** Its digest. */
    readonly sha256: string;
  }[];
  /** Only if the manifest is signed. */
  readonly signer?: {
    /** Of the signature. */
    readonly algorithm: "Ed25519";
    /** Of the SPKI form. */
    readonly publicKey: string;
  };
}
