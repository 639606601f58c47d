// Pages of other origins that may call the server, with a bearer token that they hold themselves. Never with credentials: a cookie of the server's does
// not travel. An origin that is not listed gets no header, and its browser refuses for it.
import { isBearer } from "./guard.ts";

const allowedHeaders = "authorization, content-type, accept, idempotency-key, prefer, last-event-id, traceparent, tracestate";
const exposedHeaders = "location, retry-after, idempotency-replayed, allow";

export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins.map((o) => o.toLowerCase()));
  }

  /** Whether the request asks for permission on behalf of a page. */
  isPreflight({ method, headers }: Request): boolean {
    return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
  }

  preflight(request: Request): Response {
    const origin = this.#originOf(request);
    if (origin === undefined) return new Response(null, { status: 403, headers: { vary: "origin" } });
    const headers = {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": allowedHeaders,
      "access-control-max-age": "600",
      vary: "origin",
    };
    return new Response(null, { status: 204, headers });
  }

  /** Adds what the page's browser needs to show it the answer. */
  mark(request: Request, response: Response): Response {
    if (this.#origins.size === 0) return response;
    response.headers.append("vary", "origin");
    const origin = isBearer(request.headers) ? this.#originOf(request) : undefined;
    if (origin !== undefined) {
      response.headers.set("access-control-allow-origin", origin);
      response.headers.set("access-control-expose-headers", exposedHeaders);
    }
    return response;
  }

  #originOf({ headers }: Request): string | undefined {
    const origin = headers.get("origin");
    return origin !== null && this.#origins.has(origin.toLowerCase()) ? origin : undefined;
  }
}
