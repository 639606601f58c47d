// Reads what evidence is made of: the run's row, its log up to that row's head, and its ledger, all of one moment. A log only
// grows, so it is cut at the head; the ledger changes, so it is read between two looks at the row, a few times if the run
// continues meanwhile, and left out rather than shown as of another moment. The other runs of its run chain are read the same way.
import { readEvents } from "../../engine/run/load-run.ts";
import { buildEvidence, evidencePlan, type EvidenceOptions, type EvidenceSource } from "../../log/evidence.ts";
import type { EffectRecord, RunRow, Store } from "../../store/port.ts";
import { isLogRemoved, listRunChain } from "./run-chain-runs.ts";

const readsMax = 8;
const pageSize = 500;

export async function readEvidence(store: Store, find: () => Promise<RunRow>, o: EvidenceOptions): Promise<Uint8Array> {
  const plan = evidencePlan(o);
  const about = { name: store.name, persistence: store.capabilities().persistence, info: await store.info() };
  const own = await readSource(store, about, await find());
  return buildEvidence({ ...own, runChain: await readOtherRuns(store, own) }, plan);
}

/** The other runs of its run chain, each of one moment; null when it has none. */
async function readOtherRuns(store: Store, own: EvidenceSource): Promise<EvidenceSource["runChain"]> {
  const { runs, missing } = await listRunChain(store, own.row);
  const lost = [...missing];
  const relatives: EvidenceSource[] = [];
  for (const run of runs.filter((r) => r.runId !== own.row.runId)) {
    const source = await readSource(store, own.store, run);
    // Retention may have come between: looked at last, so that a log is whole or said to be missing.
    const now = await store.run({ runId: run.runId });
    if (now !== undefined && !isLogRemoved(now)) relatives.push(source);
    else if (!lost.some((m) => m.runId === run.runId)) lost.push({ runId: run.runId, reason: "expired" });
  }
  if (relatives.length === 0 && lost.every((m) => m.runId === own.row.runId)) return null;
  return { relatives, missing: lost };
}

async function readSource(store: Store, about: EvidenceSource["store"], first: RunRow): Promise<EvidenceSource> {
  let row = first;
  let ledger: readonly EffectRecord[] | null = null;
  for (let look = 0; look < readsMax && ledger === null; look++) {
    const effects = await readLedger(store, row);
    const now = (await store.run({ runId: row.runId })) ?? row;
    if (now.stateVersion === row.stateVersion) ledger = effects;
    row = now;
  }
  const { headSeq } = row;
  const events = (await readEvents(store, row.runId)).filter((e) => e.runSeq <= headSeq);
  // Without payloads the log cannot say what the ledger says: it would look like a contradiction, and is none.
  if (row.expiredAt !== null) ledger = null;
  return { row, store: about, events, ledger, runChain: null };
}

async function readLedger(store: Store, row: RunRow): Promise<readonly EffectRecord[]> {
  const all: EffectRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.effects({ scope: row.scope, runId: row.runId, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.effects);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}
