// Replaying a recorded graph with changed code: no external call is made, and each of the five ways to differ is found where it is, with
// both sides.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, last, reduce, send, sum } from "../../src/graph.ts";
import { workflow } from "../../src/index.ts";
import { firstDivergence, replayGraph, type GraphMismatch } from "../../src/testing.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters, type StoreKind } from "../support/test-cluster.ts";
import type { RunEventRecord } from "../../src/core/contract.ts";

const fresh = testClusters();

interface Code {
  readonly suffix?: (n: number) => string;
  readonly limit?: number;
  readonly request?: (doc: string, n: number) => { doc: string; page?: number };
  readonly extra?: boolean;
  readonly fails?: (n: number) => boolean;
  readonly longer?: (a: string, b: string) => string;
}
const longer = (a: string, b: string): string => (b.length > a.length ? b : a);

/** A loop over two documents: sends, a step that is retried, random numbers, the time, a child, a race, a reducer. */
function reader(calls: string[], o: Code = {}) {
  const inner = workflow({ name: "inner", input: z.string() }, async (ctx, doc) =>
    ctx.step("size", () => (calls.push("size"), doc.length)),
  );
  const get = (doc: string): string => {
    calls.push(doc);
    if (doc === "b" && calls.filter((c) => c === "b").length === 1) throw new Error("try again");
    return `read ${doc}`;
  };
  return graph({
    name: "reader",
    state: {
      rounds: sum(),
      read: append<string>(),
      best: reduce("", o.longer ?? longer),
      at: last<Date | null>(null),
      dice: append<number>(),
      size: sum(),
    },
  })
    .nodes(({ each, sub }) => ({
      plan: (s, ctx) => {
        if (o.fails?.(s.rounds) === true) throw new Error("no");
        return { rounds: 1, at: ctx.now(), dice: ctx.random() };
      },
      read: each(z.object({ doc: z.string() }), async ({ doc }, s, ctx) => {
        const text = await ctx.step("get", () => get(doc), {
          input: o.request?.(doc, s.rounds) ?? { doc },
          repeatable: true,
          retry: { attempts: 2, initial: "1s" },
        });
        if (o.extra === true && s.rounds === 2) await ctx.step("log", () => calls.push("log"), { repeatable: true });
        const won = await Promise.race([ctx.sleep("slow", "5s").then(() => "slow"), ctx.sleep("quick", "1s").then(() => "quick")]);
        return { read: `${text} ${won}${o.suffix?.(s.rounds) ?? ""}`, best: text + "!".repeat(s.rounds) };
      }),
      child: sub(inner, { in: (s) => s.best, out: (n) => ({ size: n }) }),
    }))
    .edges({
      start: "plan",
      plan: () => ["a", "b"].map((doc) => send("read", { doc })),
      read: "child",
      child: (s) => (s.rounds < (o.limit ?? 3) ? "plan" : "end"),
    });
}

async function recorded(kind: StoreKind): Promise<{ events: RunEventRecord[]; calls: string[] }> {
  const l = await fresh(kind);
  const calls: string[] = [];
  const g = reader(calls);
  const { engine } = await l.engine([g]);
  const h = await engine.start(g, {}, { id: "r" });
  await l.advanceUntil(h.result());
  const events: RunEventRecord[] = [];
  for await (const e of h.events()) events.push(e);
  return { events, calls };
}

/** One planted change for each trigger: what is reported first, at which superstep and node. */
const changes: readonly [GraphMismatch["what"], Code, number, string][] = [
  ["output", { suffix: (n) => (n === 2 ? "?" : "") }, 5, "read"],
  ["route", { limit: 2 }, 6, "child"],
  ["outcome", { fails: (n) => n === 1 }, 4, "plan"],
  ["missing-recording", { request: (doc, n) => (n === 2 ? { doc, page: 2 } : { doc }) }, 5, "read"],
  ["missing-recording", { extra: true }, 5, "read"],
  ["state", { longer: (a, b) => (b.length >= 8 ? b.toUpperCase() : longer(a, b)) }, 5, "read"],
];

