// A checker for JSON Schema, as far as it can be sure: a value is refused only where a schema surely refuses it. A keyword that
// is not known here checks nothing and is reported as left open, to be checked by a process that has the code. Pure. It must never name a
// value in a problem: only the path and what was expected there.

export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

export interface JsonCheck {
  /** The first problem; absent: nothing here refuses the value. */
  readonly problem?: { readonly path: string; readonly message: string };
  /** Not everything could be checked. */
  readonly partly: boolean;
}

/** Say nothing about which values are valid. */
const annotations = new Set([
  "$schema",
  "$id",
  "$defs",
  "definitions",
  "$comment",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);
/** References that lead to themselves end here; so does data that is nested deeper than any message. */
const depthMax = 200;

export function checkJson(schema: JsonSchema, value: unknown): JsonCheck {
  const walk = new Walk(schema);
  const problem = walk.visit(schema, value, "", 0);
  return problem === null ? { partly: walk.partly } : { partly: walk.partly, problem };
}

type Problem = NonNullable<JsonCheck["problem"]> | null;
type Keyword = (w: Walk, at: SchemaPosition) => Problem;
interface SchemaPosition {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

class Walk {
  readonly #root: JsonSchema;
  partly = false;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  visit(schema: unknown, value: unknown, path: string, depth: number): Problem {
    if (schema === true) return null;
    if (schema === false) return { path, message: "nothing is expected here" };
    if (!isRecord(schema) || depth > depthMax || value === undefined) return this.leaveOpen(); // JSON has no undefined
    const at = { schema, value, path, depth };
    for (const keyword of Object.keys(schema)) {
      if (annotations.has(keyword)) continue;
      const check = keywords[keyword];
      if (check === undefined) this.leaveOpen();
      else {
        const problem = check(this, at);
        if (problem !== null) return problem;
      }
    }
    return null;
  }

  /** Nothing is known here: another one must check it. */
  leaveOpen(): null {
    this.partly = true;
    return null;
  }

  /** What "#/$defs/item" stands for; only references inside the same schema are known. */
  target(ref: unknown): unknown {
    if (typeof ref !== "string" || (ref !== "#" && !ref.startsWith("#/"))) return undefined;
    let here: unknown = this.#root;
    for (const part of ref.split("/").slice(1)) {
      const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      if (!isRecord(here) || !Object.hasOwn(here, key)) return undefined;
      here = here[key];
    }
    return here;
  }
}

const types: Readonly<Record<string, (v: unknown) => boolean>> = {
  string: (v) => typeof v === "string",
  number: (v) => typeof v === "number",
  integer: (v) => Number.isInteger(v),
  boolean: (v) => typeof v === "boolean",
  null: (v) => v === null,
  array: (v) => Array.isArray(v),
  object: (v) => isRecord(v),
};

const keywords: Readonly<Record<string, Keyword>> = {
  type: (w, { schema, value, path }) => {
    const names = Array.isArray(schema["type"]) ? (schema["type"] as unknown[]) : [schema["type"]];
    if (names.some((n) => typeof n !== "string" || types[n] === undefined) || isOutsideJson(value)) return w.leaveOpen();
    return names.some((n) => types[n as string]!(value)) ? null : { path, message: `expected ${names.join(" or ")}` };
  },
  const: (w, { schema, value, path }) => oneOfThese(w, [schema["const"]], value, path),
  enum: (w, { schema, value, path }) => (Array.isArray(schema["enum"]) ? oneOfThese(w, schema["enum"], value, path) : w.leaveOpen()),
  properties: (w, { schema, value, path, depth }) => {
    if (!isRecord(schema["properties"])) return w.leaveOpen();
    if (!isRecord(value)) return null;
    for (const [name, inner] of Object.entries(schema["properties"])) {
      if (!Object.hasOwn(value, name)) continue; // `required` says whether it may be missing
      const problem = w.visit(inner, value[name], join(path, name), depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  },
  required: (w, { schema, value, path }) => {
    if (!Array.isArray(schema["required"])) return w.leaveOpen();
    if (!isRecord(value)) return null;
    const missing = schema["required"].find((n) => typeof n === "string" && (!Object.hasOwn(value, n) || value[n] === undefined));
    return missing === undefined ? null : { path: join(path, missing as string), message: "it is missing" };
  },
  additionalProperties: (w, { schema, value, path, depth }) => {
    if (!isRecord(value)) return null;
    if (schema["patternProperties"] !== undefined) return w.leaveOpen();
    const known = isRecord(schema["properties"]) ? schema["properties"] : {};
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(known, name)) continue;
      const problem =
        value[name] === undefined ? w.leaveOpen() : w.visit(schema["additionalProperties"], value[name], join(path, name), depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  },
  propertyNames: (w, { schema, value, path, depth }) => {
    for (const name of isRecord(value) ? Object.keys(value) : []) {
      if (w.visit(schema["propertyNames"], name, path, depth + 1) !== null)
        return { path: join(path, name), message: "a member of this name is not expected" };
    }
    return null;
  },
  prefixItems: (w, { schema, value, path, depth }) => {
    if (!Array.isArray(schema["prefixItems"])) return w.leaveOpen();
    for (const [i, inner] of Array.isArray(value) ? (schema["prefixItems"] as unknown[]).entries() : []) {
      if (i >= (value as unknown[]).length) break;
      const problem = w.visit(inner, (value as unknown[])[i], `${path}[${i}]`, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  },
  items: (w, { schema, value, path, depth }) => {
    if (!Array.isArray(value)) return null;
    const from = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"].length : 0;
    for (let i = from; i < value.length; i++) {
      const problem = w.visit(schema["items"], value[i], `${path}[${i}]`, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  },
  minItems: (_, { schema, value, path }) =>
    Array.isArray(value) && isSmaller(value.length, schema["minItems"])
      ? { path, message: `expected at least ${String(schema["minItems"])} items` }
      : null,
  maxItems: (_, { schema, value, path }) =>
    Array.isArray(value) && isSmaller(schema["maxItems"], value.length)
      ? { path, message: `expected at most ${String(schema["maxItems"])} items` }
      : null,
  // Units of UTF-16 or characters, as a library counts: refused is what is too short or too long either way.
  minLength: (w, { schema, value, path }) => {
    if (typeof value !== "string" || !isSmaller([...value].length, schema["minLength"])) return null;
    return isSmaller(value.length, schema["minLength"])
      ? { path, message: `expected at least ${String(schema["minLength"])} characters` }
      : w.leaveOpen();
  },
  maxLength: (w, { schema, value, path }) => {
    if (typeof value !== "string" || !isSmaller(schema["maxLength"], value.length)) return null;
    return isSmaller(schema["maxLength"], [...value].length)
      ? { path, message: `expected at most ${String(schema["maxLength"])} characters` }
      : w.leaveOpen();
  },
  minimum: (_, { schema, value, path }) =>
    isSmaller(value, schema["minimum"]) ? { path, message: `expected at least ${String(schema["minimum"])}` } : null,
  maximum: (_, { schema, value, path }) =>
    isSmaller(schema["maximum"], value) ? { path, message: `expected at most ${String(schema["maximum"])}` } : null,
  exclusiveMinimum: (_, { schema, value, path }) =>
    isSmaller(value, schema["exclusiveMinimum"]) || value === schema["exclusiveMinimum"]
      ? { path, message: `expected more than ${String(schema["exclusiveMinimum"])}` }
      : null,
  exclusiveMaximum: (_, { schema, value, path }) =>
    isSmaller(schema["exclusiveMaximum"], value) || value === schema["exclusiveMaximum"]
      ? { path, message: `expected less than ${String(schema["exclusiveMaximum"])}` }
      : null,
  pattern: (w, { schema, value, path }) => {
    const pattern = typeof schema["pattern"] === "string" ? regExp(schema["pattern"]) : undefined;
    if (pattern === undefined) return w.leaveOpen();
    return typeof value === "string" && !pattern.test(value) ? { path, message: "it does not have the expected form" } : null;
  },
  // An annotation, unless a pattern stands beside it: then that is what is checked.
  format: (w, { schema }) => (schema["pattern"] === undefined ? w.leaveOpen() : null),
  allOf: (w, at) => {
    if (!Array.isArray(at.schema["allOf"])) return w.leaveOpen();
    for (const inner of at.schema["allOf"] as unknown[]) {
      const problem = w.visit(inner, at.value, at.path, at.depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  },
  anyOf: (w, at) => anyOf(w, at, at.schema["anyOf"]),
  // That no second one fits is left open: a part that is not checked here might be what tells them apart.
  oneOf: (w, at) => anyOf(w, at, at.schema["oneOf"]),
  $ref: (w, at) => {
    const target = w.target(at.schema["$ref"]);
    return target === undefined ? w.leaveOpen() : w.visit(target, at.value, at.path, at.depth + 1);
  },
};

function anyOf(w: Walk, at: SchemaPosition, options: unknown): Problem {
  if (!Array.isArray(options)) return w.leaveOpen();
  let first: Problem = null;
  for (const inner of options as unknown[]) {
    const problem = w.visit(inner, at.value, at.path, at.depth + 1);
    if (problem === null) return null;
    first ??= problem;
  }
  return options.length === 1 ? first : { path: at.path, message: "it fits none of the expected forms" };
}

/** Only of scalars: objects are equal in more ways than one. */
function oneOfThese(w: Walk, allowed: readonly unknown[], value: unknown, path: string): Problem {
  if (allowed.some((a) => typeof a === "object" && a !== null)) return w.leaveOpen();
  return allowed.includes(value) ? null : { path, message: `expected ${allowed.map((a) => JSON.stringify(a)).join(" or ")}` };
}

function isSmaller(a: unknown, b: unknown): boolean {
  return typeof a === "number" && typeof b === "number" && a < b;
}

function regExp(source: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Not with this flag, or not at all.
    }
  }
  return undefined;
}

/** NaN, infinities, and objects that are neither plain nor arrays: what a library makes of them, JSON Schema does not say. */
function isOutsideJson(x: unknown): boolean {
  if (typeof x === "number") return !Number.isFinite(x);
  if (!isRecord(x)) return false;
  const proto: unknown = Object.getPrototypeOf(x);
  return proto !== null && Object.getPrototypeOf(proto) !== null;
}

function isRecord(x: unknown): x is Record<string, unknown> {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}

function join(path: string, name: string): string {
  return `${path}.${name.slice(0, 64)}`;
}
