// What an engine asks of its store before it opens (W-105, W-110 … W-115): a conditional write where ownership needs one, and warnings
// about what the store itself reports. It must be called before anything is claimed, recovered or polled.
import { PawlError } from "../errors/error.ts";
import type { Store, StoreInfo } from "../store/port.ts";
import type { Logger } from "./run-host.ts";

export async function checkStore(store: Store, checkpointOwnership: "cas-required" | "single-owner", log: Logger): Promise<StoreInfo> {
  if (checkpointOwnership === "cas-required" && !store.capabilities().conditionalBatch)
    throw new PawlError(
      "PAWL3006",
      `checkpointOwnership "cas-required" needs conditionalBatch, which the ${store.name} store does not report`,
      { data: { capability: "conditionalBatch", checkpointOwnership, store: store.name } },
    );
  const info = await store.info();
  if (info.unsafe.length > 0) log("warn", `the store may lose what it has acknowledged: ${info.unsafe.join(", ")}`);
  if (info.identity !== info.identityRecorded)
    log("warn", "the store is not the file or server it was: if it was restored from a backup, run pawl doctor --restored", {
      identity: info.identity,
    });
  return info;
}
