// What is given on the command line becomes exactly one value, or one refusal that names the option. Members are own
// members whatever their names; nothing is guessed beyond JSON or text.
import { expect, it } from "vitest";
import { parseCount, readRunIds, parseDurationMs, parseTags, readValueOption } from "./parse-values.ts";

const value = (...param: string[]): Promise<unknown> => readValueOption({ param }, "input");

it("-P takes JSON where it is JSON, and text where it is not; dots nest", async () => {
  expect(await value("n=1", "t=ab c", "b=true", "l=[1,2]", 'q="1"', "a.b.c=x", "a.b.d=null", "e=", "u=a=b")).toEqual({
    n: 1,
    t: "ab c",
    b: true,
    l: [1, 2],
    q: "1",
    a: { b: { c: "x", d: null } },
    e: "",
    u: "a=b",
  });
});

it("-P reaches no prototype: every name is an own member", async () => {
  const v = (await value("__proto__.admin=true", "constructor.x=1")) as object;
  expect(Object.keys(v)).toEqual(["__proto__", "constructor"]);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
  expect(Object.getPrototypeOf(v)).toBe(Object.prototype);
});

it("-P over a value that is there already is refused, as is a param without a name", async () => {
  for (const bad of [["a=1", "a.b=2"], ["=1"], ["a"], ["a..b=1"], [".=1"]])
    await expect(value(...bad)).rejects.toMatchObject({ code: "PAWL4011" });
});

it("no input at all is undefined, not an empty object", async () => {
  expect(await readValueOption({}, "input")).toBeUndefined();
  expect(await readValueOption({ input: "null" }, "input")).toBeNull();
});

it("numbers, durations and tags are checked before anything is opened", () => {
  expect([parseCount("10", "--limit", 1), parseCount(undefined, "--limit", 1)]).toEqual([10, undefined]);
  for (const bad of ["0", "-1", "1.5", "1e3", "", "ten", "9".repeat(20)])
    expect(() => parseCount(bad, "--limit", 1), bad).toThrow(/--limit/);
  expect(parseDurationMs("30s", "--timeout")).toBe(30_000);
  for (const bad of ["30", "soon", "-1s"]) expect(() => parseDurationMs(bad, "--timeout"), bad).toThrow(/--timeout/);
  expect(parseTags({ tag: ["a=1", "b=x=y"] })).toEqual({ a: "1", b: "x=y" });
  expect(() => parseTags({ tag: ["=1"] })).toThrow(/--tag/);
});

it("ids are taken once each, in order; none at all is refused", async () => {
  expect(await readRunIds(["b", "a", "b"])).toEqual(["b", "a"]);
  await expect(readRunIds([])).rejects.toMatchObject({ code: "PAWL4011" });
});
