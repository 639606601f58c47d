// Proves which texts may be names and ids, and that they are taken verbatim or refused, never repaired. Guards the stores
// and the keys, which trust what has passed here.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkId, checkName, isWellFormedText, utf8Length } from "./names.ts";
import { proves } from "../../test/support/proves.ts";

const refused = expect.objectContaining({ code: "PAWL1001" });

describe("names and ids", () => {
  it.each([
    "order",
    "Order ",
    " order",
    "bestellung-ä",
    "📦",
    "cafe\u0301",
    "a/b~2%",
    "RUNNER",
    "x".repeat(512),
    "é".repeat(256),
    "€".repeat(170),
  ])("%s is taken verbatim", proves("D-066"), (text) => {
    expect(checkName(text, "name")).toBe(text);
    expect(checkId(text, "id")).toBe(text);
  });

  it.each([
    "",
    "a|b",
    "a\0b",
    "a\nb",
    "a\u001fb",
    "a\u007fb",
    "a\ud800",
    "\udc00b",
    "x".repeat(513),
    "é".repeat(257),
    "€".repeat(171),
    5,
    null,
    undefined,
    {},
    ["a"],
  ])("%s is refused", proves("D-071", "D-072"), (text) => {
    expect(() => checkName(text, "name")).toThrow(refused);
    expect(() => checkId(text, "id")).toThrow(refused);
  });

  it("RUN is reserved as a name and free as an id", proves("D-069"), () => {
    expect(() => checkName("RUN", "name")).toThrow(refused);
    expect(checkId("RUN", "id")).toBe("RUN");
  });

  it("the message says which text and why", () => {
    expect(() => checkName("a|b", "a step's name")).toThrow("a step's name must not contain '|' or control characters");
  });
});

describe("text", () => {
  it("a surrogate pair is well-formed, a lone surrogate and U+0000 are not", proves("D-066"), () => {
    expect(isWellFormedText("📦 a")).toBe(true);
    expect(isWellFormedText("\ud83d")).toBe(false);
    expect(isWellFormedText("a\udce6b")).toBe(false);
    expect(isWellFormedText("\udce6\ud83d")).toBe(false);
    expect(isWellFormedText("a\0")).toBe(false);
    expect(isWellFormedText("")).toBe(true);
  });

  it("utf8Length agrees with the platform's encoder on every text", proves("W-050"), () => {
    for (const code of [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff]) {
      const text = String.fromCodePoint(code);
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.constantFrom("", "\ud800", "\udc00", "\ud83d\ude00"), (a, b) => {
        expect(utf8Length(a + b)).toBe(Buffer.byteLength(a + b));
        expect(utf8Length(b + a)).toBe(Buffer.byteLength(b + a));
      }),
      { numRuns: 300 },
    );
  });
});
