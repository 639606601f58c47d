// Any Standard Schema as the engine's Parse: the one place that calls a schema library. A refusal is PAWL1008 and names
// the first problem and its path, never the value. What must be known before a call is recorded is parsed at once.
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Parse, ParseNow } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";

export const acceptAnything: Parse = (value) => value;

/** `name` is what an error calls the schema. */
export function parseWith(schema: StandardSchemaV1 | undefined, name = "a schema"): Parse {
  if (schema === undefined) return acceptAnything;
  checkSchema(schema, name);
  return (value, what) => {
    const result = schema["~standard"].validate(value);
    return result instanceof Promise ? result.then((r) => valueOrThrow(r, what)) : valueOrThrow(result, what);
  };
}

/** The same at once: a task's key and a view are needed before the code continues. */
export function parseNowWith(schema: StandardSchemaV1, name = "a schema"): ParseNow {
  checkSchema(schema, name);
  return (value, what) => {
    const result = schema["~standard"].validate(value);
    if (!(result instanceof Promise)) return valueOrThrow(result, what);
    result.catch(() => {});
    throw new PawlError("PAWL1018", `${what}: its schema validates asynchronously, and the value is needed at once`);
  };
}

function checkSchema(schema: StandardSchemaV1, name: string): void {
  if (typeof schema?.["~standard"]?.validate !== "function")
    throw new PawlError("PAWL5001", `${name} must be a Standard Schema (zod, valibot, arktype, …)`);
}

function valueOrThrow(result: StandardSchemaV1.Result<unknown>, what: string): unknown {
  if (result.issues === undefined) return result.value;
  const first = result.issues[0];
  const path = (first?.path ?? []).map((p) => String(typeof p === "object" ? p.key : p)).join(".");
  throw new PawlError("PAWL1008", `${what}${path === "" ? "" : `.${path}`}: ${first?.message ?? "not accepted"}`, {
    data: { path, problems: result.issues.length },
  });
}
