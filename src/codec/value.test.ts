// Proves that values round-trip through text (K12): by property over everything that can be stored, by name for each kind,
// by golden text for each tag, and that what cannot be stored is refused with its path. Golden texts must never change: they
// are in the logs of users.
import vm from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWellFormedText } from "../core/names.ts";
import { decode, encode, revive } from "./value.ts";
import { proves } from "../../test/support/proves.ts";

const limits = { valueBytesMax: 1_048_576, depthMax: 64 };
const text = (value: unknown): string => encode(value, limits, "result");
const again = (value: unknown): unknown => decode(text(value));

const leaf = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "\0", "\ud800", "a\udc00", "$pawl", "__proto__", "\u2028", '"', "\\u0024pawl"),
  fc.double(),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, -0, 0, undefined, null, true, false),
  fc.bigInt(),
  fc.date({ noInvalidDate: false }),
  fc.uint8Array({ maxLength: 12 }),
);
const key = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("$pawl", "__proto__", "constructor", "toJSON", "length", "1", "0"),
);
const storable = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small", withCrossShrink: true }, leaf, tie("array"), tie("object"), tie("map"), tie("set")),
  array: fc.array(tie("value"), { maxLength: 5 }),
  object: fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map((entries) => objectOf(entries)),
  map: fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 4 }).map((entries) => new Map(entries)),
  set: fc.array(tie("value"), { maxLength: 4 }).map((items) => new Set(items)),
})).value;

