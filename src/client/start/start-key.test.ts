// The start key, looked up before onConflict: the same request sent twice is one run, under attach, reject and restart, one after the
// other and at once; another request under the key is refused and told in what it differs.
import { describe, expect, it } from "vitest";
import { workflow } from "../../workflow/define.ts";
import { anySchema, testClusters, storeKinds } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it.each(["attach", "reject", "restart"] as const)("the same request sent twice is one run: %s", proves("C2"), async (onConflict) => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", input: anySchema<number>(), signals: { go: anySchema() } }, async (ctx) => ctx.receive("go"));
    const { engine } = await l.engine([wf]);
    const ask = { id: "a", idempotencyKey: "k", onConflict, tags: { x: "1", y: "2" } };
    const first = await l.advanceUntil(engine.start(wf, 1, ask));
    const second = await l.advanceUntil(engine.start(wf, 1, { ...ask, tags: { y: "2", x: "1" } }));
    expect([first.created, second.created, second.runId]).toEqual([true, false, first.runId]);
    expect(await first.status()).toMatchObject({ status: "RUNNING" });
    await first.signal("go", "done");
    expect(await l.advanceUntil(second.result())).toBe("done");
    // Also when it has ended, and when another run has taken its place since.
    expect((await l.advanceUntil(engine.start(wf, 1, ask))).runId).toBe(first.runId);
    const other = await l.advanceUntil(engine.start(wf, 1, { id: "a", onConflict: "restart" }));
    expect((await l.advanceUntil(engine.start(wf, 1, ask))).runId).toBe(first.runId);
    expect(await other.status()).toMatchObject({ status: "RUNNING" });
  });

  it.each(["reject", "restart"] as const)(
    "the same request sent many times at once is one run: %s",
    proves("C2", "K9"),
    async (onConflict) => {
      const l = await fresh(kind);
      const wf = workflow({ name: "wf", signals: { go: anySchema() } }, async (ctx) => ctx.receive("go"));
      const { engine } = await l.engine([wf]);
      const old = onConflict === "restart" ? await engine.start(wf, undefined, { id: "a" }) : undefined;
      const all = await l.advanceUntil(
        Promise.all(Array.from({ length: 8 }, () => engine.start(wf, undefined, { id: "a", idempotencyKey: "k", onConflict }))),
      );
      expect([new Set(all.map((h) => h.runId)).size, all.filter((h) => h.created).length]).toEqual([1, 1]);
      expect(await all[0]!.status()).toMatchObject({ status: "RUNNING" });
      if (old !== undefined) expect(await old.status()).toMatchObject({ status: "CANCELLED" });
    },
  );

  it("another request under the key is refused, and told in what it differs", proves("C2"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (_, n) => n);
    const else_ = workflow({ name: "else", input: anySchema<number>() }, async (_, n) => n);
    const { engine } = await l.engine([wf, else_]);
    const ask = { id: "a", idempotencyKey: "k", tags: { x: "1" }, delay: "1h" } as const;
    const first = await engine.start(wf, 1, ask);
    const refused = (code: string, differs: string): unknown =>
      expect.objectContaining({ code, message: expect.stringContaining(`differs in ${differs}`) as unknown });
    for (const onConflict of ["attach", "reject", "restart"] as const) {
      await expect(engine.start(else_, 1, { ...ask, onConflict })).rejects.toEqual(refused("PAWL4053", "workflow"));
      await expect(engine.start(wf, 1, { ...ask, id: "b", onConflict })).rejects.toEqual(refused("PAWL4053", "id"));
      await expect(engine.start(wf, 2, { ...ask, onConflict })).rejects.toEqual(refused("PAWL4053", "input"));
      await expect(engine.start(wf, 1, { ...ask, tags: {}, onConflict })).rejects.toEqual(refused("PAWL4053", "tags"));
      await expect(engine.start(wf, 1, { ...ask, delay: "2h", onConflict })).rejects.toEqual(refused("PAWL4053", "delay"));
      const { delay: _, ...now } = ask;
      await expect(engine.start(wf, 1, { ...now, id: "b", tags: { x: "2" }, onConflict })).rejects.toEqual(
        refused("PAWL4053", "id, tags, delay"),
      );
    }
    expect((await engine.list()).runs.map((r) => [r.runId, r.status])).toEqual([[first.runId, "PENDING"]]);
  });

  it(
    "another deadline or another version under the key is another request; a request that names none is the same",
    proves("C2"),
    async () => {
      const l = await fresh(kind);
      const wf = workflow({ name: "wf", version: "1", input: anySchema<number>() }, async (_, n) => n);
      const { engine, client } = await l.engine([wf]);
      const ask = { id: "a", idempotencyKey: "k", delay: "1h", deadline: "2h" } as const;
      const first = await engine.start(wf, 1, ask);
      const refused = expect.objectContaining({
        code: "PAWL4053",
        message: expect.stringContaining("differs in deadline") as unknown,
      }) as unknown;
      await expect(engine.start(wf, 1, { ...ask, deadline: "3h" })).rejects.toEqual(refused);
      const request = { workflow: "wf", input: 1, id: "a", idempotencyKey: "k", delayMs: 3_600_000 };
      await expect(client.start({ ...request, version: "2" })).rejects.toMatchObject({
        code: "PAWL4053",
        message: expect.stringContaining("differs in version") as unknown,
      });
      for (const same of [engine.start(wf, 1, ask), client.start(request), client.start({ ...request, version: "1" })])
        expect((await same).runId).toBe(first.runId);
    },
  );
});
