// A graph's next turn and its stops (interruptBefore, interruptAfter), killed by SIGKILL in each window: the turn asked for and not stored, stored and not
// answered, before and after its first superstep, each question before it is asked, while it waits, answered and not taken, taken. A turn happens once,
// of two requests one wins, and what was answered is not asked again. On every store that outlives its process.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { independentKey, readSteps } from "../graph/independent.ts";
import { killChildren, runChild, startChild } from "../support/child-process.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { verifyAllRuns } from "../support/verify-all-runs.ts";
import { arrived } from "./programs/receiver.ts";

const program = "test/crash/programs/turns.js";
const cli = "src/cli/main.js";
const conflict = 5;
const requestId = (n: number): string => `0b7c3f0e-7f0c-4d5c-9e0b-5b1f6a0f3a2${n}`;
const whole = ["you: a", "bot: 1", "you: b", "bot: 3"];
const dir = mkdtempSync(join(tmpdir(), "pawl-turns-"));
afterAll(async () => {
  await killChildren();
  rmSync(dir, { recursive: true, force: true });
});

/** Of two turns: the second time that a point is reached is the second turn's, unless it says otherwise. */
const points = [
  "engine:create#2", // asked for, not stored
  "engine:created#2", // stored, not answered
  "engine:superstep#3", // before the Commit of the turn's first superstep, which asks the first question, too
  "engine:superstepped#3",
  "1/~interrupt/continue:A",
  "1/~interrupt/continue:A#2",
  "engine:post#3", // the answer to the turn's first question, before it is in the inbox
  "engine:posted#3", // in the inbox, not taken
  "1/~interrupt/continue:E#2", // taken
  "2/~interrupt/continue:A#2",
  "engine:posted#4",
  "2/~interrupt/continue:E",
  "2/~interrupt/continue:E#2",
];

/** What must be true of the two turns at the end, whatever was killed. */
async function checkEnd(place: TestDatabase, ledger: string, resent?: string): Promise<void> {
  const c = await connect({ store: place.url });
  const runIds = (await c.list()).runs.map((r) => r.runId);
  expect(runIds, "one run for each turn").toHaveLength(2);
  await c.close();
  const store = await openStore(place.url, systemPlatform());
  for (const runId of runIds) {
    const log = await store.events({ runId, after: 0, limit: 1_000 });
    const asked = log.filter((e) => e.eventType === "StepStarted" && e.stepId!.includes("~interrupt")).map((e) => e.stepId);
    expect(asked, "each stop is one question").toEqual(["1/~interrupt/continue", "2/~interrupt/continue"]);
    expect(log.filter((e) => e.eventType === "pawl.DecisionAnswered")).toHaveLength(2);
    const steps = readSteps(log);
    expect(steps.map((s) => s.n)).toEqual([0, 1]);
    for (const s of steps) expect(s.key, `superstep ${s.n}`).toBe(independentKey(runId, s.n, s.frontier, s.values));
  }
  // Killed before its outcome was recorded, a KEYED step is sent again under its key.
  expect(arrived(ledger).map((r) => r.key)).toEqual(["reply 1", "reply 3", ...(resent === undefined ? [] : [resent])]);
  await verifyAllRuns(store, systemPlatform());
  await store.close();
}

