// How much of a queue the server reads: for a claim, a report, a lapse, a look. Figures that depend on the machine are not here; pages that are
// read, and the indexes that lead to them, do not.
import { expect, it } from "vitest";
import { fixture } from "../../../../test/postgres/fixture.ts";
import { broadReads, planOf } from "../../../../test/postgres/plan-reads.ts";
import { scopeKey } from "../../keys.ts";
import { create, event, next, owned, scope } from "../../suite/build.ts";
import { claimed, dispatch, enlistWorkers, queued, queueVersion } from "../../suite/queues/build.ts";
import { manyQuery, oneQuery } from "../commit-sql.ts";
import { ownOptions } from "../open.ts";
import { numberArray, textArray } from "../wire/array-parameters.ts";
import type { Bind, Connection } from "../wire/driver.ts";
import { queueTexts } from "./sql.ts";
import { rowsStatement } from "./table.ts";

const f = fixture();

const listed = (name: string): RegExp =>
  name.includes("runId") ? / dispatches_seq / : name.includes("worker") ? /using dispatches_worker/ : /using dispatches_pkey/;

/** So many of ready rows wait beside those of a test, and a tenth as many of a task that nobody serves stand in front of them. */
const crowd = Number(process.env["PAWL_TEST_PLAN_DISPATCHES"] ?? 20_000);
const crowdTimeoutMs = 60_000 + crowd;

async function fill(c: Connection, ready: number, unknown: number): Promise<void> {
  await c.exec("set statement_timeout = 0; set lock_timeout = 0");
  const rows = (n: number, task: string, rank: string): string =>
    `insert into ${f.schema}.dispatches (scope, run_id, seq, what, step_id, attempt, engine_attempt, queue, task, rank_at, held, spec, enqueued_at) ` +
    `select '${scopeKey(scope)}', 'crowded', g + (select coalesce(max(seq), 0) from ${f.schema}.dispatches), 'run', 's', 1, 1, 'q', '${task}', ${rank}, false, '{}', g from generate_series(1, ${n}) g`;
  await c.exec(rows(unknown, "unknown", "-g"));
  await c.exec(rows(ready, "t", "g"));
  await c.exec(`analyze ${f.schema}.dispatches`);
}

function claimValues(version: number, from: number | null = null): Bind[] {
  const where = [scopeKey(scope), "q", version, textArray(["t"]), from ?? Number.MIN_SAFE_INTEGER, 16];
  return [null, "worker-1", ...where, 1, textArray(["token"]), 1_000];
}

/** Pages that the statement touched, in the server's memory or not. */
async function pagesOf(c: Connection, text: string, values: readonly Bind[]): Promise<number> {
  await c.exec("begin");
  const plan = await planOf(c, text, values, "(analyze, buffers, timing off, costs off)");
  await c.exec("rollback");
  const top = plan.find((l) => l.includes("Buffers:")) ?? "";
  return [...top.matchAll(/(?:hit|read)=(\d+)/g)].reduce((n, m) => n + Number(m[1]), 0);
}

