// A response whose body is known whole, as almost all are. A host that speaks fetch gets a Response with that body; over a connection of Node's it is
// written at once, since a Response's own body is a stream, which costs more than the rest of a request. It must never be used for a body that
// is still being made.
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { NodeResponse } from "../platform/net/listen.ts";

const bodies = new WeakMap<Response, string>();

export function wholeResponse(body: string, init: ResponseInit): Response {
  const response = new Response(null, init);
  bodies.set(response, body);
  return response;
}

/** For a host that speaks fetch. */
export function withBody(response: Response): Response {
  const body = bodies.get(response);
  return body === undefined ? response : new Response(body, { status: response.status, headers: response.headers });
}

/** For Node: writes it, or hands back a response that is a stream. */
export function sendWhole(response: Response, outgoing: NodeResponse): Response {
  const body = bodies.get(response);
  if (body === undefined) return response;
  const headers: Record<string, string | number> = Object.fromEntries(response.headers);
  headers["content-length"] = Buffer.byteLength(body);
  outgoing.writeHead(response.status, headers);
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}
