// A POST to real servers on loopback: what arrives, what comes back, and everything that can go wrong with a receiver. Names are
// resolved by the machine; localhost is a name that every one has.
import dns from "node:dns/promises";
import { EventEmitter } from "node:events";
import http, { createServer, type IncomingMessage, type RequestOptions, type ServerResponse } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { createServer as createSocketServer, type AddressInfo, type Server } from "node:net";
import { afterEach, expect, it } from "vitest";
import { httpPost, type HttpPostResult, type HttpPostRequest } from "./post.ts";

const open: Server[] = [];
afterEach(async () => {
  for (const s of open.splice(0))
    await new Promise<void>(
      (done) => (
        s.close(() => done()),
        "closeAllConnections" in s && (s as never as { closeAllConnections(): void }).closeAllConnections()
      ),
    );
});

async function listening(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}
async function serve(answer: (q: IncomingMessage, r: ServerResponse, body: string) => void): Promise<string> {
  const server = createServer((q, r) => {
    let body = "";
    q.on("data", (d: Buffer) => (body += String(d)));
    q.on("end", () => answer(q, r, body));
  });
  return `http://127.0.0.1:${await listening(server)}/hook?x=1`;
}
const send = (url: string, o: Partial<HttpPostRequest> = {}): Promise<HttpPostResult> =>
  httpPost({ url: new URL(url), headers: { "x-a": "b" }, body: "héllo", timeoutMs: 20_000, allowPrivate: true, ...o });

it("the body, its length and the headers arrive; the status and Retry-After come back", async () => {
  const seen: unknown[] = [];
  const url = await serve((q, r, body) => {
    seen.push([q.method, q.url, q.headers["x-a"], q.headers["content-length"], q.headers.connection, body]);
    r.writeHead(503, { "retry-after": "7" }).end("busy");
  });
  expect(await send(url)).toEqual({ kind: "answered", status: 503, retryAfter: "7" });
  expect(seen).toEqual([["POST", "/hook?x=1", "b", "6", "close", "héllo"]]);
});

it("a redirect is an answer, and is not followed", async () => {
  let asked = 0;
  const url = await serve((_, r) => {
    asked++;
    r.writeHead(307, { location: "/elsewhere" }).end();
  });
  expect(await send(url)).toMatchObject({ kind: "answered", status: 307 });
  expect(asked).toBe(1);
});

it("of a name's addresses only the public ones are tried, wherever among them a private one stands", async () => {
  const real = { lookup: dns.lookup, request: http.request };
  const tried: unknown[] = [];
  const at = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));
  let found = at("93.184.216.34", "127.0.0.1", "10.0.0.1", "93.184.216.35");
  dns.lookup = (async () => found) as never;
  // Nothing leaves this machine: it says where it would go.
  http.request = ((_url: URL, o: RequestOptions) => {
    o.lookup!("x", { all: true }, (_e, list) => tried.push(list));
    o.lookup!("x", {}, (_e, one) => tried.push(one));
    const request = Object.assign(new EventEmitter(), { end: () => queueMicrotask(() => request.emit("error", new Error("no"))) });
    return request;
  }) as never;
  syncBuiltinESMExports();
  try {
    expect(await send("http://receiver.example/", { allowPrivate: false })).toMatchObject({ kind: "unanswered", blocked: false });
    expect(tried).toEqual([at("93.184.216.34", "93.184.216.35"), "93.184.216.34"]);
    found = at("127.0.0.1", "93.184.216.34");
    await send("http://receiver.example/", { allowPrivate: false });
    expect(tried.slice(2)).toEqual([at("93.184.216.34"), "93.184.216.34"]);
  } finally {
    dns.lookup = real.lookup;
    http.request = real.request;
    syncBuiltinESMExports();
  }
});

it("private addresses are not talked to, by number, by name or in the clothes of IPv6", async () => {
  let asked = 0;
  const url = await serve((_, r) => (asked++, r.end()));
  const { port } = new URL(url);
  const blocked = ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "0.0.0.0"];
  for (const host of blocked)
    expect(await send(`http://${host}:${port}/`, { allowPrivate: false }), host).toMatchObject({ kind: "unanswered", blocked: true });
  expect(asked).toBe(0);
  expect(await send(`http://localhost:${port}/`)).toMatchObject({ kind: "answered", status: 200 });
});

it("nobody there, a line that breaks, and a name that is none are said as values", async () => {
  const port = await listening(createSocketServer((s) => s.destroy()));
  expect(await send(`http://127.0.0.1:${port}/`)).toEqual({ kind: "unanswered", reason: "ECONNRESET", blocked: false });
  const nobody = createSocketServer();
  const free = await listening(nobody);
  await new Promise<void>((done) => open.pop()!.close(() => done()));
  expect(await send(`http://127.0.0.1:${free}/`)).toEqual({ kind: "unanswered", reason: "ECONNREFUSED", blocked: false });
  expect(await send("http://no-such-host.invalid/")).toMatchObject({ kind: "unanswered", blocked: false });
  expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ kind: "unanswered", blocked: false });
});

it("a receiver that would rather speak another protocol has answered, and the line is closed", async () => {
  for (const upgrade of ["Upgrade: websocket\r\nConnection: Upgrade\r\n", ""]) {
    const closed: Promise<void>[] = [];
    const server = createSocketServer((s) => {
      closed.push(new Promise((done) => s.once("close", () => done())));
      s.on("error", () => {}).once("data", () => s.write(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n`));
    });
    const answer = await send(`http://127.0.0.1:${await listening(server)}/`, { timeoutMs: 1_000 });
    expect(answer).toMatchObject({ kind: "answered", status: 101 });
    await Promise.all(closed);
  }
});

it("a receiver that says nothing costs the time limit and no more, and can be given up before", async () => {
  const url = await serve(() => {});
  expect(await send(url, { timeoutMs: 30 })).toEqual({ kind: "unanswered", reason: "no answer within 30 ms", blocked: false });
  const abort = new AbortController();
  const given = send(url, { signal: abort.signal });
  abort.abort();
  expect(await given).toEqual({ kind: "unanswered", reason: "given up", blocked: false });
});

it("the status counts, whatever becomes of the body: too long, never ending, cut off", async () => {
  const long = await serve((_, r) => {
    r.writeHead(200);
    const more = (): void => {
      while (!r.destroyed && r.write("x".repeat(65_536)));
      if (!r.destroyed) r.once("drain", more);
    };
    more();
  });
  expect(await send(long)).toMatchObject({ kind: "answered", status: 200 });
  const slow = await serve((_, r) => void r.writeHead(202).write("x"));
  expect(await send(slow, { timeoutMs: 100 })).toMatchObject({ kind: "answered", status: 202 });
  const cut = await serve((_, r) => {
    r.writeHead(200, { "content-length": "100" }).write("x", () => r.destroy());
  });
  expect(await send(cut)).toMatchObject({ kind: "answered", status: 200 });
});
