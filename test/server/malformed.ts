// Requests that nobody should send, made from a seed: broken HTTP, odd paths and headers, bodies of wrong shapes, deep, huge, with keys that pollute
// prototypes, and hostile text in every place that takes text. Each is bytes for a socket.
import { operations, operationSpecs, type Operation } from "../../src/api/operations.ts";

export type Below = (below: number) => number;

export interface Malformed {
  readonly bytes: Buffer;
  /** The caller leaves before the answer. */
  readonly cut: boolean;
}

const names = Object.keys(operations) as Operation[];

/** Texts that break parsers, stores, logs, shells and pages. */
const texts: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "..",
  "../../etc/passwd",
  "%2e%2e%2f",
  "%00",
  "%zz",
  "%ED%A0%80",
  "\u{1f600}".repeat(40),
  "\ud800",
  "\ufeff",
  "\u202e",
  "é".repeat(600),
  "a".repeat(5_000),
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "' or 1=1 --",
  "'; drop table runs; --",
  "$(id)",
  "${7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "\r\nSet-Cookie: x=1",
  "|",
  "RUN",
  "~",
  "~%%",
  "~AAAA",
  "NaN",
  "-1",
  "1e309",
  "9007199254740993",
  "0x10",
  "null",
  "true",
  "[object Object]",
  "2026-13-45T99:99:99Z",
  "file:///etc/passwd",
  "http://169.254.169.254/",
];

const numbers = ["0", "-1", "1.5", "1e308", "1e400", "9007199254740993", "-0", "123456789012345678901234567890"];
const members = [
  ..."id workflow workflowId version input tags status limit cursor wait reason requestId expectHead dryRun name payload signalId".split(
    " ",
  ),
  ..."updateId fromStep rerun by filter action max key decisionId answer event events validate first url secret allowInsecure what".split(
    " ",
  ),
  ..."since until subject scopes ttlMs kind allow type idempotencyKey onConflict delayMs deadlineMs after before types seq".split(" "),
  ..."__proto__ constructor prototype $pawl toJSON then length".split(" "),
];
const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "G\u0001T", ""];
const types = [
  "application/json",
  "application/json; charset=utf-16",
  "application/vnd.pawl+json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json, text/plain",
  "",
  "json",
];
const oddHeaders = [
  "Idempotency-Key: ",
  'Idempotency-Key: "unclosed',
  "Idempotency-Key: a\r\nIdempotency-Key: b",
  `Idempotency-Key: ${"k".repeat(4_000)}`,
  "Prefer: wait=99999999999",
  "Prefer: wait=-1, wait=2",
  "traceparent: 00-zz-zz-00",
  `traceparent: 00-${"0".repeat(32)}-${"0".repeat(16)}-00`,
  "Accept: */*;q=2, text/event-stream;;;",
  "Accept: text/event-stream",
  "Accept: application/vnd.pawl+json",
  "Authorization: Bearer",
  "Authorization: Bearer pawl_x",
  "Authorization: Basic !!!",
  `Authorization: Bearer ${"x".repeat(6_000)}`,
  "Cookie: =; ;; a",
  "Origin: null",
  "Origin: http://127.0.0.1.evil",
  "Sec-Fetch-Site: cross-site",
  "X-HTTP-Method-Override: DELETE",
  "X-Forwarded-For: ,,,,;drop",
  "Last-Event-ID: x:y",
  "Range: bytes=0-1",
  "If-None-Match: *",
  "Expect: 100-continue",
  "Upgrade: websocket\r\nConnection: Upgrade",
  "Content-Encoding: gzip",
  "Transfer-Encoding: identity",
  "X: \u0001",
  " X: folded",
  ": empty",
];

