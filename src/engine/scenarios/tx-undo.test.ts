// What ctx.tx did is undone: in a transaction together with its own record, in reverse order with the other compensations, when
// a run fails, is cancelled or passes its deadline. Guards I5 for the undoing as for the doing, and K19's order and retries.
import { describe, expect, it } from "vitest";
import type { Handle } from "../../client/engine-types.ts";
import { PawlError } from "../../errors/error.ts";
import type { FullStore } from "../../store/full-store.ts";
import { workflow } from "../../workflow/define.ts";
import type { Tx, TxOpts } from "../../workflow/types.ts";
import { proves } from "../../../test/support/proves.ts";
import { testClusters, payloadOf, type TestCluster } from "../../../test/support/test-cluster.ts";

const fresh = testClusters();
const open = async (): Promise<TestCluster> => {
  const l = await fresh("sqlite");
  await sql(l, (db) => db.sql`create table stock (id text primary key, n integer not null)`);
  await sql(l, (db) => db.sql`insert into stock values ('cup', 10)`);
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
const left = async (l: TestCluster): Promise<unknown> => (await sql<{ n: number }>(l, (db) => db.sql`select n from stock`))[0]?.n;
const take = async (db: Tx): Promise<{ taken: number }> => {
  await db.sql`update stock set n = n - 1`;
  return { taken: 1 };
};
const giveBack = async ({ taken }: { taken: number }, db: Tx): Promise<void> => {
  await db.sql`update stock set n = n + ${taken}`;
};
const undoing: TxOpts<{ taken: number }> = { compensate: giveBack };

describe("a transaction that is undone", () => {
  it(
    "a failing run takes its rows back in one commit with their record, in reverse order with the others",
    proves("I5", "K19"),
    async () => {
      const l = await open();
      const did: string[] = [];
      const noted = (name: string) => async (r: { taken: number }, db: Tx) => (did.push(name), giveBack(r, db));
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.tx("one", take, { compensate: noted("one") });
        await ctx.step("two", () => 2, { compensate: () => void did.push("two") });
        await ctx.tx("three", take, { compensate: noted("three") });
        ctx.fail("no");
      });
      const { engine, client } = await l.engine([wf]);
      const h = await engine.start(wf);
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no" });
      expect(did).toEqual(["three", "two", "one"]);
      expect((await l.lines(h.runId)).slice(-7)).toEqual([
        "StepStarted three/~compensate",
        "StepCompleted three/~compensate",
        "StepStarted two/~compensate",
        "StepCompleted two/~compensate",
        "StepStarted one/~compensate",
        "StepCompleted one/~compensate",
        "RunFailed",
      ]);
      const begun = (await l.log(h.runId)).find((e) => e.stepId === "one/~compensate");
      expect(payloadOf(begun)).toMatchObject({ kind: "compensation", class: "ATOMIC", of: "one" });
      const { effects } = await client.effects({ runId: h.runId });
      expect(effects.map((e) => `${e.stepId} ${e.class} ${e.status}`).sort()).toEqual([
        "one ATOMIC completed",
        "one/~compensate ATOMIC completed",
        "three ATOMIC completed",
        "three/~compensate ATOMIC completed",
      ]);
      const said = (await client.proof(h.runId)).effects.find((e) => e.stepId === "one/~compensate");
      expect(said).toMatchObject({ class: "ATOMIC", verdict: "once" });
      expect(said?.sentence).toBe(
        "one (compensation) took effect once, because its rows and the step's outcome are one commit of the store (ATOMIC).",
      );
      expect(await left(l)).toBe(10);
    },
  );

  it.each(["cancel", "deadline"])("on %s too", proves("I5", "K19"), async (how) => {
    const l = await open();
    const wf = workflow({ name: "wf", timeout: "10s" }, async (ctx) => {
      await ctx.tx("take", take, undoing);
      await ctx.sleep("nap", "1d");
    });
    const { engine, client } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepStarted nap");
    if (how === "cancel") await h.cancel("enough");
    const end = await l.advanceUntil(client.waitForEnd(h.runId));
    expect(end.status).toBe(how === "cancel" ? "CANCELLED" : "FAILED");
    expect(await left(l)).toBe(10);
  });

  it.each(["A", "B", "C", "D", "E", "engine:commit", "engine:ack"])(
    "killed at %s while it undoes, it undoes once",
    proves("I5", "K11"),
    async (at) => {
      const l = await open();
      const point = at.startsWith("engine:") ? at : `take/~compensate:${at}`;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.tx("take", take, undoing);
        await ctx.sleep("nap", "2s");
        ctx.fail("no");
      });
      let armed = at === "A";
      const a = await l.engine([wf], {
        lease: "1s",
        onHit: (p) => {
          if (p === "take/~compensate:B") armed = true;
          return armed && p === point;
        },
      });
      const h = await a.engine.start(wf);
      await l.platform.advance(4_000);
      expect(a.alive).toBe(false);
      const b = await l.engine([wf], { lease: "1s" });
      expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).status).toBe("FAILED");
      expect((await l.lines(h.runId)).filter((x) => x === "StepCompleted take/~compensate")).toHaveLength(1);
      expect(await left(l)).toBe(10);
    },
  );

  it("an undoing whose COMMIT was not acknowledged is looked up: once", proves("I5", "K10"), async () => {
    const l = await open();
    let calls = 0;
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      transact: async (user, seal, ms) => {
        const answer = await s.transact(user, seal, ms);
        if (++calls === 2) throw new PawlError("PAWL3002", "the connection died", { outcome: "unknown" });
        return answer;
      },
    });
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.tx("take", take, undoing);
      ctx.fail("no");
    });
    const e = await l.engine([wf], { wrap });
    await expect(l.advanceUntil(e.engine.run(wf))).rejects.toMatchObject({ message: "no" });
    expect([calls, await left(l)]).toEqual([2, 10]);
  });

  it("one that throws leaves its rows as they were, and the run's end names it", proves("I5", "K19"), async () => {
    const l = await open();
    const compensate = async (r: { taken: number }, db: Tx): Promise<void> => {
      await giveBack(r, db);
      throw new Error("cannot");
    };
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.tx("take", take, { compensate });
      ctx.fail("no");
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no" });
    expect(payloadOf((await l.log(h.runId)).at(-1))).toMatchObject({ compensationsFailed: ["take"] });
    expect(await left(l)).toBe(9);
  });

  it(
    "one that ends its transaction from inside is put to a person, and runs again when it did not happen",
    proves("I7", "K11"),
    async () => {
      const l = await open();
      let sly = true;
      const compensate = async (r: { taken: number }, db: Tx): Promise<void> => {
        if (sly) return void (await db.sql`rollback`);
        await giveBack(r, db);
      };
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.tx("take", take, { compensate });
        ctx.fail("no");
      });
      const { engine, client } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
      const [asked] = await client.decisions();
      expect(asked).toMatchObject({ kind: "compensation", step: { class: "ATOMIC" } });
      await l.platform.advance(60_000);
      sly = false;
      await l.advanceUntil(client.resolve(asked!.decisionId, { happened: false, by: "ann", reason: "looked" }));
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no" });
      expect(await left(l)).toBe(10);
    },
  );

  it("what cannot undo anything is refused when the transaction is asked for", async () => {
    const l = await open();
    const code = (e: PawlError): string => e.code;
    const wf = workflow({ name: "wf" }, async (ctx) => [
      await ctx.tx("a", take, { compensate: { undo: giveBack } as never }).catch(code),
      await ctx.tx("b", take, { compensat: giveBack } as never).catch(code),
    ]);
    const e = await l.engine([wf]);
    expect(await l.advanceUntil(e.engine.run(wf))).toEqual(["PAWL5001", "PAWL5001"]);
    expect(await left(l)).toBe(10);
  });
});

