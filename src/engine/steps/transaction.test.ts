// ctx.tx on SQLite: the author's rows and the step's outcome are one commit, or neither is. Guards K11 and I5, and that a
// transaction beside parallel branches never changes the order that the code was told things in (K13).
import { describe, expect, it } from "vitest";
import { PawlError } from "../../errors/error.ts";
import type { StepError } from "../../errors/step-errors.ts";
import type { FullStore } from "../../store/full-store.ts";
import { workflow } from "../../workflow/define.ts";
import type { Tx } from "../../workflow/types.ts";
import { testClusters, type TestCluster } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();
const open = async (): Promise<TestCluster> => {
  const l = await fresh("sqlite");
  await sql(l, (db) => db.sql`create table account (id text primary key, n integer not null)`);
  await sql(l, (db) => db.sql`insert into account values ('a', 0)`);
  return l;
};
/** Statements of the test's own: a workflow of one transaction. */
async function sql<T>(l: TestCluster, f: (db: Tx) => Promise<{ rows: T[] }>): Promise<T[]> {
  const wf = workflow({ name: "probe" }, async (ctx) => (await ctx.tx("t", f)).rows);
  const e = await l.engine([wf]);
  const rows = (await l.advanceUntil(e.engine.run(wf))) as T[];
  await l.advanceUntil(e.engine.stop());
  return rows;
}
const count = async (l: TestCluster): Promise<unknown> =>
  (await sql<{ n: number }>(l, (db) => db.sql`select n from account where id = 'a'`))[0]?.n;
const add = (db: Tx): Promise<number> =>
  db.sql<{ n: number }>`update account set n = n + 1 where id = 'a' returning n`.then((r) => r.rows[0]!.n);