describe.each([
  ["sqlite", false],
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("on %s", (name, skip) => {
  const place = async (): Promise<{ readonly place: TestDatabase; readonly ledger: string }> => {
    const home = mkdtempSync(join(dir, "run-"));
    return { place: await openTestDatabase(name, home), ledger: join(home, "ledger") };
  };

  it.skipIf(skip).each(points)(
    "killed at %s, each turn happens once and each stop is asked and answered once",
    { ...proves("LX-26", "LX-15"), timeout: 120_000 },
    async (point) => {
      const { place: p, ledger } = await place();
      try {
        const killed = await runChild(program, { args: [p.url, ledger], env: { PAWL_CRASH: point } });
        expect(killed.signal, killed.stderr + killed.lines.join("\n")).toBe("SIGKILL");
        const next = await runChild(program, { args: [p.url, ledger] });
        expect([next.code, next.stderr]).toEqual([0, ""]);
        expect(next.lines).toEqual([`result ${JSON.stringify(whole)}`]);
        await checkEnd(p, ledger, point === "2/~interrupt/continue:A#2" ? "reply 3" : undefined);
      } finally {
        await p.remove();
      }
    },
  );

  it.skipIf(skip)("killed while it waits at each of four stops, it waits for the same question", { timeout: 120_000 }, async () => {
    const { place: p, ledger } = await place();
    const c = await connect({ store: p.url });
    const seen = new Set<string>();
    try {
      for (let i = 0; i < 4; i++) {
        const life = startChild(program, { args: [p.url, ledger, "hold", ...seen] });
        const id = (await life.waitForLine("holds")).slice("holds ".length);
        life.signal("SIGKILL");
        expect((await life.ended).signal).toBe("SIGKILL");
        expect((await c.questions("talk")).map((q) => q.questionId)).toEqual([id]);
        seen.add(id);
        const answer = () => c.answer(id, true, { by: "ann", submissionId: `s-${id}`, timeoutMs: 0 });
        expect((await answer()).replayed).toBe(false); // nobody is there to take it
        expect((await answer()).replayed).toBe(true);
        for (const old of seen)
          // once an owner has taken it, another answer is refused
          if (old !== id) await expect(c.answer(old, true, { by: "bob" })).rejects.toMatchObject({ code: "PAWL4070", data: { by: "ann" } });
      }
      const last = await runChild(program, { args: [p.url, ledger, "hold", ...seen] });
      expect([last.code, last.lines]).toEqual([0, [`result ${JSON.stringify(whole)}`]]);
      await checkEnd(p, ledger);
    } finally {
      await c.close();
      await p.remove();
    }
  });

  it.skipIf(skip)(
    "of two requests for a turn one wins, also when it dies before it hears; the same request again is the same turn",
    { ...proves("LX-15"), timeout: 120_000 },
    async () => {
      const { place: p, ledger } = await place();
      const next = (n: number, text: string, crash?: string) =>
        runChild(cli, {
          args: ["next", "talk", "--input", JSON.stringify({ text }), "--request-id", requestId(n), "--json", "--store", p.url],
          ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
        });
      const c = await connect({ store: p.url });
      const runs = async () => (await c.list()).runs.map((r) => r.runId);
      const playTurn = async () => (await runChild(program, { args: [p.url, ledger, "turn"] })).lines;
      try {
        expect(await playTurn()).toEqual(['turn ["you: a","bot: 1"]']);
        expect((await next(1, "x", "engine:create")).signal).toBe("SIGKILL");
        expect(await runs()).toHaveLength(1);
        expect((await next(2, "b", "engine:created")).signal).toBe("SIGKILL");
        const [second = ""] = await runs();
        expect(await runs()).toHaveLength(2);
        expect(await next(1, "x")).toMatchObject({ code: conflict, stderr: expect.stringContaining("PAWL4010") });
        const again = await next(2, "b");
        expect(JSON.parse(again.lines.join("\n"))).toMatchObject({ runId: second, replayed: true });
        expect(await next(2, "c")).toMatchObject({ code: conflict, stderr: expect.stringContaining("PAWL4053") });
        expect(await playTurn()).toEqual([`turn ${JSON.stringify(whole)}`]);
        const late = await next(2, "b"); // its turn has ended: no other one begins
        expect(JSON.parse(late.lines.join("\n"))).toMatchObject({ runId: second, replayed: true });
        await checkEnd(p, ledger);
        const atOnce = await Promise.all([3, 4, 5].map((n) => next(n, `at once ${n}`)));
        expect(atOnce.map((e) => String(e.code)).toSorted()).toEqual(["0", String(conflict), String(conflict)]);
        expect(await runs()).toHaveLength(3);
      } finally {
        await c.close();
        await p.remove();
      }
    },
  );
});
