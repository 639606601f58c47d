// What a superstep leaves in a store, through graph() on every store: one Commit with state, frontier, recorded steps, key and checkpoint, or nothing.
// Each part is made to fail, the same Commit is asked many times at once, and rows are put in its way. Lost answers: duplicates.test.ts.
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, last, send, sum } from "../../src/graph.ts";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import type { RecordedIO } from "../../src/events/graph-log.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit } from "../../src/store/port.ts";
import { proves } from "../support/proves.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { wrapCommit } from "../support/wrap-commit.ts";
import { independentKey, readSteps, type ReadStep } from "./independent.ts";

const open: TestStore[] = [];
afterEach(async () => {
  for (const s of open.splice(0)) await s.close();
});

const g = graph({
  name: "orders",
  input: z.object({ ids: z.array(z.string()) }),
  begin: (i) => ({ todo: i.ids }),
  state: { todo: append<string>(), done: append<string>(), rounds: sum(), note: last("") },
})
  .nodes(({ each }) => ({
    ship: each(z.object({ id: z.string() }), async ({ id }, _s, ctx) => ({
      done: await ctx.step("ship", () => `${id} shipped`, { repeatable: true }),
    })),
    check: async (s, ctx) => {
      ctx.label(`round ${s.rounds + 1}`);
      return { rounds: 1, note: await ctx.step("note", () => `${s.done.length} done`, { repeatable: true }) };
    },
  }))
  .edges({
    start: (s) => s.todo.map((id) => send("ship", { id })),
    ship: "check",
    check: (s) => (s.rounds < 2 ? s.todo.map((id) => send("ship", { id })) : "end"),
  });
const input = { ids: ["b", "a"] };

async function place(make: () => Promise<TestStore>): Promise<TestStore> {
  const s = await make();
  open.push(s);
  return s;
}
async function runOn(
  s: TestStore,
  o: EngineOpts = {},
): Promise<{ runId: string; result: unknown; io: (superstep: number) => Promise<readonly RecordedIO[]> }> {
  const { engine } = await s.engine({ workflows: [g], ...o });
  const h = await engine.start(g, input);
  const result = await h.result();
  return { runId: h.runId, result, io: (superstep) => h.io(superstep) };
}
async function stepsOf(s: TestStore, runId: string): Promise<ReadStep[]> {
  return readSteps(await s.store.events({ runId, after: 0, limit: 10_000 }));
}

const expected = { todo: ["b", "a"], done: ["b shipped", "a shipped", "b shipped", "a shipped"], rounds: 2, note: "4 done" };

