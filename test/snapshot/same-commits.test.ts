// Random DAGs and random state graphs, stopped and killed at random, with pauses, cancels, signals, answers, and retries of the runs that failed: whatever snapshot the next
// owner begins at, or none, it commits the same to the byte. PAWL_SNAPSHOT_SEEDS says how many seeds are tried, PAWL_SNAPSHOT_FIRST which is the first.
import { expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import type { Engine } from "../../src/client/engine-types.ts";
import { isSettled } from "../../src/core/model.ts";
import { virtualPlatform } from "../../src/platform/virtual.ts";
import { memoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { SnapshotRecord } from "../../src/store/port.ts";
import { killableEngine } from "../../src/testing/killable-engine.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { proves } from "../support/proves.ts";
import { advanceUntil, commitsOfFork, recordCommits } from "./forks.ts";
import { randomDag, seededPick, type Pick } from "./random-dag.ts";
import { randomGraph } from "./random-graph.ts";
import { wholeDose } from "../support/whole-dose.ts";

const seeds = Number(process.env["PAWL_SNAPSHOT_SEEDS"] ?? (wholeDose ? "20" : "8"));
const first = Number(process.env["PAWL_SNAPSHOT_FIRST"] ?? "1");

/** What happened to a run from outside, and what was compared. */
interface Trial {
  forks: number;
  resumed: number;
  settled: boolean;
  retried: number;
}

type Style = "dag" | "graph";

async function tryOne(style: Style, seed: number): Promise<Trial> {
  const pick = seededPick(`trial ${seed}`);
  const { wf, child } = style === "dag" ? randomDag(seed) : randomGraph(seed);
  // Calls of one turn in several Commits: their ends are no places to begin from.
  const limits = { snapshotTailBytesMin: 1, startsPerCommitMax: pick.of([1, 2, 100]) };
  const platform = virtualPlatform({ seed });
  const state = memoryState(platform);
  const nowMs = (): number => platform.uptimeMs() + state.clockOffset;
  const written: SnapshotRecord[] = [];
  const trial: Trial = { forks: 0, resumed: 0, settled: false, retried: 0 };
  let ended: string | null = null;
  const connect = async (p: typeof platform): Promise<ReturnType<typeof memoryStore>> => memoryStore(p, { state });
  const store = memoryStore(platform, { state });
  for (let owner = 0; owner < 6; owner++) {
    let hits = 0;
    const killAt = pick.chance(0.5) ? 1 + pick.below(60) : Number.POSITIVE_INFINITY;
    const mortal = await killableEngine(
      {
        platform,
        connect: connect as never,
        closes: false,
        onHit: () => ++hits === killAt,
        wrap: (s) =>
          recordCommits(s, (c) => {
            if (c.snapshot === undefined) return;
            const { at, digest, body } = c.snapshot;
            written.push({ runId: c.runId, at, digest, body });
          }),
      },
      { workflows: [wf, child], log: () => {}, limits },
    ).catch(() => null);
    if (mortal === null) continue; // it died while it was being opened
    const { engine } = mortal;
    if (owner === 0)
      (engine.start as (...a: unknown[]) => Promise<unknown>)(wf, style === "dag" ? { seed } : {}, { id: "r" }).catch(() => {});
    // It may die with the question unanswered.
    if (ended !== null && mortal.alive)
      void engine
        .get(wf, "r")
        .then((h) => h?.retry())
        .catch(() => {});
    await platform.settle();
    for (let turn = 0; turn < 4 && mortal.alive; turn++) {
      await platform.advance(pick.below(5_000));
      if (mortal.alive) await act(engine, wf, pick);
    }
    if (mortal.alive) await (pick.chance(0.5) ? advanceUntil(platform, mortal.stop()) : mortal.kill());
    await platform.settle();
    const row = await store.run({ scope: defaultScope, workflowId: "r" });
    if (row === undefined) continue;
    if (ended !== null && row.runId !== ended) trial.retried++;
    ended = null;
    if (isSettled(row.status)) {
      trial.settled = true;
      if (row.status !== "FAILED") break;
      ended = row.runId;
      continue;
    }
    const announced = new Set(
      (await store.events({ runId: row.runId, after: 0, limit: 100_000 })).flatMap((e) =>
        e.eventType === "pawl.Snapshot" ? [(JSON.parse(e.payload!) as { digest: string }).digest] : [],
      ),
    );
    const bodies = [...new Map(written.filter((w) => w.runId === row.runId && announced.has(w.digest)).map((w) => [w.at, w])).values()];
    // What else runs there would end at a moment that depends on how long the reading of this run's log takes: its messages are not the log's doing.
    const without = [...state.unsettled.keys()].filter((id) => id !== row.runId);
    const compare = { forMs: 30_000, limits, without };
    const plain = await commitsOfFork(state, nowMs(), row.runId, [], [wf, child], compare);
    const chosen = bodies.length <= 3 ? bodies : [bodies[0]!, bodies[pick.below(bodies.length)]!, bodies.at(-1)!];
    for (const body of chosen) {
      const fork = await commitsOfFork(state, nowMs(), row.runId, [body], [wf, child], compare);
      const differs = plain.commits.findIndex((c, i) => c !== fork.commits[i]);
      const at = differs < 0 && fork.commits.length > plain.commits.length ? plain.commits.length : differs;
      expect(fork.commits[at], `seed ${seed}, owner ${owner}, from event ${body.at}, Commit ${at}`).toEqual(plain.commits[at]);
      trial.forks++;
      trial.resumed += fork.used;
      expect(fork.ignored).toBe(0);
    }
  }
  return trial;
}

/** Something that somebody outside does; its answer may take the store's time. */
async function act(engine: Engine, wf: AnyWorkflow, pick: Pick): Promise<void> {
  const h = await engine.get(wf, "r");
  if (h === undefined) return;
  const what = pick.below(10);
  const ignored = (): void => {};
  if (what === 0) h.pause().catch(ignored);
  else if (what <= 2) h.resume().catch(ignored);
  else if (what === 3 && pick.chance(0.3)) h.cancel().catch(ignored);
  else if (what <= 5) (h as unknown as { signal(n: string, v: string): Promise<void> }).signal(`go${pick.below(2)}`, "go").catch(ignored);
  else {
    const [open] = await engine.decisions();
    const who = { by: "ann", reason: "looked" };
    const answer = pick.of([
      { happened: true, result: "said" },
      { happened: false },
      { retry: true },
      { skip: true },
      { complete: true, result: "said" },
      { fail: true },
      { approve: true },
      { refuse: true },
    ]);
    if (open !== undefined) engine.resolve(open.decisionId, { ...answer, ...who } as never).catch(ignored);
  }
}

it.each(["dag", "graph"] as const)(
  "%s: from any snapshot and from the first event, the next owner commits the same to the byte",
  { ...proves("K13"), timeout: 120_000 + seeds * 10_000 },
  async (style) => {
    const all = { forks: 0, resumed: 0, settled: 0, retried: 0 };
    for (let seed = first; seed < first + seeds; seed++) {
      const t = await tryOne(style, seed);
      all.forks += t.forks;
      all.resumed += t.resumed;
      all.settled += t.settled ? 1 : 0;
      all.retried += t.retried;
    }
    expect(all.forks).toBeGreaterThan(seeds / 2);
    expect(all.resumed).toBeGreaterThanOrEqual(all.forks * 0.5);
    if (seeds > 100) console.log(`${style}: ${seeds} seeds from ${first}`, all);
  },
);
