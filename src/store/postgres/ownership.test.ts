// Who may write what on Postgres, and on what evidence: rows that somebody holds, locks that somebody lost, hints from other
// processes. No claim and no batch ever waits for another transaction. Runs on a real server.
import { describe, expect, it } from "vitest";
import { fixture, until } from "../../../test/postgres/fixture.ts";
import { startProxy } from "../../../test/support/postgres-proxy.ts";
import type { Hint } from "../port.ts";
import { create, event, message, next, owned, claimQuery, rowOf, serves } from "../suite/build.ts";
import { channelOf, lockKey } from "./wire/address.ts";
import { proves } from "../../../test/support/proves.ts";

const f = fixture();

describe("held rows", () => {
  it("a Commit whose row somebody holds is busy, the others of its batch are written, and nobody waits", proves("K7"), async () => {
    const s = await f.store();
    const [a, b] = [await owned(s, "a"), await owned(s, "b")];
    const c = await f.raw();
    await c.exec(`begin; select 1 from ${f.schema}.runs where run_id = 'a' for update`);
    const batch = [next(a, { events: [event(1)] }), next(b, { events: [event(1)] })];
    expect((await s.commit(batch)).answers.map((x) => x.kind)).toEqual(["busy", "committed"]);
    expect((await s.commit([next(a, { events: [event(1)] })])).answers).toEqual([{ kind: "busy" }]);
    expect(await s.claim(claimQuery("engine-1"))).toEqual([]);
    await c.exec("rollback");
    expect((await s.commit(batch)).answers.map((x) => x.kind)).toEqual(["committed", "duplicate"]);
  });

  it("a claim steps over rows that somebody holds", proves("T-43", "I4"), async () => {
    const s = await f.store();
    await s.registerEngine({ engineId: "engine-1", leaseMs: 60_000, serves });
    await s.commit(["a", "b", "c", "d"].map((id) => create(id)));
    const c = await f.raw();
    await c.exec(`begin; select 1 from ${f.schema}.runs where run_id in ('a', 'c') for no key update`);
    expect((await s.claim(claimQuery("engine-1", { limit: 3 }))).map((r) => r.runId)).toEqual(["b", "d"]);
    expect(await s.claim(claimQuery("engine-1", { runId: "a" }))).toEqual([]);
    await c.exec("rollback");
    expect((await s.claim(claimQuery("engine-1"))).map((r) => r.runId)).toEqual(["a", "c"]);
  });

  it("a message does not disturb a step that is being written, and waits for a run that is being settled", proves("K8"), async () => {
    const s = await f.store();
    const row = await owned(s, "a");
    const c = await f.raw();
    await c.exec(`begin; select 1 from ${f.schema}.runs where run_id = 'a' for no key update`);
    expect(await s.post(message("s1"))).toMatchObject({ kind: "accepted", replayed: false });
    await c.exec("rollback");
    // A message under way holds the row against a Commit that settles the run, not against a step.
    await c.exec(`begin; select 1 from ${f.schema}.runs where run_id = 'a' for key share`);
    const step = next(row, { events: [event(1)] });
    expect((await s.commit([step])).answers[0]?.kind).toBe("committed");
    const end = next(await rowOf(s, "a"), { status: "COMPLETED" });
    expect((await s.commit([end])).answers[0]?.kind).toBe("busy");
    expect((await s.commit([end, create("b")])).answers.map((x) => x.kind)).toEqual(["busy", "committed"]);
    await c.exec("rollback");
    expect((await s.commit([end])).answers[0]?.kind).toBe("committed");
  });

  it("messages sent while their run is being continued all arrive, in the old run or the new", proves("I9", "K18"), async () => {
    const s = await f.store();
    let row = await owned(s, "r0");
    const to = { workflowId: "order-r0" };
    const accepted: string[] = [];
    for (let n = 1; n <= 5; n++) {
      const child = create(`r${n}`, { workflowId: "order-r0", supersedes: row.runId, owner: "engine-1", fence: { epoch: 1, token: "t" } });
      const end = next(row, { status: "COMPLETED", children: [child], moveInboxTo: `r${n}` });
      const posts = Array.from({ length: 8 }, (_, i) => s.post(message(`${n}-${i}`, { target: to })));
      const continued = (async () => {
        for (;;) {
          const [answer] = (await s.commit([end])).answers;
          if (answer?.kind !== "busy") return answer;
        }
      })();
      for (const [i, p] of (await Promise.all(posts)).entries()) if (p.kind === "accepted") accepted.push(`${n}-${i}`);
      expect(await continued).toMatchObject({ kind: "committed", children: [{ kind: "created" }] });
      row = await rowOf(s, `r${n}`);
    }
    expect((await s.inbox({ runId: row.runId })).map((r) => r.id).toSorted()).toEqual(accepted.toSorted());
    expect(accepted.length).toBe(40);
  });
});

