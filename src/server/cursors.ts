// Cursors of lists on the wire. A cursor carries a digest of the filter that it came from: with another filter it would name the wrong place, so it is
// refused (PAWL4082). The digest keeps honest callers from a mistake; it protects no secret.
import { canonicalJson } from "../codec/canonical.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";

type Input = Readonly<Record<string, unknown>>;

const digestLength = 12;

/** The input with the store's own cursor in it. */
export function openCursor(operation: string, input: Input): Input {
  const { cursor } = input;
  if (typeof cursor !== "string") return input;
  const digest = filterDigest(operation, input);
  if (!cursor.startsWith(`${digest}.`))
    throw new PawlError("PAWL4082", "this cursor came from another list, or from a list with another filter", {
      errors: [{ pointer: "/cursor", message: "came from another filter" }],
    });
  return { ...input, cursor: cursor.slice(digestLength + 1) };
}

/** The answer with a cursor that knows its filter. The events of a run are continued by number: their cursor is the next `after`. */
export function closeCursor(operation: string, input: Input, body: unknown): unknown {
  if (operation === "runs.events" || typeof body !== "object" || body === null) return body;
  const { nextCursor } = body as { readonly nextCursor?: unknown };
  return typeof nextCursor === "string" ? { ...body, nextCursor: `${filterDigest(operation, input)}.${nextCursor}` } : body;
}

function filterDigest(operation: string, input: Input): string {
  const { cursor: _, limit: __, ...filter } = input;
  return sha256Hex(`${operation}\n${canonicalJson(filter)}`).slice(0, digestLength);
}
