// Snapshots of a state graph that are gone or falsified, in a SQLite file: the check of the store names what was falsified, an owner counts it and continues
// as if it were not there, and the repair makes the row again from the log, to the byte and without the author's code.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { repairStore } from "../../src/client/audit/repair.ts";
import { verifyStore } from "../../src/client/audit/verify-store.ts";
import { openEngine } from "../../src/client/engine.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { snapshotDigest } from "../../src/engine/snapshot/body.ts";
import { append, graph, reduce, send, sum } from "../../src/graph.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { virtualPlatform } from "../../src/platform/virtual.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { SnapshotRecord } from "../../src/store/port.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { killableEngine } from "../../src/testing/killable-engine.ts";
import { proves } from "../support/proves.ts";
import { advanceUntil, recordCommits, type ForkResult } from "./forks.ts";

const limits = { snapshotTailBytesMin: 1 };
const larger = (a: number, b: number): number => Math.max(a, b);

/** Sleeps in the middle, so that it leaves memory there, with a join that waits and a value that only its reducer could make. */
const wf = graph({ name: "halfway", state: { read: append<string>(), n: sum(), top: reduce(0, larger) } })
  .nodes(({ each }) => ({
    plan: (_s, ctx) => ({ n: 1, top: ctx.random() }),
    look: each(z.object({ n: z.number() }), async ({ n }, _s, ctx) => ({
      read: await ctx.step("look", () => `page ${n}`, { repeatable: true }),
      top: n,
    })),
    nap: async (_s, ctx) => ctx.sleep("nap", "10s"),
    close: async (s, ctx) => ({ n: await ctx.step("close", () => s.read.length + s.top, { once: true }) }),
  }))
  .edges(
    { start: "plan", plan: (s) => (s.n > 2 ? "nap" : [1, 2].map((n) => send("look", { n }))), look: ["plan"], nap: "close", close: "end" },
    { joins: { close: ["look", "nap"] } },
  );

let dir = "";
let nowMs = 0;
let runId = "";
let row: SnapshotRecord;
const open = (file: string, p: Platform): Promise<FullStore> => openSqlite(file, p, { synchronous: "off", acceptUnsafe: true });

/** One run that sleeps in the store, with a snapshot; every engine has stopped. */
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "pawl-snapshot-"));
  const file = join(dir, "store.db");
  const platform = virtualPlatform({ seed: 5 });
  const mortal = await killableEngine(
    { platform, connect: (p) => open(file, p), closes: true },
    { workflows: [wf], log: () => {}, limits },
  );
  runId = (await advanceUntil(platform, mortal.engine.start(wf, {}, { id: "one" }))).runId;
  await platform.advance(2_000);
  await advanceUntil(platform, mortal.stop());
  await platform.advance(20_000); // its lease is over
  nowMs = platform.wallMs();
  const store = await open(file, platform);
  [row] = (await store.snapshots({ runId, limit: 9 })) as [SnapshotRecord];
  await store.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A copy of the file in which this was done to the table of snapshots. */
let copies = 0;
async function copyWith(change: (run: (sql: string, ...values: (string | number)[]) => void) => void): Promise<string> {
  const file = join(dir, `copy-${++copies}.db`);
  for (const end of ["", "-wal"]) if (existsSync(join(dir, `store.db${end}`))) copyFileSync(join(dir, `store.db${end}`), `${file}${end}`);
  const db = await openConnection(file);
  change((sql, ...values) => void db.prepare(sql).run(...values));
  db.close();
  return file;
}
const setTo = (body: string, digest: string): Promise<string> =>
  copyWith((run) => run("update pawl_snapshots set body = ?, digest = ? where run_id = ?", body, digest, runId));

/** What the next owner commits, with a clock and ids made from one seed. */
async function continuation(file: string): Promise<ForkResult> {
  const platform = virtualPlatform({ seed: 4_711, startMs: nowMs });
  const commits: string[] = [];
  const store = recordCommits(await open(file, platform), (c) => void commits.push(JSON.stringify(c)));
  const opened = await openEngine({ platform, log: () => {}, open: async () => store }, { workflows: [wf], store, limits });
  await platform.advance(5_000);
  const { metrics } = opened.core;
  const result = { commits, used: metrics.get("pawl_snapshots_used_total"), ignored: metrics.get("pawl_snapshots_ignored_total") };
  expect((await store.run({ runId }))!.status).toBe("COMPLETED");
  await advanceUntil(platform, opened.engine.stop());
  await store.close();
  return result;
}

