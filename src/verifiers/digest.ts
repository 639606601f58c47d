// Confirms a recorded effect by the SHA-256 of what it wrote: a file on this machine, or an object wherever the author can read
// it from. Read piece by piece: the size does not matter. A file that is not there differs, and one that cannot be read does too.
import { PawlError } from "../errors/error.ts";
import { filePieces } from "../platform/files.ts";
import { sha256OfPieces } from "../platform/crypto/hash.ts";
import type { ResourceVerifier, StepScope } from "../workflow/types.ts";
import { differs, matches } from "./compare.ts";

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface FileVerifierOpts<I, O> {
  /** For the log and for people; "file" unless said otherwise. */
  name?: string;
  path: (input: I, recorded: O) => string;
  /** In hex, as it was when it was written: a member of the recorded result. */
  sha256: (input: I, recorded: O) => string;
}
export interface ObjectVerifierOpts<I, O> {
  /** For the log and for people; "object" unless said otherwise. */
  name?: string;
  /** The bytes as they are now, whole or in pieces; undefined when there is no such object. */
  read: (input: I, recorded: O, s: StepScope) => Promise<Uint8Array | Pieces | undefined> | Uint8Array | Pieces | undefined;
  sha256: (input: I, recorded: O) => string;
}

/**
 * Confirms a recorded effect by the SHA-256 of an object that you can read, piece by piece.
 *
 * @example
 * const stored = objectVerifier<unknown, { key: string; sha256: string }>({
 *   name: "upload",
 *   read: (_input, recorded) => bucket.read(recorded.key),
 *   sha256: (_input, recorded) => recorded.sha256,
 * });
 */
export function objectVerifier<I, O>(o: ObjectVerifierOpts<I, O>): ResourceVerifier<I, O> {
  const { name = "object" } = o;
  return {
    name,
    check: async (input, recorded, s) => {
      const expected = o.sha256(input, recorded);
      if (typeof expected !== "string" || !/^[0-9a-f]{64}$/i.test(expected))
        throw new PawlError("PAWL5001", `verifier ${name}: sha256 gives 64 hex digits`);
      const bytes = await o.read(input, recorded, s);
      if (bytes === undefined) return differs("it is gone");
      const found = await sha256OfPieces(bytes instanceof Uint8Array ? [bytes] : bytes, s.signal);
      return found === expected.toLowerCase() ? matches : differs(`its SHA-256 is ${found}, not ${expected.toLowerCase()}`);
    },
  };
}

/**
 * Confirms a recorded effect by the SHA-256 of a file on this machine.
 *
 * @example
 * const report = fileVerifier<unknown, { path: string; sha256: string }>({
 *   name: "report",
 *   path: (_input, recorded) => recorded.path,
 *   sha256: (_input, recorded) => recorded.sha256,
 * });
 */
export function fileVerifier<I, O>(o: FileVerifierOpts<I, O>): ResourceVerifier<I, O> {
  return objectVerifier({ name: o.name ?? "file", read: (input, recorded) => filePieces(o.path(input, recorded)), sha256: o.sha256 });
}
