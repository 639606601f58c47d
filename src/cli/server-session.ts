// A command on a server: which one the options or the environment name, with which token, and the client of it. What a command shows and does goes
// through that client, so that it prints the same as on a store. A command that needs the store itself is refused (PAWL4086).
import { httpClient } from "../client/http/client.ts";
import type { TokenSource } from "../client/http/target.ts";
import type { Client } from "../client/types.ts";
import { PawlError } from "../errors/error.ts";
import { readText } from "../platform/files.ts";
import { env } from "../platform/terminal.ts";
import { webPlatform } from "../platform/web.ts";
import type { StoreOptions } from "./shared-options.ts";

export interface NamedServer {
  readonly url: string;
  readonly token?: TokenSource;
}

/** --url, else PAWL_URL unless --store is given; undefined: the command works on a store. */
export function namedServer(o: StoreOptions): NamedServer | undefined {
  const fromEnvironment = o.store === undefined ? env("PAWL_URL") : undefined;
  const url = o.url ?? (fromEnvironment === "" ? undefined : fromEnvironment);
  if (url === undefined) {
    if (o.token !== undefined) throw new PawlError("PAWL4011", "--token is for a server: give --url as well");
    return undefined;
  }
  for (const name of ["store", "tenant"] as const)
    if (o[name] !== undefined) throw new PawlError("PAWL4011", `give --url or --${name}, not both: a server has its own store and tenant`);
  const file = env("PAWL_TOKEN_FILE");
  if (o.token !== undefined) return { url, token: o.token };
  return file === undefined || file === "" ? { url } : { url, token: () => tokenIn(file) };
}

/** Read for each request: a token may be replaced while a command waits. */
function tokenIn(file: string): string {
  const text = readText(file);
  if (text === undefined) throw new PawlError("PAWL4011", `PAWL_TOKEN_FILE: there is no file ${file}`);
  return text.trim();
}

/** `onRetry` is called when a request failed and is about to be sent again. */
export function clientOfServer(named: NamedServer, onRetry?: (e: PawlError) => void): Client & { close(): Promise<void> } {
  return httpClient({ ...named, onRetry }, webPlatform());
}

/** For a command that opens the store itself. */
export function needsStore(url: string): PawlError {
  return new PawlError(
    "PAWL4086",
    `this needs the store itself: a server cannot do it. Leave out --url ${url}, and name the store with --store`,
  );
}
