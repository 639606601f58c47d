// What a model reads of a call that did not complete. It says whether the effect may have happened: the model must not repeat what nobody knows. What
// ends the run itself is no result, and is thrown on.
import { isPawlError, PawlError } from "../errors/error.ts";
import { StepError } from "../errors/step-errors.ts";
import type { Json } from "../workflow/types.ts";
import type { ToolCall, ToolOutcome, ToolResult } from "./messages.ts";

export function doneResult(call: Pick<ToolCall, "id" | "tool">, value: unknown, repeatOf: string | undefined): ToolResult {
  return {
    type: "tool-result",
    id: call.id,
    tool: call.tool,
    output: toJson(value),
    outcome: "done",
    ...(repeatOf === undefined ? {} : { repeatOf }),
  };
}

export function failedResult(call: Pick<ToolCall, "id" | "tool">, outcome: ToolOutcome, text: string): ToolResult {
  return { type: "tool-result", id: call.id, tool: call.tool, output: text, outcome };
}

/** As it would be after a round trip through JSON. */
export function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value) ?? "null") as Json;
}

const refusedCodes = ["PAWL1008", "PAWL1018", "PAWL1070", "PAWL1071"] as const;

/** `known`: whether an effect of the call may have happened, as the run knows it. Throws what is not a result. */
export function resultOfError(call: ToolCall, e: unknown, known: "nothing" | "unknown"): ToolResult {
  if (e instanceof PawlError && refusedCodes.some((code) => isPawlError(e, code))) return failedResult(call, "failed", e.message);
  if (isPawlError(e, "PAWL1086")) return failedResult(call, "refused", e.message);
  if (!(e instanceof StepError)) throw e;
  switch (e.category) {
    case "CANCELLED":
    case "ABANDONED":
      throw e;
    case "NOT_APPROVED":
      return failedResult(call, "refused", `A person refused it: ${e.message}. It was not sent.`);
    case "RESULT_UNAVAILABLE":
    case "RESULT_INVALID":
    case "NOT_ENCODABLE":
      return failedResult(call, "unknown", `It was done, but its result is not available: ${e.message}. Do not repeat it.`);
    default:
      if (known === "nothing") return failedResult(call, "failed", e.message);
      return failedResult(call, "unknown", `${e.message}. Whether it took effect is not known. Do not repeat it.`);
  }
}
