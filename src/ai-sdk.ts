// pawl/ai-sdk: the AI SDK beside Pawl, by shape. None of its packages is loaded or needed here, so that any of its
// versions may stand beside it.
export { aiSdkModel, type AiSdkModelOpts } from "./adapters/ai-sdk/model.ts";
export type { AiSdkModel } from "./adapters/ai-sdk/shapes.ts";
export { uiMessageResponse, uiMessageStream, type UiRun } from "./adapters/ui/stream.ts";
export type { UiChunk, UiFinishReason } from "./adapters/ui/chunks.ts";
