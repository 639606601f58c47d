// A schema as data, for senders that do not have the workflow's code: JSON Schema by the Standard JSON Schema interface, which
// zod and others offer. Converters leave out what JSON Schema cannot say (coercion, trimming, a pattern's flags), and a sender
// must never be refused what the code accepts: such places are marked as open, and only the code checks them.
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../core/json-schema.ts";
import type { MessageSchema } from "../engine/definition.ts";

/** Of a workflow without a schema: it takes whatever is given. */
export const anyValue: MessageSchema = { schema: {}, required: false, whole: true };

/** What is known of a schema without its code, of what it takes or of what it makes of that; null: nothing. */
export function toMessageSchema(schema: StandardSchemaV1, side: "input" | "output" = "input"): MessageSchema | null {
  const convert = (schema["~standard"] as Partial<StandardJSONSchemaV1.Props>).jsonSchema?.[side];
  if (typeof convert !== "function") return null;
  const zod = zodOf(schema);
  let whole = zod !== undefined; // of another library nobody knows what it left out
  const override = (part: Part): void => {
    if (relaxSchema(part)) whole = false;
  };
  try {
    const json = convert({ target: "draft-2020-12", libraryOptions: { unrepresentable: "any", override } });
    return { schema: JSON.parse(JSON.stringify(json)) as JsonSchema, required: isRequired(schema), whole };
  } catch {
    return null; // a schema that JSON Schema cannot express, or a library that does not know this target
  }
}

/** As zod hands over every part of a schema; other libraries do not, and convert what they can express. */
interface Part {
  readonly zodSchema: unknown;
  readonly jsonSchema: Record<string, unknown>;
}

/** What is read of zod's own definitions; another library has none of it. */
interface Zod {
  readonly def: {
    readonly type?: string;
    readonly coerce?: boolean;
    readonly pattern?: RegExp;
    readonly checks?: readonly { readonly _zod?: { readonly def?: { readonly check?: string; readonly pattern?: RegExp } } }[];
    readonly values?: readonly unknown[];
    readonly options?: readonly unknown[];
    readonly in?: unknown;
    readonly innerType?: unknown;
    readonly keyType?: unknown;
    readonly shape?: Readonly<Record<string, unknown>>;
  };
}

function zodOf(schema: unknown): Zod | undefined {
  return (schema as { readonly _zod?: Zod } | undefined)?._zod;
}

const plain = new Set("string number boolean null array object tuple record enum literal template_literal".split(" "));

/** The code surely refuses it when it is missing. */
function isRequired(schema: unknown): boolean {
  const zod = zodOf(schema);
  if (zod === undefined || acceptsMore(schema)) return false;
  const { type = "", innerType, options } = zod.def;
  if (type === "nullable" || type === "readonly") return isRequired(innerType);
  return type === "union" ? (options ?? []).every(isRequired) : plain.has(type);
}

const inexpressible = new Set(
  "catch transform custom date bigint symbol undefined void map set nan function promise file success".split(" "),
);

/** The code accepts more here than JSON Schema can say. */
function acceptsMore(schema: unknown): boolean {
  const zod = zodOf(schema);
  if (zod === undefined) return false;
  const { def } = zod;
  const rewrites = def.checks?.some((c) => c._zod?.def?.check === "overwrite") === true;
  if (def.coerce === true || rewrites || inexpressible.has(def.type ?? "") || def.values?.includes(undefined) === true) return true;
  return acceptsMore(def.type === "pipe" ? def.in : def.innerType);
}

/** A pattern with flags that JSON Schema cannot say. */
function hasFlags(schema: unknown): boolean {
  const { pattern, checks, keyType } = zodOf(schema)?.def ?? {};
  const patterns = [pattern, ...(checks ?? []).map((c) => c._zod?.def?.pattern)];
  return patterns.some((p) => p !== undefined && p.flags.replace(/[uv]/g, "") !== "") || (keyType !== undefined && hasFlags(keyType));
}

/** Takes away what the code does not mean so; true: the code checks more here, or something else. */
function relaxSchema({ zodSchema, jsonSchema }: Part): boolean {
  const zod = zodOf(zodSchema);
  if (zod === undefined) return false;
  const { shape, checks, type } = zod.def;
  const flagged = hasFlags(zodSchema);
  if (acceptsMore(zodSchema)) for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
  if (flagged) for (const keyword of ["pattern", "allOf", "propertyNames"]) delete jsonSchema[keyword];
  const required = shape === undefined || !Array.isArray(jsonSchema["required"]) ? [] : (jsonSchema["required"] as string[]);
  const sure = required.filter((name) => isRequired(shape![name]));
  if (sure.length < required.length) jsonSchema["required"] = sure;
  return (
    sure.length < required.length ||
    flagged ||
    acceptsMore(zodSchema) ||
    type === "pipe" ||
    checks?.some((c) => c._zod?.def?.check === "custom") === true
  );
}
