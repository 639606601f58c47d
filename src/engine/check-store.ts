// What an engine asks of its store before it opens (W-105, W-110 … W-115): a conditional write where ownership needs one, and warnings
// about what the store itself reports. It must be called before anything is claimed, recovered or polled.
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { Store, StoreInfo } from "../store/port.ts";
import { liveEngines } from "./publish/live-engines.ts";
import type { Logger } from "./run-host.ts";

export interface StoreCheck {
  readonly store: Store;
  readonly scope: Scope;
  readonly checkpointOwnership: "cas-required" | "single-owner";
  readonly log: Logger;
}

export async function checkStore({ store, scope, checkpointOwnership, log }: StoreCheck): Promise<StoreInfo> {
  if (checkpointOwnership === "cas-required" && !store.capabilities().conditionalBatch)
    throw new PawlError(
      "PAWL3006",
      `checkpointOwnership "cas-required" needs conditionalBatch, which the ${store.name} store does not report`,
      { data: { capability: "conditionalBatch", checkpointOwnership, store: store.name } },
    );
  const info = await store.info();
  if (checkpointOwnership === "single-owner") checkAlone(info, scope);
  if (info.unsafe.length > 0) log("warn", `the store may lose what it has acknowledged: ${info.unsafe.join(", ")}`);
  if (info.identity !== info.identityRecorded)
    log("warn", "the store is not the file or server it was: if it was restored from a backup, run pawl doctor --restored", {
      identity: info.identity,
    });
  return info;
}

/**
 * the row of a live engine is the mark that the store has an owner. Beside one, nobody opens as its single owner; and on a store without conditional
 * writes nobody opens otherwise.
 */
function checkAlone(info: StoreInfo, scope: Scope): void {
  const [other] = liveEngines(info, scope).filter((e) => e.kind === undefined);
  if (other === undefined) return;
  const leftMs = other.leaseUntil - info.nowMs;
  throw new PawlError("PAWL3038", `engine ${other.engineId} is alive on this store, or was until now: its lease lasts ${leftMs} ms more`, {
    data: { engineId: other.engineId, leftMs, checkpointOwnership: "single-owner" },
  });
}
