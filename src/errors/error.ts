// The one error type of Pawl. Every failure that a person meets has a stable code, says what is known about its effect
// (`outcome`), and how to fix it; `pawl explain CODE` prints its page. Never a payload in a message.
import { catalogue, type Code } from "./catalogue.ts";

/** What is known of the write that failed: nothing was written, all of it was, or nobody can say. */
export type Outcome = "none" | "applied" | "unknown";

export interface PawlErrorOptions {
  readonly cause?: unknown;
  readonly outcome?: Outcome;
  /** Public facts for programs: ids and names, never payloads. */
  readonly data?: Readonly<Record<string, string | number | boolean | null>>;
  /** The places of a request that were refused. */
  readonly errors?: readonly RefusedPlace[];
}

/** One place of a request that was refused: a JSON pointer and a sentence, never the value. */
export interface RefusedPlace {
  readonly pointer: string;
  readonly message: string;
}

/** Codes that have a name of the run-event contract. */
export type ContractCode =
  | "SignalAcceptanceIndeterminate"
  | "CheckpointOwnershipCapabilityError"
  | "ActivityReconciliationCapabilityError"
  | "ActivityReconciliationConflictError"
  | "ActivityReconciliationIndeterminateError"
  | "SCHEMA_VALIDATION_FAILED"
  | "INVALID_TRANSITION"
  | "RUN_ALREADY_EXISTS"
  | "AUTHZ_REASON_REQUIRED"
  | "AUTHZ_TENANT_FORBIDDEN";

/** The one error type of Pawl: a stable `code` with a page in docs/errors, and what is known about the outcome. */
export class PawlError extends Error {
  readonly code: Code | ContractCode;
  /** The page that explains it: `pawl explain`. */
  readonly page: Code;
  readonly outcome: Outcome;
  readonly fix: string;
  readonly data: Readonly<Record<string, string | number | boolean | null>>;
  /** The places of a request that were refused; empty where the message says it all. */
  readonly errors: readonly RefusedPlace[];
  constructor(code: Code, message: string, options: PawlErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const contract = contractCodes[code];
    this.code = contract ?? code;
    // where the contract's code is the name of a class, it is the error's name too.
    this.name = contract === undefined || contract.includes("_") ? catalogue[code].name : contract;
    this.page = code;
    this.outcome = options.outcome ?? "none";
    this.fix = catalogue[code].fix;
    this.data = options.data ?? {};
    this.errors = options.errors ?? [];
  }
}

const contractCodes: Partial<Record<Code, ContractCode>> = {
  PAWL2001: "ActivityReconciliationIndeterminateError",
  PAWL2002: "ActivityReconciliationIndeterminateError",
  PAWL2003: "ActivityReconciliationIndeterminateError",
  PAWL2013: "ActivityReconciliationCapabilityError",
  PAWL2014: "ActivityReconciliationConflictError",
  PAWL1071: "ActivityReconciliationConflictError",
  PAWL3006: "CheckpointOwnershipCapabilityError",
  PAWL4004: "SignalAcceptanceIndeterminate",
  PAWL4020: "SCHEMA_VALIDATION_FAILED",
  PAWL4021: "INVALID_TRANSITION",
  PAWL4022: "RUN_ALREADY_EXISTS",
  PAWL4090: "AUTHZ_REASON_REQUIRED",
  PAWL4092: "AUTHZ_TENANT_FORBIDDEN",
};

/** The page of a name of the contract; the first one where several pages share it. */
export function pageOfContractCode(name: string): Code | undefined {
  return (Object.keys(contractCodes) as Code[]).find((code) => contractCodes[code]?.toLowerCase() === name.toLowerCase());
}

export function isPawlError(e: unknown, page?: Code): e is PawlError {
  return e instanceof PawlError && (page === undefined || e.page === page);
}
