// Postgres going wrong: answers that never come, sessions that are terminated, a server that is killed. What was
// acknowledged must be there, what was asked again must be there once, and an engine must live through all of it. Effects are
// counted outside the engine; nothing here waits for a time to pass.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { openEngine } from "../../src/client/engine.ts";
import { workflow } from "../../src/index.ts";
import { isPawlError } from "../../src/errors/error.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit, CommitAnswer } from "../../src/store/port.ts";
import { openPostgres } from "../../src/store/postgres/store.ts";
import { create, event, message, next, owned, rowOf } from "../../src/store/suite/build.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { startProxy, type Proxy } from "../support/postgres-proxy.ts";
import { codeOf, fixture, until } from "./fixture.ts";
import { proves } from "../support/proves.ts";

const f = fixture();

async function through(): Promise<{ store: FullStore; proxy: Proxy }> {
  const proxy = await startProxy(Number(new URL(f.url).port));
  f.closing.push(() => proxy.close());
  return { proxy, store: await f.store({}, proxy.through(f.url)) };
}

/** Asks as the engine's committer does: again, byte for byte, until there is an answer. */
async function persist(s: FullStore, c: Commit): Promise<CommitAnswer | undefined> {
  for (;;) {
    try {
      const [answer] = (await s.commit([c])).answers;
      if (answer?.kind !== "busy") return answer;
    } catch (e) {
      if (!isPawlError(e, "PAWL3002") && !isPawlError(e, "PAWL3001")) throw e;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("an answer that never comes", () => {
  it(
    "a step whose COMMIT was made durable and not acknowledged is unknown, and asking again finds it",
    proves("K10", "C9", "I1", "L-01"),
    async () => {
      const { store, proxy } = await through();
      const row = await owned(store, "a");
      const c = next(row, { events: [event(1), event(2)] });
      const sprung = proxy.swallow(/update .*runs r set status/);
      expect(await codeOf(store.commit([c]))).toEqual(["PAWL3002", "unknown"]);
      await sprung;
      expect((await persist(store, c))?.kind).toBe("duplicate");
      expect((await store.events({ runId: "a", after: 0, limit: 9 })).map((e) => e.runSeq)).toEqual([1, 2]);
    },
  );

  it("a step that never reached the server is as unknown, and asking again writes it once", proves("K10"), async () => {
    const { store, proxy } = await through();
    const row = await owned(store, "a");
    const c = next(row, { events: [event(1)] });
    const sprung = proxy.swallow(/update .*runs r set status/, true);
    expect(await codeOf(store.commit([c]))).toEqual(["PAWL3002", "unknown"]);
    await sprung;
    expect((await persist(store, c))?.kind).toBe("committed");
    expect((await persist(store, c))?.kind).toBe("duplicate");
  });

  it("a batch is unknown as a whole, and each of its Commits is answered when asked again", proves("K10"), async () => {
    const { store, proxy } = await through();
    const batch = [
      next(await owned(store, "a"), { events: [event(1)] }),
      next(await owned(store, "b"), { events: [event(1)] }),
      create("c"),
    ];
    const sprung = proxy.swallow(/^with clock .*insert into .*events/);
    expect(await codeOf(store.commit(batch))).toEqual(["PAWL3002", "unknown"]);
    await sprung;
    expect((await store.commit(batch)).answers.map((a) => a.kind)).toEqual(["duplicate", "duplicate", "duplicate"]);
  });

  it("a line that breaks inside a transaction leaves nothing; at its COMMIT, it leaves all or nothing", proves("L-20"), async () => {
    const { store, proxy } = await through();
    const row = await owned(store, "a");
    const c = next(row, {
      events: [event(1)],
      views: [{ name: "v", value: "1" }],
      children: [create("child")],
      notices: [{ toRunId: "a", kind: "signal", name: "n", id: "1", payload: null }],
    });
    let sprung = proxy.swallow(/insert into .*views/, true);
    expect(await codeOf(store.commit([c]))).toEqual(["PAWL3002", "none"]);
    await sprung;
    expect([await rowOf(store, "a"), await store.run({ runId: "child" }), await store.inbox({ runId: "a" })]).toEqual([row, undefined, []]);
    // The server may be slow to see that the line broke: until then the row is locked, and the next Commit would find it busy.
    await (await f.raw()).exec(`select 1 from ${f.schema}.runs where run_id = 'a' for update`);
    sprung = proxy.swallow(/^commit$/);
    expect(await codeOf(store.commit([c]))).toEqual(["PAWL3002", "unknown"]);
    await sprung;
    expect(await persist(store, c)).toMatchObject({ kind: "duplicate", children: [{ kind: "created" }] });
    expect([(await store.inbox({ runId: "a" })).length, await store.views("a")]).toEqual([1, { v: "1" }]);
  });

  it("a transaction whose COMMIT was not acknowledged is unknown, and its run tells what became of it", proves("K11", "I5"), async () => {
    const { store, proxy } = await through();
    let row = await owned(store, "a");
    const c = await f.raw();
    await c.exec("create table n (v int); insert into n values (0)");
    const add = (tx: { query: (p: string[], v: []) => Promise<unknown> }): Promise<unknown> => tx.query(["update n set v = v + 1"], []);
    for (const delivered of [true, false]) {
      const commit = next(row, { commitId: `tx-${delivered}`, events: [event(row.headSeq + 1)] });
      const sprung = proxy.swallow(/^commit$/, !delivered);
      expect(await codeOf(store.transact(add as never, () => commit, 5_000))).toEqual(["PAWL3002", "unknown"]);
      await sprung;
      row = await rowOf(store, "a");
      expect(row.commitId === commit.commitId).toBe(delivered);
    }
    expect((await c.exec("select v from n")).rows).toEqual([{ v: 1 }]);
  });

  it("a message whose answer was lost is accepted once", proves("W-079", "W-092", "I9"), async () => {
    const { store, proxy } = await through();
    await owned(store, "a");
    const sprung = proxy.swallow(/insert into .*inbox/);
    expect(await codeOf(store.post(message("s1")))).toEqual(["PAWL3002", "unknown"]);
    await sprung;
    expect(await store.post(message("s1"))).toMatchObject({ kind: "accepted", replayed: true });
    expect((await store.inbox({ runId: "a" })).length).toBe(1);
  });

  it("a row of unknown COMMITs of every kind loses nothing and doubles nothing", proves("I1"), async () => {
    const { store, proxy } = await through();
    let row = await owned(store, "a");
    for (let n = 1; n <= 30; n++) {
      const rich = n % 3 === 0 ? { views: [{ name: "n", value: String(n) }] } : {};
      const c = next(row, { events: [event(n)], ...rich });
      void proxy.swallow(n % 3 === 0 ? /^commit$/ : /update .*runs r set status/, n % 2 === 0);
      expect(["committed", "duplicate"]).toContain((await persist(store, c))?.kind);
      row = { ...row, stateVersion: row.stateVersion + 1 };
    }
    expect((await store.events({ runId: "a", after: 0, limit: 99 })).map((e) => e.runSeq)).toEqual(
      Array.from({ length: 30 }, (_, i) => i + 1),
    );
  });

  it("a silent network holds its caller only until it speaks again", proves("I12"), async () => {
    const { store, proxy } = await through();
    const row = await owned(store, "a");
    proxy.silence(true);
    const asked = store.commit([next(row, { events: [event(1)] })]);
    const behind = await f.store();
    expect((await behind.run({ runId: "a" }))?.stateVersion).toBe(1);
    proxy.silence(false);
    expect((await asked).answers[0]?.kind).toBe("committed");
  });
});

describe("ctx.tx and a network that hangs", () => {
  const rows = async (): Promise<unknown> => (await (await f.raw()).exec("select v from hung")).rows;

  it(
    "a transaction cut off while the database did not answer is unavailable and rolled back, not too long",
    proves("K11", "I5"),
    async () => {
      const { store, proxy } = await through();
      const row = await owned(store, "a");
      await (await f.raw()).exec("drop table if exists hung; create table hung (v int); insert into hung values (0)");
      const user = async (tx: { query: (p: string[], v: []) => Promise<unknown> }): Promise<void> => {
        await tx.query(["update hung set v = v + 1"], []);
        proxy.silence(true);
        await tx.query(["update hung set v = v + 1"], []);
      };
      expect(await codeOf(store.transact(user as never, () => next(row), 300))).toEqual(["PAWL3002", "none"]);
      proxy.silence(false);
      // The author's own slowness is another thing.
      const silent = async (tx: { query: (p: string[], v: []) => Promise<unknown> }): Promise<void> => {
        await tx.query(["update hung set v = v + 1"], []);
        await new Promise(() => {});
      };
      expect(await codeOf(store.transact(silent as never, () => next(row), 300))).toEqual(["PAWL3011", "none"]);
      await (await f.raw()).exec("update hung set v = v + 10");
      expect(await rows()).toEqual([{ v: 10 }]);
      expect(await rowOf(store, "a")).toEqual(row);
    },
  );

  it(
    "a run continues after it: what was rolled back runs again, and happens once",
    { ...proves("K11", "I5", "I12"), timeout: 90_000 },
    async () => {
      const proxy = await startProxy(Number(new URL(f.url).port));
      f.closing.push(() => proxy.close());
      await f.store(); // makes the schema
      await (await f.raw()).exec("drop table if exists hung; create table hung (v int); insert into hung values (0)");
      let calls = 0;
      const wf = workflow({ name: "hangs" }, async (ctx) =>
        ctx.tx("add", async (db) => {
          calls++;
          await db.sql`update hung set v = v + 1`;
          if (calls === 1) proxy.silence(true);
          // Cut off by the limit: only then does the network come back.
          await db.sql`select 1`.catch((e: unknown) => {
            proxy.silence(false);
            throw e;
          });
          return calls;
        }),
      );
      const around = { platform: f.platform, log: () => {}, open: () => openPostgres(proxy.through(f.url), f.platform) };
      const { engine } = await openEngine(around, { workflows: [wf], lease: "60s" });
      expect(await engine.run(wf)).toBeGreaterThan(1);
      expect(await rows()).toEqual([{ v: 1 }]);
      await engine.stop();
    },
  );
});

describe("an engine", () => {
  const counted = new Map<string, number>();
  const steps = workflow({ name: "steps", input: z.number() }, async (ctx, run) => {
    let sum = 0;
    for (let i = 1; i <= 30; i++) {
      sum += await ctx.step(`s${i}`, async () => {
        const key = `${run}/${i}`;
        counted.set(key, (counted.get(key) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 20)); // so that faults meet a run that is under way
        return i;
      });
    }
    return sum;
  });

  async function engineOn(url: string): Promise<Awaited<ReturnType<typeof openEngine>>> {
    const around = { platform: f.platform, log: () => {}, open: () => openPostgres(url, f.platform) };
    return openEngine(around, { workflows: [steps] });
  }

  it("survives a line that is cut again and again", proves("I12"), async () => {
    const proxy = await startProxy(Number(new URL(f.url).port));
    f.closing.push(() => proxy.close());
    const { engine } = await engineOn(proxy.through(f.url));
    const handles = await Promise.all(Array.from({ length: 5 }, (_, i) => engine.start(steps, i)));
    let over = false;
    const cutting = (async () => {
      for (let n = 0; n < 8 && !over; n++) {
        const before = counted.size;
        await until(() => counted.size > before + 5 || over);
        proxy.cut();
      }
    })();
    expect(await Promise.all(handles.map((h) => h.result()))).toEqual(Array(5).fill(465));
    over = true;
    await cutting;
    // The engine never died: what it was doing when the line broke, it went on doing, and nothing was done twice.
    expect(new Set(counted.values())).toEqual(new Set([1]));
    await engine.stop();
  });

  it("sessions terminated by an operator kill no engine, and no run changes hands", proves("K2"), async () => {
    counted.clear();
    const { engine } = await engineOn(f.url);
    const c = await f.raw();
    const handle = await engine.start(steps, 9);
    const epochs = async (): Promise<unknown> => (await c.exec(`select epoch from ${f.schema}.runs`)).rows;
    const before = await epochs();
    // Only this test's own sessions: each has this schema first in its path.
    const kill = `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity where application_name = 'pawl' and query like '%${f.schema}%'`;
    let ended = 0;
    for (let n = 0; n < 5; n++) {
      const seen = counted.size;
      await until(() => counted.size > seen + 2 || counted.size === 30); // a fast machine may be at the last step already
      ended += Number((await c.exec(`${kill} and pid <> pg_backend_pid()`)).rows[0]?.["n"]);
    }
    expect(ended).toBeGreaterThan(0);
    expect(await epochs()).toEqual(before);
    expect(await handle.result()).toBe(465);
    expect(new Set(counted.values())).toEqual(new Set([1]));
    await engine.stop();
  });
});

describe("a server that is killed", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it("loses nothing that was acknowledged, and what was under way is there once", proves("I1"), async () => {
    const store = await openPostgres(server.url, f.platform);
    const rows = [await owned(store, "a"), await owned(store, "b"), await owned(store, "c")];
    let stop = false;
    const acknowledged = rows.map(() => 0);
    const writers = rows.map(async (first, i) => {
      let row = first;
      for (let n = 1; !stop; n++) {
        expect(["committed", "duplicate"]).toContain((await persist(store, next(row, { events: [event(n)] })))?.kind);
        acknowledged[i] = n;
        row = { ...row, stateVersion: row.stateVersion + 1 };
      }
    });
    for (let k = 0; k < 3; k++) {
      const before = acknowledged.reduce((x, y) => x + y);
      await until(() => acknowledged.reduce((x, y) => x + y) > before + 30);
      await server.kill();
      await server.start();
    }
    stop = true;
    await Promise.all(writers);
    for (const [i, row] of rows.entries()) {
      const events = await store.events({ runId: row.runId, after: 0, limit: 100_000 });
      expect(events.map((e) => e.runSeq)).toEqual(Array.from({ length: acknowledged[i] ?? 0 }, (_, n) => n + 1));
    }
    await store.close();
  });

  it("kills no engine: its runs go on where they were, under the same owner", proves("K2", "I12", "C19"), async () => {
    const done = new Map<string, number>();
    const work = workflow({ name: "work", input: z.number() }, async (ctx, run) => {
      for (let i = 1; i <= 40; i++) {
        await ctx.step(`s${i}`, async () => {
          done.set(`${run}/${i}`, (done.get(`${run}/${i}`) ?? 0) + 1);
        });
      }
      return "done";
    });
    const open = () => openPostgres(server.url, f.platform, { schema: "second" });
    const [one, two] = await Promise.all(
      [1, 2].map(() => openEngine({ platform: f.platform, log: () => {}, open }, { workflows: [work] })),
    );
    const handles = await Promise.all(Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? one : two)!.engine.start(work, i)));
    for (let k = 0; k < 2; k++) {
      const before = done.size;
      await until(() => done.size > before + 20);
      await server.kill();
      await server.start();
    }
    expect(await Promise.all(handles.map((h) => h.result()))).toEqual(Array(6).fill("done"));
    expect([done.size, new Set(done.values())]).toEqual([240, new Set([1])]);
    await one!.engine.stop();
    await two!.engine.stop();
  });
});
