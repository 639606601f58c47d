// The start key: a request to start that is sent again is the same request, and is answered with its own run. Guards that nothing else
// hides under the key: what differs is named. It must never start anything.
import { canonicalJson, inputDigest } from "../../codec/canonical.ts";
import { noInputDigest, type Creation } from "../../engine/create-run.ts";
import { readPayload } from "../../events/payload.ts";
import type { TransactionView } from "../../store/user-transaction.ts";
import type { RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";

export function hasStartKey(base: Creation, row: RunRow): boolean {
  return typeof base.idempotencyKey === "string" && row.idempotencyKey === base.idempotencyKey;
}

/** The run that was started under this request's key; undefined without a key. */
export async function runOfStartKey(
  c: LocalClientDeps,
  inside: TransactionView | null,
  { idempotencyKey }: Creation,
): Promise<RunRow | undefined> {
  if (typeof idempotencyKey !== "string") return undefined;
  return (inside ?? c.store).run({ scope: c.scope, idempotencyKey });
}

/** In what a request is another one than that which made the run. */
export async function requestDifferences(c: LocalClientDeps, base: Creation, own: RunRow): Promise<string[]> {
  const differs: string[] = [];
  if (own.workflow !== base.definition.name) differs.push("workflow");
  // A request that names no id is content with whatever id the run has.
  if (base.workflowId !== base.runId && base.workflowId !== own.workflowId) differs.push("id");
  if (own.inputDigest !== (base.input === null ? noInputDigest : inputDigest(base.input))) differs.push("input");
  if (canonicalJson(own.tags) !== canonicalJson(base.tags ?? {})) differs.push("tags");
  const delay = await recordedDelay(c, own);
  if (delay !== undefined && delay !== (base.delayMs ?? 0)) differs.push("delay");
  return differs;
}

/** Undefined when retention took the event that says so. */
async function recordedDelay(c: LocalClientDeps, own: RunRow): Promise<number | undefined> {
  if (own.expiredAt !== null || own.purgedAt !== null) return undefined;
  const [first] = await c.store.events({ runId: own.runId, after: 0, limit: 1 });
  if (first !== undefined) return readPayload<{ delayMs?: number }>(first.payload).delayMs ?? 0;
  // Only the transaction that made it sees it: it has not begun, and is due when its delay has passed.
  return own.dueAt === null ? undefined : own.dueAt - own.createdAt;
}
