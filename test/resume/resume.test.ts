// Resuming from checkpoints on every store: the latest step is found with its state, frontier and seed; what was committed is
// recognised by its key and skipped; every other failure is told. Deaths by SIGKILL of real processes: processes.test.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkLimits } from "../../src/core/limits.ts";
import { seededRandom } from "../../src/core/seeded-random.ts";
import { checkpointOf, commitStep, isAlreadyCommitted, resume, resumeFrom, type Owner, type Standpoint } from "../../src/engine/resume.ts";
import { PawlError } from "../../src/errors/error.ts";
import type { Store } from "../../src/store/port.ts";
import { create } from "../../src/store/suite/build.ts";
import { testStores } from "../support/test-store.ts";
import type { TestStore } from "../support/test-store.ts";
import { beginning, done, fence, runId, working } from "./programs/work.ts";
import { proves } from "../support/proves.ts";

interface Line {
  readonly message: string;
  readonly data: unknown;
}

describe.each(testStores)("resuming on %s", (_, open) => {
  let b: TestStore;
  let dir: string;
  let file: string;
  beforeEach(async () => {
    b = await open();
    b.skipVerification();
    dir = mkdtempSync(join(tmpdir(), "pawl-resume-"));
    file = join(dir, "done");
  });
  afterEach(async () => {
    await b.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** The run as it begins: created by its owner, with its first checkpoint in the same write. */
  async function begin(at: Standpoint = beginning): Promise<void> {
    const checkpoint = checkpointOf(runId, at, checkLimits());
    const { answers } = await b.store.commit([create(runId, { owner: "somebody", fence }, { status: "RUNNING", checkpoint })]);
    expect(answers[0]?.kind).toBe("committed");
  }
  function owner(log: Line[] = [], store: Store = b.store): Owner {
    const { platform } = b;
    return { store, platform, limits: checkLimits(), runId, fence, log: (_level, message, data) => void log.push({ message, data }) };
  }
  const end = ["1 charge", "2 receipt", "3 ship"];

  it(
    "the latest checkpoint is resumed from: its state, its frontier in order, each item's own state, a generator from its seed",
    proves("L-51", "L-52"),
    async () => {
      expect(await resumeFrom(b.store, runId)).toBeUndefined();
      await begin();
      const two: Standpoint = {
        ...beginning,
        stepId: 1,
        state: { at: new Date(5), n: 7n },
        seed: 42n,
        io: [{ asked: "charge" }],
        label: null,
      };
      await commitStep(owner(), two);
      const found = await resumeFrom(await b.reopen(), runId);
      expect(found).toEqual({ ...two, frontier: two.frontier.toReversed() });
      // The generator of the next step begins at the seed of this one.
      const drawn: number[] = [];
      await resume(owner(), async (_item, { random, state }) => (drawn.push(random.random()), { state, next: [] }));
      expect(drawn[0]).toBe(seededRandom("000000000000002a").random());
      expect(new Set(drawn).size).toBe(2);
    },
  );

  it(
    "every item of the frontier is done with its own state, in order, and each commit is logged with run and step",
    proves("L-53", "L-56"),
    async () => {
      await begin();
      const log: Line[] = [];
      const last = await resume(owner(log), working(file, "a"));
      expect(done(file)).toEqual(end);
      expect((last.state as { drawn: unknown[][] }).drawn.map(([node, sent]) => [node, sent])).toEqual([
        ["charge", { cents: 500 }],
        ["receipt", { no: expect.any(String) as string }],
        ["ship", { to: "Rome" }],
      ]);
      expect(log.map((l) => l.data)).toEqual([1, 2, 3].map((stepId) => ({ runId, stepId })));
      expect(log.every((l) => l.message.endsWith("is committed"))).toBe(true);
      expect(await resume(owner(), working(file, "b"))).toEqual(last);
      expect(done(file)).toEqual(end);
    },
  );

  it(
    "a commit whose answer is lost is recognised when it is asked again: logged, skipped, and the step is not done again",
    proves("L-49", "L-54"),
    async () => {
      await begin();
      let losing = 1;
      const lossy: Store = {
        ...b.store,
        commit: async (batch, renew) => {
          const answer = await b.store.commit(batch, renew);
          if (losing-- > 0) throw new PawlError("PAWL3002", "the line broke", { outcome: "unknown" });
          return answer;
        },
      };
      const log: Line[] = [];
      await resume(owner(log, lossy), working(file, "a"));
      expect(done(file)).toEqual(end);
      expect(log[0]).toEqual({ message: `step 1 of run ${runId} was committed already, and is skipped`, data: { runId, stepId: 1 } });
      expect(log).toHaveLength(3);
    },
  );

  it(
    "two that do the same step compute the same key; one commits it, the other is told so, skips it and goes on",
    proves("L-35", "L-50"),
    async () => {
      await begin();
      // Both have done the step before either commits it.
      let inside = 0;
      let go: () => void = () => {};
      const both = new Promise<void>((resolve) => (go = resolve));
      const keys: string[] = [];
      const logs: Line[][] = [[], []];
      const other = await b.reopen();
      const worker = async (n: number): Promise<Standpoint> => {
        const work = working(file, String(n));
        const store = n === 0 ? b.store : other;
        const watched: Store = {
          ...store,
          commit: (batch, renew) => (keys.push(batch[0]?.checkpoint?.key ?? ""), store.commit(batch, renew)),
        };
        return resume(owner(logs[n], watched), async (item, at) => {
          const made = await work(item, at);
          if (at.stepId === 1 && ++inside === 2) go();
          if (at.stepId === 1) await both;
          return made;
        });
      };
      const [one, two] = await Promise.all([worker(0), worker(1)]);
      expect(one).toEqual(two);
      expect(new Set(keys).size).toBe(3); // a key per step, whoever computed it
      expect(keys.length).toBeGreaterThan(3);
      const said = logs
        .flat()
        .map((l) => `${(l.data as { stepId: number }).stepId} ${l.message.endsWith("is committed") ? "committed" : "skipped"}`);
      for (const stepId of [1, 2, 3])
        expect(
          said.filter((l) => l === `${stepId} committed`),
          String(stepId),
        ).toHaveLength(1);
      expect(said).toContain("1 skipped");
      expect((await b.store.run({ runId }))?.stateVersion).toBe(4); // the create and three steps
    },
  );

  it(
    "every other failure is told: the store's, an owner's that is none any more, a step that came to something else, a changed row",
    proves("L-55"),
    async () => {
      await begin();
      const failing: Store = { ...b.store, commit: () => Promise.reject(new PawlError("PAWL3002", "the disk is full")) };
      await expect(resume(owner([], failing), working(file, "a"))).rejects.toMatchObject({ code: "PAWL3002", message: "the disk is full" });
      await expect(resume({ ...owner(), fence: { epoch: 0, token: "" } }, working(file, "a"))).rejects.toMatchObject({ code: "PAWL2032" });
      expect((await b.store.checkpoint({ runId }))?.stepId).toBe(0);
      const refusing: Store = { ...b.store, commit: async () => ({ answers: [{ kind: "refused", reason: "no room" }], renewal: null }) };
      await expect(resume(owner([], refusing), working(file, "a"))).rejects.toMatchObject({ code: "PAWL3007" });
      await resume(owner(), working(file, "a"));
      await expect(commitStep(owner(), { ...beginning, stepId: 2 })).rejects.toMatchObject({
        code: "PAWL2031",
        data: { runId, stepId: 2 },
      });
      const changed: Store = {
        ...b.store,
        checkpoint: async (q) => {
          const row = (await b.store.checkpoint(q))!;
          return { ...row, body: row.body.replace("500", "5") };
        },
      };
      await expect(resumeFrom(changed, runId)).rejects.toMatchObject({ code: "PAWL2031" });
    },
  );

  it("state that cannot be written has no key and no row: nothing is committed", proves("L-42"), async () => {
    await begin();
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    for (const state of [cycle, () => 1, { inner: Symbol("s") }])
      await expect(commitStep(owner(), { ...beginning, stepId: 1, state })).rejects.toMatchObject({ code: "PAWL1003" });
    expect((await b.store.checkpoint({ runId }))?.stepId).toBe(0);
  });

  it("the same step again is refused with an error of its own; no error, and no other, is taken for it", proves("L-57"), async () => {
    await begin();
    const one = { ...beginning, stepId: 1 };
    await commitStep(owner(), one);
    const error: unknown = await commitStep(owner(), one).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: "PAWL2030", data: { runId, stepId: 1 }, outcome: "none" });
    expect(isAlreadyCommitted(error)).toBe(true);
    for (const e of [undefined, null, new Error("Duplicate entry"), new PawlError("PAWL2031", "another"), { code: "PAWL2030" }])
      expect(isAlreadyCommitted(e)).toBe(false);
  });
});
