// Seals against a forger who may write everything in the database, on every store: without a key the chain says ok to a log
// that was rewritten whole, and says in words that it cannot know; with the key every rewriting, a cut end and a run that was
// taken away are found, by the check of the store and by the verifier of archives alike.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StoreVerification } from "../../src/client/audit/verify-store.ts";
import { workflow } from "../../src/index.ts";
import { newKeyFile, readKeyFile, keyringFile, rotateKeyFile } from "../../src/log/seal-key-file.ts";
import { verify } from "../../src/verify.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";
import { cheaper, cutFrom, rewrite, takeAway } from "./forger.ts";

const pay = workflow({ name: "pay" }, async (ctx) => {
  const paid = await ctx.step("charge", () => ({ cents: 500 }), { key: "order-1", dedup: "1d" });
  await ctx.step("mail", () => "sent", { once: true });
  return paid;
});
const waits = workflow(
  { name: "waits", signals: { go: { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as never } },
  async (ctx) => {
    await ctx.step("charge", () => ({ cents: 500 }), { key: "order-2", dedup: "1d" });
    await ctx.receive("go");
  },
);

let dir = "";
let keyFile = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "pawl-seal-"));
  keyFile = join(dir, "seal.pem");
  newKeyFile(keyFile);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const ring = (file = keyFile): string => readFileSync(keyringFile(file), "utf8");
const failing = (v: ReturnType<typeof verify>): string[] => v.checks.flatMap((c) => (c.state === "fail" ? [c.check] : []));
const fields = (v: StoreVerification): string[] => v.findings.map((f) => `${f.table}.${f.field}`);