/** Object.fromEntries defines members, so "__proto__" becomes one too. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

/** Stricter than the framework's equality: order of members too, -0, invalid dates, and no look at `constructor`. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date) return Object.is(a.getTime(), (b as Date).getTime());
  if (a instanceof Map || a instanceof Set) return same([...a], [...(b as Iterable<unknown>)]);
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  return keys.every((k, i) => k === others[i] && same((a as Record<string, unknown>)[k], (b as Record<string, unknown>)[k]));
}

describe("round trips", () => {
  it("every storable value comes back the same", proves("K12"), () => {
    fc.assert(
      fc.property(storable, (value) => {
        expect(same(again(value), value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("the text is well-formed JSON without U+0000, the same when encoded again, and revive agrees with decode", proves("K12"), () => {
    fc.assert(
      fc.property(storable, (value) => {
        const once = text(value);
        expect(isWellFormedText(once)).toBe(true);
        expect(text(decode(once))).toBe(once);
        expect(same(revive(JSON.parse(once)), decode(once))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("plain JSON data is its own JSON text", proves("K12"), () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        fc.pre(!JSON.stringify(value).includes("$pawl") && !hasNegativeZero(value));
        expect(text(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 200 },
    );
  });
});

function hasNegativeZero(v: unknown): boolean {
  return Object.is(v, -0) || (typeof v === "object" && v !== null && Object.values(v).some(hasNegativeZero));
}

describe("golden texts", () => {
  const golden: readonly (readonly [unknown, string])[] = [
    [{ a: [1, "x", null, true] }, '{"a":[1,"x",null,true]}'],
    [undefined, '{"$pawl":"undefined"}'],
    [[Number.NaN, Infinity, -Infinity, -0], '[{"$pawl":"NaN"},{"$pawl":"Infinity"},{"$pawl":"-Infinity"},{"$pawl":"-0"}]'],
    [{ a: undefined }, '{"a":{"$pawl":"undefined"}}'],
    [new Date(1_760_000_000_000), '{"$pawl":["date",1760000000000]}'],
    [new Date(Number.NaN), '{"$pawl":["date",null]}'],
    [-12n, '{"$pawl":["bigint","-12"]}'],
    [new Uint8Array([0, 1, 254, 255]), '{"$pawl":["bytes","AAH+/w=="]}'],
    [new Map<unknown, unknown>([["k", new Set([1])]]), '{"$pawl":["map",[["k",{"$pawl":["set",[1]]}]]]}'],
    [{ $pawl: "NaN" }, '{"$pawl":["object",{"$pawl":"NaN"}]}'],
    [{ $pawl: ["date", 5], b: 1 }, '{"$pawl":["object",{"$pawl":["date",5],"b":1}]}'],
    ["\ud800\0", '"\\ud800\\u0000"'],
  ];
  it.each(golden)("%o is written and read as it always was", proves("K12"), (value, written) => {
    expect(text(value)).toBe(written);
    expect(decode(written)).toStrictEqual(value);
  });

  it("an Error is its name, message, code and cause, and comes back as an Error without a stack", proves("K12"), () => {
    const e = Object.assign(new TypeError("no", { cause: new Error("why") }), { code: "E1", other: 5 });
    const written =
      '{"$pawl":["error",{"name":"TypeError","message":"no","code":"E1","cause":{"$pawl":["error",{"name":"Error","message":"why"}]}}]}';
    expect(text(e)).toBe(written);
    const back = decode(written) as Error & { code?: string };
    expect(back).toBeInstanceOf(Error);
    expect([back.name, back.message, back.code, (back.cause as Error).message]).toEqual(["TypeError", "no", "E1", "why"]);
    expect(back.stack).toBe("TypeError: no");
    expect(Object.hasOwn(back, "other")).toBe(false);
    expect(text(back)).toBe(written);
  });

  it("an Error without code or cause gets none, and one with unreadable members is still an Error", proves("K12"), () => {
    const plain = again(new Error("x")) as Error;
    expect("code" in plain || "cause" in plain).toBe(false);
    const hostile = Object.defineProperty(new Error("x"), "name", {
      get() {
        throw new Error("no name");
      },
    });
    expect((again(hostile) as Error).name).toBe("Error");
    expect((again(new DOMException("gone", "AbortError")) as Error).name).toBe("AbortError");
  });
});

describe("objects", () => {
  it("own __proto__ members survive and reach no prototype", proves("K12"), () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":null}}');
    const back = again(value) as Record<string, unknown>;
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(Object.keys(back)).toEqual(["__proto__", "a"]);
    const tagged = again(objectOf([["__proto__", new Date(5)]])) as object;
    expect(Object.getPrototypeOf(tagged)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(tagged, "__proto__")?.value).toEqual(new Date(5));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("objects without a prototype, and of another realm, become plain", proves("K12"), () => {
    const bare = Object.assign(Object.create(null) as object, { a: 1, d: new Date(5) });
    expect(again(bare)).toStrictEqual({ a: 1, d: new Date(5) });
    expect(again(vm.runInNewContext("({ a: [1, { b: 2 }] })"))).toStrictEqual({ a: [1, { b: 2 }] });
  });

  it("undefined members and the order of members are kept", proves("K12"), () => {
    expect(Object.keys(again({ b: undefined, a: 1, c: new Set() }) as object)).toEqual(["b", "a", "c"]);
  });

  it("a Buffer is its bytes, and only those of its view", proves("K12"), () => {
    const back = again({ b: Buffer.from("xyz").subarray(1, 2) }) as { b: Uint8Array };
    expect(back.b).toStrictEqual(new Uint8Array([0x79]));
    expect(back.b.buffer.byteLength).toBe(1);
  });

  it("what is shared comes back as copies", proves("K12"), () => {
    const shared = { n: 1 };
    const back = again([shared, shared]) as object[];
    expect(back).toEqual([{ n: 1 }, { n: 1 }]);
    expect(back[0]).not.toBe(back[1]);
  });
});

describe("what cannot be stored", () => {
  class Money {
    readonly cents = 5;
  }
  const cycle: Record<string, unknown> = { n: 1 };
  cycle["self"] = { again: [cycle] };
  const sparse = Object.assign<unknown[], object>([], { length: 3, 0: 1, 2: 3 });
  const refused: readonly (readonly [string, unknown, string])[] = [
    ["a function", { items: [0, 0, 0, { run: () => 1 }] }, "result.items[3].run: a function cannot be stored"],
    ["a symbol", { a: Symbol("s") }, "result.a: a symbol cannot be stored"],
    ["a member named by a symbol", { a: { [Symbol("s")]: 1 } }, "result.a: a member named by a symbol cannot be stored"],
    ["an object of a class", { price: new Money() }, "result.price: an object of class Money cannot be stored"],
    ["a boxed number", [Object(5)], "result[0]: an object of class Number cannot be stored"],
    ["a typed array of another kind", new Float64Array(2), "result: an object of class Float64Array cannot be stored"],
    ["a promise", { p: Promise.resolve() }, "result.p: an object of class Promise cannot be stored"],
    ["a subclass of Map", new (class extends Map {})(), "result: an object of a class cannot be stored"],
    ["a subclass of Array", [new (class extends Array {})()], "result[0]: an array of a class of its own cannot be stored"],
    ["a hole", { list: sparse }, "result.list[1]: a hole in an array cannot be stored"],
    ["an array with named members", "abc".match(/b/), "result: an array with named members cannot be stored"],
    ["a key that is no identifier", { "a b": () => 1 }, 'result["a b"]: a function cannot be stored'],
    ["a map's key", new Map([[() => 1, 1]]), "result[map key 0]: a function cannot be stored"],
    ["a map's value", { m: new Map([["k", () => 1]]) }, "result.m[map value 0]: a function cannot be stored"],
    ["an item of a set", new Set([1, () => 1]), "result[item 1]: a function cannot be stored"],
    ["the cause of an error", new Error("x", { cause: { f: () => 1 } }), "result.cause.f: a function cannot be stored"],
    ["toJSON", { toJSON: () => 1 }, "result.toJSON: a function cannot be stored"],
  ];
  it.each(refused)("%s is refused with its path", proves("K12"), (_, value, message) => {
    expect(() => text(value)).toThrow(expect.objectContaining({ code: "PAWL1003", message }));
  });

  it("an accessor is refused and never called", proves("K12"), () => {
    let called = 0;
    const value = {
      get total() {
        return ++called;
      },
    };
    expect(() => text({ value })).toThrow(
      expect.objectContaining({ code: "PAWL1003", message: "result.value.total: an accessor cannot be stored" }),
    );
    expect(called).toBe(0);
  });

  it("a cycle is refused as what it is, at the place where it closes, however short", proves("K12"), () => {
    expect(() => text(cycle)).toThrow(
      expect.objectContaining({ code: "PAWL1003", message: expect.stringContaining("it contains itself") }),
    );
    const inner: Record<string, unknown> = {};
    const outer = { list: [{ inner }] };
    inner["back"] = outer.list;
    expect(() => text(outer)).toThrow(expect.objectContaining({ message: "result.list[0].inner.back: it contains itself" }));
    const m = new Map<string, unknown>();
    m.set("m", m);
    expect(() => text(m)).toThrow(expect.objectContaining({ message: "result[map value 0]: it contains itself" }));
  });
});

describe("limits", () => {
  const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)]);
  const large = expect.objectContaining({ code: "PAWL1004" });

  it("64 levels are stored and 65 are not", proves("K12"), () => {
    expect(again(nest(64))).toEqual(nest(64));
    expect(() => text(nest(65))).toThrow(large);
    expect(() => text(nest(5000))).toThrow(large);
  });

  it("the bound is on the bytes of the text, to the byte", proves("K12"), () => {
    const encodeIn = (value: unknown, valueBytesMax: number): string => encode(value, { valueBytesMax, depthMax: 64 }, "input");
    expect(encodeIn("x".repeat(98), 100)).toHaveLength(100);
    expect(() => encodeIn("x".repeat(99), 100)).toThrow(large);
    expect(encodeIn("é".repeat(49), 100)).toHaveLength(51);
    expect(() => encodeIn("é".repeat(50), 100)).toThrow(large);
    expect(() => encodeIn(new Date(0), 19)).toThrow("input is larger than 19 bytes");
    expect(() => encodeIn(new Uint8Array(101), 100)).toThrow(large);
  });

  it("a small graph that would be a huge text is refused before it is written", proves("K12"), () => {
    let bomb: unknown = "x";
    for (let i = 0; i < 60; i++) bomb = [bomb, bomb];
    expect(() => text(bomb)).toThrow(large);
  });
});

describe("reading", () => {
  it("text that is no JSON, or has an unknown tag, is an error with a code", proves("K12"), () => {
    expect(() => decode("{")).toThrow(expect.objectContaining({ code: "PAWL3007" }));
    for (const strange of [
      '{"$pawl":"Later"}',
      '{"$pawl":["later",1]}',
      '{"$pawl":5}',
      '{"$pawl":["constructor",1]}',
      '{"$pawl":"toString"}',
    ]) {
      expect(() => decode(strange)).toThrow(expect.objectContaining({ code: "PAWL3004" }));
    }
  });

  it("a tag written with escapes is a tag all the same", proves("K12"), () => {
    expect(decode('{"\\u0024pawl":"NaN"}')).toBe(Number.NaN);
  });

  it("revive leaves values that are alive already alone", proves("K12"), () => {
    const alive = { d: new Date(5), m: new Map([[1, 2]]), e: new Error("x") };
    expect(revive({ ...alive })).toStrictEqual(alive);
  });
});
