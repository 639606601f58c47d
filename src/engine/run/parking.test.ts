// Runs that leave memory, and engines that leave runs: parking, eviction, stopping, and a store that fails for a while.
// Guards that no wake-up is lost (K18) and that whatever can go on does, once faults have ended (I12).
import { describe, expect, it } from "vitest";
import { openEngine } from "../../client/engine.ts";
import { PawlError } from "../../errors/error.ts";
import type { FullStore } from "../../store/full-store.ts";
import { workflow } from "../../workflow/define.ts";
import { anySchema, deferred, testClusters, storeKinds } from "../../../test/support/test-cluster.ts";
import { wrapCommit } from "../../../test/support/wrap-commit.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it(
    "a waiting run leaves memory after it was idle; timer and signal wake it, and a signal that nobody awaits wakes nobody twice",
    proves("K18", "AX-16", "AX-24"),
    async () => {
      const l = await fresh(kind);
      let claims = 0;
      const wrap = (s: FullStore): FullStore => ({
        ...s,
        claim: async (q) => {
          const rows = await s.claim(q);
          claims += rows.length;
          return rows;
        },
      });
      const wf = workflow({ name: "wf", signals: { wanted: anySchema(), other: anySchema() } }, async (ctx) => {
        const got = await ctx.receive("wanted");
        await ctx.sleep("nap", "30s");
        return [got, await ctx.receive("other")];
      });
      const { engine, core } = await l.engine([wf], { wrap });
      const h = await engine.start(wf);
      await l.platform.advance(4_000);
      expect(core.liveRuns).toBe(1);
      await l.platform.advance(2_000);
      expect(core.liveRuns).toBe(0);
      expect(await l.row(h.runId)).toMatchObject({ owner: null, dueAt: null, waiting: "signal" });
      await h.signal("other", "kept");
      await l.platform.advance(60_000);
      expect(claims).toBe(1); // it was looked at once, and parked again
      expect(await l.row(h.runId)).toMatchObject({ owner: null, dueAt: null, waiting: "signal" });
      await h.signal("wanted", "w");
      await l.platform.advance(10_000);
      expect(claims).toBe(2);
      expect(await l.row(h.runId)).toMatchObject({ owner: null, waiting: "timer" });
      expect(await l.advanceUntil(h.result())).toEqual(["w", "kept"]);
      expect(claims).toBe(3);
    },
  );

  it("a wake-up that comes while a run is being parked is not lost", proves("K18"), async () => {
    const l = await fresh(kind);
    const { parked, wrap } = parking();
    const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => ctx.receive("s"));
    const { engine } = await l.engine([wf], { wrap, idle: "1s" });
    const h = await engine.start(wf);
    parked.before = () =>
      l.store.post({
        scope: scopeOf(),
        target: { workflowId: h.workflowId },
        kind: "signal",
        name: "s",
        id: "x",
        payload: '"just in time"',
        retainMs: null,
      });
    expect(await l.advanceUntil(h.result(), 30_000)).toBe("just in time");
  });

  it(
    "without a single hint polling finds it all: runs that are due, messages for runs that are held here, ends of children",
    proves("K18", "I12"),
    async () => {
      const l = await fresh(kind);
      const wrap = (s: FullStore): FullStore => ({ ...s, watch: () => () => {} });
      const child = workflow({ name: "child", signals: { go: anySchema<number>() } }, async (ctx) => ctx.receive("go"));
      const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(child, undefined, { id: "child" }));
      const { client } = await l.engine([wf, child], { wrap, idle: "1h" });
      const { runId } = await client.start({ workflow: "wf", allowUnknown: true, delayMs: 100 });
      await l.platform.advance(1_000);
      await client.signal("child", "go", 5);
      await l.platform.advance(2_000);
      expect(await l.row(runId)).toMatchObject({ status: "COMPLETED" });
    },
  );

  it("under pressure runs that only wait leave memory first, and all come to their end", proves("K18", "I12"), async () => {
    const l = await fresh(kind);
    let most = 0;
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => {
      await ctx.sleep("nap", 3_000 + n * 10);
      return n;
    });
    const e = await l.engine([wf], { liveRunsMax: 10, idle: "1h" });
    const runs = Array.from({ length: 40 }, async (_, n) => {
      const h = await e.engine.start(wf, n);
      most = Math.max(most, e.core.liveRuns);
      return h.result();
    });
    expect(await l.advanceUntil(Promise.all(runs))).toEqual(Array.from({ length: 40 }, (_, n) => n));
    expect(most).toBeLessThanOrEqual(10);
  });

  it(
    "stop lets steps finish, commits what came in, hands every run back; the next engine goes on at once",
    proves("I12", "C10"),
    async () => {
      const l = await fresh(kind);
      const slow = deferred<string>();
      const ran: string[] = [];
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const x = await ctx.step("slow", () => slow.promise);
        return ctx.step("next", () => (ran.push("next"), x));
      });
      const a = await l.engine([wf]);
      const h = await a.engine.start(wf);
      await l.platform.settle();
      const stopped = a.engine.stop({ grace: "10s" });
      await l.platform.advance(1_000);
      await expect(a.engine.start(wf)).rejects.toMatchObject({ code: "PAWL5003" });
      slow.open("x");
      await l.advanceUntil(stopped);
      expect(ran).toEqual([]); // recorded, not gone on with
      expect(await l.row(h.runId)).toMatchObject({ owner: null, status: "RUNNING" });
      expect((await l.lines(h.runId)).at(-1)).toBe("StepCompleted slow");
      expect((await l.store.info()).engines).toEqual([]);
      const b = await l.engine([wf]);
      expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe("x");
    },
  );

  it("stop aborts what outlives its grace, and hands it back to be recovered by its class", proves("I12"), async () => {
    const l = await fresh(kind);
    let aborted = 0;
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx.step("slow", (s) =>
        s.attempt.engine > 1 ? "second" : (s.signal.addEventListener("abort", () => aborted++), new Promise<string>(() => {})),
      ),
    );
    const a = await l.engine([wf]);
    const h = await a.engine.start(wf);
    await l.platform.settle();
    await l.advanceUntil(a.engine.stop({ grace: "1s" }));
    expect(aborted).toBe(1);
    const row = await l.row(h.runId);
    expect(row).toMatchObject({ owner: null, dueAt: row.createdAt }); // due at once, with the place among others that it had
    const b = await l.engine([wf]);
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe("second");
  });

  it("a log that throws is told elsewhere, and takes neither a run nor the process with it", proves("I12"), async () => {
    const l = await fresh(kind);
    let away = 3;
    const wrap = wrapCommit((real, batch, renew) => {
      if (away-- > 0) throw new PawlError("PAWL3002", "away");
      return real(batch, renew);
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("a", () => "a"));
    const log = (): never => {
      throw new Error("the disk is full");
    };
    const ours: unknown[] = [];
    const around = { platform: l.platform, log: (...said: unknown[]): void => void ours.push(said), open: async () => l.store };
    const { engine } = await openEngine(around, { store: wrap(l.store), workflows: [wf], log });
    expect(await l.advanceUntil(engine.run(wf))).toBe("a");
    await l.advanceUntil(engine.stop());
    const at = ours.findIndex((said) => String(said).startsWith("warn,the store does not accept commits, they are tried again: away"));
    const failed = [
      "warn",
      "the log that was given to the engine failed",
      { error: expect.objectContaining({ message: "the disk is full" }) },
    ];
    expect(ours.slice(at, at + 2)).toEqual([
      ["warn", "the store does not accept commits, they are tried again: away", { code: "PAWL3002" }],
      failed,
    ]);
  });

  it(
    "faults of the store end, and every run comes to its end: reads, claims and commits that failed are asked again",
    proves("I12"),
    async () => {
      const l = await fresh(kind);
      let faulty = true;
      let n = 0;
      const flaky =
        <A extends unknown[], R>(f: (...a: A) => R | Promise<R>) =>
        async (...a: A): Promise<R> => {
          if (faulty && n++ % 3 !== 0) throw new PawlError("PAWL3002", "away");
          return f(...a);
        };
      const wrap = (s: FullStore): FullStore => ({
        ...s,
        claim: flaky(s.claim),
        events: flaky(s.events),
        inbox: flaky(s.inbox),
        commit: flaky(s.commit),
        renew: flaky(s.renew),
      });
      const child = workflow({ name: "child" }, async (ctx) => ctx.step("c", () => "c"));
      const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => [
        await ctx.step("a", () => "a"),
        await ctx.call(child),
        await ctx.receive("s"),
      ]);
      const quiet = await l.engine([workflow({ name: "none" }, async () => 0)]);
      const ids = await Promise.all(
        Array.from({ length: 6 }, (_, i) => quiet.client.start({ workflow: "wf", allowUnknown: true, id: `r${i}` })),
      );
      const e = await l.engine([wf, child], { wrap, lease: "5s" });
      await l.platform.advance(3_000);
      for (const { workflowId } of ids) await quiet.client.signal(workflowId, "s", "s");
      await l.platform.advance(10_000);
      faulty = false;
      const ends = await l.advanceUntil(Promise.all(ids.map(({ runId }) => quiet.client.waitForEnd(runId))), 120_000);
      expect(ends.map((x) => x.result)).toEqual(ids.map(() => ["a", "c", "s"]));
      expect(e.engine.health()).toEqual({ ok: true, trouble: null });
    },
  );
});

const scopeOf = () => ({ tenantId: "default", projectId: "default", environmentId: "default" });

/** A store that calls `before` just ahead of the Commit that parks the run. */
function parking(): { parked: { before: (() => Promise<unknown>) | null }; wrap: (s: FullStore) => FullStore } {
  const parked: { before: (() => Promise<unknown>) | null } = { before: null };
  return {
    parked,
    wrap: (s) => ({
      ...s,
      commit: async (batch, renew) => {
        if (batch.some((c) => c.release) && parked.before !== null) {
          const f = parked.before;
          parked.before = null;
          await f();
        }
        return s.commit(batch, renew);
      },
    }),
  };
}
