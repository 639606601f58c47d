// A web Request of a request of Node's, without its body: for a host's own check, and for packages that speak fetch. Making one costs as much as
// answering a small request, and a host's check looks at a header or two: the rest is made when somebody asks for it. It must never read from the
// connection.
import type { NodeRequest } from "../../platform/net/listen.ts";
import { urlOf } from "./request-target.ts";

/** Headers of a request, as web Requests have them; names in lower case. */
export type HeaderReader = Pick<Headers, "get" | "has">;

interface HeadersMade {
  readonly raw: readonly string[];
  readonly quick: HeaderReader;
  whole?: Headers;
}

interface RequestMade {
  readonly incoming: NodeRequest;
  readonly headers: Headers;
  whole?: Request;
}

/** Methods that no Request can have; no operation has them either. */
const forbiddenMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

const headersMade = new WeakMap<object, HeadersMade>();
const requestsMade = new WeakMap<object, RequestMade>();

/** `quick`: the same headers, already looked at. */
export function webRequestOf(incoming: NodeRequest, quick: HeaderReader): Request {
  const headers = Object.create(headersShape) as Headers;
  headersMade.set(headers, { raw: incoming.rawHeaders, quick });
  const request = Object.create(requestShape) as Request;
  requestsMade.set(request, { incoming, headers });
  return request;
}

function wholeHeaders(m: HeadersMade): Headers {
  if (m.whole !== undefined) return m.whole;
  m.whole = new Headers();
  for (let i = 0; i < m.raw.length; i += 2) m.whole.append(m.raw[i]!, m.raw[i + 1]!);
  return m.whole;
}

/** Headers that somebody changed are read where they were changed. */
const headersAtHand = {
  get: (m: HeadersMade) => (name: string) => (m.whole === undefined ? m.quick.get(name.toLowerCase()) : m.whole.get(name)),
  has: (m: HeadersMade) => (name: string) => (m.whole === undefined ? m.quick.has(name.toLowerCase()) : m.whole.has(name)),
};

function methodOf({ incoming }: RequestMade): string {
  const method = incoming.method ?? "GET";
  return forbiddenMethods.has(method) ? "GET" : method;
}

function addressOf({ incoming }: RequestMade): string {
  const scheme = "encrypted" in incoming.socket ? "https" : "http";
  return urlOf(incoming.url ?? "/", `${scheme}://${incoming.headers.host ?? "localhost"}`).href;
}

function wholeRequest(m: RequestMade): Request {
  return (m.whole ??= new Request(addressOf(m), { method: methodOf(m), headers: wholeHeaders(headersMade.get(m.headers)!) }));
}

const requestAtHand = { method: methodOf, url: addressOf, headers: (m: RequestMade) => m.headers };

const headersShape = shapeOf(Headers.prototype, headersMade, headersAtHand, wholeHeaders);
const requestShape = shapeOf(Request.prototype, requestsMade, requestAtHand, wholeRequest);

/** Objects with the members of `prototype`: some at hand, every other one that of the whole. */
function shapeOf<M extends object>(
  prototype: object,
  made: WeakMap<object, M>,
  atHand: Readonly<Record<string, (m: M) => unknown>>,
  whole: (m: M) => object,
): object {
  const shape = Object.create(prototype) as object;
  for (const name of Reflect.ownKeys(prototype)) {
    if (name === "constructor" || name === Symbol.toStringTag) continue;
    const get = (typeof name === "string" ? atHand[name] : undefined) ?? ((m: M): unknown => memberOf(whole(m), name));
    Object.defineProperty(shape, name, {
      get(this: object) {
        return get(made.get(this)!);
      },
    });
  }
  return shape;
}

function memberOf(whole: object, name: PropertyKey): unknown {
  const member = Reflect.get(whole, name) as unknown;
  return typeof member === "function" ? (member as () => unknown).bind(whole) : member;
}
