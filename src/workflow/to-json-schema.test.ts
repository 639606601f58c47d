// What a schema says as data, against what its code does: for every schema and every value here, a sender without the code is
// never refused what the code accepts, and is never told "checked" of what the code refuses.
import { expect, it } from "vitest";
import { z } from "zod";
import { checkJson, type JsonSchema } from "../core/json-schema.ts";
import { toMessageSchema } from "./to-json-schema.ts";
import { proves } from "../../test/support/proves.ts";

const node: z.ZodType = z.lazy(() => z.object({ v: z.number(), next: node.optional() }));
const schemas: Readonly<Record<string, z.ZodType>> = {
  any: z.any(),
  unknown: z.unknown(),
  string: z.string(),
  min: z.string().min(2),
  max: z.string().max(2),
  trimmed: z.string().trim().max(2),
  "trimmed late": z.string().max(9).trim(),
  lower: z.string().toLowerCase().regex(/^a$/),
  "pattern with a flag": z.string().regex(/^abc$/i),
  pattern: z.string().regex(/^abc$/),
  "two patterns": z.string().regex(/a/).regex(/b/i),
  email: z.email(),
  uuid: z.uuid(),
  datetime: z.iso.datetime(),
  url: z.url(),
  ipv4: z.ipv4(),
  base64: z.base64(),
  number: z.number(),
  int: z.int(),
  least: z.number().min(0),
  positive: z.number().positive(),
  multiple: z.number().multipleOf(0.1),
  "coerced number": z.coerce.number(),
  "coerced string": z.coerce.string(),
  "coerced boolean": z.coerce.boolean(),
  "coerced date": z.coerce.date(),
  boolean: z.boolean(),
  null: z.null(),
  undefined: z.undefined(),
  void: z.void(),
  date: z.date(),
  bigint: z.bigint(),
  nan: z.nan(),
  optional: z.string().optional(),
  nullish: z.string().nullish(),
  default: z.string().default("x"),
  prefault: z.string().prefault("x"),
  catch: z.string().catch("x"),
  readonly: z.object({ a: z.string() }).readonly(),
  object: z.object({ a: z.string(), b: z.number().optional(), c: z.any() }),
  strict: z.strictObject({ a: z.string() }),
  loose: z.looseObject({ a: z.string() }),
  catchall: z.object({ a: z.string() }).catchall(z.number()),
  "object with open parts": z.object({ a: z.string().default("x"), d: z.date().optional(), c: z.coerce.number() }),
  "object that catches": z.object({ a: z.string().catch("q") }),
  "object of preprocessed": z.object({ a: z.preprocess((v) => String(v), z.string()) }),
  array: z.array(z.string()),
  "array of one or two": z.array(z.number()).min(1).max(2),
  tuple: z.tuple([z.string(), z.number()]),
  "tuple with a rest": z.tuple([z.string()], z.number()),
  "tuple with an optional": z.tuple([z.string(), z.number().optional()]),
  record: z.record(z.string(), z.number()),
  "record of an enum": z.record(z.enum(["a", "b"]), z.number()),
  "partial record": z.partialRecord(z.enum(["a", "b"]), z.number()),
  "record with a pattern": z.record(z.string().regex(/^A/i), z.number()),
  map: z.map(z.string(), z.number()),
  set: z.set(z.string()),
  union: z.union([z.string(), z.number()]),
  "union with undefined": z.union([z.string(), z.undefined()]),
  discriminated: z.discriminatedUnion("t", [z.object({ t: z.literal("a"), x: z.string() }), z.object({ t: z.literal("b") })]),
  intersection: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
  literal: z.literal(["a", 1, null]),
  "literal undefined": z.literal([undefined, "a"]),
  enum: z.enum(["a", "b"]),
  pipe: z.string().transform(Number).pipe(z.number()),
  preprocess: z.preprocess((v) => String(v), z.string()),
  stringbool: z.stringbool(),
  codec: z.codec(z.string(), z.date(), { decode: (s) => new Date(s), encode: (d) => d.toISOString() }),
  refined: z.string().refine((s) => s === "a"),
  "refined object": z.object({ a: z.string() }).refine((o) => o.a === "y"),
  lazy: z.lazy(() => z.string()),
  custom: z.custom((v) => v === 7),
  "a date's class": z.instanceof(Date),
  template: z.templateLiteral(["a", z.number()]),
  json: z.json(),
  nonoptional: z.string().optional().nonoptional(),
  brand: z.string().brand("x"),
  self: node,
};

