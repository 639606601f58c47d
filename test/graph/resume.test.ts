// A graph whose engine dies: the next one begins at its last superstep, whatever the log has before, and ends as an undisturbed run does. What was
// done before is undone by the name of its task.
import { expect, it, describe } from "vitest";
import { z } from "zod";
import { append, graph, last, send, sum } from "../../src/graph.ts";
import { Fatal, task } from "../../src/index.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters, type TestCluster } from "../support/test-cluster.ts";

const fresh = testClusters();

/** Fans out, waits, draws random numbers, loops: what is kept in a state and what is not. */
function research(ran: (what: string) => void): AnyWorkflow {
  return graph({
    name: "research",
    state: { found: append<string>(), draws: append<number>(), rounds: sum(), at: last(0) },
    concurrency: 2,
  })
    .nodes(({ each, effect }) => ({
      plan: (_s, ctx) => ({ rounds: 1, draws: ctx.random() }),
      look: each(z.object({ n: z.number() }), async ({ n }, s, ctx) => {
        if (n % 2 === 0) await ctx.sleep("rest", 50 * n);
        const found = await ctx.step("look", () => (ran(`${s.rounds}/${n}`), `${s.rounds}/${n}`), { repeatable: true });
        return { found: `${found} ${ctx.uuid().slice(0, 4)}`, draws: ctx.random() };
      }),
      note: effect(async (s) => ({ at: s.found.length }), { repeatable: true }),
    }))
    .edges({
      start: "plan",
      plan: () => [1, 2, 3, 4].map((n) => send("look", { n })),
      look: "note",
      note: (s) => (s.rounds < 3 ? "plan" : "end"),
    });
}

async function lastKey(l: TestCluster, runId: string): Promise<unknown> {
  return payloadOf((await l.log(runId)).findLast((e) => e.eventType === "pawl.Superstep"))["key"];
}

const g = research(() => {});

