// What is derived can be made again from the log, and comes out the same, byte for byte, on every store. A dry run changes
// nothing, a live engine forbids it, and a log that is itself damaged is never taken for the truth. Checkpoints
// are part of the record, not derived: they are left as they are.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../src/client/types.ts";
import type { EffectRecord, RunRow } from "../../src/store/port.ts";
import { emptyCommit } from "../../src/store/batch-rules.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { fillStore, workflows } from "./filled-store.ts";
import { proves } from "../support/proves.ts";

interface Derived {
  readonly row: RunRow;
  readonly effects: readonly EffectRecord[];
  readonly views: Readonly<Record<string, string>>;
}

async function derived(b: TestStore, client: Client): Promise<Derived[]> {
  const all: Derived[] = [];
  for (const { runId } of (await client.list({ limit: 100 })).runs) {
    const row = (await b.store.run({ runId }))!;
    const { effects } = await b.store.effects({ scope: row.scope, runId, limit: 100 });
    all.push({ row, effects, views: await b.store.views(runId) });
  }
  return all;
}

describe.each(testStores)("on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  it(
    "the ledger and the views, deleted, and the run's row, overwritten, are made again from the events, identical",
    proves("C20"),
    async () => {
      const { runId, taken } = await fillStore(b);
      const client = b.client();
      const before = await derived(b, client);
      expect(before.flatMap((d) => d.effects).length).toBeGreaterThan(8);
      for (const { row, effects, views } of before) {
        if (effects.length > 0) await b.tamper({ table: "effects", runId: row.runId, set: null });
        for (const name of Object.keys(views)) await b.tamper({ table: "views", runId: row.runId, at: name, set: null });
      }
      await b.tamper({
        table: "runs",
        runId,
        set: { status: "RUNNING", headSeq: 1, headLink: "", stateVersion: 1, persistedAt: 1, createdAt: 2, inputDigest: "", rootRunId: "" },
      });
      await b.tamper({ table: "inbox", runId, at: taken, set: { consumed: false } });

      const dry = await client.repairStore();
      expect(dry.written).toBe(false);
      expect(dry.left).toEqual([]);
      expect(dry.repaired.length).toBeGreaterThan(15);
      expect((await client.verifyStore()).findings).toEqual(expect.arrayContaining([...dry.repaired]));

      const done = await client.repairStore({ write: true });
      expect(done).toMatchObject({ written: true, left: [] });
      expect(done.repaired).toEqual(dry.repaired);
      expect((await client.verifyStore()).findings).toEqual([]);
      expect(await derived(b, client)).toEqual(before);
      expect(await client.repairStore({ write: true })).toMatchObject({ repaired: [], left: [] });
    },
  );

  it("a dispatch that an ended run left behind is found, and swept away by a repair", async () => {
    const { runId } = await fillStore(b);
    const client = b.client();
    const row = (await b.store.run({ runId }))!;
    const dispatch = { what: "run", stepId: "s", attempt: 1, engineAttempt: 1, queue: "q", task: "t", priority: 0, agingMs: 0 } as const;
    // No Commit leaves one behind: the run is taken for one that goes on, and set back to its end past the store.
    await b.tamper({ table: "runs", runId, set: { status: "RUNNING" } });
    const { fence, stateVersion } = row;
    const commit = { ...emptyCommit, commitId: "late", runId, expect: { fence, stateVersion } };
    const dispatches = [{ ...dispatch, seq: 1, since: null, spec: "{}", timeoutMs: null, expiresAt: null }];
    expect((await b.store.commit([{ ...commit, dispatches }])).answers[0]?.kind).toBe("committed");
    const { status, persistedAt, dueAt, owner } = row;
    await b.tamper({ table: "runs", runId, set: { status, stateVersion, persistedAt, dueAt, owner } });
    const finding = { table: "dispatches", runId, field: "row", expected: null, found: "run of event 1" };
    expect((await client.verifyStore()).findings).toMatchObject([finding]);
    const rows = (): Promise<unknown> => b.store.queues.rows({ scope: row.scope, runId, limit: 9 });
    expect(await client.repairStore()).toMatchObject({ written: false, repaired: [finding], left: [] });
    expect(await rows()).toHaveLength(1);
    expect(await client.repairStore({ write: true })).toMatchObject({ written: true, repaired: [finding], left: [] });
    expect(await rows()).toEqual([]);
    expect((await client.verifyStore()).findings).toEqual([]);
  });

  it("a mend is written over the very row that was read, and not over one that changed since", proves("C20", "AX-36"), async () => {
    const { runId } = await fillStore(b);
    const row = (await b.store.run({ runId }))!;
    const [before] = await b.store.effects({ scope: row.scope, runId, limit: 1 }).then((p) => p.effects);
    const as = { stateVersion: row.stateVersion, epoch: row.fence.epoch, commitId: row.commitId };
    const mend = {
      runId,
      run: row,
      effects: { put: [{ ...before!, name: "mended" }], remove: [] },
      views: { put: [], remove: [] },
      consumed: [],
    };
    for (const other of [{ stateVersion: as.stateVersion + 1 }, { epoch: as.epoch + 1 }, { commitId: "of another" }])
      expect(await b.store.audit.repair({ ...mend, expect: { ...as, ...other } })).toBe("changed");
    expect((await b.store.effects({ scope: row.scope, runId, limit: 1 })).effects).toEqual([before]);
    expect(await b.store.audit.repair({ ...mend, expect: as })).toBe("repaired");
    expect((await b.store.effects({ scope: row.scope, runId, limit: 1 })).effects).toEqual([{ ...before, name: "mended" }]);
    expect(await b.store.audit.repair({ ...mend, expect: as, effects: { put: [before!], remove: [] } })).toBe("repaired");
  });

  it("a view that no event published is told, and taken away", proves("C20"), async () => {
    const { runId } = await fillStore(b);
    const { fence, stateVersion, commitId, ...row } = (await b.store.run({ runId }))!;
    const before = await b.store.views(runId);
    await b.store.audit.repair({
      runId,
      run: { ...row, stateVersion },
      expect: { stateVersion, epoch: fence.epoch, commitId },
      effects: { put: [], remove: [] },
      views: { put: [{ name: "ghost", value: "1" }], remove: [] },
      consumed: [],
    });
    const found = [expect.objectContaining({ table: "views", field: "ghost", expected: null })];
    expect((await b.client().verifyStore({ run: runId })).findings).toEqual(found);
    b.advanceClock(120_000); // the leases of those that filled it have ended
    expect(await b.client().repairStore({ run: runId, write: true })).toMatchObject({ repaired: found, left: [] });
    expect(await b.store.views(runId)).toEqual(before);
  });

  it(
    "an unsettled run whose row was lost to the log is picked up again; a record that the log does not know is taken away",
    proves("C20"),
    async () => {
      const f = await fillStore(b);
      const client = b.client();
      const asks = (await client.get("asks"))!;
      await b.tamper({ table: "runs", runId: asks.runId, set: { status: "COMPLETED", waiting: null, dueAt: null } });
      expect((await client.repairStore({ write: true, run: "asks" })).repaired).toMatchObject([
        { table: "runs", field: "status", expected: "RUNNING" },
      ]);
      expect(await b.store.run({ runId: asks.runId })).toMatchObject({ status: "RUNNING", dueAt: 0 });
      await b.tamper({ table: "effects", runId: f.runId, at: 4, set: { seq: 1_000 } });
      expect((await client.repairStore({ write: true })).repaired).toMatchObject([
        { table: "effects", field: "record", seq: 4, found: null },
        { table: "effects", field: "record", seq: 1_000, expected: null, found: "flaky" },
      ]);
      expect((await client.verifyStore()).findings).toEqual([]);
      const { client: served } = await b.engine({ workflows });
      while ((await served.get("asks"))?.waiting !== "decision") await served.waitForChange(asks.runId, { timeoutMs: 20 });
      await expect(client.repairStore({ write: true })).rejects.toMatchObject({ code: "PAWL4010" });
      expect(await client.repairStore({ run: f.runId })).toMatchObject({ repaired: [], left: [] });
    },
  );

  it("a damaged log is no authority: its run is told and left alone", proves("C20"), async () => {
    b.skipVerification();
    const { runId } = await fillStore(b);
    const client = b.client();
    await b.tamper({ table: "effects", runId, set: null });
    await b.tamper({ table: "events", runId, at: 5, set: { payload: "{}" } });
    const report = await client.repairStore({ write: true });
    expect(report.repaired).toEqual([]);
    expect(report.left).toEqual(expect.arrayContaining([expect.objectContaining({ table: "events", runId, seq: 5, field: "payload" })]));
    expect((await b.store.effects({ scope: (await b.store.run({ runId }))!.scope, runId, limit: 10 })).effects).toEqual([]);
  });
});
