// A level of a graph, the nodes of one superstep, on every store: merged in one order, all of it or nothing, and nodes that
// wait may be alone. What ends first is decided by the tests, never by a clock.
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, last } from "../../src/graph.ts";
import { proves } from "../support/proves.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { readSteps } from "./independent.ts";

const open: TestStore[] = [];
afterEach(async () => {
  for (const s of open.splice(0)) await s.close();
});

describe.each(testStores)("%s", (_name, make) => {
  const place = async (): Promise<TestStore> => {
    const s = await make();
    open.push(s);
    return s;
  };

  it("a level is merged in the order of its nodes, whichever of them ended first", proves("AX-21", "L-47", "LX-02"), async () => {
    const s = await place();
    const ids = ["a", "b", "c", "d"] as const;
    const ended: string[] = [];
    let order: readonly string[] = [];
    /** Each ends when it is its turn in `order`. */
    const turn = async (id: string): Promise<string> => {
      while (ended.length < order.indexOf(id)) await new Promise((resolve) => setImmediate(resolve));
      ended.push(id);
      return id;
    };
    const node =
      (id: string) => async (_s: unknown, ctx: { step: (name: string, f: () => Promise<string>, o: object) => Promise<string> }) => ({
        seen: await ctx.step("work", () => turn(id), { repeatable: true }),
      });
    const g = graph({ name: "level", state: { seen: append<string>() } })
      .nodes({ a: node("a"), b: node("b"), c: node("c"), d: node("d") } as never)
      .edges({ start: ids, a: "end", b: "end", c: "end", d: "end" } as never);
    const { engine } = await s.engine({ workflows: [g] });
    for (order of [ids, ["d", "c", "b", "a"], ["c", "a", "d", "b"]]) {
      ended.length = 0;
      const h = await engine.start(g, {});
      const { seen } = (await h.result()) as unknown as { seen: string[] };
      expect(ended, "the order in which they ended").toEqual(order);
      expect(seen, "the order in which they were merged").toEqual(ids);
      const [first, second] = readSteps(await s.store.events({ runId: h.runId, after: 0, limit: 1_000 }));
      expect(first!.frontier.map((f) => f.node)).toEqual(ids);
      expect(second!.items.map((i) => i.orderKey)).toEqual(first!.frontier.map((f) => f.orderKey));
    }
  });

  it("one failure fails the level: nothing of it is merged, and what its steps did stays recorded", proves("AX-21"), async () => {
    const s = await place();
    const g = graph({ name: "fails", state: { log: append<string>(), note: last("") } })
      .nodes(({ effect }) => ({
        first: () => ({ log: "first" }),
        good: effect(() => ({ log: "good", note: "set" }), { repeatable: true }),
        bad: effect(
          () => {
            throw new Error("broken");
          },
          { repeatable: true, retry: { attempts: 1 } },
        ),
      }))
      .edges({ start: "first", first: ["good", "bad"], good: "end", bad: "end" });
    const { engine } = await s.engine({ workflows: [g] });
    const h = await engine.start(g, {}, { id: "f" });
    await expect(h.result()).rejects.toThrow("broken");
    expect(await s.client().state("f")).toMatchObject({ superstep: 1, values: { log: ["first"], note: "" } });
    const log = await s.store.events({ runId: h.runId, after: 0, limit: 1_000 });
    expect(log.filter((e) => e.eventType === "StepCompleted").map((e) => e.stepId)).toEqual(["2/good/good"]);
  });

  it("a node that waits may be alone: it begins when the others have ended, and not if one of them failed", proves("AX-21"), async () => {
    const s = await place();
    const at: string[] = [];
    let fails = false;
    const g = graph({ name: "asks", state: { log: append<string>() }, signals: { ok: z.string() } })
      .nodes(({ effect, node }) => ({
        review: node(
          async (_s, ctx) => {
            at.push("review");
            return { log: await ctx.receive("ok") };
          },
          { alone: true },
        ),
        sign: node(
          (_s, ctx) => {
            at.push("sign");
            return ctx.receive("ok").then((log) => ({ log }));
          },
          { alone: true },
        ),
        work: effect(
          async () => {
            await new Promise((resolve) => setImmediate(resolve));
            at.push("worked");
            if (fails) throw new Error("broken");
            return { log: "work" };
          },
          { repeatable: true, retry: { attempts: 1 } },
        ),
      }))
      .edges({ start: ["review", "work", "sign"], review: "end", work: "end", sign: "end" });
    const { engine } = await s.engine({ workflows: [g] });
    const h = await engine.start(g, {}, { id: "ok" });
    await h.signal("ok", "one", { signalId: "1" });
    await h.signal("ok", "two", { signalId: "2" });
    expect(await h.result()).toEqual({ log: ["one", "work", "two"] });
    expect(at).toEqual(["worked", "review", "sign"]);
    fails = true;
    at.length = 0;
    const bad = await engine.start(g, {}, { id: "bad" });
    await expect(bad.result()).rejects.toThrow("broken");
    expect(at, "nobody is asked in vain").toEqual(["worked"]);
    expect((await s.store.events({ runId: bad.runId, after: 0, limit: 100 })).map((e) => e.stepId)).not.toContain("1/review/ok");
  });
});

it("alone is true or false, and an option that no node has is refused", () => {
  const define = (o: object) =>
    graph({ name: "x", state: {} })
      .nodes(({ node }) => ({ a: node(() => {}, o) }))
      .edges({ start: "a", a: "end" });
  expect(() => define({ alone: "yes" })).toThrow("alone must be true or false");
  expect(() => define({ alonee: true })).toThrow("alonee");
});
