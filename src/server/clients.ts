// One client of the store for each principal: what it writes names the principal. A client is cheap; the latest ones are kept.
// It must never hand one principal's client to another.
import type { LocalClientDeps } from "../client/client-deps.ts";
import { localClient } from "../client/local-client.ts";
import type { Client } from "../client/types.ts";
import type { Principal } from "../core/principal.ts";

const clientsMax = 1_000;

export function clientsOf(deps: LocalClientDeps): (p: Principal, tokenBy?: string) => Client {
  const kept = new Map<string, Client>();
  return (by, tokenBy) => {
    const key = JSON.stringify([by.kind, by.subject, by.onBehalfOf, tokenBy]);
    const found = kept.get(key);
    if (found !== undefined) return found;
    const [oldest] = kept.keys();
    if (kept.size >= clientsMax && oldest !== undefined) kept.delete(oldest);
    const context = { ...deps, by, ...(tokenBy === undefined ? {} : { tokenBy }) };
    const client = localClient(context);
    kept.set(key, client);
    return client;
  };
}
