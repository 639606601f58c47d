// Everybody at once on the queues of one store: owners that dispatch, hold, withdraw, drop and settle; workers that claim, report, beat, give
// back and die; lapses and sweeps; a queue that is paused, another with a limit. It does a count of acts, and goes on until its time is over. What each dispatch came to is
// kept here, outside the store, and compared in the end: none may end twice, none may be lost, no limit may be passed.
import { isPawlError } from "../../src/errors/error.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { DispatchEnded, DispatchRow } from "../../src/store/port.ts";
import { scope, serves } from "../../src/store/suite/build.ts";
import { seeded } from "../campaign/engine-processes.ts";
import { StormOwner, type StormRun } from "./storm-owner.ts";
import { limit, queues, type Storm, type StormProblem } from "./storm.ts";
import { StormWorkers } from "./storm-workers.ts";

export interface StormReport {
  readonly acts: number;
  readonly runs: number;
  readonly dispatches: number;
  readonly claims: number;
  readonly ends: number;
  readonly problems: readonly StormProblem[];
}

/** So many acts at least, for so long at least. */
export async function storm(stores: readonly FullStore[], acts: number, seed: number, msMin = 0): Promise<StormReport> {
  const problems: StormProblem[] = [];
  const random = seeded(seed);
  const s: Storm = {
    random,
    store: () => stores[random(stores.length)]!,
    problem: (kind, what) => void problems.push({ kind, what }),
  };
  const [first] = stores as [FullStore];
  await first.queues.open(scope, Object.values(queues));
  await first.queues.configure(scope, queues.limited, { config: { concurrency: limit } });
  await first.registerEngine({ engineId: "engine-1", leaseMs: 600_000, serves, scope });
  const owner = new StormOwner(s);
  const workers = new StormWorkers(s);
  await owner.begin(10);
  await workers.begin(8);

  let done = 0;
  const until = performance.now() + msMin;
  const loop = async (act: () => Promise<unknown>): Promise<void> => {
    while (done < acts || performance.now() < until) {
      done++;
      try {
        await act();
      } catch (e) {
        // Somebody was in the way for too long, and nothing was done: the next act asks again. A deadlock must not come out of a store.
        if (isPawlError(e, "PAWL3001") && !(e.cause instanceof Error && /deadlock/i.test(e.cause.message))) continue;
        problems.push({ kind: "broken", what: String(e instanceof Error ? (e.stack ?? e.message) : e) });
      }
    }
  };
  const many = (n: number, act: (i: number) => Promise<unknown>): Promise<void>[] =>
    Array.from({ length: n }, (_, i) => loop(() => act(i)));
  await Promise.all([
    ...many(8, (i) => workers.claim(i)),
    ...many(4, () => owner.act()),
    ...many(3, () => workers.finish()),
    ...many(1, () => workers.beat()),
    ...many(1, () => workers.giveBack()),
    ...many(2, () => workers.lapse()),
    ...many(1, () => workers.lookAtLimit()),
    ...many(1, () => workers.pauseOrResume()),
    ...many(1, () => workers.die()),
  ]);
  await first.queues.configure(scope, queues.open, { paused: null });
  while ((await workers.lapse()) > 0);
  while ((await first.queues.sweep(1_000)) > 0);
  const ends = await account(s, first, owner.all, workers);
  return { acts: done, runs: owner.all.length, dispatches: owner.dispatched, claims: workers.claims, ends, problems };
}

/** What became of every dispatch: a row, one message, or the Commit that took it away. How many messages there are. */
async function account(s: Storm, store: FullStore, runs: readonly StormRun[], workers: StormWorkers): Promise<number> {
  let ends = 0;
  const reported = new Map<number, number>();
  for (const run of runs) {
    const rows = await allRows(store, run.runId);
    const messages = (await store.inbox({ runId: run.runId, all: true })).filter((m) => m.kind === "result");
    const results = messages.map((m) => JSON.parse(m.payload ?? "null") as DispatchEnded);
    ends += results.length;
    for (const r of results) reported.set(r.dispatchId, (reported.get(r.dispatchId) ?? 0) + 1);
    if (run.settled && rows.length > 0) s.problem("broken", `${run.runId} has settled and has ${rows.length} dispatches`);
    for (const [seq, fate] of run.fates) {
      const there = rows.filter((r) => r.seq === seq).length;
      const told = results.filter((r) => r.seq === seq).length;
      const what = `${run.runId}/${seq} (${fate}): ${there} rows, ${told} messages`;
      if (there + told > 1) s.problem("duplicate", what);
      // Its Commit took it away, unless it had ended before.
      if (fate === "waits" && !run.settled && there + told === 0) s.problem("lost", what);
      if (fate === "ended" && there > 0) s.problem("broken", what);
    }
  }
  for (const [id, n] of reported) if (n > 1) s.problem("duplicate", `dispatch ${id} ended ${n} times`);
  for (const id of workers.recorded) if (!reported.has(id)) s.problem("lost", `the report of dispatch ${id} was recorded and is gone`);
  for (const id of workers.lapsed) if (workers.recorded.has(id)) s.problem("duplicate", `dispatch ${id} was reported and has lapsed`);
  return ends;
}

async function allRows(store: FullStore, runId: string): Promise<readonly DispatchRow[]> {
  return store.queues.rows({ scope, runId, limit: 10_000 });
}
