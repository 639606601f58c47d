// asTool(): an agent, a graph or a workflow as a tool. Each call is a child run with its own log. Its id is made of the run that calls and of what the call is, so
// that an equal call can never make a second child: it gets the first one's result. An agent is given a part of what its caller has left to spend.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { PawlError } from "../errors/error.ts";
import { definitionOf } from "../workflow/registry.ts";
import { parseNowWith } from "../workflow/schema.ts";
import type { AnyWorkflow, In, InputOf, Json, Out, OutputOf } from "../workflow/types.ts";
import { checkTool } from "./check.ts";
import { toolFacts } from "./facts.ts";
import { registerTool } from "./registry.ts";
import { toJson } from "./results.ts";
import { isSpender } from "./spenders.ts";
import type { Tool } from "./types.ts";

/**
 * An agent, a graph or a workflow as a tool: a child run, made once per call. What it used is counted by the agent that called it.
 *
 * @example
 * const ask = asTool({ name: "ask_support", description: "Ask support", input: z.object({ q: z.string() }) }, support, {
 *   in: (i) => ({ prompt: i.q }),
 *   out: (r) => r.text,
 * });
 */
export function asTool<const N extends string, X extends S, W extends AnyWorkflow>(
  def: { name: N; description: string; input: X; needs?: readonly string[] },
  wf: W,
  o: { in: (i: Out<X>) => InputOf<W>; out?: (r: OutputOf<W>) => Json },
): Tool<N, In<X>, OutputOf<W>> {
  const checked = checkTool(def, undefined);
  if (typeof o?.in !== "function")
    throw new PawlError("PAWL5001", `tool ${def.name} needs in: what the child is given, from the arguments`);
  const definition = definitionOf(wf);
  const spends = isSpender(wf);
  const parse = parseNowWith(def.input);
  const made = Object.freeze({ name: def.name, description: def.description, version: checked.version });
  registerTool(made, {
    ...checked,
    asks: true,
    ...(spends ? { spends } : {}),
    isRemembered: false,
    restore: () => null,
    prepare: (args, _context, cause, onOpened) => {
      const input = parse(args, `arguments of ${def.name}`);
      const facts = toolFacts(checked, null, input, undefined, false);
      const { identity } = facts;
      return {
        kind: "child",
        identity,
        spec: (calls, allowance) => {
          const given = o.in(input as Out<X>);
          return {
            name: def.name,
            definition,
            input: spends && allowance !== undefined ? { ...(given as object), allowance } : given,
            workflowId: `${calls.run.runId}.${def.name}.${identity.slice(0, 16)}`,
            timeoutMs: null,
            tool: cause === undefined ? facts : { ...facts, cause },
            onOpened,
          };
        },
        out: (result) => (o.out === undefined ? shortResult(result) : o.out(result as OutputOf<W>)),
      };
    },
  });
  return made as unknown as Tool<N, In<X>, OutputOf<W>>;
}

/** Of an agent's result the model reads the text, or the output; not all of its messages. */
function shortResult(result: unknown): Json {
  const r = result as { text?: unknown; messages?: unknown; output?: unknown; stopped?: unknown } | null;
  if (typeof r !== "object" || r === null || !Array.isArray(r.messages) || typeof r.text !== "string") return toJson(result);
  return toJson({ text: r.text, output: r.output, stopped: r.stopped });
}