const values: readonly unknown[] = [
  [undefined, null, true, "", "a", "A", "abc", "ABC", "ab  ", "a   ", "😀", "x@y.zz", "5", "a5", "true", "2020-01-01T00:00:00Z"],
  ["550e8400-e29b-41d4-a716-446655440000", "http://x", "1.1.1.1", 0, 1, 5, 7, -1, 1.5, 0.3, Number.NaN, Infinity, 1n],
  [new Date(), new Date(Number.NaN), [], ["a"], ["a", 1], ["a", undefined], ["a", 1, 2], [1], [1, 2, 3], {}],
  [{ a: "x" }, { a: undefined }, { a: 1 }, { a: 1, b: 2 }, { a: "x", b: 1 }, { a: "x", b: undefined, c: undefined }],
  [{ a: "x", b: 1, c: 1 }, { a: "x", z: 1 }, { a: "x", c: "5" }, { a: "x", d: new Date(), c: 1 }, { c: null }],
  [{ t: "a", x: "y" }, { t: "b" }, { t: "c" }, { ab: 1 }, { AB: 1 }, { 1: "a" }, new Map([["a", 1]]), new Set(["a"])],
  [{ v: 1 }, { v: 1, next: { v: 2 } }, { v: 1, next: { v: "x" } }, JSON.parse('{"__proto__":1,"a":"x"}') as unknown],
].flat(1);

/** What a sender without the code is told. */
function said(schema: z.ZodType, value: unknown): "refused" | "open" | "checked" {
  const data = toMessageSchema(schema);
  if (data === null) return "open";
  if (value === undefined) return data.required ? "refused" : "open";
  const { problem, partly } = checkJson(data.schema, value);
  return problem !== undefined ? "refused" : partly || !data.whole ? "open" : "checked";
}

it.each(Object.keys(schemas))("%s: nothing is refused that the code accepts, nothing is called checked that it refuses", (name) => {
  const schema = schemas[name]!;
  for (const value of values) {
    const accepts = schema.safeParse(value).success;
    expect(said(schema, value), String(JSON.stringify(value, (_, v: unknown) => (typeof v === "bigint" ? "1n" : v)))).not.toBe(
      accepts ? "refused" : "checked",
    );
  }
});

it("an ordinary schema refuses what is wrong and names the place, never the value", proves("I9"), () => {
  const { schema, whole, required } = toMessageSchema(z.object({ by: z.string().min(1), items: z.array(z.object({ n: z.int() })) }))!;
  expect([whole, required]).toEqual([true, true]);
  const problem = (value: unknown): string => {
    const p = checkJson(schema, value).problem;
    return p === undefined ? "" : `${p.path}: ${p.message}`;
  };
  expect(problem({ by: "ann", items: [{ n: 1 }] })).toBe("");
  expect(problem({ by: 7, items: [] })).toBe(".by: expected string");
  expect(problem({ by: "", items: [] })).toBe(".by: expected at least 1 characters");
  expect(problem({ items: [] })).toBe(".by: it is missing");
  expect(problem({ by: "ann", items: [{ n: 1 }, { n: "secret" }] })).toBe(".items[1].n: expected integer");
  expect(problem("secret")).toBe(": expected object");
});

it("a keyword that is not known here checks nothing and is left open", () => {
  const schema = { type: "object", dependentRequired: { a: ["b"] }, properties: { a: { type: "string" } } } satisfies JsonSchema;
  expect(checkJson(schema, { a: "x" })).toEqual({ partly: true });
  expect(checkJson(schema, { a: 1 }).problem).toEqual({ path: ".a", message: "expected string" });
  expect(checkJson({ $ref: "https://elsewhere.example/schema" }, 1)).toEqual({ partly: true });
  expect(checkJson({ $ref: "#" }, 1)).toEqual({ partly: true }); // leads to itself: it ends
});

it("a library without JSON Schema publishes no schema, and one that cannot convert neither", () => {
  const bare = { "~standard": { version: 1 as const, vendor: "own", validate: (value: unknown) => ({ value }) } };
  expect(toMessageSchema(bare)).toBeNull();
  const fails = { "~standard": { ...bare["~standard"], jsonSchema: { input: () => { throw new Error("no"); } } } }; // prettier-ignore
  expect(toMessageSchema(fails)).toBeNull();
  const other = { "~standard": { ...bare["~standard"], jsonSchema: { input: () => ({ type: "string" }) } } };
  expect(toMessageSchema(other)).toEqual({ schema: { type: "string" }, required: false, whole: false });
});
