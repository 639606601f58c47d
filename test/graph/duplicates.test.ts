// A superstep that is committed again, through graph() on every store: it is known as done, said with run and superstep, and skipped. What is no
// duplicate is never taken for one: it reaches the log and a person, and nothing of the superstep is written.
import { afterEach, describe, expect, it } from "vitest";
import { graph, last, sum } from "../../src/graph.ts";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit } from "../../src/store/port.ts";
import { unknownAnswer } from "../support/faulty-store.ts";
import { clashReason } from "../../src/store/rules.ts";
import { proves } from "../support/proves.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { wrapCommit } from "../support/wrap-commit.ts";

const open: TestStore[] = [];
afterEach(async () => {
  for (const s of open.splice(0)) await s.close();
});

/** Six supersteps after the first, each with one effect; what was sent is counted by its key. */
function counting(sent: Map<string, number>) {
  return graph({ name: "count", state: { n: sum(), at: last(0) } })
    .nodes({
      a: async (s, ctx) => {
        await ctx.step("tell", (x) => void sent.set(x.key, (sent.get(x.key) ?? 0) + 1), { repeatable: true });
        return { n: 1, at: s.n };
      },
    })
    .edges({ start: "a", a: (s) => (s.n < 6 ? "a" : "end") });
}
const expected = { n: 6, at: 5 };

interface Line {
  readonly level: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}
interface Place {
  readonly s: TestStore;
  readonly other: FullStore;
  readonly logs: Line[];
  readonly sent: Map<string, number>;
  /** All that the store has of a run. */
  rows(runId: string): Promise<unknown>;
  /** Runs the graph behind this line, to its end. */
  run(through: (s: FullStore) => FullStore): Promise<{ runId: string; result: unknown }>;
}

async function place(make: () => Promise<TestStore>): Promise<Place> {
  const s = await make();
  open.push(s);
  const other = await s.reopen();
  const [logs, sent]: [Line[], Map<string, number>] = [[], new Map()];
  const log: EngineOpts["log"] = (level, message, data) => void logs.push({ level, message, data: data ?? {} });
  const rows = async (runId: string): Promise<unknown> => [
    await other.run({ runId }),
    await other.events({ runId, after: 0, limit: 1_000 }),
    await Promise.all([0, 1, 2, 3, 4, 5, 6].map((stepId) => other.checkpoint({ runId, stepId }))),
  ];
  const run: Place["run"] = async (through) => {
    const g = counting(sent);
    const { engine } = await s.engine({ workflows: [g], store: through(s.store), log });
    const h = await engine.start(g, {});
    return { runId: h.runId, result: await h.result() };
  };
  return { s, other, logs, sent, rows, run };
}
const once = (sent: Map<string, number>): void => expect([sent.size, Math.max(...sent.values())]).toEqual([6, 1]);
const superstepOf = (batch: readonly Commit[], n: number): Commit | undefined => batch.find((c) => c.checkpoint?.stepId === n);

