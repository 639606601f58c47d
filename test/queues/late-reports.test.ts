// Reports that come while the owner is finding out what became of a step, or while a person is: one that says what became of it settles the matter once;
// one that says nothing changes nothing. Answers to earlier questions count no more, and workers are not asked for ever. On the virtual clock.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { remoteTask, task, workflow } from "../../src/workflow/define.ts";
import type { Task, TaskOpts } from "../../src/workflow/types.ts";
import type { DispatchRow } from "../../src/store/port.ts";
import { dispatchEnded } from "../../src/store/queue-rules.ts";
import { deferred, payloadOf, storeKinds, testClusters, type ClusterEngine, type TestCluster } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";

const fresh = testClusters();
let n = 0;
const unique = (name: string): string => `l-${name}-${++n}`;
const orchestrator = { queues: {}, lease: "1s" } as const;

interface Scene {
  readonly l: TestCluster;
  readonly a: ClusterEngine;
  readonly runId: string;
  readonly row: DispatchRow;
  readonly t: Task<number, number>;
  readonly begun: () => number;
  readonly finish: (value: number) => void;
}

/** A worker of the test's own claims the step, and its claim ends without a report. */
async function abandoned(l: TestCluster, o: TaskOpts<number, number>): Promise<Scene> {
  let begun = 0;
  const end = deferred<number>();
  const fn = (): Promise<number> => (begun++, end.promise);
  const t = task({ name: unique("t"), input: z.number() }, fn as unknown as (i: number) => number, { queue: "q", ...o });
  const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) => ctx.do(t, i));
  const a = await l.engine([wf], orchestrator);
  const { runId } = await a.engine.start(wf, 1, { id: "r" });
  const engineId = unique("w");
  await l.store.registerEngine({ engineId, leaseMs: 60_000, serves: [], scope: defaultScope, kind: "worker" });
  const [queue] = await l.store.queues.open(defaultScope, ["q"]);
  const claim = { worker: engineId, scope: defaultScope, queue: "q", version: queue!.version, tasks: [t.name], limit: 1, tokens: ["t1"] };
  const answer = await l.store.queues.claim({ ...claim, beginWithinMs: 1_000, from: null });
  const row = answer.kind === "claimed" ? answer.rows[0]! : undefined;
  expect(row?.worker).toBe(engineId);
  await l.store.declareDead({ self: engineId });
  await l.store.queues.lapse(10);
  return { l, a, runId, row: row!, t, begun: () => begun, finish: (value) => end.open(value) };
}
const late = ({ l, runId, row }: Scene, report: unknown): Promise<boolean> =>
  l.store.queues.postLate(runId, row.stepId, dispatchEnded(row, { kind: "late", report }));
const count = (lines: readonly string[], what: string): number => lines.filter((line) => line.startsWith(what)).length;

describe.each(storeKinds)("%s", (kind) => {
  const reports = [
    ["says nothing of what became of it", { detail: { cursor: 3 } }, {}],
    ["says that it failed", { ok: false, error: { name: "Error", message: "busy" } }, { retry: { attempts: 2, initial: "1ms" } }],
  ] as const;
  it.each(reports)(
    "a report that %s comes while verify is asked: the step is sent once more, not twice",
    proves("K25", "I6"),
    async (_says, report, o) => {
      const l = await fresh(kind);
      const no = { state: "not-completed" } as const;
      const asked: ReturnType<typeof deferred<typeof no>>[] = [];
      const begin = l.platform.wallMs();
      // It answers at once until the first send can hardly arrive any more, and then takes its time.
      const verify = () => (l.platform.wallMs() < begin + 11_500 ? no : (asked.push(deferred()), asked.at(-1)!.promise));
      const s = await abandoned(l, { verify, timeout: "10s", settle: "1s", ...o } as never);
      while (asked.length === 0) await l.platform.advance(50);
      expect(await late(s, report)).toBe(true);
      await l.platform.advance(2_000);
      const worker = await l.worker({ tasks: [s.t], queues: { q: {} } });
      for (let i = 0; s.begun() === 0 && i < 50; i++) {
        asked.at(-1)!.open(no);
        await l.platform.advance(100);
      }
      expect(s.begun()).toBe(1);
      for (const ask of asked) ask.open(no); // also those that were asked before
      await l.platform.advance(3_000);
      expect(s.begun(), "while a worker has it").toBe(1);
      s.finish(7);
      expect((await l.advanceUntil(s.a.client.waitForEnd("r"))).result).toBe(7);
      expect(s.begun()).toBe(1);
      const lines = await l.lines(s.runId);
      expect(count(lines, "pawl.StepRedispatched")).toBe(1);
      expect(count(lines, "pawl.LateResult")).toBe("detail" in report ? 1 : 0);
      void worker;
    },
  );

  it("a report that says nothing leaves a person's question as it was, and is kept as evidence", proves("K27"), async () => {
    const l = await fresh(kind);
    const s = await abandoned(l, { once: true });
    await l.advanceUntilLine(s.runId, "pawl.StepInDoubt");
    const [question] = await s.a.engine.decisions();
    for (const report of [{ detail: 1 }]) expect(await late(s, report)).toBe(true);
    await l.advanceUntilLine(s.runId, "pawl.LateResult");
    expect((await s.a.engine.decisions()).map((d) => d.decisionId)).toEqual([question!.decisionId]);
    expect(payloadOf((await l.log(s.runId)).at(-1))).toMatchObject({ report: { detail: 1 }, worker: s.row.worker });
    const answer = { by: "ann", reason: "looked", happened: true, result: 5 };
    await l.advanceUntil(s.a.client.resolve(question!.decisionId, answer as never));
    expect((await l.advanceUntil(s.a.client.waitForEnd("r"))).result).toBe(5);
    expect(s.begun()).toBe(0);
  });

  it("a question to workers that ends each of them is asked five times, and then a person is asked", proves("K5"), async () => {
    const l = await fresh(kind);
    const name = unique("remote");
    const remote = remoteTask({ name, input: z.number(), output: z.number(), queue: "q" }, { verify: true, timeout: "10s" });
    const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) => ctx.do(remote, i));
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 4, { id: "r" });
    // Whatever a worker of this kind takes, it dies of.
    const taken: string[] = [];
    const claimAndDie = async (): Promise<void> => {
      const engineId = unique("w");
      await l.store.registerEngine({ engineId, leaseMs: 60_000, serves: [], scope: defaultScope, kind: "worker" });
      const [queue] = await l.store.queues.open(defaultScope, ["q"]);
      const q = { worker: engineId, scope: defaultScope, queue: "q", version: queue!.version, tasks: [name], limit: 1, tokens: [engineId] };
      const answer = await l.store.queues.claim({ ...q, beginWithinMs: 1_000, from: null });
      if (answer.kind === "claimed") taken.push(...answer.rows.map((d) => d.what));
      await l.store.declareDead({ self: engineId });
      await l.store.queues.lapse(10);
    };
    for (let i = 0; i < 40 && (await a.engine.decisions()).length === 0; i++) {
      await claimAndDie();
      await l.platform.advance(500);
    }
    expect(taken).toEqual(["run", ...Array.from({ length: 5 }, () => "verify")]);
    const [question] = await a.engine.decisions();
    expect(question).toMatchObject({ code: "PAWL2002" });
    await l.advanceUntil(a.client.resolve(question!.decisionId, { by: "ann", reason: "looked", happened: true, result: 5 } as never));
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(5);
    expect(await l.store.queues.rows({ scope: defaultScope, runId: h.runId, limit: 9 })).toEqual([]);
  });
});
