// The name of a store, as its user gave it: what it must not be, and how it may be shown. Pure. It must never let a password be
// seen, nor take a variable that was not set for a wish.
import { PawlError } from "../errors/error.ts";

/** A store's URL as it may be shown: a password is nobody's to read, in the address or among its parameters. */
export function withoutPassword(url: string): string {
  const named = url.replace(/^([a-z][a-z0-9+]*:\/\/[^:@/?#]*):(?!\d+(?:[/?#]|$)).*@/i, "$1:***@");
  return named.replaceAll(/([?&]password=)[^&#]*/gi, "$1***");
}

/**
 * The option `store`, where it is there: an empty text names nothing, and in production `undefined` is no wish for the nearest folder but a variable
 * that was not set. Work that went to a file of one machine, instead of the database, would be missed only when that machine is gone.
 */
export function checkStoreOption(o: { readonly store?: unknown }, production: boolean): void {
  const empty = typeof o.store === "string" && o.store.trim() === "";
  if (empty || (production && "store" in o && o.store === undefined))
    throw storeNotNamed(`store is ${empty ? "an empty string" : "undefined"}`);
}

export function storeNotNamed(what: string): PawlError {
  return new PawlError("PAWL4071", `${what}: is the environment variable that it comes from, such as DATABASE_URL, set here?`);
}
