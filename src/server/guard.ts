// Which requests may act at all, before their caller is authenticated. A request without a bearer token acts with ambient authority (open mode, a cookie, the
// host's callback), and a page of another site can make a browser send such requests: they need a known Host and no sign of a foreign
// page. Every body needs a JSON content type, which a foreign page cannot send without asking first. In doubt, it must refuse.
import { PawlError } from "../errors/error.ts";
import type { Inbound } from "./http/inbound.ts";
import type { HeaderReader } from "./http/web-request.ts";
import { bodyRefused } from "./problem.ts";
import { encodingOfType } from "./wire.ts";

export interface GuardOptions {
  /** Names under which this server is reached, lower case, without ports. */
  readonly hosts: ReadonlySet<string>;
}

/** Sends a credential that no browser adds by itself. */
export function isBearer(headers: HeaderReader): boolean {
  return /^bearer\s/i.test(headers.get("authorization") ?? "");
}

export function guard(inbound: Inbound, o: GuardOptions): void {
  const { headers, hasBody } = inbound;
  if (!isBearer(headers)) guardAmbient(inbound, o);
  const coding = headers.get("content-encoding") ?? "identity";
  if (hasBody && coding.toLowerCase() !== "identity") throw bodyRefused(415, "the body must not be compressed");
  if (hasBody && encodingOfType(headers.get("content-type")) === undefined)
    throw bodyRefused(415, "the body must be application/json, in UTF-8");
}

/** Also for a caller that sent a bearer token and was recognised by something else: a header that anybody can add must not open this door. */
export function guardAmbient(inbound: Inbound, o: GuardOptions): void {
  const { headers } = inbound;
  const host = (headers.get("host") ?? new URL(inbound.request.url).host).toLowerCase();
  if (!o.hosts.has(nameOf(host))) throw refused(421, `this server does not know the host ${JSON.stringify(host.slice(0, 100))}`);
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") throw refused(403, "a page of another site may not call this server");
  const origin = headers.get("origin");
  if (origin !== null && !isOrigin(origin, host)) throw refused(403, "a page of another origin may not call this server");
}

/** Without its port; "[::1]:7350" is "[::1]". */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, "");
}

function isOrigin(origin: string, host: string): boolean {
  return origin.toLowerCase() === `http://${host}` || origin.toLowerCase() === `https://${host}`;
}

function refused(status: 403 | 421, message: string): PawlError {
  return new PawlError("PAWL4091", message, { data: { status } });
}
