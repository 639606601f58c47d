// Many engines that own the same graph one after the other, each stopped with the same superstep built and not yet sent, then let go at once: one of
// them writes it. The others find that the run is no longer theirs, write nothing, say so with run and superstep, and continue behind it. The engines
// are real ones; a stopped one hears nothing and says nothing, like a process that was stopped.
import { afterEach, describe, expect, it } from "vitest";
import { graph, sum } from "../../src/graph.ts";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit } from "../../src/store/port.ts";
import { proves } from "../support/proves.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { independentKey, readSteps } from "./independent.ts";

const open: TestStore[] = [];
const gates: Gate[] = [];
afterEach(async () => {
  for (const g of gates.splice(0)) g.open(); // also where the test failed: what is held would never end
  for (const s of open.splice(0)) await s.close();
});

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}
function gate(): Gate {
  let release!: () => void;
  const opened = new Promise<void>((resolve) => (release = resolve));
  const made = { opened, open: () => release() };
  gates.push(made);
  return made;
}

/** All that an engine asks a store to keep its runs, and to learn that it lost them. */
const verbs = ["registerEngine", "renew", "declareDead", "claim", "ownedRuns", "run", "events", "inbox", "checkpoint"] as const;

/** From this superstep's Commit on, no call of this engine reaches the store until the gate opens; Commits have one of their own. */
function stoppedAt(superstep: number, until: Gate, stopped: (c: Commit) => void, commits: Gate = until): (s: FullStore) => FullStore {
  return (s) => {
    let isStopped = false;
    const held =
      (f: (...a: unknown[]) => unknown) =>
      async (...a: unknown[]): Promise<unknown> => {
        if (isStopped) await until.opened;
        return f.apply(s, a);
      };
    return {
      ...s,
      ...(Object.fromEntries(verbs.map((name) => [name, held(s[name] as never)])) as Partial<FullStore>),
      commit: async (batch, renewal) => {
        const c = batch.find((x) => x.checkpoint?.stepId === superstep);
        if (c !== undefined && !isStopped) {
          isStopped = true;
          stopped(c);
        }
        if (isStopped) await commits.opened;
        return s.commit(batch, renewal);
      },
    };
  };
}

/** One more, and a person would be asked why a step's owners keep dying. */
const engines = 5;

describe.each(testStores)("%s", (_name, make) => {
  it(
    `${engines} engines that stopped with the same superstep are let go at once: one row, and the others continue behind it`,
    { ...proves("L-01", "L-50", "L-54", "L-57", "L-64", "L-68", "L-69", "L-73", "L-77", "LX-22"), timeout: 120_000 },
    async () => {
      const s = await make();
      open.push(s);
      const sent = new Map<string, number>();
      const g = graph({ name: "count", state: { n: sum() } })
        .nodes({
          a: async (st, ctx) => ({
            n: await ctx.step("tell", (x) => (sent.set(x.key, (sent.get(x.key) ?? 0) + 1), 1), { key: `tell-${st.n}`, dedup: "1d" }),
          }),
        })
        .edges({ start: "a", a: (st) => (st.n < 5 ? "a" : "end") });
      const until = gate();
      const built: Commit[] = [];
      const logs: { readonly level: string; readonly message: string; readonly runId: unknown }[] = [];
      const log: EngineOpts["log"] = (level, message, data) => void logs.push({ level, message, runId: data?.["runId"] });
      const results: Promise<unknown>[] = [];
      for (let i = 0; i < engines; i++) {
        let isStopped = false;
        const stopping = stoppedAt(3, until, (c) => ((isStopped = true), built.push(c)));
        const { engine } = await s.engine({ workflows: [g], store: stopping(await s.reopen()), lease: "10s", log });
        // Not awaited here: the engine may stop before it has answered.
        results.push(engine.start(g, {}, { id: "one", onConflict: "attach" }).then((h) => h.result()));
        while (!isStopped) await new Promise((resolve) => setTimeout(resolve, 5));
        s.advanceClock(11_000); // nobody has heard of it for longer than its lease
      }
      const [{ runId } = { runId: "" }] = built;
      expect(built.map((c) => c.runId)).toEqual(Array.from({ length: engines }, () => runId));
      const keys = new Set(built.map((c) => c.checkpoint!.key));
      expect(keys.size, "all of them computed the same key").toBe(1);
      expect(new Set(built.map((c) => ("create" in c.expect ? "" : c.expect.fence.token))).size, "each as an owner of its own").toBe(
        engines,
      );
      expect(await s.store.checkpoint({ runId, stepId: 3 })).toBeUndefined();

      until.open();
      expect(await Promise.all(results)).toEqual(Array.from({ length: engines }, () => ({ n: 5 })));
      const steps = readSteps(await s.store.events({ runId, after: 0, limit: 10_000 }));
      expect(steps.map((x) => x.n)).toEqual([0, 1, 2, 3, 4, 5]);
      for (const x of steps)
        expect((await s.store.checkpoint({ runId, stepId: x.n }))!.key).toBe(independentKey(runId, x.n, x.frontier, x.values));
      expect(new Set([steps[3]!.key])).toEqual(keys);
      // KEYED: each owner may have sent it, under one key.
      expect(sent.size).toBe(5);
      expect([...sent.values()].filter((times) => times > 1).length).toBeLessThanOrEqual(1);
      const lost = logs.filter((l) => l.message === "superstep 3 belongs to another owner now: nothing was written");
      expect(lost.length).toBe(engines - 1);
      expect(new Set(lost.map((l) => `${l.level} ${String(l.runId)}`))).toEqual(new Set([`warn ${runId}`]));
      expect(
        logs.filter((l) => l.level === "error"),
        "it is no failure of any of them",
      ).toEqual([]);
    },
  );

  it(
    "an engine that learns that it was declared dead before its superstep is answered still says which one it lost",
    { ...proves("L-54"), timeout: 120_000 },
    async () => {
      const s = await make();
      open.push(s);
      const g = graph({ name: "count", state: { n: sum() } })
        .nodes(({ effect }) => ({ a: effect(() => ({ n: 1 }), { repeatable: true }) }))
        .edges({ start: "a", a: (st) => (st.n < 3 ? "a" : "end") });
      const [others, commits] = [gate(), gate()];
      const logs: string[] = [];
      const log: EngineOpts["log"] = (_level, message, data) => void logs.push(`${message} ${String(data?.["runId"])}`);
      const said = async (words: string): Promise<void> => {
        for (let i = 0; i < 2_000 && !logs.some((l) => l.includes(words)); i++) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      let runId = "";
      const stopping = stoppedAt(2, others, (c) => (runId = c.runId), commits);
      const first = await s.engine({ workflows: [g], store: stopping(await s.reopen()), lease: "10s", log });
      const results = [first.engine.start(g, {}, { id: "one", onConflict: "attach" }).then((h) => h.result())];
      while (runId === "") await new Promise((resolve) => setTimeout(resolve, 5));
      s.advanceClock(11_000);
      const next = await s.engine({ workflows: [g], store: await s.reopen(), lease: "10s" });
      results.push(next.engine.start(g, {}, { id: "one", onConflict: "attach" }).then((h) => h.result()));
      expect(await results[1]).toEqual({ n: 3 });
      others.open();
      await said("declared dead");
      commits.open();
      expect(await Promise.all(results)).toEqual([{ n: 3 }, { n: 3 }]);
      const lost = `superstep 2 belongs to another owner now: nothing was written ${runId}`;
      await said(lost);
      expect(logs).toContain(lost);
    },
  );
});
