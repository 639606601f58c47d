// What edges promise beyond one superstep: a join counts anew after it ran, a node that several edges reach has the smallest of its keys, and items that
// have not begun stay out where a failure stops the branches.
import { expect, it } from "vitest";
import { orderKey } from "../../src/core/graph/order.ts";
import { planNext } from "../../src/core/graph/plan.ts";
import { append, graph, sum, type NodeCtx } from "../../src/graph.ts";
import { engine } from "../../src/index.ts";
import { sha256Hex } from "../../src/platform/crypto/hash.ts";

it("a join that has run waits for all of its nodes again", () => {
  const joins = { c: ["a", "b"] };
  const led = (node: string) => ({ node, path: "", targets: [{ to: "c" }] });
  const first = planNext(sha256Hex, 1, [led("a"), led("b")], joins, {});
  expect(first.frontier.map((w) => w.node)).toEqual(["c"]);
  const second = planNext(sha256Hex, 3, [led("a")], joins, first.joins);
  expect(second.frontier).toEqual([]);
  expect(planNext(sha256Hex, 4, [led("b")], joins, second.joins).frontier.map((w) => w.node)).toEqual(["c"]);
});

it("a node that several edges reach runs once, under the smallest of its order keys", () => {
  const parents = ["a", "b", "d"].map((node) => ({ node, path: "", targets: [{ to: "c" }] }));
  const keys = parents.map(({ node, path }) => orderKey(sha256Hex, { path, node, superstep: 1 }, 0));
  const smallest = keys.reduce((x, y) => (y < x ? y : x));
  for (const ended of [parents, parents.toReversed()])
    expect(planNext(sha256Hex, 1, ended, {}, {}).frontier.map((w) => w.orderKey)).toEqual([smallest]);
});

it("a node may be called what every object has: its edges, joins and handlers are its own", async () => {
  const g = graph({ name: "odd-names", state: { constructor: sum(), ran: append<string>() } })
    .nodes({
      toString: () => ({ constructor: 1, ran: "toString" }),
      valueOf: () => {
        throw new Error("no");
      },
      hasOwnProperty: (_s: object, ctx: NodeCtx) => ({ constructor: 1, ran: `hasOwnProperty ${ctx.failures[0]!.node}` }),
      constructor: (s: { constructor: number }) => ({ ran: `constructor ${s.constructor}` }),
    } as never) // the compiler takes such names for those of every object
    .edges(
      {
        start: ["toString", "valueOf"],
        toString: "constructor",
        valueOf: "end",
        hasOwnProperty: "constructor",
        constructor: "end",
      } as never,
      { joins: { constructor: ["toString", "hasOwnProperty"] }, catch: { valueOf: "hasOwnProperty" } } as never,
    );
  const app = await engine({ workflows: [g], store: "memory:" });
  const run = await app.start(g, {});
  expect(await run.result()).toEqual({ constructor: 2, ran: ["toString", "hasOwnProperty valueOf", "constructor 2"] });
  await app.stop();
});

it.each([
  ["settle", 3],
  ["stop", 1],
] as const)("onBranchFailure %s: %i of three items begin when the first fails", async (onBranchFailure, begun) => {
  const began: string[] = [];
  const fail = (name: string) => (): void => {
    began.push(name);
    throw new Error(`${name} failed`);
  };
  const g = graph({ name: "branches", state: { n: sum() }, concurrency: 1, onBranchFailure })
    .nodes({ a: fail("a"), b: fail("b"), c: fail("c") })
    .edges({ start: ["a", "b", "c"], a: "end", b: "end", c: "end" });
  const app = await engine({ workflows: [g], store: "memory:" });
  const run = await app.start(g, {});
  await expect(run.result()).rejects.toThrow("failed");
  await app.stop();
  expect(began).toHaveLength(begun);
});

it("an edge that names a node twice is refused when the graph is defined", () => {
  const nodes = graph({ name: "twice", state: { n: sum() } }).nodes({ a: () => ({ n: 1 }) });
  expect(() => nodes.edges({ start: ["a", "a"], a: "end" })).toThrow("the edge of start names a node twice");
});
