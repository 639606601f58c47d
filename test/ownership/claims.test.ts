// A claim, part by part: its epoch only rises, it comes before any code with effects, an end from outside takes it away, it is renewed whether the run works or
// waits, it is found again by looking alone, and what woke is compared by engine and by epoch. Nothing here waits for real time.
import { describe, expect, it } from "vitest";
import type { FullStore } from "../../src/store/full-store.ts";
import { workflow } from "../../src/workflow/define.ts";
import { engine, worker } from "../../src/index.ts";
import { openEngine } from "../../src/client/engine.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { posted } from "../support/posted.ts";
import { proves } from "../support/proves.ts";
import { anySchema, deferred, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
/** A store that never says that something happened: only looking finds it. */
const silent = (s: FullStore): FullStore => ({ ...s, watch: () => () => {} });

describe.each(storeKinds)("%s", (kind) => {
  it("the epoch of a run only rises, by every claim and by nothing else, and outlives its log", proves("Q-11"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { go: anySchema() } }, async (ctx) => {
      await ctx.step("a", () => 1);
      await ctx.receive("go");
      return ctx.step("b", () => 2);
    });
    const epochs: number[] = [];
    const look = async (): Promise<void> => void epochs.push((await l.row(h.runId)).fence.epoch);
    const a = await l.engine([wf], { lease: "3s" });
    const h = await a.engine.start(wf, undefined, { id: "w" });
    await l.platform.settle();
    await look(); // claimed with its start
    await l.platform.advance(20_000);
    await look(); // it waits outside memory: given up, not lowered
    a.kill();
    const b = await l.engine([wf], { lease: "3s" });
    await b.client.signal("w", "go", 1);
    await l.advanceUntil(b.client.waitForEnd(h.runId));
    await look(); // claimed by its message, and settled
    const { nowMs } = await l.store.info();
    await l.store.archive.prune({
      runId: h.runId,
      stage: "purge",
      endedBefore: nowMs + 1,
      limit: 1_000,
      unlessHeld: { collection: "none", keys: [] },
      dryRun: false,
    });
    expect(await l.log(h.runId)).toEqual([]);
    await look(); // who looked at its log before it went away has no fence any more
    expect(epochs).toEqual([1, 1, 2, 3]);
  });

  it(
    "nothing with an effect runs before its claim is in the store, and no code at all of a run that was found there",
    proves("Q-11"),
    async () => {
      const l = await fresh(kind);
      const seen: string[] = [];
      const ownerOf = async (id: string): Promise<string> => ((await l.byWorkflowId(id)).owner === null ? "unclaimed" : "claimed");
      let claims = 0;
      const wrap = (s: FullStore): FullStore => ({
        ...s,
        claim: async (q) => {
          const rows = await s.claim(q);
          claims += rows.length;
          return rows;
        },
      });
      const wf = workflow({ name: "wf", input: anySchema<string>() }, async (ctx, id) => {
        seen.push(`code of ${id} after ${claims} claims`);
        return ctx.step("s", async () => seen.push(`step of ${id} ${await ownerOf(id)}`));
      });
      const client = (await l.engine([], {})).client;
      await client.start({ workflow: "wf", id: "found", input: "found", allowUnknown: true });
      const a = await l.engine([wf], { wrap });
      await l.advanceUntil(a.client.waitForEnd("found"));
      const h = await a.engine.start(wf, "here", { id: "here" });
      await l.advanceUntil(h.result());
      expect(seen).toEqual([
        "code of found after 1 claims",
        "step of found claimed",
        "code of here after 1 claims",
        "step of here claimed",
      ]);
    },
  );

  it("an end from outside claims the run first: its lost owner's fence is worth nothing", proves("Q-11"), async () => {
    const l = await fresh(kind);
    const gate = deferred<string>();
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => gate.promise));
    const refusals: string[] = [];
    const wrap = (s: FullStore): FullStore => ({
      ...silent(s),
      renew: async () => "renewed", // it believes that it lives, and hears of nothing
      inbox: async () => [],
      commit: async (batch) => {
        const answer = await s.commit(batch);
        refusals.push(...answer.answers.map((x) => x.kind).filter((k) => k !== "committed"));
        return answer;
      },
    });
    const a = await l.engine([wf], { lease: "1s", wrap });
    const h = await a.engine.start(wf, undefined, { id: "w" });
    await l.platform.settle();
    const before = (await l.row(h.runId)).fence;
    await l.store.declareDead({ self: a.core.engineId });
    const other = await l.engine([], { lease: "1s" });
    await l.advanceUntil(other.client.control("w", "terminate", { ...posted, reason: "over" } as never));
    await l.advanceUntil(other.client.waitForEnd("w"));
    const after = await l.row(h.runId);
    expect([after.status, after.fence.epoch]).toEqual(["CANCELLED", before.epoch + 1]);
    expect(after.fence.token).not.toBe(before.token);
    const log = await l.lines(h.runId);
    gate.open("late");
    await l.platform.advance(2_000);
    expect(refusals).toEqual(["fenced"]);
    expect(await l.lines(h.runId)).toEqual(log);
    a.kill();
  });

  it("one lease keeps what works and what waits: nobody takes either over while it is renewed", proves("Q-11"), async () => {
    const l = await fresh(kind);
    const gate = deferred<string>();
    const works = workflow({ name: "works" }, async (ctx) => ctx.step("s", () => gate.promise));
    const waits = workflow({ name: "waits" }, async (ctx) => ctx.sleep("nap", "70s"));
    const a = await l.engine([works, waits], { lease: "3s", renew: "1s", idle: "1h" });
    const h = await a.engine.start(works, undefined, { id: "works" });
    const w = await a.engine.start(waits, undefined, { id: "waits" });
    const b = await l.engine([works, waits], { lease: "3s" });
    await l.platform.advance(60_000);
    for (const id of [h.runId, w.runId]) expect(await l.row(id)).toMatchObject({ owner: a.core.engineId, fence: { epoch: 1 } });
    await l.advanceUntil(b.client.waitForEnd("waits"));
    gate.open("done");
    await l.advanceUntil(b.client.waitForEnd("works"));
    for (const id of [h.runId, w.runId]) {
      expect((await l.row(id)).fence.epoch).toBe(1);
      expect(await l.lines(id)).not.toContain("pawl.TakenOver");
    }
  });

  it("runs of a dead engine, and signals of a live one's runs, are found by looking, without any hint", proves("Q-11"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { go: anySchema() } }, async (ctx) => {
      await ctx.step("s", (s) => (s.fence === "1" ? new Promise(() => {}) : 1));
      return ctx.receive("go");
    });
    const a = await l.engine([wf], { lease: "1s", wrap: silent });
    const h = await a.engine.start(wf, undefined, { id: "w" });
    await l.platform.settle();
    a.kill();
    const b = await l.engine([wf], { lease: "1s", wrap: silent, idle: "1h" });
    await l.advanceUntilLine(h.runId, "StepStarted go");
    expect((await l.row(h.runId)).owner).toBe(b.core.engineId);
    const outside = await l.engine([], { wrap: silent });
    await outside.client.signal("w", "go", 7);
    expect((await l.advanceUntil(b.client.waitForEnd("w"), 30_000)).result).toBe(7);
    expect((await l.row(h.runId)).fence.epoch).toBe(2); // its owner read it: it was not claimed again
  });

  it(
    "an engine that no longer owns a run under this epoch wakes nothing of it, though the run is its own again",
    proves("Q-11"),
    async () => {
      const l = await fresh(kind);
      const gates = [deferred<string>(), deferred<string>()];
      const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", (s) => gates[Number(s.fence) - 1]!.promise));
      const a = await l.engine([wf], { lease: "1s" });
      const h = await a.engine.start(wf, undefined, { id: "w" });
      await l.platform.settle();
      const { owner, fence, stateVersion } = await l.row(h.runId);
      // The claim went to the same engine a second time, as after a lost answer: same engine, another epoch.
      await l.store.declareDead({ self: owner! });
      await l.platform.advance(5_000);
      const now = await l.row(h.runId);
      expect(now.fence.epoch).toBe(2);
      gates[0]!.open("old"); // what the old epoch still has in hand
      await l.platform.advance(5_000);
      expect((await l.row(h.runId)).status).toBe("RUNNING");
      for (const lost of [fence, { ...now.fence, epoch: fence.epoch }, { ...now.fence, token: fence.token }]) {
        const { answers } = await l.store.commit([
          {
            ...emptyCommit,
            runId: h.runId,
            commitId: `x-${lost.epoch}-${lost.token}`,
            expect: { fence: lost, stateVersion: now.stateVersion },
          },
        ]);
        expect(answers[0]).toEqual({ kind: "fenced" });
      }
      expect(stateVersion).toBeLessThan(now.stateVersion);
      gates[1]!.open("new");
      expect((await l.advanceUntil(a.client.waitForEnd(h.runId))).result).toBe("new");
    },
  );
});

