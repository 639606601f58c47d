// A forger with full access to the database: rewrites a run's log as its owner would have written it, with every hash, key and
// link made again, and the run's row to match; cuts a log off; takes a run away without leaving a row of it. Everything but the
// key, which is not in the store. For tests of seals and witnesses; nothing in the package imports it.
import { isSettled } from "../../src/core/model.ts";
import { applyTransition, emptyDerived } from "../../src/core/transitions.ts";
import { payloadHash } from "../../src/events/hash-chain.ts";
import { chainLink } from "../support/chain-link.ts";
import type { EventRecord } from "../../src/store/port.ts";
import type { TestStore } from "../support/test-store.ts";

const logOf = (b: TestStore, runId: string): Promise<readonly EventRecord[]> => b.store.events({ runId, after: 0, limit: 10_000 });

/** `change` gets each event and says what is written instead. */
export async function rewrite(b: TestStore, runId: string, change: (e: EventRecord) => Partial<EventRecord>): Promise<void> {
  const row = (await b.store.run({ runId }))!;
  const run = { runId, scope: row.scope, planId: row.workflow, planVersion: row.version };
  let prev: EventRecord | null = null;
  for (const was of await logOf(b, runId)) {
    const e: EventRecord = { ...was, ...change(was) };
    const hash = e.payload === null ? e.payloadHash : payloadHash(e.salt!, e.payload);
    const before: EventRecord | null = prev;
    const sealed = before !== null && before.stateVersion !== e.stateVersion ? before.persistedAt : null;
    const link = chainLink(before?.link ?? "", sealed, run, { ...e, payloadHash: hash });
    prev = { ...e, payloadHash: hash, link };
    const { payload, emittedAt, persistedAt } = prev;
    await b.tamper({ table: "events", runId, at: e.runSeq, set: { payload, payloadHash: hash, link, emittedAt, persistedAt } });
  }
  await b.tamper({ table: "runs", runId, set: { headLink: prev!.link } });
}

/** Another amount in every result that says 500; what was paid was 5. */
export const cheaper = (e: EventRecord): Partial<EventRecord> =>
  e.eventType === "StepCompleted" && e.payload !== null ? { payload: e.payload.replace("500", "5") } : {};

/** The events from this one on are gone, and the row is as if they had never been. */
export async function cutFrom(b: TestStore, runId: string, runSeq: number): Promise<void> {
  const log = await logOf(b, runId);
  for (const e of log) if (e.runSeq >= runSeq) await b.tamper({ table: "events", runId, at: e.runSeq, set: null });
  const rest = log.filter((e) => e.runSeq < runSeq);
  const last = rest.at(-1)!;
  const derived = emptyDerived();
  for (const e of rest) applyTransition(derived, e);
  if (derived.status === null || isSettled(derived.status)) throw new Error("cut before the end of the run");
  await b.tamper({
    table: "runs",
    runId,
    set: {
      status: derived.status,
      headSeq: last.runSeq,
      headLink: last.link,
      stateVersion: last.stateVersion,
      persistedAt: last.persistedAt,
      dueAt: 0,
    },
  });
}

/** Not a row of the run is left. */
export async function takeAway(b: TestStore, runId: string): Promise<void> {
  for (const e of await logOf(b, runId)) await b.tamper({ table: "events", runId, at: e.runSeq, set: null });
  const { effects } = await b.store.effects({ scope: (await b.store.run({ runId }))!.scope, runId, limit: 100 });
  for (const e of effects) await b.tamper({ table: "effects", runId, at: e.seq, set: null });
  await b.tamper({ table: "runs", runId, set: null });
}
