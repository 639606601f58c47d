// Unhandled rejections of the process, shared out to those who may own them (K16). One process listener serves all
// subscribers and leaves with the last. What nobody owns keeps Node's default: the process ends, loudly.
import type { Cancel } from "./platform.ts";

type RejectionOwner = (reason: unknown) => boolean;

const rejectionOwners = new Set<{ readonly fn: RejectionOwner }>();

function onRejection(reason: unknown): void {
  for (const { fn } of rejectionOwners) if (fn(reason)) return;
  // Our listener alone would silence the rejection: thrown from here it becomes the uncaught exception it would have been.
  if (process.listenerCount("unhandledRejection") === 1) throw reason;
}

/** `fn` answers true if it took responsibility for the rejection. */
export function onUnhandledRejection(fn: RejectionOwner): Cancel {
  const entry = { fn };
  if (rejectionOwners.size === 0) process.on("unhandledRejection", onRejection);
  rejectionOwners.add(entry);
  return () => {
    if (rejectionOwners.delete(entry) && rejectionOwners.size === 0) process.off("unhandledRejection", onRejection);
  };
}
