// How long an engine or worker may be silent, and how often it says that it lives: checked once, for both. Pure. It must never let a lease pass that one lost
// renewal would end.
import { PawlError } from "../errors/error.ts";
import { durationMs, type Duration } from "../core/duration.ts";

export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewMs: number;
}

const defaultLeaseMs = 10_000;
const leaseMsMin = 1_000;
const renewMsMin = 100;
/** Two renewals may be lost before the lease ends. */
const renewalsPerLease = 3;

export function leaseTimes(o: { readonly lease?: Duration | undefined; readonly renew?: Duration | undefined }): LeaseTimes {
  const leaseMs = o.lease === undefined ? defaultLeaseMs : durationMs(o.lease, "lease");
  if (leaseMs < leaseMsMin) throw new PawlError("PAWL5001", "lease must be at least one second");
  if (o.renew === undefined) return { leaseMs, renewMs: leaseMs / renewalsPerLease };
  const renewMs = durationMs(o.renew, "renew");
  if (renewMs < renewMsMin) throw new PawlError("PAWL5001", `renew must be at least ${renewMsMin} ms`);
  if (renewMs * renewalsPerLease > leaseMs)
    throw new PawlError(
      "PAWL5001",
      `lease (${leaseMs} ms) must be at least ${renewalsPerLease} times renew (${renewMs} ms): one lost renewal must not cost an engine its runs`,
    );
  return { leaseMs, renewMs };
}
