// The output of an agent: JSON text of the author's schema. What does not validate is said in words that a model can act on. A schema that answers
// later is refused when it is needed: an edge of a graph cannot wait.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { PawlError } from "../errors/error.ts";
import { parseNowWith } from "../workflow/schema.ts";

/** Models like to put JSON between fences. */
const fence = /^\s*```(?:json)?\s*\n?([\s\S]*?)\n?```\s*$/;

export function readOutput(schema: S, text: string): { readonly output: unknown } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(fence.exec(text)?.[1] ?? text);
  } catch (e) {
    return { problem: `Answer with JSON only. The last answer is not JSON: ${e instanceof Error ? e.message : "it cannot be read"}` };
  }
  try {
    return { output: parseNowWith(schema)(value, "output") };
  } catch (e) {
    if (!(e instanceof PawlError)) throw e;
    return { problem: `Answer with JSON that fits the schema. In the last answer, ${e.message}` };
  }
}
