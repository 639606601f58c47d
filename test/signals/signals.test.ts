// Signals through the engine's handles and the client, on memory and SQLite: accepted once per (workflowId, name, id),
// answered with the canonical result ever after, refused before anything is stored when the id is not one. What is
// compared is the result, never the envelope around it.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { workflow } from "../../src/index.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";

const collect = workflow({ name: "collect", input: z.number(), signals: { go: z.any(), other: z.any() } }, async (ctx, n) => {
  const got: unknown[] = [];
  for (let i = 0; i < n; i++) got.push(await ctx.receive("go"));
  return got;
});

describe.each(testStores)("signals on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());
  const rows = async (runId: string): Promise<number> => (await b.store.inbox({ runId, all: true })).length;

  it(
    "a signal without an id is accepted under a fresh one each time, and delivered each time",
    proves("W-043", "W-047", "W-093"),
    async () => {
      const { engine } = await b.engine({ workflows: [collect] });
      const h = await engine.start(collect, 2, { id: "w" });
      const first = await h.signal("go", "again");
      const second = await h.signal("go", "again");
      expect([first.replayed, second.replayed]).toEqual([false, false]);
      expect(first.result.signalId).not.toBe(second.result.signalId);
      expect(first.result.signalStorageKey).not.toBe(second.result.signalStorageKey);
      expect(await h.result()).toEqual(["again", "again"]);
    },
  );

  it(
    "an empty, non-string, oversize or ill-formed id is refused before anything is stored",
    proves("W-048", "W-049", "W-050"),
    async () => {
      const client = b.client();
      const { runId } = await client.start({ workflow: "collect", allowUnknown: true, input: 1, id: "w" });
      const bad: unknown[] = ["", 7, null, {}, ["a"], true, "x".repeat(129), "é".repeat(65), "a\0b", "\ud800"];
      for (const signalId of bad)
        await expect(client.signal("w", "go", 1, { signalId }), JSON.stringify(signalId)).rejects.toMatchObject({
          code: "PAWL4005",
          name: "InvalidSignalId",
          outcome: "none",
        });
      expect(await rows(runId)).toBe(0);
      for (const signalId of ["x".repeat(128), "é".repeat(64)])
        expect((await client.signal("w", "go", 1, { signalId })).result.signalId).toBe(signalId);
      expect(await rows(runId)).toBe(2);
    },
  );

  it("a duplicate is answered with what was stored for the first, whoever wrote it", proves("W-057", "W-062", "W-065"), async () => {
    const client = b.client();
    const { runId } = await client.start({ workflow: "collect", allowUnknown: true, input: 1, id: "w" });
    const { result } = await client.signal("w", "go", 1, { signalId: "s" });
    const [row] = await b.store.inbox({ runId });
    const post = (): ReturnType<typeof b.store.post> =>
      b.store.post({ scope: defaultScope, target: { runId }, kind: "signal", name: "go", id: "s", payload: "2", retainMs: null });
    expect(await post()).toMatchObject({ kind: "accepted", record: { version: 1, response: JSON.stringify(result) } });
    // As a later version of the code might have stored it.
    const stored = { ...result, acceptedAt: "2001-02-03T04:05:06.007Z" };
    const place = { table: "accepted", runId, at: row!.inboxId } as const;
    await b.tamper({ ...place, set: { version: 2, response: JSON.stringify(stored) } });
    expect(await client.signal("w", "go", 2, { signalId: "s" })).toMatchObject({ result: stored, replayed: true });
    expect(await post()).toMatchObject({ kind: "accepted", record: { version: 2 }, replayed: true });
    // As code of an earlier format left it.
    if (b.name === "memory") return;
    await b.tamper({ ...place, set: { version: 1, response: null } });
    expect(await client.signal("w", "go", 2, { signalId: "s" })).toMatchObject({ result, replayed: true });
  });

  it(
    "the accepted result has six fields and is the same through handle, client and another store",
    proves("W-065 … W-071", "W-074", "W-096"),
    async () => {
      const { engine, client } = await b.engine({ workflows: [collect] });
      const h = await engine.start(collect, 2, { id: "w" });
      const before = (await b.store.info()).nowMs;
      const first = await h.signal("go", { n: 1 }, { signalId: "s1" });
      expect(first.replayed).toBe(false);
      expect(first.result).toEqual({
        accepted: true,
        workflowId: "w",
        signalName: "go",
        signalId: "s1",
        acceptedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        signalStorageKey: "sig:default:default:default:w:go:s1",
      });
      expect(Date.parse(first.result.acceptedAt)).toBeGreaterThanOrEqual(before);
      b.advanceClock(5_000);
      const others = [
        await h.signal("go", { n: 2 }, { signalId: "s1" }),
        await client.signal("w", "go", "x", { signalId: "s1" }),
        await client.signal(h.runId, "go", "x", { signalId: "s1" }),
        await b.client(await b.reopen()).signal("w", "go", undefined, { signalId: "s1" }),
      ];
      for (const o of others) expect(o).toMatchObject({ result: first.result, replayed: true });
      expect(await rows(h.runId)).toBe(1);
    },
  );

  it(
    "a duplicate is one of the same run's id, name and signalId, and is not delivered again",
    proves("W-044", "W-045", "W-046", "W-051"),
    async () => {
      const { engine } = await b.engine({ workflows: [collect] });
      const [h, k] = [await engine.start(collect, 2, { id: "w" }), await engine.start(collect, 1, { id: "v" })];
      await h.signal("go", "one", { signalId: "s" });
      expect((await h.signal("go", "lost", { signalId: "s" })).replayed).toBe(true);
      expect((await h.signal("other", "x", { signalId: "s" })).replayed).toBe(false);
      expect((await k.signal("go", "mine", { signalId: "s" })).replayed).toBe(false);
      expect((await h.signal("go", "two", { signalId: "t" })).replayed).toBe(false);
      expect([await h.result(), await k.result()]).toEqual([["one", "two"], ["mine"]]);
    },
  );

  it("ids that differ in case, spaces or Unicode form are different ids", proves("W-052", "W-053"), async () => {
    const ids = ["a", "A", " a", "a ", "\u00e9", "e\u0301", "\ufb01", "fi"];
    const { engine } = await b.engine({ workflows: [collect] });
    const h = await engine.start(collect, ids.length, { id: "w" });
    const told = [];
    for (const signalId of ids) told.push(await h.signal("go", signalId, { signalId }));
    expect(told.map((t) => t.replayed)).toEqual(ids.map(() => false));
    expect(new Set(told.map((t) => t.result.signalStorageKey)).size).toBe(ids.length);
    expect(await h.result()).toEqual(ids);
  });

  it("reserved characters in ids and names make no two signals one", proves("W-054", "W-055", "W-056", "W-095"), async () => {
    const client = b.client();
    const ids = ["w", "w:a", "w%3Aa", "w/a"];
    for (const id of ids) await client.start({ workflow: "collect", allowUnknown: true, input: 1, id });
    const tuples = ids.flatMap((id) =>
      ["a", "a:b", "a%3Ab", "a/b"].flatMap((name) =>
        ["b", "b:c", ":c", "c:", "b%3Ac", "b%253Ac", "b|c", "b/c", "%", "..", "b c"].map((signalId) => ({ id, name, signalId })),
      ),
    );
    const keys = new Set<string>();
    for (const { id, name, signalId } of tuples) {
      const { result, replayed } = await client.signal(id, name, 1, { signalId });
      expect(replayed).toBe(false);
      expect(result).toMatchObject({ workflowId: id, signalName: name, signalId });
      keys.add(result.signalStorageKey);
    }
    expect(keys.size).toBe(tuples.length);
    for (const { id, name, signalId } of tuples) expect((await client.signal(id, name, 2, { signalId })).replayed).toBe(true);
  });

  it("of many equal requests at once one is enqueued, and all are told the same", proves("W-075", "W-091"), async () => {
    const { engine, client } = await b.engine({ workflows: [collect] });
    const h = await engine.start(collect, 1, { id: "w" });
    const other = b.client(await b.reopen());
    const told = await Promise.all(
      Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? client : other).signal("w", "go", `from ${i}`, { signalId: "same" })),
    );
    expect(told.filter((t) => !t.replayed)).toHaveLength(1);
    expect(new Set(told.map((t) => JSON.stringify(t.result))).size).toBe(1);
    expect(await rows(h.runId)).toBe(1);
    expect(await h.result()).toHaveLength(1);
  });

  it("a duplicate long after the answer, by another engine, is told what the first was", proves("W-080"), async () => {
    const one = await b.engine({ workflows: [collect] });
    const h = await one.engine.start(collect, 2, { id: "w" });
    const first = await h.signal("go", 1, { signalId: "s" });
    await one.engine.stop();
    b.advanceClock(30 * 86_400_000);
    const two = await b.engine({ store: await b.reopen(), workflows: [collect] });
    expect(await two.client.signal("w", "go", 2, { signalId: "s" })).toMatchObject({ result: first.result, replayed: true });
    await two.client.signal("w", "go", 3, { signalId: "t" });
    expect(await two.client.waitForEnd("w")).toMatchObject({ result: [1, 3] });
  });

  it("when its record's time is over a signal is a new one, and not a moment before", proves("W-081", "W-094"), async () => {
    const { engine } = await b.engine({ workflows: [collect], signalRetention: "1m" });
    const h = await engine.start(collect, 2, { id: "w" });
    const first = await h.signal("go", "one", { signalId: "s" });
    b.advanceClock(59_000);
    expect(await h.signal("go", "early", { signalId: "s" })).toMatchObject({ result: first.result, replayed: true });
    b.advanceClock(1_000);
    const second = await h.signal("go", "two", { signalId: "s" });
    expect(second.replayed).toBe(false);
    expect(Date.parse(second.result.acceptedAt)).toBeGreaterThanOrEqual(Date.parse(first.result.acceptedAt) + 60_000);
    expect(await h.signal("go", "three", { signalId: "s" })).toMatchObject({ result: second.result, replayed: true });
    expect(await h.result()).toEqual(["one", "two"]);
  });
});
