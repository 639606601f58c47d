// REST: a request to an operation and its input, a reply to an Answer. Routes are made from the catalogue. It knows methods, statuses and headers, and
// must never know what an operation means.
import { TrieRouter } from "hono/router/trie-router";
import { idOf, memberOf, membersOf, routeOf } from "../api/address.ts";
import { type Operation, operations, operationSpecs } from "../api/operations.ts";
import { PawlError } from "../errors/error.ts";
import type { ServedAnswer } from "./http/answer.ts";
import { type Inbound, type InboundHere, readBodyText } from "./http/inbound.ts";
import type { HeaderReader } from "./http/web-request.ts";
import type { Reply } from "./call.ts";
import type { Admitted, RequestPath } from "./operate.ts";
import { Refusal } from "./problem.ts";
import { decodeValue, encodeValue, encodingOfAccept, encodingOfType, exactType, parseJson, pointerPart } from "./wire.ts";

export type Members = Readonly<Record<string, unknown>>;

/** Answers a request whose caller wants a stream of events. It ends the admission itself, when the stream has ended. */
export type StreamResponder = (operation: Operation, admitted: Admitted, input: Members) => Promise<ServedAnswer>;

interface Found {
  readonly operation: Operation;
  /** Path members by name, decoded. */
  readonly members: Members;
}

/** Members of queries that are numbers. */
const numberMembers: ReadonlySet<string> = new Set([
  "limit",
  "after",
  "before",
  "seq",
  "afterSeq",
  "wait",
  "at",
  "beforeStep",
  "superstep",
]);
const bodyBytesMax = 1_048_576 + 65_536;
const appendBytesMax = 16 * 1_048_576;

export class Rest {
  readonly #path: RequestPath;
  /** Routes without members, by method and path. */
  readonly #fixed = new Map<string, Found>();
  readonly #router = new TrieRouter<Operation>();
  readonly #stream: StreamResponder | undefined;

  constructor(path: RequestPath, stream?: StreamResponder) {
    this.#path = path;
    this.#stream = stream;
    // The first that matches is meant: "/runs/count" comes before "/runs/{id}".
    const names = Object.keys(operations) as Operation[];
    const fixedFirst = names.toSorted((a, b) => membersIn(a) - membersIn(b));
    for (const operation of fixedFirst) {
      const { method, parts } = routeOf(operation);
      if (membersIn(operation) === 0) this.#fixed.set(`${method} /v1/${parts.join("/")}`, { operation, members: {} });
      this.#router.add(
        method,
        `/v1/${parts.map((part) => (memberOf(part) === undefined ? part : `:${memberOf(part)}`)).join("/")}`,
        operation,
      );
    }
  }

  /** The methods that a path has, for Allow; empty: no operation is there. */
  methodsOf(path: string): readonly string[] {
    const own = (["GET", "POST"] as const).filter((method) => this.#find(method, path) !== undefined);
    return own.includes("GET") ? ["GET", "HEAD", ...own.slice(1), "OPTIONS"] : own.length > 0 ? [...own, "OPTIONS"] : [];
  }

  async answer(inbound: InboundHere, traceId: string): Promise<ServedAnswer> {
    const { path } = inbound;
    const method = inbound.method === "HEAD" ? "GET" : inbound.method;
    const found = method === "GET" || method === "POST" ? this.#find(method, path) : undefined;
    const admitted = await this.#path.admit(inbound, traceId);
    let handedOver = false;
    try {
      if (found === undefined) throw notFound(path, inbound.method, this.methodsOf(path));
      const input = await inputOf(found, inbound);
      if (this.#stream !== undefined && operationSpecs[found.operation].streams === true && wantsStream(found.operation, inbound.headers)) {
        const answer = await this.#stream(found.operation, admitted, input);
        handedOver = true;
        return answer;
      }
      const reply = await this.#path.perform(admitted, found.operation, input);
      return answerOf(reply, inbound);
    } finally {
      if (!handedOver) admitted.end();
    }
  }

  #find(method: "GET" | "POST", path: string): Found | undefined {
    const fixed = this.#fixed.get(`${method} ${path}`);
    if (fixed !== undefined) return fixed;
    const [matches] = this.#router.match(method, path);
    const first = matches[0] as [Operation, Record<string, string>] | undefined;
    if (first === undefined) return undefined;
    const [operation, raw] = first;
    const members: Record<string, unknown> = {};
    for (const [name, segment] of Object.entries(raw)) {
      const id = idOf(segment);
      if (id === undefined || id === "") return undefined;
      members[name] = numberMembers.has(name) ? numberOf(id) : id;
    }
    return { operation, members };
  }
}

function membersIn(operation: Operation): number {
  return routeOf(operation).parts.filter((part) => memberOf(part) !== undefined).length;
}

function notFound(path: string, method: string, allowed: readonly string[]): Error {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  const spelt = path.split("/").every((part) => idOf(part) !== undefined);
  const why = spelt ? "" : ": a part of it is neither percent-encoded UTF-8 nor ~ and base64url";
  if (allowed.length === 0) return new PawlError("PAWL4093", `there is nothing at ${shown}${why}`);
  return new Refusal(new PawlError("PAWL4093", `${method} is not possible at ${shown}`), { allow: allowed.join(", ") }, 405);
}

