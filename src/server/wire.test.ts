// Values on the wire: what plain JSON says of each kind, what is refused, and
// that exact values survive.
import { describe, expect, it } from "vitest";
import { decodeValue, encodeValue, parseJson } from "./wire.ts";

const plain = (text: string): unknown => decodeValue(parseJson(text, "plain"), "plain");
const exact = (text: string): unknown => decodeValue(parseJson(text, "exact"), "exact");
const tag = (body: unknown): string => JSON.stringify({ $pawl: body });

describe("plain JSON", () => {
  it("says every kind of value in a way that other languages read", () => {
    const e = Object.assign(new RangeError("no"), { code: "E1" });
    const value = {
      date: new Date(0),
      never: new Date(Number.NaN),
      big: 2n ** 64n,
      bytes: new Uint8Array([1, 2]),
      map: new Map<unknown, unknown>([[1n, new Date(0)]]),
      set: new Set([Number.NaN, 1]),
      error: e,
      inf: Number.POSITIVE_INFINITY,
      gone: undefined,
      list: [undefined, -0],
    };
    expect(JSON.parse(encodeValue(value, "plain"))).toEqual({
      date: "1970-01-01T00:00:00.000Z",
      never: null,
      big: "18446744073709551616",
      bytes: "AQI=",
      map: [["1", "1970-01-01T00:00:00.000Z"]],
      set: [null, 1],
      error: { name: "RangeError", message: "no", code: "E1" },
      inf: null,
      list: [null, 0],
    });
  });

  it("keeps a member named __proto__ a member, both ways", () => {
    const text = `{"__proto__":{"polluted":true},"a":1}`;
    const value = plain(text) as Record<string, unknown>;
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(encodeValue(value, "plain")).toBe(text);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("takes a member named $pawl as ordinary data", () => {
    expect(plain(tag(["date", 0]))).toEqual({ $pawl: ["date", 0] });
    expect(plain(tag("anything"))).toEqual({ $pawl: "anything" });
  });

  it("refuses numbers that would be rounded, and takes those that are not", () => {
    for (const text of ["9007199254740992", "-9007199254740993", "[1,12345678901234567890]", '{"a":9007199254740993.0}', "1e400"])
      expect(() => plain(text), text).toThrow(/rounded|too large/);
    for (const text of ["9007199254740991", "0.1234567890123456789", '"12345678901234567890"', '{"12345678901234567890":1}', "1e20"])
      expect(() => plain(text), text).not.toThrow();
    expect(() => plain('["\\"",12345678901234567890]')).toThrow(/rounded/);
    expect(() => plain(`${"9".repeat(1_000_000)}e-999990`)).toThrow(/rounded/);
  });

  it("takes 64 levels and no more", () => {
    expect(() => plain(`${"[".repeat(64)}${"]".repeat(64)}`)).not.toThrow();
    expect(() => plain(`${"[".repeat(65)}${"]".repeat(65)}`)).toThrow(/deeper/);
    expect(() => plain("[".repeat(500_000) + "]".repeat(500_000))).toThrow(/deeper/);
  });
});

describe("exact values", () => {
  it("come back as they were", () => {
    const value = {
      at: new Date(5),
      n: 7n,
      u: undefined,
      m: new Map([["k", new Set([1])]]),
      b: new Uint8Array([255]),
      o: { $pawl: 1 },
      z: -0,
    };
    expect(exact(encodeValue(value, "exact"))).toEqual(value);
  });

  it("are refused when a tag is not known or its body does not fit", () => {
    const wrong = [
      "date",
      ["date", "today"],
      ["date", 9e15],
      ["date", 1.5],
      ["bigint", 7],
      ["bigint", "0x10"],
      ["bigint", "9".repeat(1_001)],
      ["bytes", "@@"],
      ["bytes", "AQI"],
      ["map", [[1]]],
      ["map", {}],
      ["set", {}],
      ["object", []],
      ["error", { name: 1, message: "" }],
      ["error", { name: "E", message: "", extra: 1 }],
      ["constructor", {}],
      ["toString", 1],
      ["date", 0, 0],
      [],
      null,
      7,
    ];
    for (const body of wrong) expect(() => exact(tag(body)), JSON.stringify(body)).toThrow(/tag/);
    expect(() => exact(`{"$pawl":["date",0],"more":1}`)).toThrow(/no other members/);
    expect(() => exact(tag(["map", [[{ $pawl: ["x", 1] }, 1]]]))).toThrow(/tag/);
    expect(() => exact(tag(["error", { name: "E", message: "", cause: { $pawl: "x" } }]))).toThrow(/tag/);
  });
});
