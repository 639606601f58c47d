// May this caller do this? The scope of the operation, and a reason where something is taken away for good. It must never look at the store: what it
// answers about a run that exists and about one that does not is the same.
import { type Operation, operationSpecs } from "../../api/operations.ts";
import type { RunShare } from "../../access/types.ts";
import { PawlError } from "../../errors/error.ts";
import type { Caller } from "./caller.ts";

export function authorise(caller: Caller, operation: Operation, input: Readonly<Record<string, unknown>>): void {
  const { scope, destructive } = operationSpecs[operation];
  if (caller.run !== undefined) return authoriseShare(caller.run, operation, input);
  if (scope !== "none" && !caller.scopes.includes(scope))
    throw new PawlError("PAWL4081", `${operation} needs the scope ${scope}`, { data: { operation, scope } });
  if (operation === "runs.start" && input["onConflict"] === "restart") {
    if (!caller.scopes.includes("operate"))
      throw new PawlError("PAWL4081", "runs.start with onConflict restart needs the scope operate", {
        data: { operation, scope: "operate" },
      });
    requireReason(operation, input);
    // Sent again without a key, it would end the run that it made itself.
    if (input["idempotencyKey"] === undefined)
      throw new PawlError("PAWL4011", "runs.start with onConflict restart needs an idempotencyKey: the same request may come twice", {
        errors: [{ pointer: "/idempotencyKey", message: "is missing" }],
      });
  }
  if (destructive === true && input["dryRun"] !== true) requireReason(operation, input);
}

/** What a token for one run opens, and nothing else of it. */
const sharedOperations: Readonly<Record<RunShare["allow"], readonly Operation[]>> = {
  read: ["runs.get", "runs.events", "runs.steps", "runs.timeline", "runs.proof", "runs.verify"],
  views: ["runs.view"],
};

function authoriseShare({ runId, allow }: RunShare, operation: Operation, input: Readonly<Record<string, unknown>>): void {
  if (operationSpecs[operation].scope === "none") return;
  if (!sharedOperations[allow].includes(operation) || input["id"] !== runId)
    throw new PawlError("PAWL4081", `this token opens ${allow === "views" ? "the views of " : ""}one run only, by its runId`, {
      data: { operation },
    });
}

function requireReason(operation: Operation, input: Readonly<Record<string, unknown>>): void {
  const answer = input["answer"] as { readonly reason?: unknown } | undefined;
  const reason = operation === "decisions.resolve" ? answer?.reason : input["reason"];
  if (typeof reason !== "string" || reason.trim() === "")
    throw new PawlError("PAWL4090", `${operation} needs a reason`, { data: { operation, code: "AUTHZ_REASON_REQUIRED" } });
}
