// What the request path reports to the audit log: a granted operation before it begins, its outcome, and refusals. Types only; rows are written elsewhere.
// No credential and no payload may be put into them.
import type { Operation } from "../api/operations.ts";
import type { Code } from "../errors/catalogue.ts";
import type { Caller } from "./principal.ts";

export interface AuditedCall {
  readonly caller: Caller;
  readonly operation: Operation;
  /** As the schema left it; ids and the reason are recorded from it, and nothing else. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface AuditLog {
  /** Durable when it resolves: the operation begins afterwards. */
  granted(call: AuditedCall): Promise<{ ended(status: number, code?: Code): Promise<void> }>;
  denied(call: AuditedCall & { readonly code: Code }): void;
}
