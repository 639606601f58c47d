// How an operation's input travels in a request: path members in the path, the rest in the query of a GET or in the body of a POST; and back. Both
// ends use this file, so they agree. Ids that a proxy could rewrite travel as `~` + base64url. It must never change a value on its way, and no
// Node: browsers load it.
import { base64Url, bytesFromBase64 } from "../platform/base64.ts";
import { type Operation, operationSpecs } from "./operations.ts";

/** Where an operation is: its method, and the parts of its path below /v1; "{id}" stands for a member of the input. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly parts: readonly string[];
}

export interface AddressedRequest {
  readonly method: "GET" | "POST";
  /** Path and query, below the server's base: "/v1/runs/order-17?wait=25". */
  readonly path: string;
  /** What the body carries; undefined: no body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Members that are lists, or objects of texts, wherever they are in a query. */
const listMembers = new Set(["status", "types", "modes"]);
/** Lists of ids: these may have commas, so each stands by itself. */
const idListMembers = new Set(["runs"]);
const objectMembers = new Set(["tags"]);
/** Never rewritten by any proxy: no dots alone, no escapes, nothing that has two spellings. */
const plainSegment = /^[A-Za-z0-9_][A-Za-z0-9_.:@-]*$/;

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Routes without members: an id must not make another route read like one of them. */
const fixedPaths: ReadonlySet<string> = new Set(
  Object.values(operationSpecs)
    .map(({ rest }) => rest.replace(" ", " /v1"))
    .filter((route) => !route.includes("{")),
);

export function routeOf(operation: Operation): Route {
  const { rest } = operationSpecs[operation];
  const [method, path] = rest.split(" ") as ["GET" | "POST", string];
  return { method, parts: path.slice(1).split("/") };
}

export function addressOf(operation: Operation, input: Readonly<Record<string, unknown>>): AddressedRequest {
  const { method, parts } = routeOf(operation);
  const left = { ...input };
  const ids = parts.map((part) => {
    const member = memberOf(part);
    if (member === undefined) return undefined;
    const value = String(left[member]);
    delete left[member];
    return value;
  });
  const pathWith = (segment: (id: string) => string): string =>
    `/v1/${parts.map((part, i) => (ids[i] === undefined ? part : segment(ids[i]))).join("/")}`;
  const plain = pathWith(segmentOf);
  // A run may be called "count", and GET /runs/count is another operation.
  const url = fixedPaths.has(`${method} ${plain}`) ? pathWith(encodedSegment) : plain;
  if (method === "POST") return { method, path: url, body: left };
  const query = queryOf(left);
  return { method, path: query === "" ? url : `${url}?${query}`, body: undefined };
}

/** The member that a part of a route stands for: "id" of "{id}". */
export function memberOf(part: string): string | undefined {
  return part.startsWith("{") ? part.slice(1, -1) : undefined;
}

/** One segment of a path: the id itself where nobody could change it on its way, else `~` and the base64url of its UTF-8. */
export function segmentOf(id: string): string {
  return plainSegment.test(id) ? encodeURIComponent(id) : encodedSegment(id);
}

function encodedSegment(id: string): string {
  return `~${base64Url(utf8.encode(id))}`;
}

/** The id in a segment of a request's path; undefined when it is none: bad escapes, bytes that are no UTF-8. */
export function idOf(segment: string): string | undefined {
  try {
    if (!segment.startsWith("~")) return decodeURIComponent(segment);
    const bytes = bytesFromBase64(segment.slice(1));
    // One spelling per id: text with other characters, or with bits left over, is none.
    return base64Url(bytes) === segment.slice(1) ? fromUtf8.decode(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** `status=FAILED&status=CANCELLED&tags.shop=bern&limit=10`; members that are undefined are left out. */
export function queryOf(input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [member, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const item of value) query.append(member, String(item));
    else if (typeof value === "object" && value !== null)
      for (const [key, text] of Object.entries(value)) query.append(`${member}.${key}`, String(text));
    else query.append(member, String(value as string | number | boolean));
  }
  return query.toString();
}

/**
 * The members of a query. A list is a member given several times, or once with commas: `status=FAILED,PAUSED`; ids have no commas between them. An object is `tags.shop=bern`, or
 * `tags[shop]=bern` as OpenAPI's deepObject writes it. All values are text, lists of text, or objects of texts; undefined: a member that may stand
 * once stands twice.
 */
export function membersOf(query: URLSearchParams): Record<string, unknown> | undefined {
  // Without a prototype every name is a member like any other: what is called __proto__ is refused as what it is, not lost.
  const members = Object.create(null) as Record<string, unknown>;
  for (const [name, text] of query) {
    const [head = "", ...rest] = /^(\w+)\[(.*)\]$/.exec(name)?.slice(1) ?? name.split(".");
    if (listMembers.has(name)) members[name] = [...((members[name] as string[] | undefined) ?? []), ...text.split(",")];
    else if (idListMembers.has(name)) members[name] = [...((members[name] as string[] | undefined) ?? []), text];
    else if (rest.length > 0 && objectMembers.has(head)) {
      const key = rest.join(".");
      const object = (members[head] as Record<string, string> | undefined) ?? {};
      if (Object.hasOwn(object, key)) return undefined;
      members[head] = { ...object, [key]: text };
    } else if (Object.hasOwn(members, name)) return undefined;
    else members[name] = text;
  }
  return members;
}
