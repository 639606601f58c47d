// pawl/agents: tools whose calls never repeat by accident, models, and agents. What a user imports; everything else is reached through
// these. What is not built is not exported.
export type { Frozen } from "./tools/frozen.ts";
export type { CallCause, FilePart, Message, Part, TextPart, ToolCall, ToolMessage, ToolOutcome, ToolResult } from "./tools/messages.ts";
export type {
  Model,
  ModelReply,
  ModelRequest,
  ModelScope,
  ModelSettings,
  ProviderTool,
  StreamPart,
  ToolSchema,
  Usage,
} from "./tools/models.ts";
export type {
  AnyTool,
  StreamScope,
  Tool,
  Toolbox,
  ToolCommon,
  ToolDef,
  ToolFor,
  ToolGuarantee,
  ToolNames,
  ToolSource,
  ToolTxOpts,
} from "./tools/types.ts";
export { agent } from "./agent/define.ts";
export type { AgentChannels, AgentDef, AgentInput, AgentOutput, Budget, StoppedReason } from "./agent/types.ts";
export type { RunUsage, UsageTotals } from "./events/usage.ts";
export type { Cause } from "./events/causes.ts";
export { plan, type Plan, type PlannedCall, type Planner, type PlanOpts } from "./tools/plan.ts";
export type { GrantedCapabilities } from "./tools/capabilities.ts";
export { asTool } from "./tools/as-tool.ts";
export { tool, toolTx } from "./tools/define.ts";
export { toolbox } from "./tools/toolbox.ts";
export { callsOf, generate, userMessage, type ModelCallRequest, type ModelCallResult } from "./tools/model-call.ts";
export { toolSource, isToolSource, toolSourceSpec } from "./tools/source.ts";
export type { SourceToolOptions, ToolSourceSpec } from "./tools/source.ts";
export { openaiCompatible, type OpenAiCompatibleOpts } from "./adapters/openai/model.ts";
export { guardTools as guard, type GuardedCall, type GuardedCallOpts, type GuardEngine, type GuardOpts } from "./adapters/guard.ts";
export { scripted, type ScriptedModel, type ScriptedOpts, type ScriptedTurn, type Turn } from "./adapters/scripted.ts";
