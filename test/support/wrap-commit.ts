// A store that commits another way, for tests that watch, hold, refuse or drop what goes through. The wrapper stands
// between one engine and its store. For tests; nothing in the package imports it.
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit } from "../../src/store/port.ts";

export type CommitVerb = FullStore["commit"];

/** The store with another way to commit. */
export function wrapCommit(
  commit: (real: CommitVerb, batch: readonly Commit[], renew: Parameters<CommitVerb>[1]) => ReturnType<CommitVerb>,
): (s: FullStore) => FullStore {
  return (s) => ({ ...s, commit: (batch, renew) => commit(s.commit.bind(s), batch, renew) });
}
