// What the engine is given of one call of a tool: what it is, what it adds to the tool's limit, which schema the model was given. Pure: the same call
// gives the same facts on every replay.
import { encode } from "../codec/value.ts";
import { defaultLimits } from "../core/limits.ts";
import type { ToolFacts } from "../engine/calls.ts";
import { amountOf, type CheckedLimit, type CheckedTool } from "./check.ts";
import { callIdentity } from "./identity.ts";

export function toolFacts(
  { schema, schemaHash, version }: CheckedTool,
  key: string | null,
  input: unknown,
  limit: CheckedLimit | undefined,
  allowsRepeat: boolean,
): ToolFacts {
  const what = callIdentity(schema.name, key, encode(input, defaultLimits, `arguments of ${schema.name}`));
  const amount = amountOf(schema.name, limit, input);
  return {
    name: schema.name,
    version,
    schema: schemaHash,
    ...what,
    ...(amount === undefined ? {} : { amount }),
    allowsRepeat,
    ...(limit === undefined
      ? {}
      : {
          limit: {
            ...(limit.calls === undefined ? {} : { calls: limit.calls }),
            ...(limit.sum === undefined ? {} : { sum: limit.sum.max }),
          },
        }),
  };
}
