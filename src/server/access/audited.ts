// What the audit log is given of a request: who, what, which run, why. Never a payload, and never more than the members named here.
// A look at another tenant's run is recorded after the answer, which is that of a run that does not exist.
import { type Operation, operationSpecs } from "../../api/operations.ts";
import type { AuditWriter, AuditedAct } from "../../access/audit-types.ts";
import { findRun, sameScope } from "../../client/find-run.ts";
import { effectiveRole } from "../../core/principal.ts";
import { isPawlError } from "../../errors/error.ts";
import type { ServerFacts } from "../call.ts";
import { carriesPayloads } from "../hide.ts";
import type { Caller } from "./caller.ts";

type Input = Readonly<Record<string, unknown>>;

const targets = ["decisionId", "batchId", "endpointId", "engineId", "tokenId", "name", "consumer", "workflow", "subject"];

export function actOf(caller: Caller, operation: Operation, input: Input): AuditedAct {
  const { idempotentBy, scope } = operationSpecs[operation];
  const text = (member: string): string | undefined => (typeof input[member] === "string" ? input[member] : undefined);
  const target = targets.map(text).find((t) => t !== undefined);
  const runId = operation === "runs.start" ? undefined : text("id");
  const reason = text("reason") ?? (input["answer"] as { readonly reason?: string } | undefined)?.reason;
  const requestId = idempotentBy === undefined ? undefined : text(idempotentBy);
  const role = scope === "none" ? undefined : effectiveRole(scope, caller.scopes);
  return {
    operation,
    principal: caller.principal,
    ...(role === undefined ? {} : { role }),
    ...(caller.tokenId === undefined ? {} : { tokenId: caller.tokenId }),
    ...(runId === undefined ? {} : { runId }),
    ...(target === undefined ? {} : { target }),
    ...(reason === undefined ? {} : { reason }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

const auditedScopes: readonly string[] = ["operate", "resolve", "export", "admin"];

/** Operations that are recorded before they begin. */
export function isAudited(operation: Operation, input: Input): boolean {
  return auditedScopes.includes(operationSpecs[operation].scope) || (operation === "runs.start" && input["onConflict"] === "restart");
}

/** What is counted as a read of payloads; undefined where none is shown. */
export function payloadRead(caller: Caller, operation: Operation, input: Input): AuditedAct | undefined {
  const { scope, changes } = operationSpecs[operation];
  if (!caller.scopes.includes("payloads") || changes === true) return undefined;
  const followed = operation === "runs.watch" && typeof input["follow"] === "string" ? input["follow"] : undefined;
  if (followed !== undefined) return { ...actOf(caller, operation, input), runId: followed };
  return scope === "payloads" || carriesPayloads(operation) ? actOf(caller, operation, input) : undefined;
}

/** A caller may name a run by its workflowId: the record has the run's own id, by which it is found. */
export async function withRunId(facts: ServerFacts, act: AuditedAct): Promise<AuditedAct> {
  if (act.runId === undefined) return act;
  const run = await findRun(facts, act.runId).catch((e: unknown) => {
    if (isPawlError(e, "PAWL1001")) return undefined; // no run has such an id
    throw e;
  });
  return run === undefined ? act : { ...act, runId: run.runId };
}

/** After the answer, and whatever becomes of it: the caller learns nothing, not even by how long it takes. */
export function noteForeignRun({ store, scope, platform }: ServerFacts, audit: AuditWriter, act: AuditedAct): void {
  const { runId } = act;
  if (runId === undefined) return;
  platform.turn(() => {
    store.run({ runId }).then(
      (run) => {
        if (run !== undefined && !sameScope(run.scope, scope)) audit.denied(act, 404, "AUTHZ_TENANT_FORBIDDEN");
      },
      () => {},
    );
  });
}
