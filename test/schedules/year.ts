// A year of schedules in six time zones on engines that die at random: before and after the Commit of a fire, in the middle of a run, all at
// once. What is checked afterwards: every due time has one record, none is early, each started one run, and no run is without a record. Used by a
// test with one seed and by the campaign with many.
import { cronTimes } from "../../src/schedule/cron.ts";
import { runIdOf } from "../../src/schedule/rows.ts";
import { seededRandom } from "../../src/core/seeded-random.ts";
import { schedule, workflow } from "../../src/index.ts";
import { defaultScope } from "../../src/client/environment.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { RunRow } from "../../src/store/port.ts";
import type { ClusterEngine, TestCluster } from "../support/test-cluster.ts";
import { passTime } from "./pass-time.ts";

/** A time that is left out or comes twice somewhere in the year, in zones that change their clocks by an hour, half an hour, at midnight, or not. */
export const zones: readonly (readonly [tz: string, cron: string])[] = [
  ["Europe/Zurich", "30 2 * * *"],
  ["America/New_York", "15 2 * * *"],
  ["Australia/Lord_Howe", "45 1 * * *"],
  ["America/Santiago", "0 0 * * *"],
  ["Africa/Cairo", "30 23 * * *"],
  ["Asia/Kolkata", "0 9 * * *"],
];

const points = new Set(["engine:fire", "engine:fired", "engine:create", "engine:created", "engine:commit", "engine:ack"]);
const dayMs = 86_400_000;

export interface YearReport {
  readonly kills: number;
  readonly started: number;
  readonly missed: number;
  readonly skipped: number;
  /** What must never be. */
  readonly problems: readonly string[];
}

/** `days` from the cluster's beginning on. `wrap` stands between each engine and its store: a planted bug. */
export async function scheduleYear(
  cluster: TestCluster,
  o: { readonly seed: number; readonly days: number; readonly wrap?: (s: FullStore) => FullStore },
): Promise<YearReport> {
  const { platform } = cluster;
  const { random } = seededRandom(o.seed.toString(16));
  const begin = (await cluster.store.info()).nowMs;
  const daily = workflow({ name: "daily" }, async (ctx) => {
    await ctx.step("work", () => 1, { repeatable: true });
    await ctx.step("more", () => 2, { repeatable: true });
  });
  const schedules = zones.map(([tz, cron]) => schedule(tz, { cron, tz, catchup: "6h" }, daily));
  let kills = 0;
  const start = (): Promise<ClusterEngine> => {
    let lives = 1 + Math.floor(random() * 60);
    return cluster.engine([daily], {
      schedules,
      lease: "3s",
      ...(o.wrap === undefined ? {} : { wrap: o.wrap }),
      onHit: (point) => points.has(point) && --lives <= 0,
    });
  };
  (await cluster.engine([daily], { schedules, lease: "3s" })).kill(); // all of them are put; from now on anybody may die
  const engines: (ClusterEngine | null)[] = [null, null, null];
  const revive = async (): Promise<void> => {
    for (let i = 0; i < engines.length; i++) {
      if (engines[i]?.alive === false) {
        kills++;
        engines[i] = null;
      }
      if (engines[i] !== null || random() < 0.3) continue;
      engines[i] = await start().catch(() => null); // it died while it was being opened
    }
  };
  for (let day = 0; day < o.days; day++) {
    await revive();
    await passTime(platform, dayMs / 2);
    if (random() < 0.05) for (const e of engines) e?.kill();
    await revive();
    await passTime(platform, dayMs / 2);
  }
  // Somebody lives until all is done.
  const last = await cluster.engine([daily], { schedules, lease: "3s" });
  await passTime(platform, dayMs / 4);
  return { kills, ...(await check(cluster, last, begin)) };
}

async function check(cluster: TestCluster, e: ClusterEngine, begin: number): Promise<Omit<YearReport, "kills">> {
  const problems: string[] = [];
  const count = { started: 0, missed: 0, skipped: 0 };
  const { nowMs } = await cluster.store.info();
  const runs = new Map((await allRuns(cluster.store)).map((r) => [r.workflowId, r]));
  for (const [tz, cron] of zones) {
    const { fires } = await e.client.schedules.get(tz, { fires: 1000 });
    const expected: number[] = [];
    const times = cronTimes(cron, tz);
    for (let due = times.next(begin); due !== null && due <= nowMs; due = times.next(due)) expected.push(due);
    const seen = fires.map((f) => Date.parse(f.due)).sort((a, b) => a - b);
    if (JSON.stringify(seen) !== JSON.stringify(expected))
      problems.push(`${tz}: ${expected.length} due times, ${seen.length} records; ${difference(expected, seen)}`);
    for (const f of fires) {
      const due = Date.parse(f.due);
      if (f.did in count) count[f.did as keyof typeof count]++;
      const run = runs.get(runIdOf(tz, due));
      runs.delete(runIdOf(tz, due));
      if (Date.parse(f.at) < due || (run !== undefined && run.createdAt < due)) problems.push(`${tz} ${f.due}: fired early`);
      if ((f.did === "started") !== (run !== undefined))
        problems.push(`${tz} ${f.due}: ${f.did}, ${run === undefined ? "no run" : `run ${run.runId}`}`);
      if (run !== undefined && f.runId !== run.runId) problems.push(`${tz} ${f.due}: another run than recorded`);
    }
  }
  for (const r of runs.values()) problems.push(`${r.workflowId} has a run and no record`);
  return { ...count, problems };
}

function difference(expected: readonly number[], seen: readonly number[]): string {
  const text = (all: readonly number[]): string =>
    all
      .slice(0, 3)
      .map((t) => new Date(t).toISOString())
      .join(", ");
  const twice = seen.filter((t, i) => seen[i - 1] === t);
  return `missing ${text(expected.filter((t) => !seen.includes(t)))}; extra ${text(seen.filter((t) => !expected.includes(t)))}; twice ${text(twice)}`;
}

/** Several runs of one id would be several rows. */
async function allRuns(store: FullStore): Promise<RunRow[]> {
  const all: RunRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.runs({ scope: defaultScope, limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.runs);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}
