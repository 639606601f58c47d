// The link of one event in the hash chain, computed as a test wants it: from the run, the link before it and the time that it seals. The
// product computes links event by event in a frame of its own (src/events/hash-chain.ts); nothing here is used by it.
import { chainFrame, linkOf, type ChainedRun, type ChainEvent } from "../../src/events/hash-chain.ts";

export function chainLink(prev: string, sealedAt: number | null, run: ChainedRun, e: ChainEvent): string {
  return linkOf(chainFrame(run), prev, sealedAt, e, e.stateVersion);
}
