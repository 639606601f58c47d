// Requests that contradict themselves, ask in the wrong way, or ask for more than a database should be asked: each is answered with its place and a fix,
// and does nothing. What a schema cannot say of them is tried here; what it can is tried in extremes.test.ts.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approval, order, rawRequest, serve, type Answer, type Served } from "./serve.ts";

describe("a request that is refused", () => {
  let s: Served;
  beforeAll(async () => {
    s = await serve({ workflows: [order, approval] });
  });
  afterAll(() => s.close());

  const places = ({ json }: Answer): unknown => (json.errors as { pointer: string }[]).map((e) => e.pointer);

  it("asks for something with a method that is not for it: 405, and Allow names those that are", async () => {
    const read = "GET, HEAD, OPTIONS";
    const own: readonly (readonly [method: string, path: string, allow: string])[] = [
      ["POST", "/livez", read],
      ["DELETE", "/readyz", read],
      ["PUT", "/metrics", read],
      ["POST", "/openapi.json", read],
      ["POST", "/", read],
      ["GET", "/session", "POST, DELETE, OPTIONS"],
      ["GET", "/mcp", "POST, OPTIONS"],
      ["GET", "/rpc", "POST, OPTIONS"],
      ["PATCH", "/v1/runs", "GET, HEAD, POST, OPTIONS"],
    ];
    for (const [method, path, allow] of own) {
      const refused = await rawRequest(s.port, { method, path });
      expect([refused.status, refused.headers["allow"]], `${method} ${path}`).toEqual([405, allow]);
      expect(refused.text, `${method} ${path}`).toContain("PAWL4093");
      const options = await rawRequest(s.port, { method: "OPTIONS", path });
      expect([options.status, options.headers["allow"]], path).toEqual([204, allow]);
    }
  });

  it("says a member twice, and differs: in the path, the query, the body or a header", async () => {
    const both = await s.post("/v1/runs?workflow=order", { workflow: "approval", id: "twice" });
    expect([both.status, both.json.page, places(both)]).toEqual([422, "PAWL4011", ["/workflow"]]);
    const path = await s.post("/v1/runs/twice/signals", { id: "other", name: "approved" });
    expect([path.status, places(path)]).toEqual([422, ["/id"]]);
    const query = await s.get("/v1/runs?limit=1&limit=2");
    expect([query.status, places(query), query.json.detail]).toEqual([422, ["/limit"], "limit is in the query twice: send it once"]);
    for (const key of ['"open', '"a", "b"', '"a\\b"']) {
      const keyed = await s.post("/v1/runs", { workflow: "order", id: "twice" }, { "idempotency-key": key });
      expect([keyed.status, keyed.json.page], key).toEqual([422, "PAWL4011"]);
    }
    expect((await s.get("/v1/runs/twice")).status).toBe(404);
    expect((await s.post("/v1/runs?workflow=order", { workflow: "order", id: "once" })).status).toBe(201);
  });

  it("is written in another encoding than JSON's, or has a path that is spelt wrong", async () => {
    for (const type of ["application/json; charset=utf-16", "application/json;charset=latin1"])
      expect((await s.post("/v1/runs", { workflow: "order" }, { "content-type": type })).status, type).toBe(415);
    for (const type of ["application/json; charset=UTF-8", 'application/json; charset="utf-8"'])
      expect((await s.post("/v1/runs", { workflow: "order" }, { "content-type": type })).status, type).toBe(201);
    for (const id of ["%zz", "%ff", "~!!"]) {
      const spelt = await s.get(`/v1/runs/${id}`);
      expect([spelt.status, spelt.json.detail], id).toEqual([404, expect.stringContaining("neither percent-encoded UTF-8")]);
    }
  });

  it("restarts without a key: sent again, it would end the run that it made itself", async () => {
    await s.post("/v1/runs", { workflow: "approval", id: "kept" });
    const again = { workflow: "approval", id: "kept", onConflict: "restart", reason: "wrong address" };
    const refused = await s.post("/v1/runs", again);
    expect([refused.status, places(refused)]).toEqual([422, ["/idempotencyKey"]]);
    const called = await s.rpc({ jsonrpc: "2.0", id: 1, method: "runs.start", params: again });
    expect(called.json.error).toMatchObject({ code: -32_602, data: { page: "PAWL4011" } });
    expect((await s.get("/v1/runs/kept")).json.status).toBe("RUNNING");
  });

  it("asks a stream for what only pages have, or for changes by a filter that is none", async () => {
    await s.post("/v1/runs", { workflow: "approval", id: "followed" });
    const stream = { accept: "text/event-stream" };
    for (const member of ["limit=5", "before=9", "step=first"]) {
      const refused = await s.get(`/v1/runs/followed/events?${member}`, stream);
      expect([refused.status, places(refused)], member).toEqual([422, [`/${member.split("=")[0]!}`]]);
    }
    const tags = Array.from({ length: 21 }, (_, i) => `tags.t${i}=v`).join("&");
    const watched = await s.get(`/v1/changes?${tags}`, stream);
    expect([watched.status, watched.json.detail]).toEqual([422, "a filter has at most 20 tags"]);
  });

  it("asks the store for more than it should be asked: tags of a filter and of a run, statuses, times that no clock has", async () => {
    const many = (n: number): object => Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, "v"]));
    const rpc = async (method: string, params: object): Promise<unknown> => (await s.rpc({ jsonrpc: "2.0", id: 1, method, params })).json;
    const refusals: readonly (readonly [string, object, string])[] = [
      ["runs.list", { tags: many(21) }, "a filter has at most 20 tags"],
      ["runs.count", { tags: many(21) }, "a filter has at most 20 tags"],
      ["batches.create", { filter: { tags: many(21) }, action: "pause", reason: "r" }, "a filter has at most 20 tags"],
      ["runs.start", { workflow: "order", tags: many(101) }, "a run has at most 100 tags, not 101"],
      ["runs.start", { workflow: "order", deadlineMs: 1e308 }, "deadlineMs is not a duration between 0 and 100 years: 1e+308"],
      ["runs.start", { workflow: "order", delayMs: 5e12 }, "delayMs is not a duration between 0 and 100 years: 5000000000000"],
    ];
    for (const [method, params, message] of refusals)
      expect(await rpc(method, params), message).toMatchObject({ error: { code: -32_602, message } });
    expect(await rpc("runs.start", { workflow: "order", deadlineMs: 60_000.5, delayMs: 0.5, tags: many(100) })).toHaveProperty("result");
    expect(await rpc("runs.list", { status: Array.from({ length: 70_000 }, () => "FAILED"), tags: many(20) })).toMatchObject({
      result: { items: [] },
    });
  });
});