describe("a retry", () => {
  it("runs what was undone anew, each time, and undoes it again", proves("I5", "K19"), async () => {
    const l = await open();
    let mended = false;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const r = await ctx.tx("take", take, undoing);
      if (!mended) ctx.fail("no");
      return r;
    });
    const { engine } = await l.engine([wf]);
    let h: Handle<typeof wf> = await engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no" });
    h = await h.retry();
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no" });
    expect(await left(l)).toBe(10);
    mended = true;
    h = await h.retry();
    expect(await l.advanceUntil(h.result())).toEqual({ taken: 1 });
    expect(await left(l)).toBe(9);
  });

  it(
    "takes over what was not undone: rows stay where their undoing failed, or a later run made them again",
    proves("I5", "I7", "K19"),
    async () => {
      const l = await open();
      let fails = true;
      let mended = false;
      const compensate = async (r: { taken: number }, db: Tx): Promise<void> => {
        if (fails) throw new Error("cannot");
        await giveBack(r, db);
      };
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.tx("take", take, { compensate });
        if (!mended) await ctx.sleep("nap", "1h");
      });
      const { engine } = await l.engine([wf]);
      const ended = async (h: Handle<typeof wf>, by: "cancel" | "terminate"): Promise<void> => {
        await l.advanceUntilLine(h.runId, "StepStarted nap");
        await h[by]("enough");
        await l.advanceUntil(h.result().catch(() => {}));
      };
      let h: Handle<typeof wf> = await engine.start(wf);
      await ended(h, "cancel"); // its undoing failed: one is taken
      h = await h.retry(); // taken over
      fails = false;
      await ended(h, "cancel"); // undone: none is taken
      h = await h.retry(); // taken anew
      await ended(h, "terminate"); // nothing is undone: one is taken
      mended = true;
      h = await h.retry(); // taken over, although a run of the line once undid it
      await l.advanceUntil(h.result());
      expect(await left(l)).toBe(9);
    },
  );
});
