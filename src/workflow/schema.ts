// Any Standard Schema as the engine's Parse: the one place that calls a schema library. A refusal is PAWL1008 and names
// the first problem and its path, never the value.
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Parse } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";

export const anything: Parse = (value) => Promise.resolve(value);

export function parseWith(schema: StandardSchemaV1 | undefined): Parse {
  if (schema === undefined) return anything;
  if (typeof schema?.["~standard"]?.validate !== "function")
    throw new PawlError("PAWL5001", "a schema must be a Standard Schema (zod, valibot, arktype, …)");
  return async (value, what) => {
    const result = await schema["~standard"].validate(value);
    if (result.issues === undefined) return result.value;
    const first = result.issues[0];
    const path = (first?.path ?? []).map((p) => String(typeof p === "object" ? p.key : p)).join(".");
    throw new PawlError("PAWL1008", `${what}${path === "" ? "" : `.${path}`}: ${first?.message ?? "not accepted"}`, {
      data: { path, problems: result.issues.length },
    });
  };
}
