// A request as it arrived, whichever host it came through: what the path, the guard and the transports look at. One of Node's is read as it is, since
// making a web Request of it costs as much as answering it; that is made for a host's own check, and for packages that speak fetch. Bodies are read
// here, within a limit, and never kept longer than their request.
import { PawlError } from "../../errors/error.ts";
import type { NodeRequest, NodeResponse } from "../../platform/net/listen.ts";
import { textOfUtf8 } from "../../platform/utf8.ts";
import { bodyRefused, Refusal } from "../problem.ts";
import { addressIn } from "./request-target.ts";
import { type HeaderReader, webRequestOf } from "./web-request.ts";

export interface Inbound {
  readonly method: string;
  readonly headers: HeaderReader;
  /** The same as a web Request. One that came over a connection of Node's is without its body. */
  readonly request: Request;
  /** Path below the server's base, still encoded; undefined: it is not below it. */
  readonly path: string | undefined;
  readonly query: URLSearchParams;
  /** The address of the other end of the connection; undefined where it is not known. */
  readonly peer: string | undefined;
  readonly hasBody: boolean;
  /** Somebody read the body before: a body parser of the host's. */
  readonly consumed: boolean;
  readBody(bytesMax: number): Uint8Array | Promise<Uint8Array>;
  /** Calls `f` when the caller goes before it was answered. What it gives back ends that. */
  whenGone(f: () => void): () => void;
}

/** A request that is for this server. */
export type InboundHere = Inbound & { readonly path: string };

/** Over a connection of Node's. */
export function inboundOfNode(incoming: NodeRequest, outgoing: NodeResponse, base: string): Inbound {
  const method = incoming.method ?? "GET";
  const headers = readHeaders(incoming.rawHeaders);
  const { pathname, query } = addressIn(incoming.url ?? "/");
  let request: Request | undefined;
  return {
    method,
    headers,
    get request() {
      return (request ??= webRequestOf(incoming, headers));
    },
    path: below(base, pathname),
    query,
    peer: incoming.socket.remoteAddress,
    hasBody: takesBody(method) && (isFilled(headers.get("content-length")) ?? headers.has("transfer-encoding")),
    consumed: incoming.readableDidRead,
    readBody: (bytesMax) => readIncoming(incoming, bytesMax),
    whenGone: (f) => {
      if (outgoing.destroyed || outgoing.closed) f();
      else outgoing.once("close", f);
      return () => outgoing.off("close", f);
    },
  };
}

/** Through a host that speaks fetch; some of them say who is at the other end. */
export function inboundOfRequest(request: Request, base: string, connection: unknown): Inbound {
  const { method, headers, signal } = request;
  const { pathname, searchParams } = new URL(request.url);
  return {
    method,
    headers,
    request,
    path: below(base, pathname),
    query: searchParams,
    peer: addressOfPeer(connection),
    // A request of a host's own making may have a body without a header.
    hasBody: takesBody(method) && (isFilled(headers.get("content-length")) ?? (headers.has("transfer-encoding") || request.body !== null)),
    consumed: request.bodyUsed,
    readBody: (bytesMax) => readStream(request.body, bytesMax),
    whenGone: (f) => {
      if (signal.aborted) f();
      else signal.addEventListener("abort", f, { once: true });
      return () => signal.removeEventListener("abort", f);
    },
  };
}

function takesBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Undefined: no length was announced. */
function isFilled(length: string | null): boolean | undefined {
  return length === null ? undefined : length !== "0";
}

function below(base: string, pathname: string): string | undefined {
  if (base !== "" && pathname !== base && !pathname.startsWith(`${base}/`)) return undefined;
  return pathname.slice(base.length) || "/";
}

/** Every header is looked at once; several of one name are joined, as they are everywhere. */
function readHeaders(raw: readonly string[]): HeaderReader {
  const found = new Map<string, string>();
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    const earlier = found.get(name);
    const value = raw[i + 1]!;
    found.set(name, earlier === undefined ? value : `${earlier}${name === "cookie" ? "; " : ", "}${value}`);
  }
  return { get: (name) => found.get(name) ?? null, has: (name) => found.has(name) };
}

/** What Node's server knows beside the request, where a host hands it over. */
function addressOfPeer(connection: unknown): string | undefined {
  const { incoming } = (connection ?? {}) as { readonly incoming?: { readonly socket?: { readonly remoteAddress?: unknown } } };
  const address = incoming?.socket?.remoteAddress;
  return typeof address === "string" ? address : undefined;
}

/** The body as text; one that is too large or not UTF-8 is refused. */
export async function readBodyText(inbound: Inbound, bytesMax: number): Promise<string> {
  if (!inbound.hasBody) return "";
  if (inbound.consumed) throw new PawlError("PAWL5041", "the body of this request was read before Pawl's handler");
  const announced = Number(inbound.headers.get("content-length") ?? 0);
  if (announced > bytesMax) throw tooLarge(bytesMax, announced <= discardedBytesMax);
  const read = inbound.readBody(bytesMax);
  const bytes = read instanceof Promise ? await read : read;
  const text = textOfUtf8(bytes);
  if (text === undefined) throw bodyRefused(400, "the body is not UTF-8");
  return text;
}

async function readStream(body: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > bytesMax) throw tooLarge(bytesMax);
    parts.push(part);
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

function readIncoming(incoming: NodeRequest, bytesMax: number): Uint8Array | Promise<Uint8Array> {
  // A small body arrives with its headers: it is all there.
  if (incoming.complete && incoming.readableLength > 0 && incoming.readableLength <= bytesMax) return incoming.read() as Buffer;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const ended = (): void => {
      incoming.off("data", read).off("end", whole).off("error", cut).off("close", cut);
    };
    const read = (part: Buffer): void => {
      size += part.byteLength;
      if (size <= bytesMax) return void parts.push(part);
      ended();
      incoming.pause();
      reject(tooLarge(bytesMax));
    };
    const whole = (): void => {
      ended();
      resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
    };
    const cut = (): void => {
      ended();
      reject(bodyRefused(400, "the connection was closed before the whole body had arrived"));
    };
    incoming.on("data", read).on("end", whole).on("error", cut).on("close", cut);
  });
}

/** As much of a body that is refused may still arrive, and is thrown away: many callers read no answer before they have sent everything. */
const discardedBytesMax = 64 * 1_048_576;

/** `discards`: Node reads the rest for nobody. Otherwise it is not read, and the connection cannot carry another request. */
function tooLarge(bytesMax: number, discards = false): Refusal {
  return new Refusal(bodyRefused(413, `the body is larger than ${bytesMax} bytes`), discards ? {} : { connection: "close" });
}
