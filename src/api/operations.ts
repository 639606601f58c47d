// The operation catalogue: everything that a caller can ask a server for, as plain data, in parts by what they are about. REST, JSON-RPC, the HTTP
// client, OpenAPI, MCP and the reference page are made from it, so an operation is on all of them or says why not. It must never import
// anything but its parts: browsers load it.
import { administrationOperations } from "./operations/administration.ts";
import { queueOperations } from "./operations/queues.ts";
import { runOperations } from "./operations/runs.ts";
import { workOperations } from "./operations/work.ts";

/** One operation. Its REST path starts with /v1; its JSON-RPC method is its name. */
export interface OperationSpec {
  readonly rest: `${"GET" | "POST"} /${string}`;
  /** What a token must permit; "none": any caller that the server accepts. */
  readonly scope: "none" | "read" | "payloads" | "work" | "operate" | "resolve" | "export" | "admin" | "worker";
  readonly summary: string;
  /** It changes something. */
  readonly changes?: true;
  /** It takes something away that cannot be brought back: it needs a reason. */
  readonly destructive?: true;
  /** The member that makes a repeated request act once; `Idempotency-Key` may carry it. */
  readonly idempotentBy?: "idempotencyKey" | "signalId" | "updateId" | "requestId" | "submissionId";
  /** Its name as an MCP tool. */
  readonly tool?: string;
  /** The tool exists only where the server's `--allow` names the scope. */
  readonly toolNeedsAllow?: true;
  /** Its REST answer may also be a stream of events. */
  readonly streams?: true;
  /** Why it is not on every surface: the surfaces that do not have it, then the reason. */
  readonly notOn?: string;
}

type Operations = typeof runOperations & typeof workOperations & typeof queueOperations & typeof administrationOperations;

export const operations: Operations = { ...runOperations, ...workOperations, ...queueOperations, ...administrationOperations };

export type Operation = keyof Operations;

/** Every entry of the parts is an OperationSpec; one that is not does not compile here. */
export const operationSpecs: Readonly<Record<Operation, OperationSpec>> = { ...operations };
