// Tools that come from somewhere else, such as an MCP server: a listing, and a call by name. What a source's tool may repeat is said by
// who made the source, not by the server that it comes from. A listing is recorded once per run; what is called is what was listed.
import type { Json } from "../workflow/types.ts";
import { PawlError } from "../errors/error.ts";
import type { ToolResult } from "./messages.ts";
import type { ToolSchema } from "./models.ts";
import type { StreamScope, ToolCommon, ToolGuarantee, ToolSource } from "./types.ts";

/** What a source's tools declare: as tools of the author's do. */
export type SourceToolOptions = Pick<ToolCommon<Json, Json, unknown>, "approve" | "limit" | "onRepeat" | "retry" | "timeout" | "receiver"> &
  ToolGuarantee<Json, Json, unknown>;

export interface ToolSourceSpec {
  /** Names the source in the log; unique among an agent's sources. */
  readonly source: string;
  /** The tools that there are now, under the names that a model uses. Called inside a recorded step that may be repeated. */
  list(s: StreamScope): Promise<readonly ToolSchema[]>;
  /** What may be repeated of a tool that was listed. Pure: it is asked again on every replay. */
  options(tool: string): SourceToolOptions;
  /**
   * Makes one call, inside a recorded step. `listed` is the schema that the model was given: a source whose tool has another one by now
   * throws, and nothing is sent.
   */
  call(listed: ToolSchema, input: Json, s: StreamScope): Promise<ToolResult["output"]>;
}

const sources = new WeakMap<object, ToolSourceSpec>();

/** Makes a source of tools. For adapters. `members`: what its user may call beside it. */
export function toolSource<M extends object = {}>(spec: ToolSourceSpec, members?: M): ToolSource & M {
  const made = Object.freeze({ ...members, source: spec.source });
  sources.set(made, spec);
  return made as unknown as ToolSource & M;
}

export function isToolSource(x: unknown): x is ToolSource {
  return typeof x === "object" && x !== null && sources.has(x);
}

export function toolSourceSpec(source: ToolSource): ToolSourceSpec {
  const spec = sources.get(source);
  if (spec === undefined) throw new PawlError("PAWL5001", "this is not a tool source: only adapters, such as mcp(), make one");
  return spec;
}