describe("evidence", () => {
  const enlisted = { leaseMs: 3_600_000, serves };

  it("a lock that is gone proves death only after a silence, and only to whom has been well for two seconds", proves("K2"), async () => {
    const [one, two] = [await f.store(), await f.store()];
    await one.registerEngine({ engineId: "engine-1", ...enlisted });
    const since = performance.now();
    await two.registerEngine({ engineId: "engine-2", ...enlisted });
    await one.close();
    let buried: readonly string[] = [];
    await until(async () => (buried = await two.declareDead({ by: "engine-2" })).length > 0);
    expect(buried).toEqual(["engine-1"]);
    expect(performance.now() - since).toBeGreaterThanOrEqual(2_000);
    expect(await two.declareDead({ by: "engine-2" })).toEqual([]);
  });

  it(
    "an engine whose lock is held is alive however silent; one that spoke, or whose server restarted since, is not judged by it",
    proves("K2"),
    async () => {
      const s = await f.store();
      await s.registerEngine({ engineId: "heir", ...enlisted });
      const c = await f.raw();
      await c.exec("begin");
      const key = lockKey(f.schema, "engine/quiet");
      await c.query({ text: "select pg_advisory_lock($1)", values: [key] });
      await c.exec("commit");
      const insert = (id: string, server: string, renewedAt = "0", lock = key): Promise<unknown> =>
        c.exec(
          `insert into ${f.schema}.engines select '${id}', lease_until, false, '[]', ${renewedAt}, ${lock}, ${server} from ${f.schema}.engines where engine_id = 'heir'`,
        );
      await insert("quiet", "lock_server");
      await insert("elsewhen", "lock_server - 1");
      await insert("spoke", "lock_server", "lease_until", lockKey(f.schema, "engine/spoke")); // its session is lost, its renewals go on
      const trustedFrom = performance.now() + 2_500;
      await until(() => performance.now() > trustedFrom);
      expect(await s.declareDead({ by: "heir" })).toEqual([]);
      await c.query({ text: "select pg_advisory_unlock($1)", values: [key] });
      expect(await s.declareDead({ by: "heir" })).toEqual(["quiet"]);
    },
  );

  it("a live engine whose session was terminated takes its lock again and is not buried", proves("K2"), async () => {
    const [one, two] = [await f.store(), await f.store()];
    await one.registerEngine({ engineId: "engine-1", ...enlisted });
    await two.registerEngine({ engineId: "engine-2", ...enlisted });
    const c = await f.raw();
    const holders = async (): Promise<number[]> =>
      (
        await c.query({
          text: "select pid from pg_locks where locktype = 'advisory' and granted and (classid::bigint << 32) | objid::bigint = $1",
          values: [lockKey(f.schema, "engine/engine-1")],
        })
      ).rows.map((r) => Number(r["pid"]));
    for (let n = 0; n < 3; n++) {
      const [pid = 0] = await holders();
      await c.query({ text: "select pg_terminate_backend($1)", values: [pid] });
      await until(async () => (await holders()).some((p) => p !== pid));
      expect(await two.declareDead({ by: "engine-2" })).toEqual([]);
    }
    expect(await one.renew({ engineId: "engine-1", leaseMs: 60_000 })).toBe("renewed");
  });

  it("an engine that renews while its death is being declared lives", proves("K1"), async () => {
    const s = await f.store();
    await s.registerEngine({ engineId: "engine-1", leaseMs: 60_000, serves });
    const c = await f.raw();
    await c.exec(`update ${f.schema}.engines set lease_until = 1`);
    await c.exec(`begin; update ${f.schema}.engines set lease_until = lease_until + 10000000000000`);
    const buried = s.declareDead({ by: "engine-2" });
    // Seen by a third: within one transaction a session sees others as they were when it first looked.
    const third = await f.raw();
    const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%${f.schema}.engines e set dead%'`;
    await until(async () => (await third.exec(waits)).rows.length > 0);
    await c.exec("commit");
    expect(await buried).toEqual([]);
    expect(await s.renew({ engineId: "engine-1", leaseMs: 1_000 })).toBe("renewed");
  });

  it("behind a pooler no session lock is used, and the lease decides", proves("K2"), async () => {
    const proxy = await startProxy(Number(new URL(f.url).port), { pooler: true });
    f.closing.push(() => proxy.close());
    const through = await f.store({}, proxy.through(f.url));
    expect((await through.info()).settings?.["pooler"]).toBe("true");
    await through.registerEngine({ engineId: "engine-1", leaseMs: 60_000, serves });
    const c = await f.raw();
    expect((await c.exec(`select lock_key from ${f.schema}.engines`)).rows).toEqual([{ lock_key: null }]);
    const named = await f.store({ pooler: true });
    const row = await owned(named, "a", "engine-2");
    expect((await named.commit([next(row, { events: [event(1)] }), create("b")])).answers.map((x) => x.kind)).toEqual([
      "committed",
      "committed",
    ]);
    expect((await c.exec("select count(*)::int as n from pg_prepared_statements")).rows).toEqual([{ n: 0 }]);
    await c.exec(`update ${f.schema}.engines set lease_until = 1 where engine_id = 'engine-1'`);
    expect(await named.declareDead({ by: "engine-2" })).toEqual(["engine-1"]);
  });
});

