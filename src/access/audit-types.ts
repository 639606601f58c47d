// What a caller of the audit log gives it, and what it answers. Types only.
// Nothing here has room for a credential or a payload, and nothing may be added that has.
import type { AccessRole, Principal } from "../core/principal.ts";

/** What is about to happen, or was refused, or was read. */
export interface AuditedAct {
  readonly operation: string;
  readonly principal?: Principal;
  /** The least permissive role that permitted it. */
  readonly role?: AccessRole;
  readonly tokenId?: string;
  readonly runId?: string;
  /** What it is about where that is not a run: an endpoint, a token, a workflow, a batch. */
  readonly target?: string;
  readonly reason?: string;
  /** The id under which the request can be repeated: requestId, signalId, updateId or key. */
  readonly requestId?: string;
  /** The trace of the request: log lines about it have the same. */
  readonly traceId?: string;
}

/** An operation that was permitted and may begin: its record is durable. */
export interface AuditedOperation {
  /** A UUID v4. */
  readonly policyDecisionId: string;
  /** What became of it. Written soon after, together with others; calling it twice changes nothing. */
  end(status: number, code?: string): void;
}

export interface AuditWriter {
  /**
   * Records that an operation was permitted. It resolves when the record is durable; when it rejects (PAWL4094), nothing may be done.
   */
  begin(act: AuditedAct): Promise<AuditedOperation>;
  /** Records a refusal, counted per principal, run, operation and minute. It never waits and never throws. */
  denied(act: AuditedAct, status: number, code: string): void;
  /** Records that payloads were read, counted in the same way. */
  read(act: AuditedAct): void;
  /** Writes what was counted and what ended. */
  flush(): Promise<void>;
  /** The same, then registers the head of the chain for good. */
  close(): Promise<void>;
}
