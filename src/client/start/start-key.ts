// The start key: a request to start that is sent again is the same request, and is answered with its own run. Guards that nothing else
// hides under the key: what differs is named. It must never start anything.
import { canonicalJson, inputDigest } from "../../codec/canonical.ts";
import { encode } from "../../codec/value.ts";
import { checkId } from "../../core/names.ts";
import { noInputDigest, type Creation } from "../../engine/create-run.ts";
import { readPayload, type RunStartPayload } from "../../events/payload.ts";
import type { TransactionView } from "../../store/user-transaction.ts";
import type { RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import type { StartRequest } from "../types.ts";

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

/** Of a request as it was sent, whatever its workflow's schema makes of it; undefined without a key, and where it cannot be written down. */
export function requestDigest(c: LocalClientDeps, r: StartRequest): string | undefined {
  if (typeof r.idempotencyKey !== "string") return undefined;
  const { workflow, version, id, input, tags, delayMs, deadlineMs, onConflict, priority } = r;
  try {
    const sent = input === undefined ? null : (JSON.parse(encode(input, c.limits, "input")) as unknown);
    const named = { workflow, version, id, tags, delayMs, deadlineMs, onConflict, priority };
    return inputDigest(JSON.stringify({ ...named, input: sent }));
  } catch {
    return undefined; // what is wrong with it is found where it is used
  }
}

/** The run that exactly this request made before; undefined where there is none, or where its log says no more how it was asked for. */
export async function runOfSameRequest(c: LocalClientDeps, inside: TransactionView | null, r: StartRequest): Promise<RunRow | undefined> {
  const { idempotencyKey } = r;
  const digest = requestDigest(c, r);
  if (idempotencyKey === undefined || digest === undefined || !isId(idempotencyKey)) return undefined;
  const own = await (inside ?? c.store).run({ scope: c.scope, idempotencyKey });
  if (own === undefined || own.expiredAt !== null || own.purgedAt !== null) return undefined;
  const [first] = await c.store.events({ runId: own.runId, after: 0, limit: 1 });
  return readPayload<RunStartPayload>(first?.payload ?? null).request === digest ? own : undefined;
}

function isId(text: string): boolean {
  try {
    return checkId(text, "idempotencyKey") === text;
  } catch {
    return false;
  }
}

/**
 * In what a request is another one than that which made the run. A version and a deadline count where the request names them: what the code
 * says of them may have changed since. onConflict says what to do about another run, not which run to make, and never counts.
 */
export async function requestDifferences(c: LocalClientDeps, base: Creation, own: RunRow): Promise<string[]> {
  const differs: string[] = [];
  if (own.workflow !== base.definition.name) differs.push("workflow");
  // A request that names no id is content with whatever id the run has.
  if (base.workflowId !== base.runId && base.workflowId !== own.workflowId) differs.push("id");
  if (own.inputDigest !== (base.input === null ? noInputDigest : inputDigest(base.input))) differs.push("input");
  if (canonicalJson(own.tags) !== canonicalJson(base.tags ?? {})) differs.push("tags");
  if (base.namedVersion !== undefined && base.namedVersion !== own.version) differs.push("version");
  const deadlineMs = base.deadlineMs ?? null;
  if (deadlineMs !== null && (own.deadlineAt === null || own.deadlineAt - own.createdAt !== deadlineMs)) differs.push("deadline");
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