describe.each(storeKinds)("%s", (kind) => {
  it(
    "killed at any moment and again, a graph ends with the key and the state of an undisturbed run",
    proves("L-48", "L-51", "L-52", "L-53", "L-66"),
    async () => {
      const plain = await fresh(kind, 5);
      const first = await plain.engine([g]);
      const whole = await first.engine.start(g, {}, { id: "r" });
      const result = await plain.advanceUntil(whole.result());
      const key = await lastKey(plain, whole.runId);
      let points = 0;
      for (let killAt = 3; killAt < 60; killAt += kind === "memory" ? 3 : 9) {
        const l = await fresh(kind, 5);
        let hits = 0;
        const mortal = await l.engine([g], {
          limits: { snapshotTailBytesMin: killAt % 2 === 0 ? 1 : 131_072 },
          onHit: () => ++hits === killAt,
        });
        mortal.engine.start(g, {}, { id: "r" }).catch(() => {});
        for (let t = 0; t < 40 && mortal.alive; t++) await l.platform.advance(250);
        if (mortal.alive) break;
        points++;
        const next = await l.engine([g]);
        const h = await next.engine.get(g, "r");
        if (h === undefined) continue; // it died before its first Commit
        expect(await l.advanceUntil(h.result()), `killed at ${killAt}`).toEqual(result);
        expect([h.runId, await lastKey(l, h.runId)], "whenever it is computed").toEqual([whole.runId, key]);
      }
      expect(points).toBeGreaterThan(3);
    },
  );

  it("what a finished superstep did is undone by its task's name, also by an engine that never ran it", async () => {
    const l = await fresh(kind);
    const undone: string[] = [];
    const book = task({ name: "book", input: z.string() }, (what) => `booked ${what}`, {
      once: true,
      compensate: { undo: (result, input) => void undone.push(`${result}, asked for ${input}`), once: true },
    });
    const trip = graph({ name: "trip", state: { booked: append<string>() }, tasks: [book], signals: { go: z.string() } })
      .nodes({
        flight: async (_s, ctx) => ({ booked: await ctx.do(book, "flight") }),
        hotel: async (_s, ctx) => ({ booked: await ctx.do(book, "hotel", { name: "book a hotel" }) }),
        wait: async (_s, ctx) => {
          await ctx.receive("go");
          await ctx.step("pay", () => Promise.reject(new Fatal("no money")));
        },
      })
      .edges({ start: "flight", flight: "hotel", hotel: "wait", wait: "end" });
    const one = await l.engine([trip], { limits: { snapshotTailBytesMin: 1 } });
    const h = await one.engine.start(trip, {}, { id: "t" });
    await l.advanceUntilLine(h.runId, "StepStarted 3/wait/go");
    one.kill();
    const two = await l.engine([trip]);
    const again = (await two.engine.get(trip, "t"))!;
    await again.signal("go", "now");
    await expect(l.advanceUntil(again.result())).rejects.toThrow("no money");
    expect(undone).toEqual(["booked hotel, asked for hotel", "booked flight, asked for flight"]);
  });

  it.each([
    ["a snapshot", 1],
    ["its log alone", 131_072],
  ])(
    "what a finished superstep did is confirmed again by the next owner, from %s, before any code runs",
    proves("A-34", "A-35"),
    async (_from, tail) => {
      const l = await fresh(kind);
      const asked: unknown[] = [];
      let isThere = true;
      const check = async (input: string, recorded: string): Promise<{ matches: boolean; reason?: string }> => {
        asked.push([recorded, input]);
        return isThere ? { matches: true } : { matches: false, reason: "it is gone" };
      };
      const put = task({ name: "put", input: z.string() }, (what) => `put ${what}`, {
        key: (what) => what,
        dedup: "1d",
        confirm: { mode: "human", verifier: { name: "shelf", check: check as never } },
      });
      const ran: string[] = [];
      const store = graph({ name: "store", state: { put: append<string>() }, tasks: [put], signals: { go: z.string() } })
        .nodes({
          a: async (_s, ctx) => ({ put: await ctx.do(put, "book") }),
          b: async (_s, ctx) => {
            ran.push("b");
            return { put: await ctx.receive("go") };
          },
        })
        .edges({ start: "a", a: "b", b: "end" });
      const limits = { snapshotTailBytesMin: tail };
      let e = await l.engine([store], { lease: "1s", limits });
      const h = await e.engine.start(store, {}, { id: "s" });
      await l.advanceUntilLine(h.runId, "StepStarted 2/b/go");
      await l.platform.advance(6_000); // it leaves memory, with a snapshot where one is due
      const again = async (): Promise<void> => {
        e.kill();
        ran.length = asked.length = 0;
        e = await l.engine([store], { lease: "1s", limits });
        await e.client.signal("s", "go", "more");
      };
      isThere = false;
      await again();
      await l.advanceUntilLine(h.runId, "pawl.ConfirmationFailed");
      expect([asked, ran]).toEqual([[["put book", "book"]], []]);
      const [decision] = await e.client.decisions();
      expect(decision).toMatchObject({ code: "PAWL2007" });
      isThere = true;
      await l.advanceUntil(e.client.resolve(decision!.decisionId, { retry: true, by: "ann", reason: "put back" } as never));
      expect((await l.advanceUntil(e.client.waitForEnd(h.runId))).result).toEqual({ put: ["put book", "more"] });
    },
  );
});

const supersteps = Number(process.env["PAWL_GRAPH_SUPERSTEPS"] ?? "2000");

it("a graph of thousands of supersteps is continued from its last snapshot: few events are read", async () => {
  const l = await fresh("memory");
  const g = graph({ name: "long", state: { n: sum() }, maxSteps: 20_000, signals: { go: z.string() } })
    .nodes({
      count: async (s, ctx) => {
        if (s.n % 200 === 199) await ctx.step("rest", () => 1, { repeatable: true });
        return { n: 1 };
      },
      wait: async (_s, ctx) => void (await ctx.receive("go")),
    })
    .edges({ start: "count", count: (s) => (s.n < supersteps - 2 ? "count" : "wait"), wait: "end" });
  const one = await l.engine([g]);
  const h = await one.engine.start(g, {}, { id: "long" });
  while ((await l.row(h.runId)).waiting !== "signal") await l.platform.advance(250);
  one.kill();
  let read = 0;
  const counting = (s: FullStore): FullStore => ({
    ...s,
    events: async (q) => {
      const events = await s.events(q);
      if (q.runId === h.runId) read += events.length;
      return events;
    },
  });
  const two = await l.engine([g], { wrap: counting });
  const again = (await two.engine.get(g, "long"))!;
  await again.signal("go", "now");
  expect(await l.advanceUntil(again.result())).toEqual({ n: supersteps - 2 });
  expect((await l.log(h.runId)).filter((e) => e.eventType === "pawl.Superstep")).toHaveLength(supersteps);
  expect(read).toBeLessThan(1_000);
}, 60_000);
