// Transactions as nodes of a DAG: the author's rows and the node's outcome are one commit, on every database, and whoever dies at whatever moment leaves
// both or neither. The next owner begins at a snapshot where there is one. It must never need a clock.
import { afterEach, describe, expect, it } from "vitest";
import { dag, Fatal, workflow, type Tx } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { anySchema, payloadOf, testClusters, type ClusterEngine, type TestCluster } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const fresh = testClusters();
const stores: TestStore[] = [];
afterEach(async () => {
  for (const s of stores.splice(0)) await s.close();
});

const snapshotsUsed = ({ engine }: ClusterEngine): number => Number(/^pawl_snapshots_used_total (\d+)/m.exec(engine.metrics())?.[1] ?? 0);

/** Statements of the test's own: a workflow of one transaction. */
async function sql<T>(l: TestCluster, f: (db: Tx) => Promise<{ rows: T[] }>): Promise<T[]> {
  const wf = workflow({ name: "probe" }, async (ctx) => (await ctx.tx("t", f)).rows);
  const e = await l.engine([wf]);
  const rows = (await l.advanceUntil(e.engine.run(wf))) as T[];
  await l.advanceUntil(e.engine.stop());
  return rows;
}

describe.each(testStores.filter(([name]) => name !== "memory"))("%s", (_name, make) => {
  it(
    "a transaction is given what it needs and gives its result on; one that throws writes nothing, and blocks what needs it",
    proves("K11"),
    async () => {
      const s = await make();
      stores.push(s);
      await s.createTable("create table stock (sku varchar(20), n integer not null)");
      const wf = dag({ name: "stock", input: anySchema<{ skus: string[]; breaks: boolean }>() }, (t) => {
        const skus = t.task("skus", {}, ({ input }) => input.skus);
        const reserve = t.tx("reserve", { skus }, async ({ skus, input }, db) => {
          let n = 0;
          for (const sku of skus) n += (await db.sql`insert into stock (sku, n) values (${sku}, ${1})`).changes;
          if (input.breaks) throw new Fatal("out of stock");
          return n;
        });
        const seen = t.tx("seen", { reserve }, async (_d, db) =>
          Number((await db.sql<{ n: number }>`select count(*) as n from stock`).rows[0]!.n),
        );
        return t.task("end", { reserve, seen }, ({ reserve, seen }) => ({ reserve, seen }));
      });
      const { engine } = await s.engine({ workflows: [wf] });
      const good = await engine.start(wf, { skus: ["a", "b"], breaks: false });
      expect(await good.result()).toEqual({ reserve: 2, seen: 2 });
      const log = await s.store.events({ runId: good.runId, after: 0, limit: 100 });
      expect(payloadOf(log.find((e) => e.eventType === "StepStarted" && e.stepId === "reserve"))).toMatchObject({
        kind: "tx",
        class: "ATOMIC",
        needs: ["skus"],
      });
      const bad = await engine.start(wf, { skus: ["c", "d"], breaks: true });
      await expect(bad.result()).rejects.toMatchObject({ message: "out of stock" });
      expect(payloadOf((await s.store.events({ runId: bad.runId, after: 0, limit: 100 })).at(-1))).toMatchObject({
        failed: ["reserve"],
        blocked: ["seen", "end"],
      });
      expect(await s.countRows("stock")).toBe(2);
    },
  );
});

it(
  "killed anywhere, twice, the rows of every transaction are there once, also where the next owner began at a snapshot",
  proves("K11", "I5"),
  async () => {
    let used = 0;
    for (let at = 1; at < 64; at += 3) {
      const l = await fresh("sqlite", at);
      await sql(l, (db) => db.sql`create table booked (id text not null)`);
      const wf = dag({ name: "books" }, (t) => {
        const list = t.task("list", {}, () => ["x", "y"]);
        const one = t.tx("one", { list }, async ({ list }, db) => {
          for (const id of list) await db.sql`insert into booked values (${id})`;
          return list.length;
        });
        const nap = t.sleep("nap", { list }, "2s");
        const beside = t.each("beside", list, (id) => id.toUpperCase(), { id: (x) => x, repeatable: true });
        const two = t.tx("two", { one, nap }, async ({ one }, db) => {
          await db.sql`insert into booked values (${`z${one}`})`;
          return "two";
        });
        return t.task("end", { one, two, beside }, ({ one, two, beside }) => ({ one, two, beside }));
      });
      const limits = { snapshotTailBytesMin: 1 };
      let hits = 0;
      const first = await l.engine([wf], { limits, onHit: () => ++hits === at });
      void first.engine.start(wf, undefined, { id: "r" }).catch(() => {});
      await l.platform.settle();
      await l.platform.advance(1_000);
      if (first.alive) first.kill(); // it slept when its turn to die came
      hits = 0;
      const second = await l.engine([wf], { limits, onHit: () => ++hits === 70 - at });
      void second.engine.start(wf, undefined, { id: "r" }).catch(() => {});
      await l.platform.advance(20_000);
      used += snapshotsUsed(second);
      if (second.alive) second.kill();
      const third = await l.engine([wf], { limits });
      const h = await l.advanceUntil(third.engine.start(wf, undefined, { id: "r" }));
      expect(await l.advanceUntil(h.result()), `killed at ${at}`).toEqual({ one: 2, two: "two", beside: ["X", "Y"] });
      used += snapshotsUsed(third);
      const rows = await sql<{ id: string }>(l, (db) => db.sql`select id from booked order by id`);
      expect(
        rows.map((r) => r.id),
        `killed at ${at}`,
      ).toEqual(["x", "y", "z2"]);
      const lines = await l.lines(h.runId);
      for (const step of ["one", "two", "beside/x", "beside/y"])
        expect(
          lines.filter((x) => x === `StepCompleted ${step}`),
          `killed at ${at}`,
        ).toHaveLength(1);
    }
    expect(used).toBeGreaterThan(3);
  },
);
