// Proves that whatever is thrown becomes a bounded, well-formed Failure, that the error made of it says the same again, and
// that nothing hostile in a thrown value can keep an outcome from being recorded.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWellFormedText, utf8Length } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";
import { errorFromFailure, failureOf, type Failure } from "./failure.ts";
import { proves } from "../../test/support/proves.ts";

describe("failureOf", () => {
  it("keeps name, message, code, data and cause of an Error, and no stack", proves("K12"), () => {
    const e = Object.assign(new RangeError("too far", { cause: new Error("why") }), { code: "E_FAR", data: { at: 5 } });
    expect(failureOf(e)).toEqual({
      name: "RangeError",
      message: "too far",
      code: "E_FAR",
      data: { at: 5 },
      cause: { name: "Error", message: "why" },
    });
  });

  it("keeps the code of Pawl's own errors", proves("K12"), () => {
    expect(failureOf(new PawlError("PAWL1004", "big", { data: { step: "s" } }))).toEqual({
      name: "ValueTooLarge",
      message: "big",
      code: "PAWL1004",
      data: { step: "s" },
    });
  });

  it.each([
    ["plain text", { name: "Error", message: "plain text" }],
    [5, { name: "Error", message: "5" }],
    [undefined, { name: "Error", message: "undefined" }],
    [null, { name: "Error", message: "null" }],
    [Symbol("s"), { name: "Error", message: "Symbol(s)" }],
    [7n, { name: "Error", message: "7" }],
    [
      { code: 404, message: "gone" },
      { name: "Error", message: "gone", code: "404", data: { code: 404, message: "gone" } },
    ],
    [() => 1, { name: "Error", message: "something that is no Error was thrown" }],
  ] as [unknown, Failure][])("%o may be thrown too", (thrown, failure) => {
    expect(failureOf(thrown)).toEqual(failure);
  });

  it("bounds the message to 8 KiB and causes to five levels", proves("K12"), () => {
    const long = failureOf(new Error("é".repeat(10_000)));
    expect(utf8Length(long.message)).toBeLessThanOrEqual(8192);
    expect(utf8Length(long.message)).toBeGreaterThan(8180);
    expect(long.message.endsWith("é…")).toBe(true);
    expect(failureOf(new Error("😀".repeat(3000))).message).toMatch(/^(?:😀)+…$/u);
    expect(failureOf(new Error("x".repeat(8192))).message).toBe("x".repeat(8192));
    let chain: Error = new Error("0");
    for (let i = 1; i < 20; i++) chain = new Error(String(i), { cause: chain });
    const messages: string[] = [];
    for (let f: Failure | undefined = failureOf(chain); f !== undefined; f = f.cause) messages.push(f.message);
    expect(messages).toEqual(["19", "18", "17", "16", "15"]);
  });

  it("a cause that is its own cause ends", proves("K12"), () => {
    const e = new Error("round");
    e.cause = e;
    expect(failureOf(e).cause?.cause?.cause?.cause).toEqual({ name: "Error", message: "round" });
  });

  it("survives what throws when it is looked at", proves("K12"), () => {
    const throwing = {
      get() {
        throw new Error("never mind");
      },
    };
    const hostile = Object.defineProperties(new Error("x"), {
      message: throwing,
      name: throwing,
      code: throwing,
      cause: throwing,
      data: throwing,
    });
    expect(failureOf(hostile)).toEqual({ name: "Error", message: "something that is no Error was thrown" });
    const proxy: unknown = new Proxy({}, { get: throwing.get, getPrototypeOf: throwing.get, ownKeys: throwing.get });
    expect(failureOf(proxy)).toEqual({ name: "Error", message: "something that is no Error was thrown" });
  });

  it("data that cannot be stored is left out, the failure is not", proves("K12"), () => {
    expect(failureOf(Object.assign(new Error("x"), { data: { f: () => 1 } }))).toEqual({ name: "Error", message: "x" });
    expect(failureOf(Object.assign(new Error("x"), { data: "y".repeat(70_000) }))).toEqual({ name: "Error", message: "x" });
  });

  it("text is always well-formed, and the whole is plain JSON", proves("K12"), () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, message) => {
        for (const extra of ["", "\ud800", "\0"]) {
          const f = failureOf(Object.assign(new Error(message + extra), { name: extra + name, code: extra + name }));
          expect([f.name, f.message, f.code ?? ""].every(isWellFormedText)).toBe(true);
          expect(JSON.parse(JSON.stringify(f))).toEqual(f);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("errorOf", () => {
  it("gives an Error that fails the same way again", proves("K12"), () => {
    const f: Failure = { name: "TypeError", message: "no", code: "E1", data: { a: [1] }, cause: { name: "Error", message: "why" } };
    const e = errorFromFailure(f) as Error & { code?: string; data?: unknown };
    expect(e).toBeInstanceOf(Error);
    expect([e.name, e.message, e.code, e.stack]).toEqual(["TypeError", "no", "E1", "TypeError: no"]);
    expect(e.data).toEqual({ a: [1] });
    expect(failureOf(e)).toEqual(f);
  });

  it("data comes back as the value that was thrown, and the record is left as it is", proves("K12"), () => {
    const f = failureOf(Object.assign(new Error("x"), { data: { at: new Date(5), big: 5n } }));
    const stored = JSON.parse(JSON.stringify(f)) as Failure;
    expect((errorFromFailure(stored) as Error & { data?: unknown }).data).toEqual({ at: new Date(5), big: 5n });
    expect(stored).toEqual(f);
  });
});
