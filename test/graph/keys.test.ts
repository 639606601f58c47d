// The keys of supersteps are computed again by everyone who checks a run: `pawl verify` from its evidence and `pawl doctor --verify` from the store. Whoever
// changes what an item returned, what comes next or a key, and makes every hash and link again, is found.
import { afterEach, describe, expect, it } from "vitest";
import type { EventRecord } from "../../src/store/port.ts";
import { verify, type Check } from "../../src/verify.ts";
import { forge } from "../evidence/forge.ts";
import { docs, graphArchive, plainGraph, readers } from "../evidence/graph-run.ts";
import { rewrite } from "../seal/forger.ts";
import { proves } from "../support/proves.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const checkOf = (archive: Uint8Array): Check => verify(archive).checks.find((c) => c.check === "supersteps")!;

describe("evidence", () => {
  it("a true graph verifies, in parts and with every kind of channel; without payloads nothing is said of its keys", async () => {
    const whole = await graphArchive(readers, docs, {});
    expect(verify(whole)).toMatchObject({ ok: true });
    expect(checkOf(whole).state).toBe("pass");
    const hidden = await graphArchive(readers, docs, { payloads: false });
    expect(verify(hidden)).toMatchObject({ ok: true });
    expect(checkOf(hidden)).toMatchObject({ state: "skipped", detail: "payloads of supersteps are left out or redacted" });
  });

  it("what an item returned is checked by its hash, also where another item's value took its place", proves("K22"), async () => {
    const good = await graphArchive(plainGraph, {}, {});
    expect(checkOf(good).state).toBe("pass");
    const at = (f: { pieces: { event: any; payload: any }[] }): any =>
      f.pieces.findLast((p) => p.event.eventType === "pawl.Superstep")!.payload;
    const lies: Readonly<Record<string, (p: any) => void>> = {
      "does not say what": (p) => void (p.items[0].update.best = 7),
      "other items than those": (p) => void (p.items[1].orderKey = "5"),
      "not the next one": (p) => void (p.n = 2),
      "a state of its own": (p) => void (p.state = { log: [], best: 9 }),
      "which has no reducer": (p) => void (p.set = { best: 3 }),
      "another key": (p) => void p.frontier.push({ item: "2/a", node: "a", orderKey: "1", path: "" }),
      "cannot be read": (p) => void (p.items = 5),
    };
    for (const [says, lie] of Object.entries(lies)) {
      const found = checkOf(forge(good, (f) => lie(at(f)), { rechain: true }));
      expect([found.state, found.detail]).toEqual(["fail", expect.stringContaining(says)]);
    }
  });
});

describe.each(testStores.filter(([kind]) => kind === "memory" || kind === "sqlite"))("doctor --verify on %s", (_kind, open) => {
  let b: TestStore;
  afterEach(() => b.close());

  it("finds a changed value, other work and another key in a log whose hashes and links were all made again", proves("K22"), async () => {
    b = await open();
    b.skipVerification();
    const { engine, client } = await b.engine({ workflows: [readers] });
    const h = await (engine.start as (...a: unknown[]) => Promise<{ runId: string }>)(readers, docs, { id: "g" });
    await client.waitForEnd(h.runId);
    await engine.stop();
    const fields = async (): Promise<string[]> =>
      (await b.client().verifyStore()).findings.map((f) => `${f.table}.${f.field}`).filter((x, i, all) => all.indexOf(x) === i);
    expect(await fields()).toEqual([]);
    const log = await b.store.events({ runId: h.runId, after: 0, limit: 1_000 });
    const step = log.find((e) => e.eventType === "pawl.Superstep" && e.payload!.includes('"n":1,'))!;
    const changed = async (from: string | RegExp, to: string): Promise<string[]> => {
      const put = (e: EventRecord): Partial<EventRecord> => (e.runSeq === step.runSeq ? { payload: e.payload!.replace(from, to) } : {});
      await rewrite(b, h.runId, put);
      const found = await fields();
      await rewrite(b, h.runId, (e) => (e.runSeq === step.runSeq ? { payload: step.payload } : {}));
      return found;
    };
    expect(await changed('"text":"of b"', '"text":"of c"')).toEqual(["events.superstep.key"]);
    expect(await changed('"longest":"of ccc"', '"longest":"of ddd"')).toEqual(["events.superstep.key"]);
    expect(await changed(/"frontier":\[\{"item":"2\/drop","node":"drop"/, '"frontier":[{"item":"2/drop","node":"fill"')).toEqual([
      "events.superstep.key",
      "events.superstep.items",
    ]);
    expect(await changed(/"key":"sha256:./, '"key":"sha256:x')).toEqual(["events.superstep.key", "checkpoints.key"]);
    expect(await fields()).toEqual([]);
    await b.tamper({ table: "checkpoints", runId: h.runId, at: 1, set: { key: "sha256:0" } });
    expect(await fields()).toEqual(["checkpoints.key"]);
  });
});
