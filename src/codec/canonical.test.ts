// Proves that canonical JSON is RFC 8785, refuses what JSON cannot say, and that digests tell different values apart. The
// expected texts are written out here, never computed by the code under test.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkLimits as limitsOf } from "../core/limits.ts";
import { canonicalJson, inputDigest } from "./canonical.ts";
import { encode } from "./value.ts";
import { proves } from "../../test/support/proves.ts";

const limits = { valueBytesMax: 1_048_576, depthMax: 64 };
const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
const digestOf = (value: unknown): string => inputDigest(encode(value, limits, "input"));

describe("canonicalJson", () => {
  it("orders members by UTF-16 code units and writes numbers as JavaScript does", () => {
    const value = JSON.parse(
      '{"\\u20ac":"Euro","\\r":"CR","\\ufb33":"Dalet","1":"One","\\ud83d\\ude00":"Smiley","\\u0080":"Control","\\u00f6":"o"}',
    ) as unknown;
    expect(canonicalJson(value)).toBe('{"\\r":"CR","1":"One","\u0080":"Control","ö":"o","€":"Euro","😀":"Smiley","\ufb33":"Dalet"}');
    expect(canonicalJson([333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0])).toBe("[333333333.3333333,1e+30,4.5,0.002,1e-27,0]");
  });

  it.each([
    ["a lone surrogate", "\ud800"],
    ["a lone surrogate in a name", { "\udc00": 1 }],
    ["NaN", [Number.NaN]],
    ["Infinity", { a: Infinity }],
    ["undefined", { a: undefined }],
    ["undefined alone", undefined],
    ["a function", { a: () => 1 }],
    ["a symbol", [Symbol("s")]],
    ["a bigint", 5n],
    ["a Date", new Date(0)],
    ["a Map", new Map()],
  ])("%s has no canonical form", (_, value) => {
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: "PAWL1003" }));
  });

  it("a cycle has no canonical form", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => canonicalJson(cycle)).toThrow(expect.objectContaining({ code: "PAWL1003" }));
  });

  it("is JSON that reads back as the same value, whatever the order of members was", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (o) => {
        const text = canonicalJson(o);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(Object.fromEntries(Object.entries(o).toReversed()))).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

describe("digests", () => {
  it("inputDigest is SHA-256 of the canonical encoded tree", proves("K17"), () => {
    expect(digestOf({ b: 1, a: new Date(5) })).toBe(sha256('{"a":{"$pawl":["date",5]},"b":1}'));
    expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }));
  });

  it("the deepest value that limits admit has a digest", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 256; i++) deep = new Map([["k", deep]]);
    const encoded = encode(deep, { valueBytesMax: 1_048_576, depthMax: limitsOf({ depthMax: 256 }).depthMax }, "input");
    expect(inputDigest(encoded)).toBe(sha256(encoded));
  });

  it("inputs that differ have digests that differ, ill-formed text included", proves("K17"), () => {
    const inputs = [
      1,
      "1",
      -0,
      0,
      null,
      undefined,
      {},
      { a: undefined },
      [],
      "\ud800",
      "\ud801",
      "\\ud800",
      '"\\ud800"',
      { "\ud800": 1 },
      { "\\ud800": 1 },
      ["\ud800"],
      new Date(5),
      5,
      5n,
    ];
    expect(new Set(inputs.map(digestOf)).size).toBe(inputs.length);
  });
});
