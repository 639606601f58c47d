// Which server a client talks to, and how it says who it is: the address, checked, and the token. A token never goes over plain http to another
// machine, never into a URL and never into a message. No Node: browsers load it.
import { PawlError } from "../../errors/error.ts";
import type { WebPlatform } from "../../platform/web.ts";

/** A token, or a function that gives one: called for each request, and once more when the server refuses what it gave. */
export type TokenSource = string | (() => string | Promise<string>);

export interface HttpTarget {
  /** Without a slash at its end. */
  readonly base: string;
  readonly web: WebPlatform;
  /** Aborted when the client is closed. */
  readonly closed: AbortSignal;
  /** The token comes from a function: one that is refused may be followed by another. */
  readonly renewable: boolean;
  /** Called once for each request that failed and is about to be sent again. */
  readonly onRetry?: ((e: PawlError) => void) | undefined;
  /** The headers that say who asks. */
  credentials(): Promise<Readonly<Record<string, string>>>;
}

export interface TargetOptions {
  readonly url: string;
  readonly token?: TokenSource | undefined;
  readonly onRetry?: ((e: PawlError) => void) | undefined;
}

export function httpTarget(o: TargetOptions, web: WebPlatform, closed: AbortSignal): HttpTarget {
  const base = checkServerUrl(o.url);
  const { token } = o;
  if (token !== undefined && typeof token !== "string" && typeof token !== "function")
    throw new PawlError("PAWL4011", "token must be a string, or a function that returns one");
  return {
    base,
    web,
    closed,
    onRetry: o.onRetry,
    renewable: typeof token === "function",
    credentials: async () => {
      const given: unknown = typeof token === "function" ? await token() : token;
      if (given === undefined) return {};
      // fetch would refuse a bad header value with a message that shows it.
      if (typeof given !== "string" || !/^[\x21-\x7e]+$/.test(given))
        throw new PawlError("PAWL4011", "token must be text without spaces and line breaks, as pawl token create printed it");
      return { authorization: `Bearer ${given}` };
    },
  };
}

/** http: is for this machine only: tokens and payloads would be readable on the way. */
export function checkServerUrl(text: unknown): string {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new PawlError("PAWL4011", "url must be the address of a Pawl server, such as https://pawl.example.com");
  if (url.username !== "" || url.password !== "")
    throw new PawlError("PAWL4011", "url must not contain a user or a password: pass the token as token");
  if (url.search !== "" || url.hash !== "") throw new PawlError("PAWL4011", "url must end with the path of the server: no ? and no #");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new PawlError("PAWL5042", `${url.host} is another machine, and http: is not encrypted: use https:`);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
