// What may be refused of a tool is refused when its module is loaded, not when a model asks for it: its name, its class, its limits. A tool that
// does not say what may be repeated is no tool.
import { PawlError } from "../errors/error.ts";
import { canonicalJson } from "../codec/canonical.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { checkName } from "../core/names.ts";
import { checkNeeds } from "./capabilities.ts";
import { toMessageSchema } from "../workflow/to-json-schema.ts";
import type { Json } from "../workflow/types.ts";
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import type { ToolSchema } from "./models.ts";

/** What providers accept as the name of a tool. */
const toolName = /^[A-Za-z0-9_-]{1,64}$/;

export interface CheckedTool {
  readonly schema: ToolSchema;
  readonly schemaHash: string;
  readonly version: string;
  readonly needs?: readonly string[];
}

export function checkTool(
  def: { name: string; description: string; input: S; needs?: readonly string[] },
  version: string | undefined,
): CheckedTool {
  if (typeof def !== "object" || def === null)
    throw new PawlError("PAWL5001", "a tool takes a definition, such as { name, description, input }");
  const { name, description } = def;
  if (typeof name !== "string" || !toolName.test(name))
    throw new PawlError("PAWL5001", `a tool's name is letters, digits, "_" and "-", at most 64 of them; ${JSON.stringify(name)} is not`);
  if (typeof description !== "string" || description === "")
    throw new PawlError("PAWL5001", `tool ${name} needs a description: it is what the model reads`);
  if (typeof def.input?.["~standard"]?.validate !== "function")
    throw new PawlError("PAWL5001", `tool ${name} needs input: a Standard Schema of its arguments (zod, valibot, arktype, …)`);
  const message = toMessageSchema(def.input);
  const schema: ToolSchema = { name, description, parameters: (message?.schema ?? { type: "object" }) as Json };
  return {
    schema,
    schemaHash: schemaHashOf(schema),
    version: checkName(version ?? "1", `the version of tool ${name}`),
    needs: checkNeeds(name, def.needs),
  };
}

/** Of all that the model is given of it. */
export function schemaHashOf({ name, description, parameters }: ToolSchema): string {
  return sha256Hex(canonicalJson({ name, description, parameters }));
}

export interface CheckedLimit {
  readonly calls?: number;
  readonly sum?: { readonly of: (i: unknown) => number; readonly max: number };
}

export function checkToolLimit(tool: string, limit: unknown): CheckedLimit | undefined {
  if (limit === undefined) return undefined;
  const { calls, sum } = limit as { calls?: unknown; sum?: { of?: unknown; max?: unknown } };
  const bad = (what: string): PawlError => new PawlError("PAWL5001", `limit of tool ${tool}: ${what}`);
  if (calls !== undefined && (!Number.isSafeInteger(calls) || (calls as number) < 0)) throw bad("calls is a whole number");
  if (sum !== undefined && (typeof sum.of !== "function" || typeof sum.max !== "number" || !(sum.max >= 0)))
    throw bad("sum is { of: function of the arguments, max: number }");
  return limit as CheckedLimit;
}

/** What one call adds to the sum; a number that is none, or negative, would let every later call pass. */
export function amountOf(tool: string, limit: CheckedLimit | undefined, input: unknown): number | undefined {
  if (limit?.sum === undefined) return undefined;
  const amount = limit.sum.of(input);
  if (typeof amount !== "number" || !Number.isFinite(amount) || amount < 0)
    throw new PawlError(
      "PAWL1070",
      `${tool} was not sent: its limit's sum made ${String(amount)} of the arguments, which is not an amount`,
      {
        data: { tool },
      },
    );
  return amount;
}

export function checkOnRepeat(tool: string, onRepeat: unknown): boolean {
  if (onRepeat !== undefined && onRepeat !== "reuse" && onRepeat !== "allow")
    throw new PawlError("PAWL5001", `onRepeat of tool ${tool} is "reuse" or "allow"`);
  return onRepeat === "allow";
}
