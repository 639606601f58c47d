// REST over a real socket: routes, statuses, headers, ids in paths, values.
// Everything is asked as a caller would ask it.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { approval, order, rawRequest, serve, type Served } from "./serve.ts";
import { addressOf, segmentOf } from "../../src/api/address.ts";

/** Answers an update with twice its number once it was told to go. */
const asked = workflow({ name: "asked", signals: { go: z.any() }, updates: { double: { input: z.number() } } }, async (ctx) => {
  await ctx.receive("go");
  ctx.onUpdate("double", (n: number) => (2 * n) as never);
  await ctx.sleep("on", "1h");
});

/** Sends all of a large start and another request after it before it reads anything; what it is answered. */
function sendBeforeReading(port: number, body: string): Promise<string> {
  const head = `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return new Promise((resolve) => {
    let answers = "";
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {}).on("close", () => resolve(answers));
    socket.write(head + body + "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", () => {
      socket.on("data", (part: Buffer) => (answers += part.toString("latin1")));
    });
  });
}

describe("REST", () => {
  let s: Served;
  beforeAll(async () => {
    s = await serve({ workflows: [order, approval, asked] });
  });
  afterAll(() => s.close());

  it("creates a run with 201 and says where it is, relative to the request", async () => {
    const made = await s.post("/v1/runs", { workflow: "order", input: { a: 1 }, id: "rest-1" });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ workflowId: "rest-1", created: true, replayed: false, served: true });
    const at = new URL(made.headers.get("location")!, `${s.url}/v1/runs`);
    expect(at.pathname).toBe(`/v1/runs/${made.json.runId}`);
    expect((await s.get(at.pathname)).json).toMatchObject({ workflowId: "rest-1", workflow: "order" });
  });

  it("answers the same start again with 200, and a known key as a replay", async () => {
    const body = { workflow: "order", input: { a: 1 }, id: "rest-2" };
    const first = await s.post("/v1/runs", body, { "idempotency-key": "key-2" });
    const again = await s.post("/v1/runs", body, { "idempotency-key": "key-2" });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.json).toMatchObject({ runId: first.json.runId, created: false, replayed: true });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(first.headers.get("idempotency-replayed")).toBeNull();
  });

  it("refuses another request under a key with 422, and does not tell the run that has it; another input under an id alone is 409", async () => {
    const body = { workflow: "order", input: { a: 1 }, id: "rest-key" };
    const first = await s.post("/v1/runs", body, { "idempotency-key": "key-one" });
    for (const [differs, other] of [
      ["input", { ...body, input: { a: 2 } }],
      ["id", { ...body, id: "rest-key-2" }],
      ["workflow", { ...body, workflow: "approval" }],
    ] as const) {
      const refused = await s.post("/v1/runs", other, { "idempotency-key": "key-one" });
      expect(refused).toMatchObject({ status: 422, json: { page: "PAWL4053", title: "StartKeyReused", data: { differs } } });
      expect(refused.text).not.toContain(first.json.runId);
      const called = await s.rpc({ jsonrpc: "2.0", id: 1, method: "runs.start", params: { ...other, idempotencyKey: "key-one" } });
      expect(called.json.error).toMatchObject({ code: -32602, data: { page: "PAWL4053" } });
    }
    const taken = await s.post("/v1/runs", { ...body, input: { a: 2 } });
    expect(taken).toMatchObject({ status: 409, json: { page: "PAWL4009" } });
  });

  it("takes the key from the header or the body, and refuses two that differ", async () => {
    const body = { workflow: "order", id: "rest-3", idempotencyKey: "k-3" };
    expect((await s.post("/v1/runs", body, { "idempotency-key": '"k-3"' })).status).toBe(201);
    const differ = await s.post("/v1/runs", body, { "idempotency-key": "other" });
    expect(differ.status).toBe(422);
    expect(differ.json.detail).toContain("Idempotency-Key");
    expect((await s.post("/v1/webhooks/x/test", {}, { "idempotency-key": "k" })).status).toBe(422);
    const latin = await s.post("/v1/runs", { workflow: "order", id: "rest-3" }, { "idempotency-key": "k-\u00e9" });
    expect([latin.status, latin.json.detail]).toEqual([422, expect.stringContaining("idempotencyKey, in the body")]);
  });

  it("waits with Prefer: wait, and answers 202 for a run that has not ended", async () => {
    const ended = await s.post("/v1/runs", { workflow: "order", input: 7, id: "rest-4" }, { prefer: "respond-async, wait=20" });
    expect(ended.status).toBe(200);
    expect(ended.json.end).toMatchObject({ status: "COMPLETED", result: { input: 7, first: 1 } });
    for (const [i, prefer] of ["Wait=20", 'wait="20"', "wait = 20; x=1", "wait=99999"].entries())
      expect((await s.post("/v1/runs", { workflow: "order", id: `rest-4-${i}` }, { prefer })).json.end?.status, prefer).toBe("COMPLETED");
    const waits = await s.post("/v1/runs", { workflow: "approval", id: "rest-5" }, { prefer: "wait=1" });
    expect(waits.status).toBe(202);
    expect(waits.json).not.toHaveProperty("end");
    const pending = await s.get("/v1/runs/rest-5/result");
    expect(pending.status).toBe(202);
    expect(pending.json).toMatchObject({ pending: true });
    expect(pending.headers.get("location")).toBe(`../../runs/${pending.json.runId}/result`);
  });

  it("an update that outlives its wait is 202 with its place; sent again under its id it is the same one, and says so", async () => {
    await s.post("/v1/runs", { workflow: "asked", id: "rest-u" });
    const update = (more: object): ReturnType<Served["post"]> =>
      s.post("/v1/runs/rest-u/updates", { name: "double", payload: 21, ...more });
    const late = await update({ updateId: "u/1", wait: 0 });
    expect([late.status, late.json]).toEqual([202, { updateId: "u/1", pending: true, replayed: false }]);
    expect(late.headers.get("idempotency-replayed")).toBeNull();
    const place = new URL(late.headers.get("location")!, `${s.url}/v1/runs/rest-u/updates`).pathname;
    expect((await s.get(place)).json.state).toBe("accepted");
    const again = await update({ updateId: "u/1", wait: 0 });
    expect([again.status, again.json.replayed, again.headers.get("idempotency-replayed")]).toEqual([202, true, "true"]);
    await s.post("/v1/runs/rest-u/signals", { name: "go", payload: 1 });
    const answered = await s.post("/v1/runs/rest-u/updates", { name: "double", payload: 21, wait: 30 }, { "idempotency-key": "u/1" });
    expect([answered.status, answered.json]).toEqual([200, { updateId: "u/1", answer: 42, replayed: true }]);
    expect((await s.get(place)).json).toMatchObject({ state: "delivered", answer: 42 });
    const fresh = await update({ wait: 30 });
    expect([fresh.status, fresh.json]).toEqual([200, { updateId: expect.any(String) as string, answer: 42, replayed: false }]);
  });

  it("a control waits for the run's owner as long as it is told to", async () => {
    for (const id of ["rest-w0", "rest-w1"]) await s.post("/v1/runs", { workflow: "approval", id });
    const posted = await s.post("/v1/runs/rest-w0/cancel", { wait: 0 });
    expect([posted.status, posted.json.state]).toEqual([202, "posted"]);
    const applied = await s.post("/v1/runs/rest-w1/cancel", { wait: 30 });
    expect([applied.status, applied.json.state]).toEqual([200, "applied"]);
    expect((await s.post("/v1/runs/rest-w1/cancel", { wait: 31 })).status).toBe(422);
  });

  it("takes ids in every spelling: escaped, or as base64url where a proxy could change them", async () => {
    for (const id of ["order/42", "..", "~tilde", "ä b?&#%", "a.b:c@d-e", "count", "guarantees"]) {
      await s.post("/v1/runs", { workflow: "order", id });
      expect((await s.get(addressOf("runs.get", { id }).path)).json.workflowId).toBe(id);
      expect((await s.get(`/v1/runs/${segmentOf(id)}/events`)).json.items[0].eventType).toBe("RunStarted");
      if (/[^.a-z]/.test(id) && !id.startsWith("~")) expect((await s.get(`/v1/runs/${encodeURIComponent(id)}`)).json.workflowId).toBe(id);
    }
    expect((await s.get("/v1/runs/%zz")).status).toBe(404);
    expect((await s.get("/v1/runs/~%%%")).status).toBe(404);
    expect((await s.get("/v1/runs/counts/steps")).json.page).toBe("PAWL4001");
  });

  it("has 404 for unknown paths, 405 with Allow, HEAD and OPTIONS", async () => {
    const nothing = await s.get("/v1/nothing");
    expect([nothing.status, nothing.json.page]).toEqual([404, "PAWL4093"]);
    expect(nothing.headers.get("content-type")).toBe("application/problem+json");
    const put = await rawRequest(s.port, { method: "PUT", path: "/v1/runs" });
    expect([put.status, put.headers["allow"]]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    const post = await s.post("/v1/engines", {});
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const head = await rawRequest(s.port, { method: "HEAD", path: "/v1/version" });
    expect([head.status, head.text]).toEqual([200, ""]);
    const options = await rawRequest(s.port, { method: "OPTIONS", path: "/v1/runs" });
    expect([options.status, options.headers["allow"]]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
  });

  it("answers a missing run as a problem with every member", async () => {
    const { status, json } = await s.get("/v1/runs/missing", { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` });
    expect(status).toBe(404);
    expect(json).toMatchObject({
      title: "RunNotFound",
      status: 404,
      code: "PAWL4001",
      page: "PAWL4001",
      outcome: "none",
      retryable: false,
      data: { id: "missing" },
      traceId: "a".repeat(32),
    });
    expect(json.fix).not.toBe("");
  });

  it("refuses bodies that are malformed, of another type, compressed or too large", async () => {
    expect((await s.post("/v1/runs", "{")).status).toBe(400);
    expect((await s.post("/v1/runs", "[]")).status).toBe(422);
    expect((await s.post("/v1/runs", "x", { "content-type": "text/plain" })).status).toBe(415);
    expect((await s.post("/v1/runs", "{}", { "content-encoding": "gzip" })).status).toBe(415);
    expect((await s.post("/v1/runs", `${"[".repeat(65)}${"]".repeat(65)}`)).status).toBe(400);
    const large = await s.post("/v1/runs", JSON.stringify({ workflow: "order", input: "x".repeat(1_200_000) }));
    expect([large.status, large.json.page]).toEqual([413, "PAWL4087"]);
    // Who reads no answer before all was sent gets it as well: what was announced may still arrive.
    const answers = await sendBeforeReading(s.port, JSON.stringify({ workflow: "order", input: "x".repeat(20_000_000) }));
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
    const bytes = await fetch(`${s.url}/v1/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new Uint8Array([0x22, 0xff, 0x22]),
    });
    expect(bytes.status).toBe(400);
  });

  it("pages through a list, and refuses a cursor with another filter", async () => {
    for (const n of [1, 2, 3]) await s.post("/v1/runs", { workflow: "order", id: `page-${n}`, tags: { list: "cursor" } });
    const first = await s.get("/v1/runs?tags.list=cursor&limit=2");
    expect(first.json.items).toHaveLength(2);
    const cursor = encodeURIComponent(first.json.nextCursor);
    const rest = await s.get(`/v1/runs?tags.list=cursor&limit=1000&cursor=${cursor}`);
    expect(rest.json.items.map((r: { workflowId: string }) => r.workflowId)).toEqual(["page-1"]);
    expect(rest.json.nextCursor).toBeUndefined();
    const other = await s.get(`/v1/runs?workflow=order&cursor=${cursor}`);
    expect([other.status, other.json.page]).toEqual([422, "PAWL4082"]);
    const below = await s.get("/v1/runs?limit=-5");
    expect([below.status, below.json.detail]).toEqual([422, "runs.list: /limit must be at least 1"]);
  });

  it("sends exact values to those who ask for them, and plain JSON to everybody else", async () => {
    const exact = "application/vnd.pawl+json";
    const body = `{"workflow":"order","id":"exact","input":{"at":{"$pawl":["date",0]},"n":{"$pawl":["bigint","12"]}}}`;
    expect((await s.post("/v1/runs", body, { "content-type": exact })).status).toBe(201);
    const plain = await s.get("/v1/runs/exact/result?wait=20");
    expect(plain.json.result.input).toEqual({ at: "1970-01-01T00:00:00.000Z", n: "12" });
    const same = await s.get("/v1/runs/exact/result", { accept: exact });
    expect(same.headers.get("content-type")).toBe(exact);
    expect(same.json.result.input).toEqual({ at: { $pawl: ["date", 0] }, n: { $pawl: ["bigint", "12"] } });
  });
});