const emptyCommit = {
  events: [],
  status: "RUNNING",
  waiting: null,
  due: { at: null, inMs: null },
  release: false,
  notBefore: null,
  taken: [],
  consumed: [],
  replies: [],
  views: [],
  children: [],
  notices: [],
  moveInboxTo: null,
} as const;

it("a lease that one lost renewal would end is refused, of an engine and of a worker", proves("Q-11"), async () => {
  const bad = [
    { lease: "3s", renew: "3s" },
    { lease: "3s", renew: "5s" },
    { lease: "3s", renew: "1001ms" },
    { renew: "4s" },
    { renew: "10ms" },
  ] as const;
  for (const times of bad) {
    await expect(engine({ store: "memory:", ...times })).rejects.toMatchObject({
      code: "PAWL5001",
      message: expect.stringContaining("renew"),
    });
    await expect(worker({ store: "memory:", queues: { q: {} }, ...times })).rejects.toMatchObject({ code: "PAWL5001" });
  }
  await expect(engine({ store: "memory:", renew: "often" as never })).rejects.toMatchObject({ code: "PAWL1002" });
  const fine = await engine({ store: "memory:", lease: "3s", renew: "1s" });
  await fine.stop();
});

it("the row of a live engine marks that a store has its single owner, until that engine is gone", proves("Q-11"), async () => {
  const platform = systemPlatform();
  const store = memoryStore(platform, { capabilities: { conditionalBatch: false } });
  const open = (): ReturnType<typeof openEngine> =>
    openEngine({ platform, log: () => {}, open: async () => store }, { store, checkpointOwnership: "single-owner" });
  const first = await open();
  await expect(open()).rejects.toMatchObject({ code: "PAWL3038", data: { engineId: first.core.engineId } });
  expect((await store.info()).engines).toHaveLength(1); // the second left no row
  await expect(openEngine({ platform, log: () => {}, open: async () => store }, { store })).rejects.toMatchObject({ page: "PAWL3006" });
  await first.engine.stop();
  await (await open()).engine.stop();
});

it("no id of a run or of a business is in any metric", proves("Q-11"), async () => {
  const wf = workflow({ name: "wf", signals: { go: anySchema() } }, async (ctx) => {
    await ctx.step("charge", () => 1, { key: "canary-key", dedup: "1h" });
    return ctx.receive("go");
  });
  const app = await engine({ store: "memory:", workflows: [wf] });
  const h = await app.start(wf, undefined, { id: "canary-business" });
  await h.signal("go", 1);
  await h.result();
  const text = app.metrics();
  expect(text).toContain('pawl_effects_total{guarantee="KEYED"');
  for (const id of ["canary-business", "canary-key", h.runId]) expect(text).not.toContain(id);
  await app.stop();
});
