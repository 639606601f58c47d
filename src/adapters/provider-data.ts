// What only one provider understands (signatures, item ids, cache marks) travels on the part that it belongs to, with the name of the
// provider that wrote it. It is given back to that provider alone: another one must never see it, and never a reasoning that is not its own.
import type { Frozen } from "../tools/frozen.ts";
import type { Part } from "../tools/messages.ts";
import type { Json } from "../workflow/types.ts";

/** How adapters fill `provider` of a part. */
interface ProviderData {
  /** The provider that wrote it: `Model.provider`. */
  readonly by: string;
  readonly data?: Json;
}

/** Undefined where there is nothing to keep: most parts have no data of their own. */
export function keptFor(by: string, data: unknown): { provider: Json } | undefined {
  return data === undefined || data === null ? undefined : { provider: { by, data: plainJson(data) } };
}

/** Who wrote this part, where it says so. */
export function writerOf(part: { readonly provider?: Frozen<Json> | Json }): string | undefined {
  const kept = part.provider as ProviderData | null | undefined;
  return typeof kept === "object" && kept !== null && typeof kept.by === "string" ? kept.by : undefined;
}

/** The data on a part, if `by` wrote it. */
export function ownData(part: { readonly provider?: Frozen<Json> | Json }, by: string): Json | undefined {
  return writerOf(part) === by ? (part.provider as unknown as ProviderData).data : undefined;
}

/** Parts that mean something to their own provider only. One whose writer is not known is nobody's. */
export function isForOthers(part: Frozen<Part> | Part, by: string): boolean {
  const isPrivate =
    part.type === "reasoning" ||
    part.type === "custom" ||
    part.type === "tool-approval-request" ||
    (part.type === "tool-call" && part.byProvider === true);
  return isPrivate && writerOf(part) !== by;
}

/** As it would be after a round trip through JSON: dates are texts, bytes and functions have no place. */
export function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value) ?? "null") as Json;
}

/** A tool's arguments as a model wrote them. Anything but JSON stays a text: the schema of the tool refuses it, and the model reads why. */
export function callInput(text: unknown): Json {
  if (typeof text !== "string") return text === undefined ? {} : plainJson(text);
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
