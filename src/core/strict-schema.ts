// JSON Schema that comes as data, and must be checked as a whole: every keyword is known here and has its form, or the schema is refused
// (TX-24). What a schema says and nobody checks would be a promise that nobody keeps. Pure; values are checked by json-schema.ts.
import type { JsonSchema } from "./json-schema.ts";

export interface SchemaProblem {
  /** A JSON pointer into the schema. */
  readonly pointer: string;
  readonly message: string;
}

type Form = (value: unknown, pointer: string, depth: number) => SchemaProblem | null;

const depthMax = 100;
const typeNames = new Set(["string", "number", "integer", "boolean", "null", "array", "object"]);

const expect =
  (what: string, fits: (v: unknown) => boolean): Form =>
  (v, pointer) =>
    fits(v) ? null : { pointer, message: `expected ${what}` };
const text = expect("text", (v) => typeof v === "string");
const anything: Form = () => null;
const number = expect("a number", (v) => typeof v === "number" && Number.isFinite(v));
const count = expect("a whole number of at least 0", (v) => Number.isSafeInteger(v) && (v as number) >= 0);
const flag = expect("true or false", (v) => typeof v === "boolean");

const schemas: Form = (v, pointer, depth) => {
  if (!isRecord(v)) return { pointer, message: "expected an object of schemas" };
  return firstOf(
    Object.entries(v).map(
      ([k, s]) =>
        () =>
          visit(s, `${pointer}/${escape(k)}`, depth + 1),
    ),
  );
};
const schemaList: Form = (v, pointer, depth) => {
  if (!Array.isArray(v) || v.length === 0) return { pointer, message: "expected a list of schemas" };
  return firstOf(v.map((s, i) => () => visit(s, `${pointer}/${i}`, depth + 1)));
};

const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ["$schema", text],
  ["$id", text],
  ["$comment", text],
  ["$defs", schemas],
  ["definitions", schemas],
  ["title", text],
  ["description", text],
  ["default", anything],
  ["examples", expect("a list", Array.isArray)],
  ["deprecated", flag],
  ["readOnly", flag],
  ["writeOnly", flag],
  ["type", expect(`one of ${[...typeNames].join(", ")}, or a list of them`, isType)],
  ["const", expect("text, a number, true, false or null", isScalar)],
  ["enum", expect("a list of texts, numbers, true, false or null", (v) => Array.isArray(v) && v.length > 0 && v.every(isScalar))],
  ["properties", schemas],
  ["required", expect("a list of names", (v) => Array.isArray(v) && v.every((n) => typeof n === "string"))],
  ["additionalProperties", visit],
  ["propertyNames", visit],
  ["prefixItems", schemaList],
  ["items", visit],
  ["minItems", count],
  ["maxItems", count],
  ["minLength", count],
  ["maxLength", count],
  ["minimum", number],
  ["maximum", number],
  ["exclusiveMinimum", number],
  ["exclusiveMaximum", number],
  ["pattern", expect("a regular expression", isPattern)],
  ["allOf", schemaList],
  ["anyOf", schemaList],
  ["$ref", expect("a reference inside this schema, such as #/$defs/item", (v) => typeof v === "string" && /^#(\/|$)/.test(v))],
]);

/** The first keyword that is not known here, or has not the form that it must have. */
export function schemaProblem(schema: unknown): SchemaProblem | undefined {
  return visit(schema, "", 0) ?? danglingReference(schema as JsonSchema, schema as JsonSchema, "") ?? undefined;
}

function visit(schema: unknown, pointer: string, depth: number): SchemaProblem | null {
  if (typeof schema === "boolean") return null;
  if (!isRecord(schema)) return { pointer, message: "expected a schema: an object, true or false" };
  if (depth > depthMax) return { pointer, message: "it is nested too deeply" };
  return firstOf(
    Object.entries(schema).map(([keyword, value]) => () => {
      const form = forms.get(keyword);
      const at = `${pointer}/${escape(keyword)}`;
      if (form === undefined) return { pointer: at, message: `the keyword ${JSON.stringify(keyword.slice(0, 40))} is not supported` };
      return form(value, at, depth);
    }),
  );
}

function danglingReference(root: JsonSchema, here: unknown, pointer: string): SchemaProblem | null {
  if (typeof here !== "object" || here === null) return null;
  const ref = (here as { readonly $ref?: unknown }).$ref;
  if (typeof ref === "string" && !leadsSomewhere(root, ref)) return { pointer: `${pointer}/$ref`, message: "this reference leads nowhere" };
  return firstOf(
    Object.entries(here).map(
      ([k, v]) =>
        () =>
          danglingReference(root, v, `${pointer}/${escape(k)}`),
    ),
  );
}

function leadsSomewhere(root: unknown, ref: string): boolean {
  let here = root;
  for (const part of ref.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return false;
    here = (here as Record<string, unknown>)[key];
  }
  return true;
}

function firstOf(checks: readonly (() => SchemaProblem | null)[]): SchemaProblem | null {
  for (const check of checks) {
    const problem = check();
    if (problem !== null) return problem;
  }
  return null;
}

function isType(v: unknown): boolean {
  const names = Array.isArray(v) ? (v as unknown[]) : [v];
  return names.length > 0 && names.every((n) => typeof n === "string" && typeNames.has(n));
}
function isScalar(v: unknown): boolean {
  return v === null || typeof v === "string" || typeof v === "boolean" || (typeof v === "number" && Number.isFinite(v));
}
function isPattern(v: unknown): boolean {
  if (typeof v !== "string") return false;
  try {
    return new RegExp(v, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
function isRecord(x: unknown): x is Record<string, unknown> {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}
function escape(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1").slice(0, 80);
}