function wantsStream(operation: Operation, headers: HeaderReader): boolean {
  return operation === "runs.watch" || (headers.get("accept") ?? "").includes("text/event-stream");
}

async function inputOf({ operation, members }: Found, inbound: Inbound): Promise<Members> {
  const query = queryMembers(inbound.query);
  const body = inbound.method === "POST" ? await bodyMembers(inbound, operation) : {};
  for (const name of Object.keys(query))
    if (Object.hasOwn(body, name) && body[name] !== query[name]) throw givenTwice(name, "in the query and in the body, and they differ");
  const input: Record<string, unknown> = { ...query, ...body };
  for (const [name, value] of Object.entries(members)) {
    if (Object.hasOwn(input, name) && input[name] !== value) throw givenTwice(name, "in the path and in the request, and they differ");
    input[name] = value;
  }
  return withHeaders(operation, input, inbound.headers);
}

function givenTwice(name: string, where: string): PawlError {
  return new PawlError("PAWL4011", `${name.slice(0, 64)} is ${where}: send it once`, {
    errors: [{ pointer: `/${pointerPart(name.slice(0, 64))}`, message: "is given twice" }],
  });
}

function queryMembers(query: URLSearchParams): Members {
  const given = membersOf(query);
  if (given === undefined) {
    const names = [...query.keys()];
    throw givenTwice(names.find((name, i) => names.indexOf(name) < i) ?? "a member", "in the query twice");
  }
  const { values: _, ...members } = given;
  for (const name of Object.keys(members)) if (numberMembers.has(name)) members[name] = numberOf(members[name] as string);
  return members;
}

/** Text that is not a number stays what it is; the schema refuses it. */
function numberOf(text: string): string | number {
  return /^-?\d{1,16}(\.\d{1,3})?$/.test(text) ? Number(text) : text;
}

async function bodyMembers(inbound: Inbound, operation: Operation): Promise<Members> {
  const text = await readBodyText(inbound, operation === "events.append" ? appendBytesMax : bodyBytesMax);
  if (text === "") return {};
  const encoding = encodingOfType(inbound.headers.get("content-type")) ?? "plain";
  const value = decodeValue(parseJson(text, encoding), encoding);
  if (typeof value !== "object" || value === null || Array.isArray(value) || Object.getPrototypeOf(value) !== Object.prototype)
    throw new PawlError("PAWL4011", "the body must be an object");
  return value as Members;
}

/** What headers say: the operation's own id, and how long to wait. */
function withHeaders(operation: Operation, input: Members, headers: HeaderReader): Members {
  const { idempotentBy } = operationSpecs[operation];
  const key = headers.get("idempotency-key");
  let all = input;
  if (key !== null) {
    if (idempotentBy === undefined) throw new PawlError("PAWL4011", `${operation} takes no Idempotency-Key`);
    // Bytes beyond ASCII are read as Latin-1 by some and as UTF-8 by others: it would be another id than the same text in a body.
    if (/[^ -~]/.test(key)) throw new PawlError("PAWL4011", `Idempotency-Key is ASCII: send other text as ${idempotentBy}, in the body`);
    const id = unquoted(key);
    if (id === undefined) throw new PawlError("PAWL4011", "Idempotency-Key is one key, bare or as quoted text");
    if (all[idempotentBy] !== undefined && all[idempotentBy] !== id)
      throw new PawlError("PAWL4011", `Idempotency-Key and ${idempotentBy} differ: send one of them, or the same in both`);
    all = { ...all, [idempotentBy]: id };
  }
  const wait = /(?:^|[,;\s])wait\s*=\s*("?)(\d+)\1(?:$|[,;\s])/i.exec(headers.get("prefer") ?? "")?.[2];
  if (wait !== undefined && operation === "runs.start" && all["wait"] === undefined) all = { ...all, wait: Math.min(Number(wait), 30) };
  return all;
}

/** A structured header is quoted text; most callers send it bare. */
function unquoted(value: string): string | undefined {
  if (!value.startsWith('"')) return value;
  return /^"(?:[^"\\]|\\["\\])*"$/.test(value) ? value.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : undefined;
}

const statusOfOutcome = { created: 201, pending: 202 } as const;

function answerOf(reply: Reply<unknown>, inbound: InboundHere): ServedAnswer {
  const headers: Record<string, string> = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (reply.at !== undefined) headers["location"] = relativeTo(inbound.path, reply.at);
  if (reply.replayed === true) headers["idempotency-replayed"] = "true";
  const status = reply.outcome === undefined ? 200 : statusOfOutcome[reply.outcome];
  if (reply.file !== undefined) {
    headers["content-type"] = reply.file.type;
    headers["content-disposition"] = `attachment; filename="${reply.file.name}"`;
    return { status, headers, body: reply.body as Uint8Array<ArrayBuffer> };
  }
  const encoding = encodingOfAccept(inbound.headers.get("accept"));
  headers["content-type"] = encoding === "exact" ? exactType : "application/json";
  headers["vary"] = "accept";
  return { status, headers, body: encodeValue(reply.body, encoding) };
}

/** A reference that holds wherever the server is mounted: up to /v1, then down. */
function relativeTo(path: string, at: readonly string[]): string {
  const levels = path.split("/").length - 3;
  return `${levels > 0 ? "../".repeat(levels) : ""}${at.map(encodeURIComponent).join("/")}`;
}
