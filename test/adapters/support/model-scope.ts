// A step's scope as a model gets it, outside any engine: it keeps what was streamed. For tests of a model alone; what a run makes of it is
// tested with an engine.
import type { ModelRequest, ModelScope, StreamPart } from "../../../src/agents.ts";

export interface KeptScope extends ModelScope {
  readonly streamed: StreamPart[];
}

export function modelScope(signal: AbortSignal = new AbortController().signal): KeptScope {
  const streamed: StreamPart[] = [];
  return { signal, streamed, stream: (part: StreamPart) => void streamed.push(part) } as unknown as KeptScope;
}

export function request(r: Partial<ModelRequest> & { text?: string } = {}): ModelRequest {
  const { text = "hello", ...rest } = r;
  return { messages: [{ id: "m1", role: "user", content: [{ type: "text", text }] }], tools: [], providerTools: [], ...rest };
}
