// A record of the ledger as its columns hold it, where a driver gives numbers as numbers and text as text. The one place
// that says which column is which field; it checks nothing, since what was written was checked.
import type { EffectPhase, EffectStatus, GuaranteeClass } from "../../core/model.ts";
import { parseScopeKey } from "../keys.ts";
import type { EffectRecord } from "../port.ts";

export function toEffect(r: Readonly<Record<string, unknown>>): EffectRecord {
  return {
    runId: r["run_id"] as string,
    seq: r["seq"] as number,
    version: r["version"] as 1,
    scope: parseScopeKey(r["scope"] as string),
    workflowId: r["workflow_id"] as string,
    stepId: r["step_id"] as string,
    name: r["name"] as string,
    class: r["class"] as GuaranteeClass,
    key: r["key"] as string | null,
    argsDigest: r["args_digest"] as string | null,
    receiver: r["receiver"] as string | null,
    status: r["status"] as EffectStatus,
    phase: r["phase"] as EffectPhase,
    attempts: r["attempts"] as number,
    engineAttempts: r["engine_attempts"] as number,
    error: r["error"] as string | null,
    eventSeq: r["event_seq"] as number,
    createdAt: r["created_at"] as number,
    updatedAt: r["updated_at"] as number,
  };
}
