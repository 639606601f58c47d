// Inputs by reference: what is put together, what pointers reach, and that no name of a user's can
// reach a prototype.
import { expect, it } from "vitest";
import { eventsOfInput, partAt, resolveInput, type InputRef, type InputSource } from "./input-ref.ts";

const results = new Map<number, unknown>([
  [4, { lines: [{ sku: "a" }, { sku: "b" }], "a/b": 1, "~": 2 }],
  [9, 7],
]);
const from: InputSource = { run: () => ({ orderId: "o-1" }), event: (seq) => results.get(seq) };

it("an input is put together from the run's input, results, parts of results and values", () => {
  const ref: InputRef = {
    of: "object",
    members: {
      input: { of: "run" },
      id: { of: "run", at: "/orderId" },
      first: { of: "event", seq: 4, at: "/lines/0/sku" },
      all: {
        of: "list",
        items: [
          { of: "event", seq: 9 },
          { of: "value", value: null },
        ],
      },
      gone: { of: "event", seq: 4, at: "/nothing/here" },
    },
  };
  expect(resolveInput(ref, from)).toEqual({ input: { orderId: "o-1" }, id: "o-1", first: "a", all: [7, null] });
  expect(eventsOfInput(ref)).toEqual({ seqs: [4, 9], run: true });
  expect(JSON.parse(JSON.stringify(ref))).toEqual(ref);
});

it("a pointer reads names with escapes and own members only, and a list by its index", () => {
  const value = results.get(4);
  expect(partAt(value, "/a~1b")).toBe(1);
  expect(partAt(value, "/~0")).toBe(2);
  expect(partAt(value, "/lines/1/sku")).toBe("b");
  expect(partAt(value, "/lines/length")).toBeUndefined();
  expect(partAt(value, "/constructor")).toBeUndefined();
  expect(partAt(value, "")).toBe(value);
  expect(() => partAt(value, "lines")).toThrow(expect.objectContaining({ code: "PAWL3007" }));
});

it("a member called __proto__ stays a member", () => {
  const ref = JSON.parse('{"of":"object","members":{"__proto__":{"of":"value","value":1}}}') as InputRef;
  const made = resolveInput(ref, from) as object;
  expect(Object.hasOwn(made, "__proto__")).toBe(true);
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
});
