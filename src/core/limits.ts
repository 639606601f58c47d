// The bounds of an engine, all configurable, all finite: nothing in Pawl grows without one. Pure data and its check. It must
// never be read from anywhere but the value an engine was made with.
import { PawlError } from "../errors/error.ts";

export interface Limits {
  /** Bytes of one encoded value: an input, a result, a signal, a view. */
  readonly valueBytesMax: number;
  /** Nesting of one value. */
  readonly depthMax: number;
  /** Steps of one run that are started and not ended. */
  readonly openStepsMax: number;
  /** Commits in one batch. */
  readonly batchCommitsMax: number;
  /** Bytes of all Commits in one batch. */
  readonly batchBytesMax: number;
  /** A Commit of more bytes is written alone. */
  readonly commitBytesMax: number;
  /** Step starts in one Commit; more are written in several. */
  readonly startsPerCommitMax: number;
  /** While more bytes than this wait to be committed, nothing new is claimed or started. */
  readonly pendingBytesMax: number;
  /** Calls that resolve at once before a Commit is made in between. */
  readonly immediateCallsMax: number;
  /** Re-dispatches of one attempt before a person must decide. */
  readonly engineAttemptsMax: number;
  /** Claims in a row without a Commit before a person must decide. */
  readonly idleClaimsMax: number;
  /** Bytes by which a run's log may grow before its next snapshot, where its style has any. 1: one with every Commit, for tests. */
  readonly snapshotTailBytesMin: number;
  /** Bytes of the state of a graph: all its channels, and the inputs of its next items. */
  readonly stateBytesMax: number;
  /** A pause that waits longer than this for steps in flight is logged. */
  readonly drainMsMax: number;
}

/** With the texts that no value may contain (codec/secrets.ts). */
export interface EngineLimits extends Limits {
  readonly secrets?: readonly { readonly name: string; readonly raw: string; readonly inJson: string }[] | undefined;
}

export const defaultLimits: Limits = Object.freeze({
  valueBytesMax: 1_048_576,
  depthMax: 64,
  openStepsMax: 10_000,
  batchCommitsMax: 256,
  batchBytesMax: 1_048_576,
  commitBytesMax: 262_144,
  startsPerCommitMax: 100,
  pendingBytesMax: 16_777_216,
  immediateCallsMax: 1000,
  engineAttemptsMax: 5,
  idleClaimsMax: 5,
  snapshotTailBytesMin: 131_072,
  stateBytesMax: 8_388_608,
  drainMsMax: 300_000,
});

/** A deeper value would overflow the stack of a recursive reader, so this one has a ceiling of its own. */
export const depthCeiling = 256;

export function checkLimits(o: Partial<Limits> = {}): Limits {
  const out: Record<string, number> = { ...defaultLimits };
  for (const [name, value] of Object.entries(o)) {
    if (!Object.hasOwn(defaultLimits, name)) throw new PawlError("PAWL5001", `there is no limit called ${name}`);
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 1)
      throw new PawlError("PAWL5001", `the limit ${name} must be a whole number of at least 1`);
    out[name] = value;
  }
  if ((out["depthMax"] as number) > depthCeiling) throw new PawlError("PAWL5001", `the limit depthMax must be at most ${depthCeiling}`);
  return out as unknown as Limits;
}