export function malformedRequest(below: Below): Malformed {
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const kind = below(20);
  if (kind === 0) return { bytes: garbage(below), cut: false };
  const rpc = kind < 6;
  const operation = pick(names);
  const [verb = "GET", route = "/"] = operationSpecs[operation].rest.split(" ");
  const method = kind === 6 ? pick(methods) : rpc ? "POST" : verb;
  const path = rpc ? "/rpc" : pathOf(route, below, pick);
  const value = rpc ? callOf(operation, below, pick) : valueOf(below, pick, 0);
  const body = method === "GET" || method === "HEAD" ? Buffer.alloc(0) : bodyOf(value, below);
  const headers = [
    `Host: ${below(10) === 0 ? pick(["evil.example", "", "[::", "a b", "127.0.0.1:99999"]) : "127.0.0.1"}`,
    `Content-Type: ${below(4) === 0 ? pick(types) : "application/json"}`,
    // Every caller seems to be somebody else: an address that fails too often would be refused before anything is looked at.
    `X-Forwarded-For: ${below(256)}.${below(256)}.${below(256)}.${below(256)}`,
    ...(below(3) === 0 ? [pick(oddHeaders)] : []),
    ...(below(200) === 0 ? Array.from({ length: 300 }, (_, i) => `X-Many-${i}: ${i}`) : []),
    `Content-Length: ${below(60) === 0 ? pick(["-1", "abc", String(body.length + 9), "99999999999"]) : body.length}`,
    ...(method === "HEAD" || method === "OPTIONS" ? ["Connection: close"] : []),
  ];
  const head = `${method} ${path} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head, "utf8"), body]);
  // An answer cannot come where the body is announced longer than it is: the caller leaves.
  const waits = /Content-Length: \d/.test(head) && !head.includes(`Content-Length: ${body.length}\r`);
  return { bytes, cut: waits || method === "HEAD" || below(100) === 0 };
}

type Pick = <T>(list: readonly T[]) => T;

function garbage(below: Below): Buffer {
  const bytes = Buffer.from(Array.from({ length: 1 + below(200) }, () => below(256)));
  const starts = [
    "",
    "GET / HTTP/1.1\r\n",
    "POST /rpc HTTP/9.9\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\x16\x03\x01",
    "GET http://[ HTTP/1.1\r\n",
  ];
  return Buffer.concat([Buffer.from(starts[below(starts.length)]!, "latin1"), bytes, Buffer.from("\r\n\r\n")]);
}

function pathOf(route: string, below: Below, pick: Pick): string {
  const spelt = (text: string): string => (below(3) === 0 ? text.replaceAll(/[\s\0]/g, "%20") : encodeURIComponent(wellFormed(text)));
  const path = `/v1${route.replaceAll(/\{\w+\}/g, () => spelt(pick(texts)).slice(0, 3_000))}`;
  const query = Array.from({ length: below(4) }, () => `${encodeURIComponent(pick(members))}=${spelt(pick(texts)).slice(0, 3_000)}`).join(
    "&",
  );
  const odd =
    below(30) === 0 ? pick(["//", "/v2/runs", "/v1/../rpc", "/v1/runs/", "*", "http://evil/v1/runs", "/%2f%2f", "/v1\\runs"]) : path;
  return query === "" ? odd : `${odd}?${query}`;
}

const wellFormed = (text: string): string => Buffer.from(text).toString();

function callOf(operation: Operation, below: Below, pick: Pick): unknown {
  if (below(8) === 0) return valueOf(below, pick, 0);
  const call = {
    jsonrpc: below(12) === 0 ? pick([1, "1.0", null]) : "2.0",
    id: below(6) === 0 ? valueOf(below, pick, 3) : 1,
    method: below(10) === 0 ? pick(texts) : operation,
    params: valueOf(below, pick, 0),
  };
  return below(6) === 0 ? Array.from({ length: below(60) }, () => call) : call;
}

function valueOf(below: Below, pick: Pick, depth: number): unknown {
  switch (below(depth > 4 ? 4 : 9)) {
    case 0:
      return pick(texts);
    case 1:
      return pick([0, -1, 1.5, true, false, null, 1e308, Number.MAX_SAFE_INTEGER]);
    case 2:
      return { $number: pick(numbers) };
    case 3:
      return pick([
        {},
        [],
        [[]],
        { $pawl: "NaN" },
        { $pawl: ["date", "x"] },
        { $pawl: ["bigint", "9".repeat(2_000)] },
        { $pawl: ["map", [[1]]] },
      ]);
    case 4:
      return Array.from({ length: below(5) }, () => valueOf(below, pick, depth + 1));
    default:
      return Object.fromEntries(Array.from({ length: below(7) }, () => [pick(members), valueOf(below, pick, depth + 1)]));
  }
}

function bodyOf(value: unknown, below: Below): Buffer {
  // Numbers that JavaScript cannot hold are written as they are.
  const text = JSON.stringify(value)?.replaceAll(/\{"\$number":"([^"]+)"\}/g, "$1") ?? "";
  switch (below(24)) {
    case 0:
      return Buffer.from(text.slice(0, below(text.length + 1)));
    case 1:
      return Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, below(256)])]);
    case 2:
      return Buffer.from("[".repeat(70 + below(5_000)));
    case 3:
      return Buffer.from(`${'{"a":'.repeat(100)}1${"}".repeat(100)}`);
    case 4:
      return Buffer.from(`{"workflow":"order","input":"${"x".repeat(below(40) === 0 ? 1_200_000 : 2_000)}"`);
    case 5:
      return Buffer.from(`\ufeff${text}`);
    case 6:
      return Buffer.from(text.replace("{", '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},'));
    default:
      return Buffer.from(text);
  }
}
