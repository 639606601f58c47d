// A check of one run that changes nothing: its log and tables are read and compared as `pawl doctor --verify` does, and named by two hashes. The steps'
// hash covers the workflow, its version and how each step ended, in order; the chain's root is the last link of the log, computed again.
import type { RunVerification } from "../../api/types/operate.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import type { EventRecord } from "../../events/event.ts";
import { chainFrame, linkOf } from "../../events/hash-chain.ts";
import { readPayload } from "../../events/payload.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { EffectRecord, RunRow } from "../../store/port.ts";
import { auditRun } from "../audit/audit-run.ts";
import type { Finding } from "../audit/finding.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { readTail } from "./log-tail.ts";

const effectsPage = 1_000;

export async function verifyOneRun(c: LocalClientDeps, row: RunRow): Promise<RunVerification> {
  const events = await readEvents(c.store, row.runId);
  const { findings } = await auditRun(c.store, row.runId);
  const ofLedger = findings.filter((f) => f.table === "effects");
  const others = findings.filter((f) => f.table !== "effects");
  const replay = replayResult(row, events, others);
  const ledger = { ok: ofLedger.length === 0, pendingKeys: await pendingKeys(c, row) };
  return {
    runId: row.runId,
    ok: ledger.ok && replay.ok,
    stepsHash: stepsHash(row, events),
    eventChainRoot: chainRoot(row, events),
    ledger,
    replay,
  };
}

/** SHA-256 over the hash of workflow and version, then a line `stepId:outcome` for each step that ended, in the order of their ends. */
export function stepsHash(row: Pick<RunRow, "workflow" | "version">, events: readonly EventRecord[]): string {
  const plan = sha256Hex(JSON.stringify([row.workflow, row.version]));
  const lines = events.flatMap((e) => {
    const how = outcomeOf(e);
    return how === undefined ? [] : [`${e.stepId ?? ""}:${how}`];
  });
  return sha256Hex([plan, ...lines].join("\n"));
}

function outcomeOf(e: EventRecord): string | undefined {
  if (e.eventType === "StepCompleted") return "SUCCESS";
  if (e.eventType === "StepSkipped") return "SKIPPED";
  if (e.eventType !== "StepFailed") return undefined;
  return readPayload<{ retryAt?: string }>(e.payload).retryAt === undefined ? "FAILED" : undefined;
}

/** K22: the last link, computed from the events and from no stored link. */
function chainRoot(row: RunRow, events: readonly EventRecord[]): string {
  const frame = chainFrame({ runId: row.runId, scope: row.scope, planId: row.workflow, planVersion: row.version });
  let link = "";
  let previous: EventRecord | null = null;
  for (const e of events) {
    const sealedAt: number | null = previous !== null && previous.stateVersion !== e.stateVersion ? previous.persistedAt : null;
    link = linkOf(frame, link, sealedAt, e, e.stateVersion);
    previous = e;
  }
  return link;
}

/** What the log says, run again, is what the tables say; and no engine has found that the run's code disagrees with it. */
function replayResult(row: RunRow, events: readonly EventRecord[], findings: readonly Finding[]): RunVerification["replay"] {
  const [first] = findings;
  if (first !== undefined)
    return {
      ok: false,
      error: `${first.table}${first.seq === undefined ? "" : ` ${first.seq}`}, ${first.field}: the log and the tables differ`,
    };
  const paused = row.status === "PAUSED" ? readTail(events).paused : null;
  return paused?.diverged === true ? { ok: false, error: paused.reason ?? "code and log disagree" } : { ok: true };
}

/** Effects that were begun and whose end is not recorded, by key; one without a key by its step. */
async function pendingKeys(c: LocalClientDeps, { runId, scope }: RunRow): Promise<readonly string[]> {
  const all: EffectRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await c.store.effects({ scope, runId, limit: effectsPage, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.effects);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all.filter((e) => e.phase !== "settled").map((e) => e.key ?? e.stepId);
}
