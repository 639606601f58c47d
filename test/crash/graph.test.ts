// A graph killed by SIGKILL before and after the Commit of a superstep, and in every window of an effect, on every store that outlives its process. The
// next process ends the run as an undisturbed one ends: the same state, the same key, each effect as often as its class allows.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/seeded-random.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { independentKey, readSteps } from "../graph/independent.ts";
import { killChildren, runChild, startChild, withoutDecisionNotices } from "../support/child-process.ts";
import { proves } from "../support/proves.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { openTestDatabase, type StoreName } from "../support/test-database.ts";
import { verifyAllRuns } from "../support/verify-all-runs.ts";
import { arrived } from "./programs/receiver.ts";

const program = "test/crash/programs/graph.js";
const whole = process.env["PAWL_GRAPH_KILLS"] === "all";
const superstep = ["engine:superstep#3", "engine:superstepped#3"];
const windows = ["A", "B", "C", "D", "E"].map((w) => `3/tell/tell:${w}`);
const points: Readonly<Record<StoreName, readonly string[]>> = {
  sqlite: [...superstep, ...windows, ...(whole ? [1, 2, 4, 5].flatMap((i) => [`engine:superstep#${i}`, `engine:superstepped#${i}`]) : [])],
  postgres: [...superstep, ...windows],
  mysql: [...superstep, ...windows],
};
const dir = mkdtempSync(join(tmpdir(), "pawl-graph-"));
afterAll(async () => {
  await killChildren();
  rmSync(dir, { recursive: true, force: true });
});

describe.each([
  ["sqlite", false],
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("%s", (store, skip) => {
  it.skipIf(skip).each(points[store])(
    "killed at %s, it ends with the state and the key of an undisturbed run",
    { ...proves("L-01", "L-48", "L-49", "L-51", "L-52", "L-53", "L-78"), timeout: 120_000 },
    async (point) => {
      const home = mkdtempSync(join(dir, "run-"));
      const place = await openTestDatabase(store, home);
      const ledger = join(home, "ledger");
      try {
        const killed = await runChild(program, { args: [place.url, ledger], env: { PAWL_CRASH: point } });
        expect(killed.signal, killed.stderr).toBe("SIGKILL");
        const next = await runChild(program, { args: [place.url, ledger] });
        expect(withoutDecisionNotices(next.stderr)).toBe("");
        const runId = next.lines[0]!.split(" ")[1]!;
        const result = JSON.parse(next.lines[1]!.slice("result ".length)) as { lines: string[]; draws: number[] };
        expect(result).toMatchObject({ rounds: 2, at: "after 4" });
        expect(result.lines.toSorted()).toEqual(["ship-0", "ship-1", "tell-0", "tell-1"]);
        const sent = arrived(ledger).map((r) => r.key);
        expect(sent.filter((k) => k === "tell-1")).toHaveLength(1);
        expect(new Set(sent)).toEqual(new Set(["ship-0", "ship-1", "tell-0", "tell-1"]));
        const opened = await openStore(place.url, systemPlatform());
        const log = await opened.events({ runId, after: 0, limit: 10_000 });
        const steps = readSteps(log);
        expect(steps.map((s) => s.n)).toEqual([0, 1, 2, 3, 4]);
        for (const s of steps) {
          expect(s.key, `superstep ${s.n}`).toBe(independentKey(runId, s.n, s.frontier, s.values));
          expect((await opened.checkpoint({ runId, stepId: s.n }))?.key).toBe(s.key);
        }
        expect(steps.at(-1)!.values).toEqual(result);
        expect(result.draws).toEqual(expectedDraws(runId, steps));
        await verifyAllRuns(opened, systemPlatform());
        await opened.close();
      } finally {
        await place.remove();
      }
    },
  );
});

describe.each([
  ["sqlite", false],
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("two processes on %s", (store, skip) => {
  it.skipIf(skip)(
    "one is stopped in the middle of a superstep that the other one then commits: woken, it writes nothing and ends with the other's result",
    { ...proves("L-01", "L-50"), timeout: 120_000 },
    async () => {
      const home = mkdtempSync(join(dir, "run-"));
      const place = await openTestDatabase(store, home);
      const [ledger, hold] = [join(home, "ledger"), join(home, "go")];
      try {
        const first = startChild(program, { args: [place.url, ledger, hold] });
        const runId = (await first.waitForLine("run ")).slice("run ".length);
        await first.waitForLine("holds");
        first.signal("SIGSTOP");
        const next = await runChild(program, { args: [place.url, ledger] });
        expect(next.lines[0]).toBe(`run ${runId}`);
        const opened = await openStore(place.url, systemPlatform());
        const all = async (): Promise<unknown> => [
          await opened.run({ runId }),
          await opened.events({ runId, after: 0, limit: 10_000 }),
          await Promise.all([0, 1, 2, 3, 4].map((stepId) => opened.checkpoint({ runId, stepId }))),
        ];
        const before = await all();
        writeFileSync(hold, "");
        first.signal("SIGCONT");
        const woken = await first.ended;
        expect([woken.code, woken.lines.at(-1)], woken.stderr).toEqual([0, next.lines[1]]);
        expect(await all(), "what the owner wrote, and nothing else").toEqual(before);
        const steps = readSteps(await opened.events({ runId, after: 0, limit: 10_000 }));
        expect(steps.map((s) => s.n)).toEqual([0, 1, 2, 3, 4]);
        for (const s of steps) expect(s.key, `superstep ${s.n}`).toBe(independentKey(runId, s.n, s.frontier, s.values));
        expect(
          arrived(ledger).filter((r) => r.key === "ship-1"),
          "sent by both, under one key",
        ).toHaveLength(2);
        expect(arrived(ledger).filter((r) => r.key === "tell-1")).toHaveLength(1);
        await verifyAllRuns(opened, systemPlatform());
        await opened.close();
      } finally {
        await killChildren();
        await place.remove();
      }
    },
  );
});

/** Random numbers follow from the run's id and the order key alone: what a killed process drew, the next one draws again. */
function expectedDraws(runId: string, steps: ReturnType<typeof readSteps>): number[] {
  const seed = createHash("sha256").update(runId).digest().readBigInt64BE();
  const drawing = steps.filter((s) => s.n % 2 === 1).flatMap((s) => s.items);
  return drawing.map((i) =>
    seededRandom(
      BigInt.asUintN(64, seed ^ BigInt(i.orderKey))
        .toString(16)
        .padStart(16, "0"),
    ).random(),
  );
}