describe("ctx.tx", () => {
  it("the rows and the outcome are one commit; the value reaches the code, live and on replay", proves("K11", "I5"), async () => {
    const l = await open();
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const n = await ctx.tx("add", add);
      await ctx.sleep("nap", "10s");
      return n;
    });
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepStarted nap");
    const log = await l.log(h.runId);
    expect(log.find((e) => e.eventType === "StepCompleted")?.stepId).toBe("add");
    expect(JSON.parse(log.find((e) => e.eventType === "StepStarted")!.payload!)).toMatchObject({ kind: "tx", class: "ATOMIC" });
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe(1);
    expect(await count(l)).toBe(1);
  });

  it("a transaction that ends last: the store is told what the run waits for, and not that it is at work", async () => {
    const l = await open();
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await Promise.all([ctx.step("ask", () => 1, { once: true, approve: true }), ctx.tx("add", add)]);
    });
    const a = await l.engine([wf], { idle: "12h" });
    const h = await a.engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepCompleted add");
    await l.platform.advance(1_000);
    expect(await l.store.run({ runId: h.runId })).toMatchObject({ waiting: "decision", dueAt: null });
  });

  it.each(["add:B", "add:C", "add:D", "engine:commit", "engine:ack", "add:E"])(
    "killed at %s, it happened exactly as often as it is recorded: once",
    proves("K11", "I5"),
    async (point) => {
      const l = await open();
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.sleep("first", 10);
        return ctx.tx("add", add);
      });
      let armed = false;
      const a = await l.engine([wf], {
        lease: "1s",
        onHit: (p) => {
          if (p === "add:B") armed = true; // the transaction's own commit and acknowledgement
          return armed && p === point;
        },
      });
      const h = await a.engine.start(wf);
      await l.platform.advance(2_000);
      expect(a.alive).toBe(false);
      const b = await l.engine([wf], { lease: "1s" });
      expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe(1);
      expect(await count(l)).toBe(1);
      expect((await l.lines(h.runId)).filter((x) => x === "StepCompleted add")).toHaveLength(1);
    },
  );

  it("an answer that is lost after COMMIT is looked up, not asked again: once", proves("K11", "I5"), async () => {
    const l = await open();
    let drops = 1;
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      transact: async (user, seal, ms) => {
        const answer = await s.transact(user, seal, ms);
        if (drops-- > 0) throw new PawlError("PAWL3002", "the connection died", { outcome: "unknown" });
        return answer;
      },
    });
    const wf = workflow({ name: "wf" }, async (ctx) => [await ctx.tx("add", add), await ctx.step("after", () => "after")]);
    const e = await l.engine([wf], { wrap });
    expect(await l.advanceUntil(e.engine.run(wf))).toEqual([1, "after"]);
    expect(await count(l)).toBe(1);
  });

  it("an unknown outcome that did not happen is run again: once", proves("K11", "I5"), async () => {
    const l = await open();
    let fails = 1;
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      transact: async (user, seal, ms) => {
        if (fails-- > 0) {
          // It got as far as its seal, and then nothing of it was kept.
          await s.transact(user, (v) => ({ ...seal(v), expect: { fence: { epoch: 99, token: "" }, stateVersion: 0 } }), ms);
          throw new PawlError("PAWL3002", "the connection died", { outcome: "unknown" });
        }
        return s.transact(user, seal, ms);
      },
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.tx("add", add));
    const e = await l.engine([wf], { wrap });
    expect(await l.advanceUntil(e.engine.run(wf))).toBe(1);
    expect(await count(l)).toBe(1);
  });

  it("a function that throws, or returns what cannot be stored, leaves no rows and fails the step", proves("K11"), async () => {
    const l = await open();
    const why = (e: StepError): string => `${e.category} ${e.message.slice(0, 9)}`;
    const wf = workflow({ name: "wf" }, async (ctx) => [
      await ctx.tx("throws", async (db) => (await add(db), Promise.reject(new Error("no money")))).catch(why),
      await ctx.tx("odd", async (db) => (await add(db), (() => 0) as never)).catch((e: StepError) => e.category),
      await ctx.step("after", () => "went on"),
    ]);
    const e = await l.engine([wf]);
    expect(await l.advanceUntil(e.engine.run(wf))).toEqual(["FAILED no money", "NOT_ENCODABLE", "went on"]);
    expect(await count(l)).toBe(0);
  });

  it("a transaction that was ended from inside is in doubt: nothing is run again", proves("K11", "I7"), async () => {
    const l = await open();
    let calls = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.tx("sly", async (db) => {
        calls++;
        await add(db);
        await db.sql`commit`;
      });
    });
    const e = await l.engine([wf]);
    const h = await e.engine.start(wf);
    await l.platform.advance(30_000);
    expect(calls).toBe(1);
    expect(await h.status()).toEqual({ status: "RUNNING", waiting: "decision" });
  });

  it("what became of a COMMIT is asked for until the store answers, never guessed", proves("K10", "K11", "I5"), async () => {
    const l = await open();
    let drops = 1;
    let deaf = 0;
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      transact: async (user, seal, ms) => {
        const answer = await s.transact(user, seal, ms);
        if (drops-- <= 0) return answer;
        deaf = 3;
        throw new PawlError("PAWL3002", "the connection died", { outcome: "unknown" });
      },
      run: async (q) => {
        if (deaf-- > 0) throw new PawlError("PAWL3002", "nobody answers", { outcome: "none" });
        return s.run(q);
      },
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.tx("add", add));
    const e = await l.engine([wf], { wrap });
    const h = await e.engine.start(wf);
    expect(await l.advanceUntil(h.result())).toBe(1);
    expect(await count(l)).toBe(1);
    expect((await l.row(h.runId)).fence.epoch).toBe(1); // nobody had to begin again from the log
  });

  it("past its limit and not clearly its author's doing, it runs again, but not for ever", proves("K11", "I12"), async () => {
    for (const late of [2, 3]) {
      const l = await open();
      let calls = 0;
      const wrap = (s: FullStore): FullStore => ({
        ...s,
        transact: async (user, seal, ms) => {
          if (++calls <= late) throw new PawlError("PAWL3011", "late", { outcome: "none", data: { again: true } });
          return s.transact(user, seal, ms);
        },
      });
      const wf = workflow({ name: "wf" }, async (ctx) => ctx.tx("add", add).catch((e: StepError) => (e.cause as { code?: string }).code));
      const e = await l.engine([wf], { wrap });
      expect(await l.advanceUntil(e.engine.run(wf))).toBe(late === 2 ? 1 : "PAWL3011");
    }
  });

  it("a store that is busy is asked again; the function runs until it is committed once", proves("K11"), async () => {
    const l = await open();
    let busy = 2;
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      transact: async (user, seal, ms) => {
        if (busy-- > 0) throw new PawlError("PAWL3001", "busy");
        return s.transact(user, seal, ms);
      },
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.tx("add", add));
    const e = await l.engine([wf], { wrap });
    expect(await l.advanceUntil(e.engine.run(wf))).toBe(1);
    expect(await count(l)).toBe(1);
  });

  it("on fenced its rows are rolled back with it, and the code never hears of it", proves("K11", "I3"), async () => {
    const l = await open();
    let calls = 0;
    const heard: unknown[] = [];
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      transact: (user, seal, ms) => {
        if (++calls > 1) return new Promise(() => {});
        return s.transact(user, (v) => ({ ...seal(v), expect: { fence: { epoch: 0, token: "an older one" }, stateVersion: 1 } }), ms);
      },
    });
    const wf = workflow({ name: "wf" }, async (ctx) => {
      try {
        heard.push(await ctx.tx("add", add));
      } catch {
        heard.push("caught");
      } finally {
        heard.push("finally");
      }
    });
    const a = await l.engine([wf], { lease: "1s", wrap });
    const h = await a.engine.start(wf);
    await l.platform.advance(2_000);
    expect(calls).toBeGreaterThan(0);
    expect(heard).toEqual([]);
    expect(await l.lines(h.runId)).not.toContain("StepCompleted add");
    a.kill();
    expect(await count(l)).toBe(0);
  });

  it("beside parallel branches, what the code was told first is first in the log", proves("K13", "K6"), async () => {
    const l = await open();
    const told: string[][] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const mine: string[] = [];
      told.push(mine);
      const branch = async (name: string): Promise<void> => {
        for (let i = 0; i < 8; i++) {
          mine.push(
            `${name} ${i} ${await (name.startsWith("tx") ? ctx.tx(name, add) : ctx.step(name, () => new Promise<number>((resolve) => void l.platform.timer((i * 7) % 4, () => resolve(i)))))}`,
          );
        }
      };
      await Promise.all(["a", "tx1", "b", "tx2", "c"].map(branch));
      await ctx.sleep("nap", "10s");
      return mine;
    });
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepStarted nap");
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    const end = await l.advanceUntil(b.client.waitForEnd(h.runId));
    expect(end.status).toBe("COMPLETED");
    expect(told.at(-1)).toEqual(told[0]);
    expect(await count(l)).toBe(16);
  });

  it("a store without SQL refuses ctx.tx as a failure of the step", proves("K11"), async () => {
    const l = await fresh("memory");
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx.tx("t", async () => 1).catch((e: StepError) => (e.cause as { code?: string }).code),
    );
    const e = await l.engine([wf]);
    expect(await l.advanceUntil(e.engine.run(wf))).toBe("PAWL3008");
  });
});