it("gone or falsified, it is found, counted and passed over, and made again to the byte", proves("K13", "C20"), async () => {
  expect(row.body).toContain('"joins":{"close":["look"]}'); // in the middle, with a join that waits
  const whole = await continuation(await copyWith(() => {}));
  expect(whole).toMatchObject({ used: 1, ignored: 0 });
  expect(whole.commits.length).toBeGreaterThan(1);
  const changed = row.body.replace("page 1", "page 7");
  expect(changed).not.toBe(row.body);
  const gone = (): Promise<string> => copyWith((run) => run("delete from pawl_snapshots where run_id = ?", runId));
  const damages: Readonly<Record<string, { file: () => Promise<string>; found: string[]; repaired: string[]; ignored: number }>> = {
    "it is gone": { file: gone, found: [], repaired: ["snapshots.row"], ignored: 0 },
    "its text was changed": {
      file: () => setTo(changed, row.digest),
      found: ["snapshots.body"],
      repaired: ["snapshots.body"],
      ignored: 1,
    },
    "its text and its digest were changed": {
      file: () => setTo(changed, snapshotDigest(runId, row.at, changed) ?? ""),
      found: ["snapshots.digest"],
      repaired: ["snapshots.digest"],
      ignored: 1,
    },
    "its digest was changed": {
      file: () =>
        setTo(
          row.body,
          row.digest.replace(/.$/, (c) => (c === "0" ? "1" : "0")),
        ),
      found: ["snapshots.digest"],
      repaired: ["snapshots.digest"],
      ignored: 1,
    },
    "it names another event": {
      file: () => copyWith((run) => run("update pawl_snapshots set at_seq = at_seq - 1 where run_id = ?", runId)),
      found: ["snapshots.digest"],
      repaired: ["snapshots.digest", "snapshots.row"],
      ignored: 1,
    },
    "it is another run's": {
      file: () => setTo(changed, snapshotDigest("another run", row.at, changed) ?? ""),
      found: ["snapshots.digest"],
      repaired: ["snapshots.digest"],
      ignored: 1,
    },
  };
  for (const [what, { file, found, repaired, ignored }] of Object.entries(damages)) {
    const fork = await continuation(await file());
    expect(fork, what).toEqual({ commits: whole.commits, used: whole.used - 1, ignored });
    const mended = await file();
    const store = await open(mended, virtualPlatform({ seed: 1, startMs: nowMs }));
    const rebuildable: string[] = [];
    const verified = await verifyStore(store, defaultScope, { rebuildable: (id) => rebuildable.push(id) });
    expect(
      verified.findings.map((f) => `${f.table}.${f.field}`),
      what,
    ).toEqual(found);
    expect(rebuildable, what).toEqual([runId]);
    expect(
      (await repairStore(store, defaultScope)).repaired.map((f) => `${f.table}.${f.field}`),
      what,
    ).toEqual(repaired);
    expect((await repairStore(store, defaultScope, { write: true })).left, what).toEqual([]);
    expect(await store.snapshots({ runId, limit: 9 }), what).toEqual([row]);
    await store.close();
    expect(await continuation(mended), what).toEqual(whole);
  }
});

it("checkpoints that are gone, changed, or of no superstep are found, and made again to the byte", proves("C20", "AX-35"), async () => {
  const read = async (file: string) => {
    const store = await open(file, virtualPlatform({ seed: 1, startMs: nowMs }));
    return { store, rows: await store.audit.checkpoints(runId) };
  };
  const good = await read(await copyWith(() => {}));
  expect(good.rows.map((r) => r.stepId)).toEqual([0, 1, 2, 3, 4, 5]);
  expect((await verifyStore(good.store, defaultScope)).findings).toEqual([]);
  await good.store.close();
  const damages: Readonly<Record<string, readonly [string, string[]]>> = {
    gone: ["delete from pawl_checkpoints where step_id in (0, 3)", ["row 0", "row 3"]],
    "all gone": ["delete from pawl_checkpoints", [0, 1, 2, 3, 4].map((n) => `row ${n}`)], // five are told, all are made again
    "another key": ["update pawl_checkpoints set idempotency_key = 'sha256:0' where step_id = 2", ["key 2"]],
    "another label": ["update pawl_checkpoints set label = 'x' where step_id = 2", ["label 2"]],
    "another event": ["update pawl_checkpoints set body = '{\"at\":1}' where step_id = 2", ["body 2"]],
    "another step's": ["update pawl_checkpoints set step_id = 77 where step_id = 4", ["row 4", "row 77"]],
  };
  for (const [what, [sql, found]] of Object.entries(damages)) {
    const { store } = await read(await copyWith((run) => run(sql)));
    const named = (f: { readonly field: string; readonly seq?: number }): string => `${f.field} ${f.seq}`;
    expect((await verifyStore(store, defaultScope)).findings.map(named), what).toEqual(found);
    const report = await repairStore(store, defaultScope, { write: true });
    expect([report.repaired.map(named), report.left], what).toEqual([found, []]);
    expect(await store.audit.checkpoints(runId), what).toEqual(good.rows);
    expect((await verifyStore(store, defaultScope)).findings, what).toEqual([]);
    await store.close();
  }
});
