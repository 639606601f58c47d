// After how long somebody should look at a run: an hour without a worker, half an hour beyond the time of a retry or of a claim, unless its template
// says otherwise; every five minutes, a hundred runs at a time. On the virtual clock. Guards that nobody is called too early, and somebody in the end.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { dag } from "../../src/dag/builder.ts";
import { dagFromTemplate } from "../../src/dag/template.ts";
import { remoteTask, task, workflow } from "../../src/workflow/define.ts";
import { passTime } from "../schedules/pass-time.ts";
import { proves } from "../support/proves.ts";
import { deferred, testClusters, type TestCluster } from "../support/test-cluster.ts";

const fresh = testClusters();
const minute = 60_000;

async function pass(l: TestCluster, minutes: number): Promise<void> {
  for (let i = 0; i < minutes; i++) await passTime(l.platform, minute);
}
const order = (name: string, stale?: object) =>
  dagFromTemplate({
    namespace: "shop",
    name,
    version: "1",
    ...(stale === undefined ? {} : { stale }),
    steps: [{ name: "pack", handler: "pack" }],
  });

describe("staleness", () => {
  it(
    "a step without a worker: an hour, or what its template says; a queue warns at four fifths of half an hour",
    proves("TX-14"),
    async () => {
      const l = await fresh();
      const plain = order("plain");
      const hasty = order("hasty", { waitingForDependencies: "10m" });
      const a = await l.engine([plain, hasty], { queues: {}, lease: "3s" });
      await a.engine.start(plain, {}, { id: "plain" });
      await a.engine.start(hasty, {}, { id: "hasty" });
      const found = async (): Promise<readonly string[]> => (await a.client.investigations.list()).map((i) => `${i.runId} ${i.why}`);
      const { runId: plainRun } = (await a.client.get("plain"))!;
      const { runId: hastyRun } = (await a.client.get("hasty"))!;
      const health = async (): Promise<string | undefined> => (await a.client.queues.list())[0]?.health;
      await pass(l, 9);
      expect(await found()).toEqual([]);
      await pass(l, 7);
      expect(await found()).toEqual([`${hastyRun} no-worker`]);
      await pass(l, 7);
      expect(await health()).toBe("healthy");
      await pass(l, 2);
      expect(await health()).toBe("warning");
      await pass(l, 6);
      expect(await health()).toBe("stale");
      await pass(l, 28);
      expect(await found()).toEqual([`${hastyRun} no-worker`]);
      await pass(l, 7);
      expect(await found()).toEqual(expect.arrayContaining([`${plainRun} no-worker`, `${hastyRun} no-worker`]));
      expect([(await a.client.get("plain"))?.status, (await a.client.get("hasty"))?.status]).toEqual(["RUNNING", "RUNNING"]);
    },
  );

  it("a step that is claimed, and a retry that nobody makes: half an hour each, beyond their time", proves("TX-14"), async () => {
    const l = await fresh();
    const never = deferred<number>();
    const slow = task({ name: "slow", input: z.number() }, () => never.promise, { queue: "slow" });
    const claimed = workflow({ name: "claimed", input: z.number() }, (ctx, n) => ctx.do(slow, n));
    const retried = workflow({ name: "retried" }, (ctx) =>
      ctx.step(
        "fails",
        () => {
          throw new Error("not now");
        },
        { retry: { attempts: 2, initial: "10m", backoff: "fixed" } },
      ),
    );
    const seer = await l.engine([claimed], { queues: {}, lease: "3s" });
    await l.worker({ tasks: [slow], queues: { slow: {} } });
    const gone = await l.engine([retried], { queues: {}, lease: "3s" });
    await seer.engine.start(claimed, 1, { id: "claimed" });
    await gone.engine.start(retried, undefined as never, { id: "retried" });
    await l.platform.advance(2_000);
    await l.advanceUntil(gone.engine.stop());
    const causes = async (): Promise<readonly string[]> =>
      (await seer.client.investigations.list()).map((i) => i.notes[0]!.reason).toSorted();
    await pass(l, 29);
    expect(await causes()).toEqual([]);
    await pass(l, 7);
    expect(await causes()).toEqual([expect.stringMatching(/^slow has been claimed for 3\d m by /)]);
    await pass(l, 2);
    expect(await causes()).toHaveLength(1);
    await pass(l, 8);
    expect(await causes()).toEqual([
      expect.stringMatching(/^a retry has been due for 3\d m, and no engine took it$/),
      expect.stringMatching(/^slow has been claimed for/),
    ]);
    never.open(1);
  });

  it("a hundred at a time, every five minutes", proves("TX-14"), async () => {
    const l = await fresh();
    const pack = remoteTask({ name: "pack", input: z.number(), output: z.number(), queue: "packing" });
    const many = workflow({ name: "many", input: z.number() }, (ctx, n) => ctx.do(pack, n));
    const a = await l.engine([many], { queues: {}, lease: "3s" });
    for (let n = 0; n < 120; n++) await a.engine.start(many, n, { id: `m-${n}` });
    const count = async (): Promise<number> => (await a.client.investigations.list({ limit: 500 })).length;
    let before = 0;
    const steps: number[] = [];
    for (let m = 0; m < 80; m++) {
      await pass(l, 1);
      const now = await count();
      if (now > before) steps.push(now - before);
      before = now;
    }
    expect(before).toBe(120);
    expect(Math.max(...steps)).toBeLessThanOrEqual(100);
    expect(steps.length).toBeGreaterThan(1);
  });

  it("times are checked, of a template and of a DAG in code, and what it does not know is refused by name", () => {
    expect(() => order("a", { waiting: "10m" })).toThrow(
      /stale has no "waiting"; it may have waitingForDependencies, waitingForRetry, inProcess, then/,
    );
    expect(() => order("a", { inProcess: "soon" })).toThrow(/stale: inProcess is not a duration/);
    expect(() => order("a", { inProcess: 0 })).toThrow(/stale: inProcess must be more than 0/);
    expect(() => order("a", { then: "requeue" })).toThrow(/stale: then is one of investigate, fail/);
    expect(() => order("a", "10m" as never)).toThrow(/stale must be an object/);
    const inCode = (stale: object) => () => dag({ name: "a", stale }, (t) => t.task("b", {}, () => 1));
    expect(inCode({ waitingForRetry: "-1m" })).toThrow(/stale: waitingForRetry is not a duration/);
    expect(inCode({ waitingForWorkers: "1m" })).toThrow(/stale has no "waitingForWorkers"/);
  });
});
