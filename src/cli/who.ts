// Who answers or orders something: named with --by on a store of one's own, known by its credential on a server, where nobody may sign for another. It must
// never make a name up.
import { PawlError } from "../errors/error.ts";
import { namedServer } from "./server-session.ts";
import type { StoreOptions, WhoOptions } from "./shared-options.ts";

/** `what`: what needs it, for the message. On a server `by` may be left out: the member is then missing, and the server puts its own in. */
export function readBy(o: WhoOptions & StoreOptions, what: string): { readonly by: string } {
  if (o.by !== undefined) return { by: o.by };
  if (namedServer(o) !== undefined) return {} as { readonly by: string };
  throw new PawlError("PAWL4011", `${what} needs --by`);
}

export function readWho(o: WhoOptions & StoreOptions, what: string): { readonly by: string; readonly reason: string } {
  if (o.reason === undefined)
    throw new PawlError("PAWL4011", `${what} needs ${o.by === undefined && namedServer(o) === undefined ? "--by and " : ""}--reason`);
  return { ...readBy(o, what), reason: o.reason };
}
