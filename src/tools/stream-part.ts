// Tells a piece of a model's reply from anything else that a step streams. It looks at the shape alone: nothing else says which of the two a
// value is. It must never change what it is given.
import type { StreamPart } from "./models.ts";

export function isStreamPart(value: unknown): value is StreamPart {
  const { type, id, delta } = (value ?? {}) as Partial<StreamPart>;
  return (type === "text" || type === "reasoning" || type === "tool-input") && typeof id === "string" && typeof delta === "string";
}