describe.each(testStores)("%s", (_name, make) => {
  it(
    "the answer to a superstep's Commit is lost: asked again the store knows it, changes nothing, and the run continues behind it",
    proves("L-49", "L-54", "L-61", "L-63", "L-69", "L-76"),
    async () => {
      const p = await place(make);
      const answers: string[] = [];
      const records: unknown[] = [];
      const { runId, result } = await p.run(
        wrapCommit(async (real, batch, renew) => {
          const c = superstepOf(batch, 5);
          const answer = await real(batch, renew);
          if (c === undefined) return answer;
          answers.push(answer.answers[batch.indexOf(c)]!.kind);
          records.push(await p.rows(c.runId));
          if (answers.length === 1) throw unknownAnswer("commit");
          return answer;
        }),
      );
      expect(answers, "written once, then known; never asked a third time").toEqual(["committed", "duplicate"]);
      expect(records[1], "the stored record").toEqual(records[0]);
      expect(result).toEqual(expected);
      once(p.sent);
      const about = p.logs.filter((l) => l.data["superstep"] === 5);
      expect(about.map((l) => [l.level, l.message, l.data["runId"]])).toEqual([
        ["info", "superstep 5 was recorded before, the run continues behind it", runId],
      ]);
      expect(
        p.logs.filter((l) => l.level === "error"),
        "no failure",
      ).toEqual([]);
    },
  );

  it(
    "supersteps 1 to 5 are committed, the fifth again is refused in every way, the sixth goes through",
    proves("L-19", "L-57", "L-59", "L-65", "L-73"),
    async () => {
      const p = await place(make);
      const done: number[] = [];
      const again: string[] = [];
      const reasons: string[] = [];
      const { runId, result } = await p.run(
        wrapCommit(async (real, batch, renew) => {
          const answer = await real(batch, renew);
          for (const [i, c] of batch.entries())
            if (c.checkpoint !== undefined && answer.answers[i]!.kind === "committed") done.push(c.checkpoint.stepId);
          const c = superstepOf(batch, 5);
          if (c === undefined || again.length > 0) return answer;
          const before = await p.rows(c.runId);
          const { fence, stateVersion } = (await p.other.run({ runId: c.runId }))!;
          for (const rival of [
            c, // the same Commit
            { ...c, commitId: "of another process" },
            { ...c, commitId: "of the owner itself", expect: { fence, stateVersion }, events: [] },
            // The database itself holds the key once, under whatever number.
            { ...c, commitId: "its key", expect: { fence, stateVersion }, events: [], checkpoint: { ...c.checkpoint!, stepId: 77 } },
          ]) {
            const told = (await p.other.commit([rival])).answers[0]!;
            again.push(told.kind);
            if (told.kind === "refused") reasons.push(told.reason);
          }
          expect(await p.rows(c.runId)).toEqual(before);
          return answer;
        }),
      );
      expect(again).toEqual(["duplicate", "stale", "refused", "refused"]);
      expect(reasons, "a duplicate, and no other error").toEqual([clashReason, clashReason]);
      expect(done).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect([result, (await p.other.checkpoint({ runId }))!.stepId]).toEqual([expected, 6]);
      once(p.sent);
    },
  );

  it(
    "what says whose turn it is comes before key and checkpoint: a Commit that lost there is told so, whatever else of it could not be written",
    proves("L-17"),
    async () => {
      const p = await place(make);
      const answers: string[] = [];
      const { result } = await p.run(
        wrapCommit(async (real, batch, renew) => {
          const answer = await real(batch, renew);
          const c = superstepOf(batch, 3);
          if (c === undefined || answers.length > 0) return answer;
          // Key, checkpoint and events of all of these are there already: written first, they would be what the store complains of.
          const lost = { ...c, expect: { fence: { epoch: 0, token: "" }, stateVersion: 0 } };
          for (const rival of [c, { ...c, commitId: "late" }, { ...lost, commitId: "lost" }])
            answers.push((await p.other.commit([rival])).answers[0]!.kind);
          return answer;
        }),
      );
      expect(answers).toEqual(["duplicate", "stale", "fenced"]);
      expect(result).toEqual(expected);
    },
  );

  it(
    "a checkpoint that is there under its own key is skipped, with run and superstep in the log, and the next supersteps follow",
    proves("L-54"),
    async () => {
      const p = await place(make);
      p.s.skipVerification(); // the row below is older than the event that it belongs to
      let ahead = 0;
      const { runId, result } = await p.run(
        wrapCommit(async (real, batch, renew) => {
          const c = superstepOf(batch, 2);
          if (c !== undefined && ahead === 0) {
            // The row alone, as a store that was put together from two copies would have it.
            const { fence, stateVersion } = (await p.other.run({ runId: c.runId }))!;
            const { answers } = await p.other.commit([
              { ...c, commitId: "the row alone", events: [], effects: [], expect: { fence, stateVersion } },
            ]);
            expect(answers[0]!.kind).toBe("committed");
            ahead = 1;
          }
          const moved = batch.map((x) =>
            "create" in x.expect ? x : { ...x, expect: { ...x.expect, stateVersion: x.expect.stateVersion + ahead } },
          );
          return real(moved, renew);
        }),
      );
      expect(result).toEqual(expected);
      once(p.sent);
      const warned = p.logs.filter((l) => l.level === "warn" && l.data["superstep"] === 2);
      expect(warned.map((l) => [l.message, l.data["runId"]])).toEqual([
        ["the checkpoint of superstep 2 already exists: its Commit is made without it", runId],
      ]);
    },
  );

  it("a store error that is no duplicate reaches the log and the caller, and the superstep is not skipped", proves("L-55"), async () => {
    const p = await place(make);
    let asked = 0;
    const g = counting(p.sent);
    const logs: Line[] = [];
    const log: EngineOpts["log"] = (level, message, data) => void logs.push({ level, message, data: data ?? {} });
    const breaking = wrapCommit(async (real, batch, renew) => {
      const c = superstepOf(batch, 2);
      if (c === undefined) return real(batch, renew);
      if (asked++ === 0) throw new Error("the disk is on fire"); // once: no code, no number
      return real(
        batch.map((x) => (x === c ? { ...x, events: [...x.events, x.events[0]!] } : x)), // two events with one number: a constraint
        renew,
      );
    });
    const { engine } = await p.s.engine({ workflows: [g], store: breaking(p.s.store), log });
    const h = await engine.start(g, {});
    await expect(h.result()).rejects.toMatchObject({ name: "RunFailed", cause: { cause: { code: "PAWL3018" } } });
    const errors = logs.filter((l) => l.level === "error");
    expect(errors.some((l) => l.message.includes("the disk is on fire") && l.data["runId"] === h.runId)).toBe(true);
    expect(errors.some((l) => l.message.includes("the store refused a Commit") && l.data["runId"] === h.runId)).toBe(true);
    expect(await p.other.checkpoint({ runId: h.runId, stepId: 2 }), "nothing of it is there").toBeUndefined();
    expect((await p.other.checkpoint({ runId: h.runId }))!.stepId).toBe(1);
  });
});
