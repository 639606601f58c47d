// Confirms the resource changes that a recorded effect made: what was created or updated must still be there as it was recorded, what was deleted must be gone. It
// only looks, through the author's function, and compares; what it cannot compare does not match.
import { PawlError } from "../errors/error.ts";
import type { EffectStepScope } from "../engine/calls.ts";
import type { ResourceVerifier } from "../workflow/types.ts";
import { differs, isSame, matches, valueText } from "./compare.ts";

/** One change that an effect made outside, as it is recorded. */
export interface ResourceChange {
  /** What kind of thing: "issue", "row", "object". */
  readonly type: string;
  readonly id: string;
  readonly operation: "create" | "update" | "delete";
  /** The receiver's own reference. */
  readonly externalRef?: string;
  readonly version?: string | number;
  readonly etag?: string;
}
/** A resource as it is now; null: there is none. */
export type ResourceNow = Pick<ResourceChange, "externalRef" | "version" | "etag"> & { readonly id?: string; readonly type?: string };

export interface ChangesVerifierOpts<I, O> {
  /** For the log and for people; "changes" unless said otherwise. */
  name?: string;
  /** What was changed, of what was recorded. */
  changes: (input: I, recorded: O) => readonly ResourceChange[];
  /** Looks at the resource; null where it is gone. */
  look: (change: ResourceChange, s: EffectStepScope) => Promise<ResourceNow | null>;
}

const compared = ["type", "id", "externalRef", "version", "etag"] as const;

/**
 * Confirms that every recorded change still holds in the world: type, id, operation, external reference, version and etag.
 *
 * @example
 * const issues = changesVerifier<{ title: string }, { changes: ResourceChange[] }>({
 *   changes: (_input, recorded) => recorded.changes,
 *   look: (change) => tracker.find(change.id),
 * });
 */
export function changesVerifier<I, O>(o: ChangesVerifierOpts<I, O>): ResourceVerifier<I, O> {
  const { name = "changes" } = o;
  if (typeof o.changes !== "function" || typeof o.look !== "function")
    throw new PawlError("PAWL5001", `verifier ${name} needs two functions: changes and look`);
  return {
    name,
    check: async (input, recorded, s) => {
      const changes = o.changes(input, recorded);
      if (!Array.isArray(changes) || changes.length === 0) return differs("no change is recorded");
      for (const change of changes as readonly ResourceChange[]) {
        const problem = problemOf(change, await o.look(change, s as EffectStepScope));
        if (problem !== null) return differs(`${change.type} ${change.id} (${change.operation}): ${problem}`);
      }
      return matches;
    },
  };
}

function problemOf(change: ResourceChange, now: ResourceNow | null | undefined): string | null {
  switch (change.operation) {
    case "delete":
      return now === null ? null : "it is there again";
    case "create":
    case "update": {
      if (now === null || now === undefined) return "it is gone";
      for (const member of compared) {
        const said = now[member] ?? (member === "id" || member === "type" ? change[member] : undefined);
        if (change[member] !== undefined && !isSame(change[member], said))
          return `${member} is ${valueText(said)}, not ${valueText(change[member])}`;
      }
      return null;
    }
    default:
      return `${valueText(change.operation)} is not an operation: create, update or delete`;
  }
}
