// What the databases themselves guarantee, seen from another program on the same data: rows that are locked, uncommitted rows
// that nobody reads, constraints that hold for whoever writes. Guards that no rule lives in Pawl's memory alone.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { effectPhases, effectStatuses, runStatuses, waitingKinds } from "../../src/core/model.ts";
import type { Commit, RunRow } from "../../src/store/port.ts";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { create, event, message, next, owned, claimQuery, serves } from "../../src/store/suite/build.ts";
import type { OpenBundle } from "../../src/store/suite/bundle.ts";
import { effect } from "../../src/store/suite/effects.ts";
import { mysqlBundle, rawConnection } from "../mysql/bundle.ts";
import { postgresBundle, raw } from "../postgres/bundle.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { sqliteBundle } from "./bundles.ts";
import { proves } from "../support/proves.ts";

/** Another program on the same database. */
interface Other {
  /** A table as this store names it. */
  table(name: string): string;
  /** A statement that locks these runs and no others. */
  lock(...ids: string[]): string;
  /** A statement that holds this run's row as the acceptance of a message does. */
  share(id: string): string;
  /** Counts the sessions that wait for what this one holds. */
  readonly waiting: string;
  exec(statement: string): Promise<unknown>;
}
interface Place extends Other {
  readonly b: OpenBundle;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const listed = (ids: readonly string[]): string => ids.map((id) => `'${id}'`).join(", ");

async function sqlitePlace(): Promise<Place> {
  const b = await sqliteBundle();
  const db = await openConnection(b.path);
  closing.push(b.close, async () => db.close());
  return { b, table: (name) => `pawl_${name}`, lock: () => "begin immediate", share: () => "", waiting: "", exec: async (s) => db.exec(s) };
}
async function postgresPlace(): Promise<Place> {
  const b = await postgresBundle();
  const { url, schema } = b.outside();
  const c = await raw(url);
  closing.push(b.close, () => c.end());
  const lock = (...ids: string[]): string => `select 1 from ${schema}.runs where run_id in (${listed(ids)}) for update`;
  const share = (id: string): string => `select 1 from ${schema}.runs where run_id = '${id}' for key share`;
  const waiting = "select count(distinct pid) as n from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))";
  return { b, table: (name) => `${schema}.${name}`, lock, share, waiting, exec: (s) => c.exec(s) };
}
async function mysqlPlace(): Promise<Place> {
  const b = await mysqlBundle();
  const c = await rawConnection(b.outside().url);
  closing.push(b.close, () => c.close());
  await c.query("set session transaction isolation level read committed");
  // By the primary key: a scan of another index would lock what it passes.
  const lock = (...ids: string[]): string => `select 1 from pawl_runs force index (primary) where run_id in (${listed(ids)}) for update`;
  const share = (id: string): string => `select 1 from pawl_runs force index (primary) where run_id = '${id}' lock in share mode`;
  const waiting =
    "select count(*) as n from information_schema.innodb_lock_waits w join information_schema.innodb_trx t " +
    "on t.trx_id = w.blocking_trx_id where t.trx_mysql_thread_id = connection_id()";
  return { b, table: (name) => `pawl_${name}`, lock, share, waiting, exec: (s) => c.query(s) };
}
const servers: [string, () => Promise<Place>][] = [["postgres", postgresPlace]];
if (!skipsWithoutMariadb()) servers.push(["mysql", mysqlPlace]);
const databases: [string, () => Promise<Place>][] = [["sqlite", sqlitePlace], ...servers];

describe.each(servers)("%s", (_, open) => {
  it(
    "a transition takes its run's row: while another transaction holds it, nothing is written; once it lets go, all is",
    proves("T-09", "T-94", "T-99"),
    async () => {
      const { b, table, lock, exec } = await open();
      const row = await owned(b.store, "a");
      const c = next(row, { events: [event(1)], status: "RUNNING" });
      await exec("begin");
      await exec(lock("a"));
      expect((await b.store.commit([c])).answers).toEqual([{ kind: "busy" }]);
      expect(
        (await b.store.commit([c, create("b")])).answers.map((x) => x.kind),
        "others go on",
      ).toEqual(["busy", "committed"]);
      expect(await b.store.run({ runId: "a" })).toEqual(row);
      await exec("rollback");
      expect((await b.store.commit([c])).answers).toMatchObject([{ kind: "committed" }]);
      // A transition that waits for the lock sees what its holder did, and fails by it.
      await exec("begin");
      await exec(`update ${table("runs")} set state_version = 9 where run_id = 'a'`);
      const asked = b.store.commit([next({ ...row, stateVersion: 2 }, { commitId: "waits", events: [event(2)] })]);
      await exec("commit");
      expect(["stale", "busy"]).toContain((await asked).answers[0]?.kind);
      expect((await b.store.events({ runId: "a", after: 0, limit: 9 })).length).toBe(1);
    },
  );

  it.each([
    ["a step", "RUNNING", false],
    ["a step beside others", "RUNNING", true],
    ["an end", "COMPLETED", false],
    ["an end beside others", "COMPLETED", true],
  ] as const)(
    "%s is never written into another's transaction: alone it waits for that one's end, and goes by what it finds then",
    proves("T-09", "T-99"),
    async (_, status, many) => {
      const p = await open();
      const { store } = p.b;
      const waits = async (): Promise<boolean> => Number(((await p.exec(p.waiting)) as { rows: { n: unknown }[] }).rows[0]?.n) > 0;
      const logged = async (runId: string): Promise<number> => (await store.events({ runId, after: 0, limit: 9 })).length;
      let beside = 0;
      /** What is answered to a transition that meets a row which another holds. The other ends when the wait is seen. */
      const meets = async (c: Commit, end: string): Promise<string | undefined> => {
        for (;;) {
          let answered = false;
          const batch = many ? [c, create(`beside-${++beside}`)] : [c];
          const asked = Promise.resolve(store.commit(batch)).finally(() => void (answered = true));
          let seen = false;
          // MariaDB makes its list of waits ten times a second, and only if nobody has read it meanwhile.
          while (!answered && !(seen = await waits())) await pause(110);
          if (!seen && !many) {
            expect((await asked).answers[0]?.kind, "nothing is written while it is held").toBe("busy");
            continue; // the longest wait was over before it was seen
          }
          await p.exec(end);
          return (await asked).answers[0]?.kind;
        }
      };
      const [a, b, shared] = [await owned(store, "a"), await owned(store, "b"), await owned(store, "shared")];
      const of = (row: RunRow): Commit => next(row, { commitId: `of ${row.runId}`, events: [event(1)], status });

      await p.exec("begin");
      await p.exec(p.lock("a"));
      const after = await meets(of(a), "rollback");
      expect(many ? ["busy"] : ["committed", "busy"]).toContain(after);
      if (after === "busy") expect((await store.commit([of(a)])).answers).toMatchObject([{ kind: "committed" }]);
      expect(await logged("a")).toBe(1);

      await p.exec("begin");
      await p.exec(`update ${p.table("runs")} set state_version = 9 where run_id = 'b'`);
      expect(many ? ["busy"] : ["stale", "busy"]).toContain(await meets(of(b), "commit"));
      expect((await store.commit([of(b)])).answers).toMatchObject([{ kind: "stale" }]);
      expect([await logged("b"), await store.run({ runId: "b" })]).toEqual([0, { ...b, stateVersion: 9 }]);

      if (status === "RUNNING") return;
      // A message that is just being accepted holds the row as well, against its end.
      await p.exec("begin");
      await p.exec(p.share("shared"));
      const ended = await meets(of(shared), "commit");
      expect(many ? ["busy"] : ["committed", "busy"]).toContain(ended);
    },
  );

  it(
    "discovery steps over what another transaction holds, at once, and takes no more than its limit",
    proves("T-10", "T-43", "T-57", "T-100"),
    async () => {
      const { b, lock, exec } = await open();
      await b.store.registerEngine({ engineId: "engine-1", leaseMs: 60_000, serves });
      await b.store.commit(["a", "b", "c", "d", "e"].map((id) => create(id)));
      await exec("begin");
      await exec(lock("a", "c"));
      expect((await b.store.claim(claimQuery("engine-1", { limit: 2 }))).map((r) => r.runId)).toEqual(["b", "d"]);
      await exec("rollback");
      expect((await b.store.claim(claimQuery("engine-1"))).map((r) => r.runId)).toEqual(["a", "c", "e"]);
    },
  );

  it("concurrent transactions are allowed: a Commit goes through while another program's transaction is open", proves("L-18"), async () => {
    const { b, table, exec } = await open();
    const [a] = [await owned(b.store, "a"), await owned(b.store, "b")];
    await exec("begin");
    await exec(`update ${table("runs")} set tags = '{"by":"another"}' where run_id = 'b'`);
    expect((await b.store.commit([next(a, { events: [event(1)] })])).answers).toMatchObject([{ kind: "committed" }]);
    expect((await b.store.run({ runId: "b" }))?.tags, "L-18: no dirty read").toEqual({});
    await exec("commit");
    expect((await b.store.run({ runId: "b" }))?.tags).toEqual({ by: "another" });
  });
});

describe.each(databases)("%s", (_, open) => {
  it("nothing that is not committed is read, by no verb", proves("L-60", "L-74"), async () => {
    const { b, table, exec } = await open();
    await owned(b.store, "a");
    const looks = async (): Promise<unknown> => [
      await b.store.run({ runId: "a" }),
      await b.store.views("a"),
      await b.store.inbox({ runId: "a" }),
    ];
    const before = await looks();
    await exec("begin");
    await exec(`insert into ${table("views")} (run_id, name, value) values ('a', 'v', '1')`);
    await exec(`update ${table("runs")} set status = 'FAILED' where run_id = 'a'`);
    expect(await looks()).toEqual(before);
    await exec("commit");
    expect(await looks()).not.toEqual(before);
  });

  it("what must be one is one by a constraint of the database, whoever writes it", proves("T-98", "L-59", "L-73", "TX-02"), async () => {
    const { b, table, exec } = await open();
    const row = await owned(b.store, "a", "engine-1", { idempotencyKey: "k" });
    await b.store.post(message("s1"));
    const checkpoint = { stepId: 1, key: "sha256:1", label: null, body: "{}" };
    await b.store.commit([next(row, { events: [event(1)], views: [{ name: "v", value: "1" }], checkpoint })]);
    const copies: readonly [string, string, Readonly<Record<string, string>>][] = [
      ["a run's id", "runs", { workflow_id: "'x'", idempotency_key: "null" }],
      ["a workflowId's generation", "runs", { run_id: "'x'", idempotency_key: "null" }],
      ["a start key", "runs", { run_id: "'x'", workflow_id: "'x'" }],
      ["a place in the log", "events", { idempotency_key: "'x'" }],
      ["an event's key", "events", { run_seq: "9" }],
      ["a checkpoint's key", "checkpoints", { step_id: "9" }],
      ["a checkpoint's step", "checkpoints", { idempotency_key: "'x'" }],
      ["an accepted message", "accepted", {}],
      ["an engine", "engines", {}],
      ["a view", "views", {}],
    ];
    for (const [what, name, changed] of copies) {
      const columns = columnsOf(b, name);
      const values = columns.map((c) => changed[c] ?? c).join(", ");
      await expect(exec(`insert into ${table(name)} (${columns.join(", ")}) select ${values} from ${table(name)}`), what).rejects.toThrow(
        /unique|duplicate/i,
      );
    }
  });
});

describe.each(databases)("%s", (_, open) => {
  it("a state is one of its words by a constraint of the database, whoever writes it", proves("TX-01"), async () => {
    const { b, table, exec } = await open();
    const row = await owned(b.store, "a");
    await b.store.commit([next(row, { effects: [effect(1)] })]);
    const words: readonly [string, string, readonly string[]][] = [
      ["runs", "status", runStatuses],
      ["runs", "waiting", waitingKinds],
      ["effects", "status", effectStatuses],
      ["effects", "phase", effectPhases],
    ];
    for (const [name, column, known] of words) {
      const write = (word: string): Promise<unknown> => exec(`update ${table(name)} set ${column} = '${word}' where run_id = 'a'`);
      for (const word of known) await write(word);
      for (const word of [
        "",
        "error",
        known[0]!.toUpperCase() === known[0] ? known[0]!.toLowerCase() : known[0]!.toUpperCase(),
        `${known[0]!} `,
      ])
        await expect(write(word), `${name}.${column} = ${JSON.stringify(word)}`).rejects.toThrow(/constraint|check/i);
    }
    await expect(exec(`update ${table("runs")} set status = null where run_id = 'a'`)).rejects.toThrow(/null/i);
  });
});

/** The columns of a table, by the schema that is dumped beside the store. */
function columnsOf(b: OpenBundle, table: string): string[] {
  const text = readFileSync(new URL(`../../src/store/${b.store.name}/schema.sql`, import.meta.url), "utf8");
  const body =
    new RegExp(`create table [\`"]?(?:pawl[._])${table}[\`"]? \\(([\\s\\S]*?)\\)(?: strict| engine|;)`, "i").exec(text)?.[1] ?? "";
  // A column that was added later stands on the last line, after its fellows.
  const columns = body.split(/\n|, /).map((l) => /^\s*`?([a-z_]+)`? /.exec(l)?.[1] ?? "");
  return columns.filter((c) => c !== "" && !["primary", "unique", "constraint", "key", "and"].includes(c));
}