describe.each(storeKinds)("%s", (kind) => {
  it("a replay makes no call and gives the same, a hundred times over; a part of it, too", proves("LX-09", "LX-10", "LX-14"), async () => {
    const { events, calls } = await recorded(kind);
    const made = calls.length;
    expect(made).toBe(2 + 1 + 2 + 2 + 3);
    const g = reader(calls);
    const same = { supersteps: 10, externalCalls: 0, mismatches: [] };
    for (let i = 0; i < 100; i++) expect(await replayGraph(g, events)).toEqual(same);
    expect(await replayGraph(g, events.map((e) => JSON.stringify(e)).join("\n"))).toEqual(same);
    expect(await replayGraph(g, events, { from: 4, to: 6 })).toEqual({ ...same, supersteps: 3 });
    expect(await firstDivergence(g, events)).toBeUndefined();
    expect(calls).toHaveLength(made);
  });

  it(
    "each of the five ways to differ fails a strict replay, and lenient ones name it and continue",
    proves("LX-11", "LX-12", "LX-13", "LX-14"),
    async () => {
      const { events, calls } = await recorded(kind);
      const made = calls.length;
      for (const [what, code, superstep, node] of changes) {
        const g = reader(calls, code);
        const strict: unknown = await replayGraph(g, events).catch((e: unknown) => e);
        expect(strict, what).toMatchObject({
          code: "PAWL1006",
          data: { what, superstep, node, attempt: expect.any(Number), expected: expect.any(String), actual: expect.any(String) },
        });
        const { data } = strict as { data: Record<string, string> };
        expect(data["expected"]).not.toBe(data["actual"]);
        expect(Number.isNaN(Date.parse(data["at"]!))).toBe(false);
        if (what === "route") expect([data["expectedRoute"], data["actualRoute"]]).toEqual(["plan", "end"]);
        else expect(data["expectedRoute"]).toBe(data["actualRoute"]);
        const warned: GraphMismatch[] = [];
        const lenient = await replayGraph(g, events, { mode: "lenient", warn: (m) => warned.push(m) });
        expect(lenient).toMatchObject({ supersteps: 10, externalCalls: 0 });
        expect(lenient.mismatches).toEqual(warned);
        expect(warned[0]).toMatchObject({ what, superstep, node });
        expect(await firstDivergence(g, events), "by bisection").toEqual(warned[0]);
        const decided: string[] = [];
        const deciding = replayGraph(g, events, {
          onDivergence: (m) => (decided.push(m.node), m.superstep > 5 ? "fail" : "continue"),
          warn: () => {},
        });
        if (warned.some((m) => m.superstep > 5)) await expect(deciding).rejects.toMatchObject({ code: "PAWL1006" });
        else await deciding;
        expect(decided[0]).toBe(node);
      }
      expect(calls, "nothing was called").toHaveLength(made);
    },
  );

  it("a mismatch shows what differs: of a request, of what was returned, of the state", proves("LX-14"), async () => {
    const { events, calls } = await recorded(kind);
    const request = await firstDivergence(reader(calls, { request: (doc, n) => (n === 2 ? { doc, page: 2 } : { doc }) }), events);
    expect(request).toMatchObject({ attempt: 1, diff: [{ path: "/page", actual: 2 }] });
    const output = await firstDivergence(reader(calls, { suffix: (n) => (n === 2 ? "?" : "") }), events);
    expect(output!.diff).toContainEqual({ path: "/read", expected: "read a quick", actual: "read a quick?" });
    const state = await firstDivergence(reader(calls, { longer: (a, b) => (b.length >= 8 ? b.toUpperCase() : longer(a, b)) }), events);
    expect(state!.diff).toEqual([{ path: "/best", expected: "read a!!", actual: "READ B!!" }]);
  });

  it("a mismatch names its node as the author wrote it", async () => {
    const l = await fresh(kind);
    const made = (input: number) =>
      graph({ name: "names", state: { n: sum() } })
        .nodes({ "read a page": async (_s, ctx) => ({ n: await ctx.step("get", () => 1, { repeatable: true, input }) }) })
        .edges({ start: "read a page", "read a page": "end" });
    const g = made(1);
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "p" });
    await l.advanceUntil(h.result());
    const changed = await replayGraph(made(2), h.events({ follow: false }), { mode: "lenient", warn: () => {} });
    expect(changed.mismatches.map((m) => [m.what, m.node])).toEqual([["missing-recording", "read a page"]]);
  });

  it("reducers that are not pure, and nodes that look at a clock or throw dice, are found", proves("LX-06"), async () => {
    const l = await fresh(kind);
    let times = 0;
    const pure = (impure: boolean) =>
      graph({ name: "pure", state: { n: sum(), sum: reduce(0, (a: number, b: number) => a + b + (impure ? ++times : 0)) } })
        .nodes({ add: () => ({ n: 1, sum: 1 }) })
        .edges({ start: "add", add: (s) => (s.n < 3 ? "add" : "end") });
    const impure = pure(true);
    const { engine } = await l.engine([impure]);
    const h = await engine.start(impure, {}, { id: "p" });
    await l.advanceUntil(h.result());
    expect(await firstDivergence(impure, h.events())).toMatchObject({ what: "state", superstep: 1, diff: [{ path: "/sum" }] });
    const dice = graph({ name: "dice", state: { n: last(0) } })
      .nodes({ roll: () => ({ n: Math.random() }) })
      .edges({ start: "roll", roll: "end" });
    const d = await (await l.engine([dice])).engine.start(dice, {}, { id: "d" });
    await l.advanceUntil(d.result());
    expect(await firstDivergence(dice, d.events())).toMatchObject({ what: "output", superstep: 1, node: "roll" });
  });

  it("what is no graph, or another one's log, is refused", async () => {
    const { events } = await recorded(kind);
    const plain = workflow({ name: "reader" }, async () => 1);
    await expect(replayGraph(plain as never, events)).rejects.toMatchObject({ code: "PAWL4011" });
    const other = graph({ name: "other", state: { n: sum() } })
      .nodes({ a: () => ({ n: 1 }) })
      .edges({ start: "a", a: "end" });
    await expect(replayGraph(other, events)).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(replayGraph(reader([]), [])).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(replayGraph(reader([]), events, { mode: "loose" as never })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(replayGraph(reader([]), null as never)).rejects.toMatchObject({ code: "PAWL4011" });
  });

  it("a replay that would compare nothing, or not what was asked for, is refused: it could only pass", async () => {
    const { events } = await recorded(kind);
    await expect(replayGraph(reader([]), events, { from: 3, to: 2 })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(replayGraph(reader([]), events, { from: 99 })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(replayGraph(reader([]), events, { form: 2 } as never)).rejects.toMatchObject({ code: "PAWL5001" });
    await expect(firstDivergence(reader([]), events, { to: 2 } as never)).rejects.toMatchObject({ code: "PAWL5001" });
    const decided = { onDivergence: () => "go on" as never };
    await expect(replayGraph(reader([], { limit: 2 }), events, decided)).rejects.toMatchObject({ code: "PAWL4011" });
  });
});
