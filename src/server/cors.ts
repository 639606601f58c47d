// Pages of other origins that may call the server, with a bearer token that they hold themselves. Never with credentials: a cookie of the server's does
// not travel. An origin that is not listed gets no header, and its browser refuses for it.
import type { ServedAnswer } from "./http/answer.ts";
import { isBearer } from "./guard.ts";
import type { Inbound } from "./http/inbound.ts";

const allowedHeaders = "authorization, content-type, accept, idempotency-key, prefer, last-event-id, traceparent, tracestate";
const exposedHeaders = "location, retry-after, idempotency-replayed, allow";

export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins.map((o) => o.toLowerCase()));
  }

  /** Whether the request asks for permission on behalf of a page. */
  isPreflight({ method, headers }: Inbound): boolean {
    return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
  }

  preflight(asked: Inbound): ServedAnswer {
    const origin = this.#originOf(asked);
    if (origin === undefined) return { status: 403, headers: { vary: "origin" }, body: null };
    const headers = {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": allowedHeaders,
      "access-control-max-age": "600",
      vary: "origin",
    };
    return { status: 204, headers, body: null };
  }

  /** Adds what the page's browser needs to show it the answer. */
  mark(asked: Inbound, { headers }: ServedAnswer): void {
    if (this.#origins.size === 0) return;
    headers["vary"] = headers["vary"] === undefined ? "origin" : `${headers["vary"]}, origin`;
    const origin = isBearer(asked.headers) ? this.#originOf(asked) : undefined;
    if (origin === undefined) return;
    headers["access-control-allow-origin"] = origin;
    headers["access-control-expose-headers"] = exposedHeaders;
  }

  #originOf({ headers }: Inbound): string | undefined {
    const origin = headers.get("origin");
    return origin !== null && this.#origins.has(origin.toLowerCase()) ? origin : undefined;
  }
}
