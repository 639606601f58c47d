// What a request is answered with, before a host's form is given to it: a Response for hosts that speak fetch; over a connection of Node's it is written
// at once, since making a Response and taking it apart again costs more than the rest of a request. Only streams are still being made when they
// are sent. It must never be sent twice.
import type { NodeResponse } from "../../platform/net/listen.ts";
import { SseConnection } from "./sse-connection.ts";

export interface ServedAnswer {
  readonly status: number;
  /** Names in lower case. Each answer has an object of its own: others add to it. */
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | SseConnection | null;
}

/** A value as JSON that nobody may keep. */
export function jsonAnswer(status: number, value: unknown, more: Readonly<Record<string, string>> = {}): ServedAnswer {
  const headers = { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff", ...more };
  return { status, headers, body: JSON.stringify(value) };
}

/** What a package answered that speaks fetch; all of it is there when this resolves. */
export async function answerOfResponse(response: Response): Promise<ServedAnswer> {
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), body: text === "" ? null : text };
}

/** For a host that speaks fetch. */
export function toResponse({ status, headers, body }: ServedAnswer): Response {
  return new Response(body instanceof SseConnection ? body.toBody() : body, { status, headers });
}

/** For Node. */
export function sendAnswer({ status, headers, body }: ServedAnswer, outgoing: NodeResponse): void {
  if (body instanceof SseConnection) {
    outgoing.writeHead(status, headers);
    return void body.writeTo(outgoing);
  }
  if (body !== null) headers["content-length"] = String(typeof body === "string" ? Buffer.byteLength(body) : body.byteLength);
  outgoing.writeHead(status, headers);
  if (body === null) outgoing.end();
  else outgoing.end(body);
}
