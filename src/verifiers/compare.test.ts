// How verifiers compare: the same content is the same whatever the driver gives it as, and nothing is equal by accident, since that
// would confirm what is not there. Pointers are as RFC 6901 has them.
import { expect, it } from "vitest";
import { firstMissing, isSame, valueText, valueAt } from "./compare.ts";

it("values are the same by content: numbers of both kinds, instants, bytes, trees; nothing else is", () => {
  const same: [unknown, unknown][] = [
    [1, 1n],
    [null, null],
    [Number.NaN, Number.NaN],
    [new Date(5), new Date(5)],
    [Buffer.from("ab"), new Uint8Array([97, 98])],
    [{ a: [1, { b: "x" }] }, { a: [1, { b: "x" }] }],
  ];
  for (const [a, b] of same) expect(isSame(a, b), `${valueText(a)} ${valueText(b)}`).toBe(true);
  const other: [unknown, unknown][] = [
    [1, "1"],
    [9_007_199_254_740_993n, 9_007_199_254_740_992],
    [Number.NaN, 0n],
    [0, false],
    [null, undefined],
    [new Date(5), 5],
    [new Uint8Array([1]), [1]],
    [[1, 2], [1]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, { b: undefined }],
    [{}, []],
    [{ toString: 1 }, {}],
  ];
  for (const [a, b] of other) expect([isSame(a, b), isSame(b, a)], `${valueText(a)} ${valueText(b)}`).toEqual([false, false]);
});

it("firstMissing names the first member that is not as expected, and lets the rest be more", () => {
  expect(firstMissing({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 })).toBeNull();
  expect(firstMissing({ a: { "b/c~d": 1 } }, { a: { "b/c~d": 2 } })).toBe("/a/b~1c~0d");
  expect(firstMissing({ a: [1] }, { a: [1, 2] })).toBe("/a");
  expect(firstMissing({ a: undefined }, {})).toBe("/a");
  expect(firstMissing({ a: 1 }, [])).toBe("");
});

it("valueAt follows RFC 6901, own members only", () => {
  const document = { "": 0, "a/b": { "m~n": [10, { x: 1 }] } };
  expect(valueAt(document, "")).toBe(document);
  expect(valueAt(document, "/")).toBe(0);
  expect(valueAt(document, "/a~1b/m~0n/0")).toBe(10);
  expect(valueAt(document, "/a~1b/m~0n/1/x")).toBe(1);
  for (const p of ["/a~1b/m~0n/01", "/a~1b/m~0n/-", "/a~1b/m~0n/length", "/toString", "/nothing/at/all"])
    expect(valueAt(document, p), p).toBeUndefined();
});

it("what is shown of a value is short", () => {
  expect([valueText("x"), valueText(5n), valueText(undefined), valueText("y".repeat(200)).length]).toEqual(['"x"', "5", "undefined", 100]);
});