describe.each(testStores)("%s", (_name, make) => {
  it(
    "each superstep is one Commit: state, frontier, recorded steps, key, checkpoint",
    proves("L-04", "L-05", "L-06", "L-07", "L-08", "L-09", "L-10", "L-58", "L-62", "L-72"),
    async () => {
      const s = await place(make);
      const seen: Commit[] = [];
      const watching = wrapCommit((real, batch, renew) => {
        seen.push(...batch);
        return real(batch, renew);
      });
      const { runId, result, io } = await runOn(s, { store: watching(s.store) });
      expect(result).toEqual(expected);
      const marked = seen.filter((c) => c.runId === runId && c.checkpoint !== undefined);
      expect(marked.map((c) => c.checkpoint!.stepId)).toEqual([0, 1, 2, 3, 4]);
      const steps = await stepsOf(s, runId);
      for (const [i, c] of marked.entries()) {
        const row = (await s.store.checkpoint({ runId, stepId: i }))!;
        const event = c.events.find((e) => e.eventType === "pawl.Superstep")!;
        const seed = String(createHash("sha256").update(runId).digest().readBigInt64BE());
        expect(JSON.parse(event.payload!)).toMatchObject({ n: i, key: row.key, seed });
        expect(row).toMatchObject({
          runId,
          stepId: i,
          label: i === 2 ? "round 1" : i === 4 ? "round 2" : null,
          body: `{"at":${event.runSeq}}`,
        });
        expect(row.persistedAt).toBeGreaterThan(0);
        const at = (await s.store.events({ runId, after: event.runSeq - 1, limit: 1 }))[0]!;
        expect([at.eventType, at.persistedAt, at.payload]).toEqual(["pawl.Superstep", row.persistedAt, event.payload]);
      }
      const types = marked[1]!.events.map((e) => e.eventType);
      expect([types.includes("StepCompleted"), types.includes("pawl.Superstep")]).toEqual([true, true]);
      expect(steps[1]!.values["done"]).toEqual(["b shipped", "a shipped"]);
      const calls = (await io(1)).map(({ node, attempt, response }) => `${node} ${attempt} ${String(response)}`);
      expect(calls.toSorted()).toEqual(["ship 1 a shipped", "ship 1 b shipped"]);
      expect(steps[2]!.frontier.map((f) => [f.node, f.input])).toEqual([
        ["ship", { id: "b" }],
        ["ship", { id: "a" }],
      ]);
    },
  );

  it(
    "every stored key is the formula over run, superstep, sorted frontier and state, computed a second time",
    proves("L-35", "L-36", "L-37", "L-38", "L-39", "L-40", "L-41", "L-43", "L-44", "L-45", "L-66", "L-67", "L-75"),
    async () => {
      const s = await place(make);
      const { runId } = await runOn(s);
      const steps = await stepsOf(s, runId);
      for (const x of steps) {
        const key = independentKey(runId, x.n, x.frontier, x.values);
        expect([(await s.store.checkpoint({ runId, stepId: x.n }))!.key, x.key]).toEqual([key, key]);
        expect(key).toMatch(/^sha256:[0-9a-f]{64}$/);
        expect(independentKey(runId, x.n, x.frontier.toReversed(), x.values), "the order of the frontier does not matter").toBe(key);
        expect(independentKey(runId, x.n + 1, x.frontier, x.values)).not.toBe(key);
        expect(x.frontier.map((f) => BigInt(f.orderKey))).toEqual(
          x.frontier.map((f) => BigInt(f.orderKey)).toSorted((a, b) => (a < b ? -1 : 1)),
        );
      }
      expect(new Set(steps.map((x) => x.key)).size).toBe(5);
    },
  );

  it(
    "work that several nodes sent is sorted, whoever sent it or ended first: so are the frontier, its key and what is merged",
    proves("L-39", "L-47", "L-67", "L-75"),
    async () => {
      const s = await place(make);
      const parents = ["ann", "bob", "cid", "dan"] as const;
      const count = 2 * parents.length;
      const ended: string[] = [];
      const waiting: (() => void)[] = [];
      const fan = graph({ name: "fan", state: { got: append<string>() } })
        .nodes(({ each }) => ({
          ...Object.fromEntries(parents.map((p) => [p, () => {}])),
          // Each ends after the one that began behind it.
          work: each(z.string(), async (what, _s, ctx) => ({
            got: await ctx.step(
              "work",
              async () => {
                await new Promise<void>((go) => {
                  waiting.push(go);
                  if (waiting.length === count) waiting.pop()!();
                });
                ended.push(what);
                setImmediate(() => waiting.pop()?.());
                return what;
              },
              { repeatable: true },
            ),
          })),
        }))
        .edges({
          start: parents as never,
          ...Object.fromEntries(parents.map((p) => [p, () => [1, 2].map((i) => send("work", `${p} ${i}`))])),
          work: "end",
        } as never);
      const { engine } = await s.engine({ workflows: [fan] });
      const h = await engine.start(fan, {});
      const { got } = (await h.result()) as { got: readonly string[] };
      const [, first] = await stepsOf(s, h.runId);
      const keys = first!.frontier.map((f) => BigInt(f.orderKey));
      expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
      const sorted = first!.frontier.map((f) => f.input);
      expect(sorted, "not as it was gathered").not.toEqual(first!.items.flatMap(({ node }) => [`${node} 1`, `${node} 2`]));
      expect(first!.key).toBe(independentKey(h.runId, 1, first!.frontier, first!.values));
      expect(got).toEqual(sorted);
      expect(new Set(ended)).toEqual(new Set(sorted as readonly string[]));
      expect(ended, "not as they ended").not.toEqual(sorted);
    },
  );

  it(
    "a Commit of a superstep that cannot be written leaves nothing, and is made whole later under the same key",
    proves("L-11", "L-12", "L-13", "L-14", "L-15", "L-16", "L-20", "L-22"),
    async () => {
      const s = await place(make);
      let refused = 0;
      let before: unknown;
      const all = async (runId: string): Promise<unknown> => [
        await s.store.events({ runId, after: 0, limit: 1_000 }),
        await s.store.checkpoint({ runId }),
        (await s.store.run({ runId }))?.stateVersion,
      ];
      const other = await s.reopen();
      const cut = "\ud800";
      let [taken, keyBefore] = ["", ""];
      const only = (c: Commit, type: string, change: Partial<Commit["events"][number]>): Partial<Commit> => {
        expect(c.events.map((e) => e.eventType)).toContain(type);
        return { events: c.events.map((e) => (e.eventType === type ? { ...e, ...change } : e)) };
      };
      // Each part of the record alone: the state and the work queue, the recorded call, what begins next, the context, the key, the row.
      const parts = ["pawl.Superstep", "StepCompleted", "StepStarted"];
      const broken: readonly ((c: Commit) => Partial<Commit>)[] = [
        ...parts.map((type) => (c: Commit) => only(c, type, { payload: `{}${cut}` })), // no text
        ...parts.map((type) => (c: Commit) => only(c, type, { idempotencyKey: taken })), // the database's own constraints
        (c) => ({ events: [...c.events, c.events[0]!] }),
        (c) => ({ checkpoint: { ...c.checkpoint!, label: cut } }),
        (c) => ({ checkpoint: { ...c.checkpoint!, key: cut } }),
        (c) => ({ checkpoint: { ...c.checkpoint!, body: cut } }),
        (c) => ({ checkpoint: { ...c.checkpoint!, stepId: 1 } }),
        (c) => ({ checkpoint: { ...c.checkpoint!, key: keyBefore } }),
      ];
      // Before the second superstep's own Commit, the same with one part that no store takes.
      const breaking = wrapCommit(async (real, batch, renew) => {
        const c = batch.find((x) => x.checkpoint?.stepId === 2);
        if (c === undefined || refused > 0) return real(batch, renew);
        before = await all(c.runId);
        taken = (await s.store.events({ runId: c.runId, after: 0, limit: 1 }))[0]!.idempotencyKey;
        keyBefore = (await s.store.checkpoint({ runId: c.runId, stepId: 1 }))!.key;
        for (const part of broken) {
          const { answers } = await other.commit([{ ...c, commitId: `broken ${refused++}`, ...part(c) }]);
          expect(answers[0]!.kind).toBe("refused");
          expect(await all(c.runId)).toEqual(before);
        }
        return real(batch, renew);
      });
      const { runId, result } = await runOn(s, { store: breaking(s.store) });
      expect([refused, result]).toEqual([broken.length, expected]);
      const steps = await stepsOf(s, runId);
      for (const x of steps)
        expect((await s.store.checkpoint({ runId, stepId: x.n }))!.key).toBe(independentKey(runId, x.n, x.frontier, x.values));
    },
  );

  it("who reads meanwhile sees a Commit of a superstep whole or not at all", proves("L-18", "L-21", "L-22", "L-62"), async () => {
    const s = await place(make);
    const other = await s.reopen();
    const seen: { readonly seqs: readonly number[]; readonly steps: readonly number[]; readonly row: number }[] = [];
    let reads: Promise<void> = Promise.resolve();
    const read = async (runId: string): Promise<void> => {
      const row = await other.checkpoint({ runId });
      const log = await other.events({ runId, after: 0, limit: 1_000 });
      const next = await other.checkpoint({ runId });
      const steps = log.filter((e) => e.eventType === "pawl.Superstep").map((e) => (JSON.parse(e.payload!) as { n: number }).n);
      const last = steps.at(-1) ?? -1;
      expect([(row?.stepId ?? -1) <= last, last <= (next?.stepId ?? -1)], "event and row come together").toEqual([true, true]);
      seen.push({ seqs: log.map((e) => e.runSeq), steps, row: row?.stepId ?? -1 });
    };
    const watched = wrapCommit(async (real, batch, renew) => {
      const of = batch.find((c) => c.checkpoint !== undefined);
      const committing = real(batch, renew);
      if (of !== undefined) for (let i = 0; i < 5; i++) await (reads = reads.then(() => read(of.runId)));
      return committing;
    });
    const { runId, result } = await runOn(s, { store: watched(s.store) });
    await reads;
    expect(result).toEqual(expected);
    expect(seen.length).toBeGreaterThan(20);
    const log = await s.store.events({ runId, after: 0, limit: 1_000 });
    // What was read ended with the last event of some Commit.
    const ends = new Set(log.filter((e, i) => log[i + 1]?.stateVersion !== e.stateVersion).map((e) => e.runSeq));
    for (const { seqs } of seen) expect(seqs.length === 0 || ends.has(seqs.at(-1)!), String(seqs.at(-1))).toBe(true);
  });

  it("a state that has no text gives an error and no key, and what was committed before it stays", proves("L-12", "L-42"), async () => {
    const s = await place(make);
    const bad = graph({ name: "bad", state: { text: last("") } })
      .nodes({ good: () => ({ text: "good" }), ill: () => ({ text: "\ud800" }) })
      .edges({ start: "good", good: "ill", ill: "end" });
    const { engine } = await s.engine({ workflows: [bad] });
    const h = await engine.start(bad, {});
    await expect(h.result()).rejects.toThrow("text of node ill");
    expect((await s.store.checkpoint({ runId: h.runId }))!.stepId).toBe(1);
    expect((await h.state())!.values).toEqual({ text: "good" });
    expect((await stepsOf(s, h.runId)).map((x) => x.n)).toEqual([0, 1]);
  });

  it("a superstep's Commit asked a hundred times at once is written once", proves("L-50", "L-64", "L-68", "L-77", "AX-36"), async () => {
    const s = await place(make);
    const others: FullStore[] = [await s.reopen(), await s.reopen()];
    const kinds: string[] = [];
    const storm = wrapCommit(async (real, batch, renew) => {
      const c = batch.find((x) => x.checkpoint?.stepId === 2);
      if (c === undefined || kinds.length > 0) return real(batch, renew);
      const rivals = Array.from({ length: 100 }, async (_, i) => {
        const rival = i % 3 === 0 ? c : { ...c, commitId: `of process ${i}` };
        for (;;) {
          const { answers } = await others[i % 2]!.commit([rival]);
          if (answers[0]!.kind !== "busy") return answers[0]!.kind;
        }
      });
      kinds.push(...(await Promise.all(rivals)));
      return real(batch, renew);
    });
    const { runId, result } = await runOn(s, { store: storm(s.store) });
    expect(result).toEqual(expected);
    expect(kinds.filter((k) => k === "committed")).toHaveLength(1);
    expect(new Set(kinds)).toEqual(new Set(["committed", "duplicate", "stale"].filter((k) => kinds.includes(k))));
    expect((await stepsOf(s, runId)).map((x) => x.n)).toEqual([0, 1, 2, 3, 4]);
  });

  it(
    "a checkpoint that exists under another key is left as it is, and a person decides; supersteps are logged",
    proves("L-11", "L-56"),
    async () => {
      const s = await place(make);
      s.skipVerification();
      const logs: { level: string; message: string; data: unknown }[] = [];
      const other = await s.reopen();
      const ahead = (key: (c: Commit) => string): ((x: FullStore) => FullStore) =>
        wrapCommit(async (real, batch, renew) => {
          const c = batch.find((x) => x.checkpoint?.stepId === 1);
          if (c === undefined || (await other.checkpoint({ runId: c.runId, stepId: 1 })) !== undefined) return real(batch, renew);
          // The row alone, as a store that was put together from two copies would have it.
          const row = (await other.run({ runId: c.runId }))!;
          const { answers } = await other.commit([
            {
              ...c,
              commitId: "row alone",
              events: [],
              checkpoint: { ...c.checkpoint!, key: key(c) },
              effects: [],
              expect: { fence: row.fence, stateVersion: row.stateVersion },
            },
          ]);
          expect(answers[0]!.kind).toBe("committed");
          return real(
            batch.map((x) => (x === c ? { ...c, expect: { fence: row.fence, stateVersion: row.stateVersion + 1 } } : x)),
            renew,
          );
        });
      const log: EngineOpts["log"] = (level, message, data) => void logs.push({ level, message, data });
      const bad = await s.engine({ workflows: [g], store: ahead(() => "sha256:other")(s.store), log });
      const h = await bad.engine.start(g, input, { id: "bad" });
      for (let i = 0; i < 400 && (await bad.engine.decisions()).length === 0; i++) await new Promise((r) => setTimeout(r, 10));
      expect(logs.some((l) => l.level === "error" && l.message.includes("PAWL2031"))).toBe(true);
      expect((await s.store.checkpoint({ runId: h.runId, stepId: 1 }))!.key).toBe("sha256:other");
      expect(
        logs.some((l) => l.level === "debug" && l.message === "superstep 0 is recorded" && (l.data as { runId: string }).runId === h.runId),
      ).toBe(true);
      await bad.engine.stop({ grace: 0 });
    },
  );
});
