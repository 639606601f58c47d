// The cookie of a session: its name, how it is set, how it is read. On https its name begins with __Host-, so that no other host or subdomain can
// set it; on loopback it names the port, since cookies ignore ports. It must never be readable by scripts or travel to other sites.
import type { RequestHeaders } from "./caller.ts";

/** The half of the secret that a page holds travels in this header. */
export const sessionHeader = "x-pawl-session";
const secureName = "__Host-pawl";

/** Under which names a session of this server may come. */
export function cookieNames(headers: RequestHeaders["headers"]): readonly string[] {
  return [secureName, plainName(headers)];
}

function plainName(headers: RequestHeaders["headers"]): string {
  const port = /:(\d+)$/.exec(headers.get("host") ?? "")?.[1] ?? "80";
  return `pawl_${port}`;
}

export function cookieOf(headers: RequestHeaders["headers"], name: string): string | undefined {
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** `secondsLeft` 0 takes it away. */
export function setCookie(headers: RequestHeaders["headers"], secure: boolean, value: string, secondsLeft: number): string {
  const name = secure ? secureName : plainName(headers);
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.max(0, Math.floor(secondsLeft))}${secure ? "; Secure" : ""}`;
}
