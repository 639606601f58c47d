// JSON-RPC 2.0 over a real socket, as its specification says it: ids, batches,
// notifications, errors.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawRequest, serve, type Served } from "./serve.ts";

const call = (method: string, params?: unknown, id: unknown = 1): object => ({ jsonrpc: "2.0", id, method, params });

describe("JSON-RPC", () => {
  let s: Served;
  beforeAll(async () => {
    s = await serve();
  });
  afterAll(() => s.close());

  it("answers with the id it was asked with, of every legal kind", async () => {
    for (const id of ["text", "", 0, 1, -7, 1.5, null]) {
      const { status, json } = await s.rpc(call("version", {}, id));
      expect([status, json.jsonrpc, json.id, json.result.api]).toEqual([200, "2.0", id, "v1"]);
      expect(json).not.toHaveProperty("error");
    }
    for (const id of [true, {}, []])
      expect((await s.rpc(call("version", {}, id))).json).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it("starts and reads a run by named params", async () => {
    const made = await s.rpc(call("runs.start", { workflow: "order", id: "rpc-1", input: 1, wait: 20 }));
    expect(made.json.result).toMatchObject({ workflowId: "rpc-1", created: true, end: { status: "COMPLETED" } });
    expect((await s.rpc(call("runs.get", { id: "rpc-1" }))).json.result.workflowId).toBe("rpc-1");
    expect((await s.rpc({ jsonrpc: "2.0", id: 2, method: "me" })).json.result.principal.subject).toBe("local");
  });

  it("names each kind of error by its code, with the problem as data and HTTP 200", async () => {
    const kinds: [string | object, number][] = [
      ["{", -32700],
      ["nonsense", -32700],
      [{ id: 1, method: "me" }, -32600],
      [{ jsonrpc: "2.0", id: 1, method: 7 }, -32600],
      [{ jsonrpc: "2.0", id: 1, method: "me", params: "x" }, -32600],
      ["1", -32600],
      [[], -32600],
      [call("no.such"), -32601],
      [call("constructor"), -32601],
      [call("__proto__"), -32601],
      [call("runs.evidence", { id: "x" }), -32601],
      [call("runs.get", ["rpc-1"]), -32602],
      [call("runs.get", { id: "missing" }), -32004],
    ];
    for (const [body, code] of kinds) {
      const { status, json } = await s.rpc(body);
      expect([status, json.error?.code], JSON.stringify(body)).toEqual([200, code]);
      expect(json.error.data).toMatchObject({ detail: json.error.message });
      expect(json).not.toHaveProperty("result");
    }
  });

  it("answers a batch in its order, also a batch of one, and nothing to notifications", async () => {
    const batch = await s.rpc([
      call("runs.start", { workflow: "order", id: "rpc-batch" }, "a"),
      { jsonrpc: "2.0", method: "version" },
      call("runs.get", { id: "rpc-batch" }, "b"),
      1,
      call("no.such", {}, "c"),
    ]);
    expect(batch.json.map((a: { id: unknown }) => a.id)).toEqual(["a", "b", null, "c"]);
    expect(batch.json[1].result.workflowId).toBe("rpc-batch");
    expect((await s.rpc([call("version")])).json).toHaveLength(1);
    const quiet = await s.rpc([{ jsonrpc: "2.0", method: "version" }]);
    expect([quiet.status, quiet.text]).toEqual([204, ""]);
    expect((await s.rpc({ jsonrpc: "2.0", method: "no.such" })).status).toBe(204);
  });

  it("performs a notification although it does not answer", async () => {
    await s.rpc({ jsonrpc: "2.0", method: "runs.start", params: { workflow: "order", id: "rpc-quiet" } });
    expect((await s.rpc(call("runs.get", { id: "rpc-quiet" }))).json.result.workflowId).toBe("rpc-quiet");
  });

  it("takes at most 50 calls at once", async () => {
    expect((await s.rpc(Array.from({ length: 50 }, (_, i) => call("version", {}, i)))).json).toHaveLength(50);
    expect((await s.rpc(Array.from({ length: 51 }, (_, i) => call("version", {}, i)))).json).toMatchObject({
      id: null,
      error: { code: -32600 },
    });
  });

  it("uses HTTP statuses for what is refused before the body is read", async () => {
    const foreign = await rawRequest(s.port, {
      method: "POST",
      path: "/rpc",
      headers: { host: "evil.example", "content-type": "application/json" },
      body: JSON.stringify(call("version")),
    });
    expect(foreign.status).toBe(421);
    expect(JSON.parse(foreign.text)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32001 } });
    expect((await s.post("/rpc", "x", { "content-type": "text/plain" })).status).toBe(415);
    const get = await s.get("/rpc");
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  it("carries exact values in params and results", async () => {
    const exact = { "content-type": "application/vnd.pawl+json", accept: "application/vnd.pawl+json" };
    const made = await s.rpc(call("runs.start", { workflow: "order", input: { $pawl: ["bigint", "7"] }, wait: 20 }), exact);
    expect(made.json.result.end.result.input).toEqual({ $pawl: ["bigint", "7"] });
    const wrong = await s.rpc(call("runs.start", { workflow: "order", input: { $pawl: ["bigint", "7n"] } }), exact);
    expect(wrong.json.error.code).toBe(-32602);
  });
});
