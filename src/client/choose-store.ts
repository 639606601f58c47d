// The store that engine() and run() work on: refused when it was not named, opened unless it was given open, and named in the log,
// so that nobody works on another store than they think.
import { checkStoreOption, withoutPassword } from "../core/store-url.ts";
import type { Logger } from "../engine/run-host.ts";
import { type AnyStore, completeStore, type FullStore } from "../store/full-store.ts";
import type { Environment } from "./environment.ts";

/** A store, and whether it was opened here: then it is closed here, too. */
export interface ChosenStore {
  readonly store: FullStore;
  readonly opened: boolean;
}

/** The store that was asked for, opened unless it was given open; which one it is stands in the log at info. */
export async function chooseStore(
  around: Environment,
  o: { readonly store?: unknown },
  production: boolean,
  log: Logger,
): Promise<ChosenStore> {
  checkStoreOption(o, production);
  if (typeof o.store === "object" && o.store !== null) {
    const store = completeStore(o.store as AnyStore);
    log("info", `store: ${store.name}, as it was given`);
    return { store, opened: false };
  }
  const url = o.store === undefined ? around.nearest?.() : (o.store as string);
  const store = await around.open(url);
  log("info", `store: ${typeof url === "string" ? withoutPassword(url) : store.name}`);
  return { store, opened: true };
}