describe("hints", () => {
  it("a listener hears what another process writes, and knows that it does", async () => {
    const s = await f.store();
    const heard: Hint[] = [];
    s.watch((h) => heard.push(h));
    await until(async () => (await s.info()).settings?.["hints"] === "notify");
    const c = await f.raw();
    const channel = channelOf(f.schema);
    await c.query({ text: "select pg_notify($1, $2)", values: [channel, '["somebody",["inbox","a"],["any"]]'] });
    await c.query({ text: "select pg_notify($1, $2)", values: [channel, "nonsense"] });
    await c.query({ text: "select pg_notify($1, $2)", values: [channel, '["somebody"]'] });
    await until(() => heard.length === 3);
    expect(heard).toEqual([{ kind: "inbox", runId: "a" }, { kind: "any" }, { kind: "any" }]);
  });

  it("what a store writes is told to other processes after the write, and not twice to its own", proves("K6"), async () => {
    const s = await f.store();
    const heard: string[] = [];
    s.watch((h) => heard.push(`${h.kind}:${h.runId ?? ""}`));
    const c = await f.raw();
    const told: string[] = [];
    c.listen((_, payload) => told.push(payload));
    await c.exec(`listen ${channelOf(f.schema)}`);
    await s.commit([create("a")]);
    await s.post(message("s1"));
    await until(() => told.some((t) => t.includes('"inbox","a"')));
    expect(told.some((t) => t.includes('"due","a"'))).toBe(true);
    expect(heard).toEqual(["due:a", "inbox:a"]);
  });
});
