// Looking back at a graph from its log: the state after every superstep, and what its external calls were given and gave, after the engine that ran it has
// died and without its code.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, last, reduce, send, sum } from "../../src/graph.ts";
import { workflow } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("the state after each superstep, what came next and every recorded call are in the log", proves("LX-08"), async () => {
    const l = await fresh(kind);
    const served: { request: unknown; response: string | null }[] = [];
    const call = (request: { doc: string }): string => {
      const fails = request.doc === "b" && !served.some((s) => (s.request as { doc: string }).doc === "b");
      served.push({ request, response: fails ? null : `read ${request.doc}` });
      if (fails) throw new Error("try again");
      return `read ${request.doc}`;
    };
    const g = graph({
      name: "reader",
      state: { rounds: sum(), read: append<string>(), longest: reduce("", longer), at: last<Date | null>(null) },
    })
      .nodes(({ each }) => ({
        plan: (_s, ctx) => ({ rounds: 1, at: ctx.now() }),
        read: each(z.object({ doc: z.string() }), async (input, _s, ctx) => {
          const text = await ctx.step("fetch", () => call(input), { input, repeatable: true, retry: { attempts: 2, initial: "1s" } });
          return { read: text, longest: text };
        }),
      }))
      .edges({ start: "plan", plan: (s) => (s.rounds < 2 ? "plan" : ["a", "b"].map((doc) => send("read", { doc }))), read: "end" });
    const e = await l.engine([g], { lease: "1s" });
    const h = await e.engine.start(g, {}, { id: "essay" });
    await l.advanceUntil(h.result());
    e.kill();
    const { client } = await l.engine([], { lease: "1s" });

    const history = await client.history("essay");
    expect(history.map((s) => s.superstep)).toEqual([3, 2, 1, 0]);
    expect(history.map((s) => s.values["rounds"])).toEqual([2, 2, 1, 0]);
    expect(history[0]).toMatchObject({ values: { read: ["read a", "read b"], longest: "read a" }, next: [] });
    expect(history[1]).toMatchObject({
      next: [
        { node: "read", item: "3/read", input: { doc: "a" } },
        { node: "read", item: "3/read~2", input: { doc: "b" } },
      ],
      items: [{ node: "plan", ok: true, update: { rounds: 1 }, route: ["read*2"] }],
    });
    expect(history[1]!.values["at"]).toBeInstanceOf(Date);
    for (const s of history) {
      expect(await client.state("essay", { at: s.superstep })).toEqual(s);
      expect((await l.store.checkpoint({ runId: h.runId, stepId: s.superstep }))?.key).toBe(s.key);
    }
    expect(await client.state("essay")).toEqual(history[0]);
    expect((await client.history("essay", { before: 3, limit: 1 })).map((s) => s.superstep)).toEqual([2]);
    expect(await client.state("essay", { at: 9 })).toBeUndefined();

    const io = await client.io("essay", 3);
    const seen = served.map(({ request, response }) => ({ request, ...(response === null ? {} : { response }) }));
    expect(io).toHaveLength(3);
    for (const s of seen) expect(io).toContainEqual(expect.objectContaining(s));
    expect(
      io.map((x) => [x.node, x.item, x.attempt, x.error?.message]).toSorted((a, b) => (`${a[1]} ${a[2]}` < `${b[1]} ${b[2]}` ? -1 : 1)),
    ).toEqual([
      ["read", "3/read", 1, undefined],
      ["read", "3/read~2", 1, "try again"],
      ["read", "3/read~2", 2, undefined],
    ]);
    for (const x of io) {
      if (x.response !== undefined) expect(x.hash).toContain(createHash("sha256").update(JSON.stringify(x.response)).digest("hex"));
      expect(Number.isNaN(Date.parse(x.at))).toBe(false);
      expect(x.durationMs).toBeGreaterThanOrEqual(0);
    }
    expect(await client.io("essay", 1)).toEqual([]);
  });

  it("a call names its node as the author wrote it, whatever the name is in an id; the log is read from its end as from its beginning", async () => {
    const l = await fresh(kind);
    const long = "read what nobody else has read ".repeat(10).trim();
    const g = graph({ name: "names", state: { n: sum() } })
      .nodes(({ each }) => ({
        "read a page~2": each(z.number(), async (n, _s, ctx) => ({ n: await ctx.step("get", () => n, { repeatable: true }) })),
        [long]: async (s, ctx) => {
          if (s.n === 3) ctx.label("long");
          return { n: await ctx.step("get", () => 1, { repeatable: true }) };
        },
      }))
      .edges({
        start: (() => [1, 2].map((n) => send("read a page~2", n))) as never,
        "read a page~2": long,
        [long]: (s) => (s.n < 9 ? long : "end"),
      });
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "n" });
    await l.advanceUntil(h.result());
    expect((await h.io(1)).map((x) => [x.node, x.response])).toEqual([
      ["read a page~2", 1],
      ["read a page~2", 2],
    ]);
    expect((await h.io(2)).map((x) => x.node)).toEqual([long]);
    const all = await h.history();
    expect(all.map((s) => s.superstep)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
    expect(await h.history({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(await h.history({ before: 2 })).toEqual(all.slice(6));
    expect(await h.history({ before: 0 })).toEqual([]);
    expect([await h.state(), await h.state({ at: 0 }), await h.state({ at: "long" })]).toEqual([all[0], all[7], all[5]]);
    expect(await h.state({ at: "none" })).toBeUndefined();
  });

  it("a run that is no graph, and a superstep that is no number, are answered", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "plain" }, async (ctx) => ctx.step("s", () => 1));
    const { engine, client } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { id: "p" });
    await l.advanceUntil(h.result());
    await expect(client.state("p")).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(client.io("p", -1)).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(client.state("nobody")).rejects.toMatchObject({ code: "PAWL4001" });
    for (const at of [null, {}, 1.5]) await expect(client.state("p", { at: at as never })).rejects.toMatchObject({ code: "PAWL4011" });
    // Misspelt, it would be answered with the last one.
    await expect(client.state("p", { att: 1 } as never)).rejects.toMatchObject({ code: "PAWL5001" });
    await expect(client.history("p", { befor: 1 } as never)).rejects.toMatchObject({ code: "PAWL5001" });
  });
});

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a;
}
