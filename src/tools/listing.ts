// What a source of tools offers, as the run recorded it: the listing is a step that may be repeated, made once per toolbox and remembered there. What
// a model asks for is called with the schema that was listed, and with the class that the source's maker declared.
import { deriveGuarantee } from "../core/guarantee.ts";
import type { Calls, EffectSpec, EffectStepScope } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import { stepSpec, taskSpec } from "../workflow/step-options.ts";
import type { Json, TaskOpts } from "../workflow/types.ts";
import { checkToolLimit, checkOnRepeat, schemaHashOf } from "./check.ts";
import { toolFacts } from "./facts.ts";
import type { ToolSchema } from "./models.ts";
import type { DefinedTool } from "./registry.ts";
import { toolSourceSpec, type ToolSourceSpec } from "./source.ts";
import type { StreamScope, ToolSource } from "./types.ts";

const listed = new WeakMap<object, Map<ToolSource, Promise<ReadonlyMap<string, DefinedTool>>>>();

/** The tools of a source by name, listed once per run and owner. */
export function sourceTools(calls: Calls, scope: string, source: ToolSource): Promise<ReadonlyMap<string, DefinedTool>> {
  let known = listed.get(calls);
  if (known === undefined) listed.set(calls, (known = new Map()));
  let tools = known.get(source);
  if (tools === undefined) {
    tools = list(calls, scope, source);
    tools.catch(() => {});
    known.set(source, tools);
  }
  return tools;
}

async function list(calls: Calls, scope: string, source: ToolSource): Promise<ReadonlyMap<string, DefinedTool>> {
  const spec = toolSourceSpec(source);
  const step = stepSpec((s) => spec.list(s as StreamScope), { repeatable: true, retry: { attempts: 3 }, timeout: "1m" });
  const schemas = (await calls.effect(scope, `tools of ${spec.source}`, step)) as readonly ToolSchema[];
  return new Map(schemas.map((schema) => [schema.name, listedTool(spec, schema)]));
}

function listedTool(source: ToolSourceSpec, schema: ToolSchema): DefinedTool {
  const { limit: givenLimit, onRepeat, ...options } = source.options(schema.name);
  const limit = checkToolLimit(schema.name, givenLimit);
  const allowsRepeat = checkOnRepeat(schema.name, onRepeat);
  const checked = { schema, schemaHash: schemaHashOf(schema), version: "1" };
  const { key } = options as { key?: unknown };
  if (deriveGuarantee({ ...options, ...(key === undefined ? {} : { key: "checked when called" }) }).class === "UNDECLARED")
    throw new PawlError("PAWL1005", `tool ${schema.name} must say what may be repeated: key, verify, repeatable or once`);
  const specFor = (args: Json): EffectSpec =>
    taskSpec(
      schema.name,
      schema.name,
      { later: () => args, now: () => args },
      (_, s) => source.call(schema, args, s as unknown as StreamScope & EffectStepScope),
      options as unknown as TaskOpts<unknown, unknown>,
      `source ${source.source}`,
    ).spec(args);
  return {
    ...checked,
    isRemembered: false,
    restore: () => null,
    asks: (options as { approve?: unknown }).approve !== undefined,
    prepare: (args, _, cause, onOpened) => {
      const spec = specFor(args as Json);
      const facts = toolFacts(checked, spec.guarantee.key, args, limit, allowsRepeat);
      const tool = cause === undefined ? facts : { ...facts, cause };
      return { kind: "effect", identity: facts.identity, spec: { ...spec, tool, onOpened } };
    },
  };
}