describe("lists of names", () => {
  it("come in pages as long as they are asked for, and a cursor whose place is gone says so", async () => {
    const s = await serve();
    try {
      for (const id of ["a", "b", "c"]) await s.post("/v1/webhooks", { id, url: "https://hooks.example/x" });
      const ids = (answer: Answer): string[] => (answer.json.items as { id: string }[]).map((e) => e.id);
      const first = await s.get("/v1/webhooks?limit=2");
      expect(ids(first)).toEqual(["a", "b"]);
      const next = `/v1/webhooks?limit=2&cursor=${encodeURIComponent(first.json.nextCursor as string)}`;
      const second = await s.get(next);
      expect([ids(second), second.json.nextCursor]).toEqual([["c"], undefined]);
      await s.post("/v1/webhooks/b/remove", { reason: "gone" });
      expect((await s.get(next)).json).toMatchObject({ status: 422, page: "PAWL4082" });
      const workflows = await s.get("/v1/workflows?limit=1");
      expect([workflows.json.items.length, typeof workflows.json.nextCursor]).toEqual([1, "string"]);
    } finally {
      await s.close();
    }
  });
});

it("what is created says where it is, tokens too", async () => {
  const s = await serve();
  try {
    const made = await s.post("/v1/tokens", { subject: "shop", scopes: ["read"] });
    expect([made.status, made.headers.get("location")]).toEqual([201, "tokens"]);
    expect((await s.get(new URL(made.headers.get("location")!, `${s.url}/v1/tokens`).pathname)).json.items).toHaveLength(1);
    const { json } = await s.post("/v1/runs", { workflow: "approval", id: "shared" });
    const shared = await s.post("/v1/runs/shared/share", { allow: "read" });
    expect([shared.status, new URL(shared.headers.get("location")!, `${s.url}/v1/runs/shared/share`).pathname]).toEqual([
      201,
      "/v1/tokens",
    ]);
    expect(json.created).toBe(true);
  } finally {
    await s.close();
  }
});

it("calls of a batch that wait share a signal without a warning", async () => {
  const s = await serve();
  const warnings: string[] = [];
  const note = (w: Error): void => void warnings.push(w.name);
  process.on("warning", note);
  try {
    await s.post("/v1/runs", { workflow: "approval", id: "w" });
    const calls = Array.from({ length: 40 }, (_, id) => ({ jsonrpc: "2.0", id, method: "runs.result", params: { id: "w", wait: 1 } }));
    expect((await s.rpc(calls)).json).toHaveLength(40);
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", note);
    await s.close();
  }
});