describe.each(testStores)("on %s", (_kind, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  const doctor = (o: { key?: string; witness?: string } = { key: ring() }): Promise<StoreVerification> =>
    b.client().verifyStore({ everyTenant: true, ...o });
  /** Three paid runs under an engine that has stopped since. */
  const three = async (seal: { keyFile: string } | false): Promise<string[]> => {
    const { engine } = await b.engine({ workflows: [pay], seal });
    const ids: string[] = [];
    for (const id of ["p-1", "p-2", "p-3"]) {
      const h = await engine.start(pay, undefined, { id });
      await h.result();
      ids.push(h.runId);
    }
    await engine.stop();
    return ids;
  };

  it("a log that was rewritten whole passes without a key, and both checks say that they cannot know", proves("K22"), async () => {
    b.skipVerification();
    const [runId] = await three(false);
    await rewrite(b, runId!, cheaper);
    const store = await doctor({});
    expect(store).toMatchObject({ ok: true, findings: [] });
    expect(store.limits.join()).toContain("not a log that somebody with write access rewrote whole");
    const v = verify(await b.client().evidence(runId!));
    expect(v.ok).toBe(true);
    expect(v.assumed.join()).toContain("nobody who can write to the store rewrote the log");
    expect(v.checks.find((c) => c.check === "seals")).toMatchObject({ state: "skipped", detail: "the log is not sealed" });
  });

  it(
    "sealed, an honest store is whole: every end is sealed, none is missing, and archives verify to their end",
    proves("K22"),
    async () => {
      const [runId] = await three({ keyFile });
      const store = await doctor();
      expect(store.findings).toEqual([]);
      expect(store.seals).toMatchObject({ ended: 3, seals: 3, live: 0, before: 0, complete: true });
      const log = await b.store.events({ runId: runId!, after: 0, limit: 100 });
      expect(log.slice(-2).map((e) => e.eventType)).toEqual(["pawl.HeadSealed", "RunCompleted"]);
      expect(log.at(-1)!.stateVersion).toBe(log.at(-2)!.stateVersion);
      for (const o of [{}, { payloads: false }, { redact: ["**.*"] }]) {
        const v = verify(await b.client().evidence(runId!, o), { key: ring() });
        expect(failing(v)).toEqual([]);
        expect(v.sealed).toMatchObject({ through: log.length, end: true });
        expect(v.unsealed).toEqual([]);
        expect(v.assumed.join()).not.toContain("rewrote");
      }
    },
  );

  it(
    "a rewritten log is found under the key, whatever of it was changed: a payload, a time, the end, the seal itself",
    proves("K22"),
    async () => {
      b.skipVerification();
      const [runId] = await three({ keyFile });
      const copy = await b.store.events({ runId: runId!, after: 0, limit: 100 });
      const back = (): Promise<void> => rewrite(b, runId!, (e) => copy.find((x) => x.runSeq === e.runSeq)!);
      const changes: readonly ((e: (typeof copy)[number]) => Partial<(typeof copy)[number]>)[] = [
        cheaper,
        (e) => (e.runSeq === 2 ? { emittedAt: e.emittedAt + 1 } : {}),
        (e) => (e.stateVersion === 1 ? { persistedAt: e.persistedAt - 1 } : {}),
        (e) => (e.eventType === "RunCompleted" ? { payload: e.payload!.replace("500", "5") } : {}),
        (e) => (e.eventType === "RunCompleted" ? { emittedAt: e.emittedAt - 1 } : {}),
        (e) => (e.eventType === "pawl.HeadSealed" ? { emittedAt: e.emittedAt - 1 } : {}),
      ];
      for (const [i, change] of changes.entries()) {
        await rewrite(b, runId!, change);
        expect(
          fields(await doctor()).filter((f) => f.startsWith("seals.")),
          `change ${i}`,
        ).not.toEqual([]);
        expect(
          (await doctor({})).findings.filter((f) => f.table === "events"),
          `change ${i}`,
        ).toEqual([]);
        expect(failing(verify(await b.client().evidence(runId!), { key: ring() })), `change ${i}`).toContain("seals");
        await back();
      }
      expect((await doctor()).findings).toEqual([]);
    },
  );

  it("an end that stands alone in its Commit seals the time of the Commit before", proves("K22"), async () => {
    b.skipVerification();
    const { engine, client } = await b.engine({ workflows: [pay], seal: { keyFile } });
    const h = await engine.start(pay, undefined, { id: "later", delay: "1h" });
    await h.cancel("not needed");
    await client.waitForEnd(h.runId);
    const log = await b.store.events({ runId: h.runId, after: 0, limit: 10 });
    expect(log.map((e) => e.eventType)).toEqual(["RunQueued", "pawl.HeadSealed", "RunCancelled"]);
    expect((await doctor()).findings).toEqual([]);
    expect(failing(verify(await client.evidence(h.runId), { key: ring() }))).toEqual([]);
    await rewrite(b, h.runId, (e) => (e.runSeq === 1 ? { persistedAt: e.persistedAt - 1 } : {}));
    expect(fields(await doctor())).toContain("seals.link");
    expect(failing(verify(await client.evidence(h.runId), { key: ring() }))).toEqual(["seals"]);
  });

  it("a cut end is found by its missing number, and its archive says what is not sealed", proves("K22"), async () => {
    b.skipVerification();
    const [, runId] = await three({ keyFile });
    const { headSeq } = (await b.store.run({ runId: runId! }))!;
    await cutFrom(b, runId!, headSeq); // the end alone: its seal is left behind
    expect(fields(await doctor())).toContain("seals.end");
    expect(failing(verify(await b.client().evidence(runId!), { key: ring() }))).toContain("seals");
    await cutFrom(b, runId!, headSeq - 1); // and the seal with it
    const v = await doctor();
    expect(v.findings).toContainEqual(
      expect.objectContaining({ table: "seals", field: "removed", expected: expect.stringMatching(/^seal 2 of /) }),
    );
    expect((await doctor({})).findings.filter((f) => f.table === "events")).toEqual([]);
    expect(verify(await b.client().evidence(runId!), { key: ring() }).unsealed.join()).toContain("they come after the last seal");
  });

  it(
    "a run that was taken away is found by its missing number, the last one too; one that retention removed is not",
    proves("K22"),
    async () => {
      b.skipVerification();
      const [first, second, third] = await three({ keyFile });
      expect((await b.client().verifyStore({ everyTenant: true })).findings).toEqual([]);
      b.advanceClock(3_600_000);
      const gone = await b.client().applyRetention({ keepRuns: "1h" });
      expect(gone).toMatchObject({ purged: 0, kept: { sealed: 3 } });
      await b.client().hold(second!, { by: "ann", reason: "test" });
      await b.client().hold(third!, { by: "ann", reason: "test" });
      expect(await b.client().applyRetention({ keepRuns: "1h" }, { keyFile })).toMatchObject({ purged: 1 });
      expect((await b.store.run({ runId: first! }))!.purgedAt).not.toBeNull();
      expect((await doctor()).findings).toEqual([]);
      await takeAway(b, third!);
      expect(await doctor({})).toMatchObject({ ok: true });
      expect((await doctor()).findings).toMatchObject([
        { table: "seals", field: "removed", expected: expect.stringMatching(/^seal 3 of /), found: null },
      ]);
      await takeAway(b, second!);
      expect((await doctor()).findings).toMatchObject([{ expected: expect.stringMatching(/^seals 2 to 3 of /) }]);
    },
  );

  it("payloads that expire leave the seals: the log is still sealed to its end", proves("K22"), async () => {
    const [runId] = await three({ keyFile });
    b.advanceClock(3_600_000);
    expect(await b.client().applyRetention({ keepPayloads: "1h" })).toMatchObject({ expired: 3 });
    expect(await b.client().applyRetention({ keepPayloads: "1h" })).toMatchObject({ expired: 0 });
    const log = await b.store.events({ runId: runId!, after: 0, limit: 100 });
    expect(log.filter((e) => e.payload !== null).map((e) => e.eventType)).toEqual(["pawl.HeadSealed"]);
    expect((await doctor()).findings).toEqual([]);
    expect(failing(verify(await b.client().evidence(runId!), { key: ring() }))).toEqual([]);
  });

  it("a live run is sealed as it goes on, and what comes after its last seal is said to be unsealed", proves("K22"), async () => {
    const { engine, client } = await b.engine({ workflows: [waits], seal: { keyFile, every: "1s" } });
    const h = await engine.start(waits);
    await client.signal(h.runId, "other", 1).catch(() => {});
    while ((await client.get(h.runId))?.waiting !== "signal") await client.waitForChange(h.runId, { timeoutMs: 20 });
    const young = verify(await client.evidence(h.runId), { key: ring() });
    expect(failing(young)).toEqual([]);
    expect(young.unsealed.join()).toContain("they come after the last seal");
    b.advanceClock(2_000);
    await client.control(h.runId, "pause", { reason: "lunch" });
    while ((await client.get(h.runId))?.status !== "PAUSED") await client.waitForChange(h.runId, { timeoutMs: 20 });
    const log = await b.store.events({ runId: h.runId, after: 0, limit: 100 });
    expect(log.at(-1)!.eventType).toBe("pawl.HeadSealed");
    expect(verify(await client.evidence(h.runId), { key: ring() }).sealed).toMatchObject({ through: log.length - 1, end: false });
    const live = await doctor();
    expect(live.findings).toEqual([]);
    expect(live.limits.join()).toContain("1 run has not ended");
    await h.terminate("enough");
    await client.waitForEnd(h.runId);
    expect((await doctor()).findings).toEqual([]);
  });

  it(
    "keys rotate: seals of both keys hold under the new ring, another key and a ring that nobody vouches for do not",
    proves("K22"),
    async () => {
      const file = join(dir, `rotated-${b.name}.pem`);
      newKeyFile(file);
      const [old] = await three({ keyFile: file });
      rotateKeyFile(file);
      const { engine } = await b.engine({ workflows: [pay], seal: { keyFile: file } });
      const h = await engine.start(pay, undefined, { id: "p-4" });
      await h.result();
      await engine.stop();
      expect((await doctor({ key: ring(file) })).findings).toEqual([]);
      for (const runId of [old!, h.runId]) {
        expect(failing(verify(await b.client().evidence(runId), { key: ring(file) }))).toEqual([]);
        expect(failing(verify(await b.client().evidence(runId), { key: ring() }))).toEqual(["seals"]);
      }
      expect(fields(await doctor())).toContain("seals.signature");
      const [first, second] = ring(file).split(/^Replaces: .*$/m);
      expect(verify(await b.client().evidence(h.runId), { key: first! + second! }).ok).toBe(false);
      await expect(doctor({ key: first! + second! })).rejects.toMatchObject({ code: "PAWL4064" });
      b.advanceClock(3_600_000);
      expect(await b.client().applyRetention({ keepRuns: "1h" }, { keyFile: file })).toMatchObject({ purged: 4 });
      expect((await doctor({ key: ring(file) })).findings).toEqual([]);
    },
  );

  it("records that are missing or changed are found, and runs from before sealing are told apart", proves("K22"), async () => {
    b.skipVerification();
    const [before] = await three(false);
    const { engine } = await b.engine({ workflows: [pay], seal: { keyFile } });
    const h = await engine.start(pay, undefined, { id: "p-9" });
    await h.result();
    await engine.stop();
    const store = await doctor();
    expect(store.findings).toEqual([]);
    expect(store.seals).toMatchObject({ ended: 1, before: 3 });
    expect(store.limits.join()).toContain("3 runs ended before sealing began");
    expect(failing(verify(await b.client().evidence(before!), { key: ring() }))).toEqual(["seals"]);
    const [record] = await b.store.kv.list({ collection: "pawl.seals", limit: 10 });
    const again = await b.engine({ workflows: [pay], seal: { keyFile } });
    await again.engine.stop();
    await b.store.kv.put([{ collection: record!.collection, key: record!.key, value: null }]);
    expect((await doctor()).findings).toMatchObject([
      { table: "seals", field: "record", runId: h.runId, expected: expect.stringMatching(/^the record of sealer/) },
    ]);
    await b.store.kv.put([{ collection: record!.collection, key: record!.key, value: record!.value }]);
    const unsealed = await b.engine({ workflows: [pay], seal: false });
    const open = await unsealed.engine.start(pay, undefined, { id: "p-10" });
    await open.result();
    await unsealed.engine.stop();
    expect((await doctor()).findings).toMatchObject([{ table: "seals", field: "end", runId: open.runId }]);
    await b.store.kv.put([{ ...record!, value: record!.value.replace('\\"done\\":1', '\\"done\\":0') }]);
    expect(fields(await doctor())).toContain("seals.record");
    await b.store.kv.put([{ ...record!, value: null }]);
    expect(fields(await doctor())).toContain("seals.record");
  });
});

describe("key files", () => {
  it("a key that is missing, readable by others, of another kind or there already is refused with its code", () => {
    const file = join(dir, "other.pem");
    expect(() => readKeyFile(file)).toThrowError(expect.objectContaining({ code: "PAWL4061" }));
    newKeyFile(file);
    expect(() => newKeyFile(file)).toThrowError(expect.objectContaining({ code: "PAWL4060" }));
    expect(readKeyFile(file).ring.keyIds).toEqual([readKeyFile(file).keyId]);
    chmodSync(file, 0o640);
    expect(() => readKeyFile(file)).toThrowError(expect.objectContaining({ code: "PAWL4063" }));
    chmodSync(file, 0o600);
    writeFileSync(file, ring(file));
    expect(() => readKeyFile(file)).toThrowError(expect.objectContaining({ code: "PAWL4062" }));
  });
});
