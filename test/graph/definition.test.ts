// What is refused when a module with a graph is loaded: options that are misspelt or of a wrong kind, which would mean nothing when the graph runs, and
// initial values that no store takes. Names that lead nowhere: edges.test.ts, interrupt.test.ts, test/types.
import { expect, it } from "vitest";
import { z } from "zod";
import { graph, last, sum, type NodeBuilder } from "../../src/graph.ts";
import { task, workflow } from "../../src/index.ts";

const kid = workflow({ name: "kid" }, async () => 1);
const undo = task({ name: "undo", input: z.number() }, () => 1, { repeatable: true });
const circular: Record<string, unknown> = {};
circular["self"] = circular;

function define(more: object, nodes: unknown = { a: () => ({ n: 1 }) }, options?: unknown): void {
  graph({ name: "g", state: { n: sum() }, ...more } as never)
    .nodes(nodes as never)
    .edges({ start: "a", a: "end" } as never, options as never);
}
const sub =
  (o: object): unknown =>
  (b: NodeBuilder<any, {}, {}>) => ({ a: b.sub(kid, { in: () => undefined, out: () => ({}), ...o } as never) });

it.each<[what: string, define: () => void, code: string, says: string]>([
  ["a misspelt compensate of a sub node", () => define({}, sub({ compensat: undo })), "PAWL5001", 'did you mean "compensate"?'],
  ["a misspelt conflict policy", () => last(0, { conflicts: "highest" } as never), "PAWL5001", 'did you mean "conflict"?'],
  ["joins that are no object", () => define({}, undefined, { joins: 3 }), "PAWL1050", "joins must be an object"],
  ["joins that are null", () => define({}, undefined, { joins: null }), "PAWL1050", "joins must be an object"],
  ["a list of catches", () => define({}, undefined, { catch: ["a"] }), "PAWL1050", "catch must be an object"],
  ["a result that is no function", () => define({ result: "n" }), "PAWL1050", "result must be a function"],
  ["an id that is no function", () => define({ id: "g-1" }), "PAWL1050", "id must be a function"],
  ["tasks that are no list", () => define({ tasks: { undo } }), "PAWL1050", "tasks must be a list"],
  ["a list of channels", () => define({ state: [sum()] }), "PAWL1050", "its channels, by name"],
  ["nodes that come later", () => define({}, async () => ({ a: () => ({ n: 1 }) })), "PAWL1050", "nodes() takes nodes by name"],
  [
    "an initial value that is a function",
    () => define({ state: { f: last(() => 1) } }),
    "PAWL1003",
    "the initial value of channel f of graph g",
  ],
  ["an initial value that contains itself", () => define({ state: { c: last(circular) } }), "PAWL1003", "contains itself"],
  [
    "an initial value that is ill-formed text",
    () => define({ state: { t: last("\ud800") } }),
    "PAWL1003",
    "the initial value of channel t",
  ],
])("%s: refused when the graph is defined", (_what, run, code, says) => {
  expect(run).toThrow(expect.objectContaining({ code, message: expect.stringContaining(says) }));
});

it("what is right is taken: a sub node that is undone, an initial value of every kind that a store takes", () => {
  expect(() => {
    define({ tasks: [undo] }, sub({ compensate: undo }), { joins: {}, catch: {} });
    define({ state: { n: sum(), d: last(new Date(0)), m: last(new Map([["a", 1n]])), u: last(undefined), f: last(Number.NaN) } });
  }).not.toThrow();
});
