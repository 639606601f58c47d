// JSON Schema, as much of draft 2020-12 as the contract's files use, so that tests can compare them with the code. A keyword
// that it does not know is an error and never passed over. For tests; nothing in the package imports it.
import { readFileSync } from "node:fs";

export type Schema = Readonly<Record<string, any>>;

const folder = new URL("../../contract/schema/", import.meta.url);
export const contractFile = (name: string): any => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

const notes = new Set(["$schema", "$id", "$comment", "title", "description"]);

function isTime(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text.slice(0, 10);
}

const typeOf = (v: unknown): string => (v === null ? "null" : Array.isArray(v) ? "array" : typeof v);
const isObject = (v: unknown): v is Record<string, unknown> => typeOf(v) === "object";

const keywords: Readonly<Record<string, (v: any, arg: any, s: Schema) => boolean>> = {
  $ref: (v, ref: string) => matchesSchema(v, contractFile(ref) as Schema),
  type: (v, t: string | string[]) => [t].flat().some((of) => (of === "integer" ? Number.isInteger(v) : typeOf(v) === of)),
  const: (v, c) => v === c,
  enum: (v, of: unknown[]) => of.includes(v),
  pattern: (v, p: string) => typeof v !== "string" || new RegExp(p, "u").test(v),
  format: (v, f: string) => f === "date-time" && (typeof v !== "string" || isTime(v)),
  minLength: (v, n: number) => typeof v !== "string" || [...v].length >= n,
  minimum: (v, n: number) => typeof v !== "number" || v >= n,
  maximum: (v, n: number) => typeof v !== "number" || v <= n,
  required: (v, names: string[]) => !isObject(v) || names.every((n) => v[n] !== undefined),
  properties: (v, of: Record<string, Schema>) =>
    !isObject(v) || Object.entries(of).every(([n, s]) => v[n] === undefined || matchesSchema(v[n], s)),
  additionalProperties: (v, s: Schema, { properties = {} }) =>
    !isObject(v) || Object.entries(v).every(([n, x]) => Object.hasOwn(properties as object, n) || matchesSchema(x, s)),
  items: (v, s: Schema) => !Array.isArray(v) || v.every((x) => matchesSchema(x, s)),
  allOf: (v, of: Schema[]) => of.every((s) => matchesSchema(v, s)),
  not: (v, s: Schema) => !matchesSchema(v, s),
  if: (v, test: Schema, s) => matchesSchema(v, ((matchesSchema(v, test) ? s["then"] : s["else"]) ?? {}) as Schema),
  // Read with `if`.
  then: () => true,
  else: () => true,
};

export function matchesSchema(value: unknown, schema: Schema): boolean {
  return Object.entries(schema).every(([name, arg]) => {
    if (notes.has(name)) return true;
    const keyword = keywords[name];
    if (keyword === undefined) throw new Error(`the keyword ${name} is not known here`);
    return keyword(value, arg, schema);
  });
}
