// pawl/graph: state graphs. What a user imports to write one; a graph is a workflow, so everything else comes from pawl. What is
// exported is a promise: removing a name from here is a breaking change.
export { graph } from "./graph/define.ts";
export { send } from "./graph/send.ts";
export { append, byId, last, reduce, sum } from "./graph/channel.ts";
export { legacyOrderKey } from "./graph/legacy-order-key.ts";
export type { StreamScope } from "./tools/types.ts";
export type { Frozen } from "./tools/frozen.ts";
export type { RecordedIO, Standpoint } from "./events/graph-log.ts";
export type {
  GraphLiveItem,
  GraphLiveMode,
  GraphLogItem,
  GraphLogMode,
  GraphStreamItem,
  GraphStreamMode,
  GraphStreamOptions,
} from "./api/types/graph-stream.ts";
export type { NodeCtx, NodeFailure } from "./graph/node-ctx-types.ts";
export type {
  AnyGraph,
  Channel,
  Channels,
  ChannelsOf,
  EachNode,
  EdgeOpts,
  EffectNode,
  Graph,
  GraphBase,
  GraphBuilder,
  NodeBuilder,
  NodeFn,
  GraphNodeOpts,
  NodeStepOpts,
  Seen,
  Send,
  StateOf,
  SubNode,
  UpdateOf,
} from "./graph/types.ts";
