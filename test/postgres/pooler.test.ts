// Everything behind a transaction pooler, with a real PgBouncer: three sessions for all, each statement on whichever is free,
// nothing prepared by name, no session locks, no LISTEN. What is left is slower and just as true: the lease decides, polling
// finds. Left out where pgbouncer is not installed.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { openPostgres } from "../../src/store/postgres/store.ts";
import { commitOne, event, next, owned } from "../../src/store/suite/build.ts";
import { killableEngine, type KillableEngine } from "../../src/testing/killable-engine.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { pgClient } from "../support/user-connections.ts";
import { noPgbouncer, startPgbouncer, type Pgbouncer } from "../support/pgbouncer.ts";
import { sharedPostgres } from "../support/postgres.ts";
import { dropSchema, freshPlace, raw } from "./bundle.ts";
import { proves } from "../support/proves.ts";

vi.setConfig({ testTimeout: 60_000 });
const why = noPgbouncer();
if (why !== undefined) console.warn(`skipped: ${why}`);
const sessions = 3;

describe.skipIf(why !== undefined)("behind PgBouncer, which pools transactions", () => {
  const platform = systemPlatform();
  let pooler: Pgbouncer;
  let url: string;
  const places: { url: string; schema: string }[] = [];
  const closing: (() => Promise<unknown>)[] = [];

  const place = async (): Promise<string> => {
    const fresh = await freshPlace();
    places.push(fresh);
    return (url = fresh.url);
  };
  const open = (): Promise<FullStore> => openPostgres(pooler.through(url), platform);
  const engine = async (workflows: readonly AnyWorkflow[], wrap: (s: FullStore) => FullStore = (s) => s): Promise<KillableEngine> => {
    const e = await killableEngine({ platform, connect: open, closes: true, wrap }, { workflows, lease: "1s" });
    closing.push(() => e.stop().catch(() => {}));
    return e;
  };
  const store = async (): Promise<FullStore> => {
    const s = await open();
    closing.push(() => s.close());
    return s;
  };

  beforeAll(async () => {
    pooler = await startPgbouncer(await sharedPostgres(), sessions);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    for (const p of places.splice(0)) await dropSchema(p.url, p.schema);
  });
  afterAll(() => pooler?.stop());

  it("the pooler is recognised, hints are polled for, and many runs with steps, timers, transactions and signals end", async () => {
    await place();
    const order = workflow({ name: "order", input: z.number(), signals: { paid: z.number() } }, async (ctx, n) => {
      const twice = await ctx.step("double", () => n * 2);
      await ctx.sleep("nap", 10);
      const cents = await ctx.receive("paid");
      const one = await ctx.tx("note", async (db) => Number((await db.sql`select ${cents}::int as n`).rows[0]?.["n"]));
      return twice + one;
    });
    const batches: number[] = [];
    const e = await engine([order], (s) => ({
      ...s,
      commit(batch, renewal) {
        batches.push(batch.length);
        return s.commit(batch, renewal);
      },
    }));
    const outside = await store();
    const { settings } = await outside.info();
    expect([settings?.["pooler"], settings?.["hints"]]).toEqual(["true", "polled"]);
    const handles = await Promise.all(Array.from({ length: 20 }, (_, n) => e.engine.start(order, n, { id: `o-${n}` })));
    for (const [n, h] of handles.entries()) await h.signal("paid", n, { signalId: "once" });
    expect(await Promise.all(handles.map((h) => h.result()))).toEqual(handles.map((_, n) => n * 3));
    expect(Math.max(...batches), "Commits of several runs went together").toBeGreaterThan(1);
    expect((await outside.info()).settings?.["hints"]).toBe("polled");
  });

  it("an engine that dies is known by its lease, and another one goes on with its runs", proves("K2"), async () => {
    await place();
    const ran: string[] = [];
    const pay = workflow({ name: "pay", input: z.number() }, async (ctx, n) =>
      ctx.step(
        "charge",
        (sc) => {
          ran.push(sc.key);
          return ran.length === 1 ? new Promise<number>(() => {}) : n; // the first one's engine dies meanwhile
        },
        { key: "charge-7", dedup: "1h" },
      ),
    );
    const first = await engine([pay]);
    const h = await first.engine.start(pay, 7, { id: "p" });
    await expect.poll(() => ran.length, { timeout: 20_000 }).toBe(1);
    const direct = await raw(url);
    closing.push(() => direct.end());
    const locks = await direct.exec(`select lock_key from ${places[0]!.schema}.engines`);
    expect(locks.rows).toEqual([{ lock_key: null }]);
    first.kill();
    const second = await engine([pay]);
    expect(await second.client.waitForEnd("p")).toMatchObject({ status: "COMPLETED", result: 7 });
    expect(ran).toHaveLength(2);
    expect(new Set(ran).size).toBe(1);
    expect((await second.client.events(h.runId)).map((x) => x.eventType)).toContain("pawl.StepRedispatched");
  });

  it("the fence is tested in every Commit, whichever session it meets", proves("I3"), async () => {
    await place();
    const s = await store();
    const row = await owned(s, "a");
    const others = await Promise.all([store(), store()]);
    // K7: who finds the row held is told that it is busy, and asks again.
    const asked = async (x: FullStore, commitId: string): Promise<string | undefined> => {
      for (;;) {
        const [answer] = (await x.commit([next(row, { commitId, events: [event(1)] })])).answers;
        if (answer?.kind !== "busy") return answer?.kind;
      }
    };
    const answers = await Promise.all([s, ...others].map((x, n) => asked(x, `c${n}`)));
    expect(answers.map(String).toSorted()).toEqual(["committed", "stale", "stale"]);
    const stolen = { ...row, stateVersion: 2, fence: { ...row.fence, token: "x" } };
    expect((await s.commit([next(stolen, { events: [event(2)] })])).answers).toEqual([{ kind: "fenced" }]);
  });

  it("a row that another transaction holds is answered as busy, and written when it is free", proves("K7"), async () => {
    await place();
    const s = await store();
    const row = await owned(s, "a");
    const direct = await raw(url);
    closing.push(() => direct.end());
    await direct.exec("begin");
    await direct.exec(`select 1 from ${places[0]!.schema}.runs where run_id = 'a' for update`);
    const c = next(row, { events: [event(1)] });
    expect((await s.commit([c])).answers).toEqual([{ kind: "busy" }]);
    await direct.exec("rollback");
    await commitOne(s, c);
  });

  it("a start inside the user's own transaction through the pooler is there when he commits", async () => {
    await place();
    const quick = workflow({ name: "quick", input: z.string() }, async (ctx, text) => ctx.step("say", () => text));
    const e = await engine([quick]);
    const mine = await pgClient(pooler.through(url));
    closing.push(() => mine.end());
    await mine.begin();
    const gone = await e.engine.start(quick, "gone", { id: "gone", tx: mine.tx });
    await mine.sql("rollback");
    await expect(gone.result()).rejects.toMatchObject({ page: "PAWL4001" });
    await mine.begin();
    const kept = await e.engine.start(quick, "kept", { id: "kept", tx: mine.tx });
    await mine.sql("commit");
    expect(await kept.result()).toBe("kept");
  });
});
