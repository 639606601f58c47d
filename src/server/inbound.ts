// A request as it arrived: the request itself, and what its connection says. One that came through a host's `fetch` has no connection to look at. Bodies
// are read here, within a limit, and never kept longer than their request.
import { PawlError } from "../errors/error.ts";
import { bodyRefused, Refusal } from "./problem.ts";

/** What Node's server knows beside the request; other hosts have none of it. */
export interface NodeConnection {
  readonly incoming: { readonly socket: { readonly remoteAddress?: string | undefined }; readonly readableDidRead?: boolean };
}

export interface Inbound {
  readonly request: Request;
  /** Path below the server's base, still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The address of the other end of the connection; undefined where it is not known. */
  readonly peer: string | undefined;
  readonly hasBody: boolean;
  /** Somebody read the body before: a body parser of the host's. */
  readonly consumed: boolean;
}

/** Undefined: not below the base. */
export function inboundOf(request: Request, base: string, connection: unknown): Inbound | undefined {
  const { pathname, searchParams } = new URL(request.url);
  if (base !== "" && pathname !== base && !pathname.startsWith(`${base}/`)) return undefined;
  const incoming = isNodeConnection(connection) ? connection.incoming : undefined;
  return {
    request,
    path: pathname.slice(base.length) || "/",
    query: searchParams,
    peer: incoming?.socket.remoteAddress,
    hasBody: announcesBody(request, incoming !== undefined),
    consumed: incoming === undefined ? request.bodyUsed : incoming.readableDidRead === true,
  };
}

function isNodeConnection(x: unknown): x is NodeConnection {
  const incoming = typeof x === "object" && x !== null ? (x as { readonly incoming?: unknown }).incoming : undefined;
  return typeof incoming === "object" && incoming !== null && "socket" in incoming && typeof incoming.socket === "object";
}

/**
 * Over a connection the headers say it; a request of a host's own making may have a body without a header. `body` is looked at only then: over a
 * connection that look alone makes a stream, which costs as much as the rest of a request.
 */
function announcesBody(request: Request, overConnection: boolean): boolean {
  const { method, headers } = request;
  if (method === "GET" || method === "HEAD") return false;
  const length = headers.get("content-length");
  if (length !== null) return length !== "0";
  return headers.has("transfer-encoding") || (!overConnection && request.body !== null);
}

const text = new TextDecoder("utf-8", { fatal: true });

/** The body as text; one that is too large or not UTF-8 is refused. */
export async function readBodyText({ request, hasBody, consumed, peer }: Inbound, bytesMax: number): Promise<string> {
  if (!hasBody) return "";
  if (consumed) throw new PawlError("PAWL5041", "the body of this request was read before Pawl's handler");
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > bytesMax) throw tooLarge(bytesMax);
  // Node hands over no more than was announced: it can be read at once.
  if (announced !== null && peer !== undefined) return decodeText(new Uint8Array(await request.arrayBuffer()));
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.byteLength;
    if (size > bytesMax) throw tooLarge(bytesMax);
    parts.push(part);
  }
  return decodeText(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
}

function decodeText(bytes: Uint8Array): string {
  try {
    return text.decode(bytes);
  } catch {
    throw bodyRefused(400, "the body is not UTF-8");
  }
}

function tooLarge(bytesMax: number): Refusal {
  // The rest of it is not read: the connection cannot carry another request.
  return new Refusal(bodyRefused(413, `the body is larger than ${bytesMax} bytes`), { connection: "close" });
}