it("no statement of a queue reads a table from end to end", { timeout: crowdTimeoutMs }, async () => {
  const s = await f.store();
  const row = await queued(s, "a", [dispatch(1)]);
  await enlistWorkers(s, "worker-1");
  const version = await queueVersion(s);
  const c = await f.raw(ownOptions);
  await fill(c, 2_000, 200);
  const t = queueTexts(f.schema);
  const [ids, tokens, texts] = [numberArray([1, 2]), textArray(["a", "b"]), textArray(["{}", "{}"])];
  const commits = [
    next(row, { events: [event(2)], dispatches: [dispatch(2)], ends: [{ seq: 1, what: "run" }] }),
    next({ ...row, runId: "z" }, { commitId: "z", snapshot: { at: 1, digest: "d", body: "b", keep: "last" } }),
    next({ ...row, runId: "y" }, { commitId: "y", status: "COMPLETED" }),
    create("n", {}, { dispatches: [dispatch(1)] }),
  ];
  const statements: [string, string, readonly Bind[]][] = [
    ["claim", t.claim, claimValues(version)],
    ["claim under a limit", t.claimLimited, [...claimValues(version), 5, 0, 10]],
    ["the queue's row", t.lockQueue, [null, "s", "q"]],
    ["finish", t.finish, [null, ids, tokens, texts]],
    ["lapse", t.lapse, [null, 100]],
    ["beat", t.beat, ["worker-1", ids, tokens, texts]],
    ["giveBack", t.giveBack, [null, ids, tokens]],
    ["depth", t.depth, ["s", "q", 100]],
    ["late", t.late, [null, "a", "s", "1", "{}", "k"]],
    ["many", manyQuery(f.schema, null, commits, undefined).text, manyQuery(f.schema, null, commits, undefined).values ?? []],
    ...commits.map((x): [string, string, readonly Bind[]] => [
      `one of ${x.runId}`,
      oneQuery(f.schema, null, x).text,
      oneQuery(f.schema, null, x).values ?? [],
    ]),
    ...[{ runId: "a" }, { worker: "worker-1" }, { queue: "q" }, { runId: "a", queue: "q", after: 1 }].map(
      (q): [string, string, readonly Bind[]] => {
        const { text, values } = rowsStatement(f.schema, { scope, limit: 10, ...q });
        return [`rows of ${JSON.stringify(q)}`, text, values];
      },
    ),
    ["a canary that must be noticed", `select 1 from ${f.schema}.dispatches where enqueued_at = $1`, [1]],
  ];
  for (const [name, text, values] of statements) {
    const plan = await planOf(c, text, values);
    expect(broadReads(plan).length, `${name}:\n${plan.join("\n")}`).toBe(name.startsWith("a canary") ? 1 : 0);
    // A run's rows are found by the run; others are read in order, up to the limit.
    if (name.startsWith("rows")) expect(plan.join("\n"), name).toMatch(listed(name));
    if (name.startsWith("rows") && !name.includes("runId")) expect(plan.join("\n"), name).not.toContain("Sort");
  }
});

it(
  "a claim reads as much beside a crowd, with a task that nobody serves in front, as beside few",
  { timeout: crowdTimeoutMs },
  async () => {
    const s = await f.store();
    await queued(s, "crowded", [dispatch(9_000_000), dispatch(9_000_001)]);
    await enlistWorkers(s, "worker-1");
    const version = await queueVersion(s);
    const c = await f.raw(ownOptions);
    await fill(c, 1_000, 0);
    const { claim } = queueTexts(f.schema);
    const few = await pagesOf(c, claim, claimValues(version));
    await fill(c, crowd, crowd / 10);
    const many = await pagesOf(c, claim, claimValues(version));
    expect(many).toBeGreaterThan(0);
    // An index of so many rows may be one page deeper, wherever it is read or written.
    expect(many).toBeLessThanOrEqual(few * 1.5 + 10);
  },
);

it(
  "behind a reader with an old view, a claim that begins at a rank steps over what was claimed before",
  { timeout: crowdTimeoutMs },
  async () => {
    const s = await f.store();
    const rows = Array.from({ length: 100 }, (_, i) => dispatch(i + 1, { since: i }));
    await queued(s, "crowded", rows);
    await enlistWorkers(s, "worker-1");
    const version = await queueVersion(s);
    const old = await f.raw();
    await old.exec(`begin isolation level repeatable read; select count(*) from ${f.schema}.dispatches`);
    const c = await f.raw(ownOptions);
    await fill(c, 2_000, 0);
    for (let n = 0; n < 10; n++) await claimed(s, "worker-1", { limit: 200 });
    const { claim } = queueTexts(f.schema);
    const all = await pagesOf(c, claim, claimValues(version));
    const ahead = await pagesOf(c, claim, claimValues(version, 1_950));
    expect(ahead).toBeLessThan(all / 4);
    await old.exec("rollback");
  },
);

it("a Commit that says nothing of queued steps is sent as it always was", async () => {
  const s = await f.store();
  const row = await owned(s, "a");
  const plain = next(row, { events: [event(1)] });
  const text = oneQuery(f.schema, null, plain).text + manyQuery(f.schema, null, [plain], undefined).text;
  expect(text).not.toMatch(/dispatches|snapshots/);
});
