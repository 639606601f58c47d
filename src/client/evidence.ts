// Reads what evidence is made of: the run's row, its log up to that row's head, and its ledger, all of one moment. A log only
// grows, so it is cut at the head; the ledger changes, so it is read between two looks at the row, a few times if the run
// goes on meanwhile, and left out rather than shown as of another moment.
import { readEvents } from "../engine/load.ts";
import { evidenceOf, evidencePlan, type EvidenceOptions } from "../log/evidence.ts";
import type { EffectRecord, RunRow, Store } from "../store/port.ts";

const looksMax = 8;
const pageSize = 500;

export async function readEvidence(store: Store, find: () => Promise<RunRow>, o: EvidenceOptions): Promise<Uint8Array> {
  const plan = evidencePlan(o);
  const info = await store.info();
  let row = await find();
  let ledger: readonly EffectRecord[] | null = null;
  for (let look = 0; look < looksMax && ledger === null; look++) {
    const effects = await ledgerOf(store, row);
    const now = (await store.run({ runId: row.runId })) ?? row;
    if (now.stateVersion === row.stateVersion) ledger = effects;
    row = now;
  }
  const { headSeq } = row;
  const events = (await readEvents(store, row.runId)).filter((e) => e.runSeq <= headSeq);
  // Without payloads the log cannot say what the ledger says: it would look like a contradiction, and is none.
  if (row.expiredAt !== null) ledger = null;
  const about = { name: store.name, persistence: store.capabilities().persistence, info };
  return evidenceOf({ row, store: about, events, ledger }, plan);
}

async function ledgerOf(store: Store, row: RunRow): Promise<readonly EffectRecord[]> {
  const all: EffectRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.effects({ scope: row.scope, runId: row.runId, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.effects);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}
