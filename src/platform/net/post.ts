// One POST to a URL that somebody else chose. The name is resolved, every private address is left out, and the connection goes
// to an address that was looked at, so that a second answer of DNS changes nothing. No redirects, no proxy, no connection is
// kept, the answer's body is thrown away, and all of it ends within one time limit. Whatever happens is a value.
import { lookup } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { isPublicAddress } from "./public-addresses.ts";

export interface HttpPostRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For everything: the name, the connection, the answer's head. */
  readonly timeoutMs: number;
  /** Loopback and private networks too. */
  readonly allowPrivate: boolean;
  /** Gives the attempt up; what was sent may have arrived. */
  readonly signal?: AbortSignal;
}
export type HttpPostResult =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfter: string | undefined }
  /** Nobody knows whether it arrived, except for `blocked`: nothing left this machine. */
  | { readonly kind: "unanswered"; readonly reason: string; readonly blocked: boolean };

export type HttpPoster = (p: HttpPostRequest) => Promise<HttpPostResult>;

interface Address {
  readonly address: string;
  readonly family: number;
}

/** Of an answer, this much is read for the sake of its sender, then the line is cut. */
const answerBytesMax = 65_536;

export const httpPost: HttpPoster = async (p) => {
  const limit = AbortSignal.timeout(p.timeoutMs);
  const signal = p.signal === undefined ? limit : AbortSignal.any([limit, p.signal]);
  try {
    const addresses = await unlessAborted(resolveHost(p.url.hostname), signal);
    const open = p.allowPrivate ? addresses : addresses.filter((a) => isPublicAddress(a.address));
    if (open.length === 0) return { kind: "unanswered", reason: `${p.url.hostname} is at no public address`, blocked: true };
    return await exchange(p, open, signal);
  } catch (e) {
    const reason = limit.aborted ? `no answer within ${p.timeoutMs} ms` : p.signal?.aborted === true ? "given up" : reasonOf(e);
    return { kind: "unanswered", reason, blocked: false };
  }
};

/** A URL writes an IPv6 address in brackets. */
async function resolveHost(hostname: string): Promise<readonly Address[]> {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(bare);
  return family === 0 ? lookup(bare, { all: true, verbatim: true }) : [{ address: bare, family }];
}

function exchange(p: HttpPostRequest, addresses: readonly Address[], signal: AbortSignal): Promise<HttpPostResult> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: "POST",
      headers: { ...p.headers, "content-length": Buffer.byteLength(p.body), connection: "close" },
      agent: false,
      signal,
      // Whatever the name says now: only these addresses are tried.
      lookup: (_name, o, give) => {
        if (o.all === true) give(null, [...addresses]);
        else give(null, addresses[0]!.address, addresses[0]!.family);
      },
    };
    const request = p.url.protocol === "https:" ? httpsRequest(p.url, options) : httpRequest(p.url, options);
    // Once there is a status it is the answer: a body that is too long, too slow or cut off takes nothing from it.
    let answer: HttpPostResult | undefined;
    request.on("error", (e) => (answer === undefined ? reject(e) : resolve(answer)));
    // 101 is no answer to a POST, and after it there is no response: without a listener nobody would be notified at all.
    request.on("upgrade", (r, socket) => {
      socket.destroy();
      resolve({ kind: "answered", status: r.statusCode ?? 0, retryAfter: undefined });
    });
    request.on("response", (r) => {
      const seen: HttpPostResult = { kind: "answered", status: r.statusCode ?? 0, retryAfter: r.headers["retry-after"] };
      answer = seen;
      drain(r, () => resolve(seen));
    });
    request.end(p.body);
  });
}

function drain(r: IncomingMessage, done: () => void): void {
  let bytes = 0;
  r.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > answerBytesMax) r.destroy();
  });
  r.on("error", done);
  r.on("close", done);
}

function unlessAborted<T>(p: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    p.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The system's word for it where there is one: ECONNRESET, ENOTFOUND, CERT_HAS_EXPIRED. Several addresses fail as several errors. */
function reasonOf(e: unknown): string {
  const first: unknown = e instanceof AggregateError ? e.errors[0] : e;
  const { code, message } = first as { code?: unknown; message?: unknown };
  return typeof code === "string" ? code : typeof message === "string" ? message.slice(0, 200) : "it failed";
}
