// Who may do what, over real sockets, on every store: credentials and their scopes, tenants that probe each other, tokens for one run, sessions of
// browsers, services that vouch, two people, and an audit log without which nothing is done.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyAudit } from "../../src/access/audit-verify.ts";
import { tokenVerbs } from "../../src/access/tokens.ts";
import type { NewToken } from "../../src/access/types.ts";
import { operationSpecs, type Operation } from "../../src/api/operations.ts";
import { defaultScope } from "../../src/client/environment.ts";
import type { Scope } from "../../src/core/model.ts";
import { accessRoles, accessScopes, roleScopes, type AccessScope } from "../../src/core/principal.ts";
import { PawlError } from "../../src/errors/error.ts";
import { engine, workflow } from "../../src/index.ts";
import { server, type PawlServer, type ServerOpts } from "../../src/server.ts";
import { authorise } from "../../src/server/access/authorise.ts";
import type { Caller } from "../../src/server/access/caller.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { proves } from "../support/proves.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { approval, order, rawRequest } from "./serve.ts";

const rival: Scope = { tenantId: "rival", projectId: "shop", environmentId: "live" };
const pay: AnyWorkflow = workflow({ name: "pay" }, async (ctx) =>
  ctx.step("pay", () => "paid", { once: true, approve: "900 euros for eve?" }),
);

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // Tests look into answers freely.
  // oxlint-disable-next-line no-explicit-any
  readonly json: any;
}

interface Place {
  readonly url: string;
  readonly port: number;
  ask(token: string | undefined, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  close(): Promise<void>;
}

async function open(store: FullStore, tenant: Scope, o: Partial<ServerOpts> & { requireTwoApprovers?: boolean } = {}): Promise<Place> {
  const { requireTwoApprovers = false, ...options } = o;
  const app = await engine({ store, tenant, workflows: [order, approval, pay], log: () => {}, requireTwoApprovers });
  const api: PawlServer = await server({ engine: app, log: () => {}, ...options });
  const { url, port } = await api.listen({ port: 0 });
  return {
    url,
    port,
    ask: async (token, method, path, body, headers = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, json: text.startsWith("{") ? JSON.parse(text) : text };
    },
    close: async () => {
      await api.stop();
      await app.stop();
    },
  };
}

describe("the role matrix", () => {
  const callerWith = (scopes: readonly AccessScope[], more: Partial<Caller> = {}): Caller => ({
    principal: { kind: "person", subject: "ann" },
    scopes,
    tenant: defaultScope,
    by: "token",
    ambient: false,
    recheck: () => Promise.resolve(true),
    ...more,
  });
  const input = { id: "r", reason: "why", answer: { reason: "why" } };
  const allowed = (c: Caller, operation: Operation, i: object = input): boolean => {
    try {
      authorise(c, operation, i as never);
      return true;
    } catch (e) {
      expect(e).toMatchObject({ page: "PAWL4081" });
      return false;
    }
  };
  const all = Object.keys(operationSpecs) as Operation[];

  it("every operation needs its scope, whichever role has it; without scopes only what is for everybody", proves("AX-33", "P-47"), () => {
    for (const operation of all) {
      const { scope } = operationSpecs[operation];
      for (const role of accessRoles)
        expect(allowed(callerWith(roleScopes[role]), operation), `${role} ${operation}`).toBe(
          scope === "none" || roleScopes[role].includes(scope),
        );
      expect(allowed(callerWith([]), operation), operation).toBe(scope === "none");
      expect(allowed(callerWith(accessScopes.filter((s) => s !== scope)), operation), operation).toBe(scope === "none");
    }
  });

  it("what takes something away for good needs a reason", proves("P-30"), () => {
    for (const operation of all.filter((o) => operationSpecs[o].destructive))
      for (const none of [{}, { reason: " " }, { answer: {} }])
        expect(() => authorise(callerWith(accessScopes), operation, { id: "r", ...none }), operation).toThrow(
          expect.objectContaining({ page: "PAWL4090", code: "AUTHZ_REASON_REQUIRED" }) as Error,
        );
    expect(all.filter((o) => operationSpecs[o].destructive)).toContain("runs.terminate");
  });

  it("what takes something away for good wakes somebody: the alert rule names each such operation", proves("P-30"), () => {
    const rules = readFileSync(new URL("../../docs/alerts.yml", import.meta.url), "utf8");
    const [, names = "", rest = ""] = /alert: PawlDestructiveOperation\n.*operation=~"([^"]+)"(.*\n.*)/.exec(rules) ?? [];
    expect(names.split("|")).toEqual(all.filter((o) => operationSpecs[o].destructive).toSorted());
    expect(rest).toContain("severity: page");
  });

  it("a token for one run opens that run only, and changes nothing", () => {
    for (const allow of ["read", "views"] as const) {
      const c = callerWith(allow === "read" ? ["read"] : ["payloads"], { run: { runId: "r", allow } });
      const open = all.filter((o) => allowed(c, o));
      for (const o of open) expect(operationSpecs[o]).not.toHaveProperty("changes");
      for (const o of open.filter((x) => operationSpecs[x].scope !== "none"))
        expect(allowed(c, o, { ...input, id: "other" }), o).toBe(false);
      expect(open.includes("runs.view")).toBe(allow === "views");
      expect(open.includes("runs.get")).toBe(allow === "read");
      expect(open.includes("runs.list") || open.includes("effects.list")).toBe(false);
    }
  });
});

describe.each(testStores)("on %s", { timeout: 90_000 }, (_, make) => {
  let b: TestStore;
  let open_: Place[];
  beforeEach(async () => {
    b = await make();
    open_ = [];
  });
  afterEach(async () => {
    for (const p of open_) await p.close();
    await b.close();
  });
  const token = async (n: Partial<NewToken> & Pick<NewToken, "scopes">, tenant: Scope = defaultScope): Promise<string> =>
    (await tokenVerbs({ store: b.store, platform: b.platform, scope: tenant }, null).create({ subject: "ann", kind: "person", ...n }))
      .token;
  const serve = async (tenant: Scope = defaultScope, o: Parameters<typeof open>[2] = {}, store: FullStore = b.store): Promise<Place> => {
    const place = await open(store, tenant, o);
    open_.push(place);
    return place;
  };
  /** What the log holds of an operation, once it holds any. */
  const audited = async (p: Place, admin: string, operation: string, query = ""): Promise<Reply["json"][]> => {
    for (;;) {
      const { json } = await p.ask(admin, "GET", `/v1/audit?limit=1000${query}`);
      const found = (json.items as Reply["json"][]).filter((r) => r.operation === operation);
      if (found.length > 0) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  /** The token with another last character: one in 64 tokens ends in any given one. */
  const otherLast = (text: string): string => text.slice(0, -1) + (text.endsWith("_") ? "-" : "_");

  it("a credential is needed, and says who; every refusal has a code", proves("P-47"), async () => {
    const admin = await token({ scopes: roleScopes.admin });
    const viewer = await token({ subject: "vera", scopes: ["read"] });
    const p = await serve();
    expect((await p.ask(undefined, "GET", "/v1/runs")).json).toMatchObject({ status: 401, page: "PAWL4080" });
    for (const wrong of ["x", otherLast(viewer), "pawl_", `${viewer} ${viewer}`, "eyJhbGciOiJub25lIn0.e30."])
      expect((await p.ask(wrong, "GET", "/v1/runs")).json, wrong).toMatchObject({ status: 401, page: "PAWL4080" });
    expect((await p.ask(viewer, "GET", "/v1/me")).json).toMatchObject({
      principal: { kind: "person", subject: "vera" },
      tenant: "default/default/default",
      scopes: ["read"],
    });
    expect((await p.ask(viewer, "GET", "/v1/runs")).status).toBe(200);
    expect((await p.ask(viewer, "POST", "/v1/runs", { workflow: "order" })).json).toMatchObject({ status: 403, page: "PAWL4081" });
    expect((await p.ask(viewer, "GET", "/v1/audit")).json).toMatchObject({ status: 403, page: "PAWL4081" });
    expect((await p.ask(admin, "POST", "/v1/runs", { workflow: "order", id: "o-1" })).status).toBe(201);
  });

  it("a server without tokens, JWT or a function does not start", proves("AX-34"), async () => {
    await expect(serve()).rejects.toMatchObject({ page: "PAWL5040" });
    await token({ scopes: ["read"] }, rival);
    await expect(serve(), "another tenant's token").rejects.toMatchObject({ page: "PAWL5040" });
  });

  it("tokens are made with at most the maker's scopes, listed, and revoked with a reason; the revocation is on record", async () => {
    const admin = await token({ scopes: ["read", "admin", "export"] });
    const p = await serve();
    const more = await p.ask(admin, "POST", "/v1/tokens", { subject: "eve", scopes: ["operate"] });
    expect(more.json).toMatchObject({ status: 403, page: "PAWL4081" });
    const made = await p.ask(admin, "POST", "/v1/tokens", { subject: "eve", scopes: ["read"], ttlMs: 60_000 });
    expect([made.status, made.json.view]).toEqual([201, expect.objectContaining({ subject: "eve", createdBy: "ann", scopes: ["read"] })]);
    expect((await p.ask(made.json.token, "GET", "/v1/runs")).status).toBe(200);
    const { tokenId } = made.json.view;
    const listed = await p.ask(admin, "GET", "/v1/tokens");
    expect((listed.json.items as { tokenId: string }[]).map((t) => t.tokenId)).toContain(tokenId);
    expect(JSON.stringify(listed.json)).not.toContain(made.json.token);
    expect((await p.ask(admin, "POST", `/v1/tokens/${tokenId}/revoke`, {})).json).toMatchObject({ status: 422 });
    const revoked = await p.ask(admin, "POST", `/v1/tokens/${tokenId}/revoke`, { reason: "left the company" });
    expect(revoked.json).toMatchObject({ tokenId, revokedAt: expect.any(String) });
    expect((await p.ask(admin, "POST", "/v1/tokens/000000000000/revoke", { reason: "x" })).json).toMatchObject({
      status: 404,
      page: "PAWL4095",
    });
    const [record] = await audited(p, admin, "tokens.revoke", "&subject=ann");
    expect(record).toMatchObject({ decision: "granted", target: "000000000000", policyDecisionId: expect.any(String) });
    // Another process, which has never seen the token, refuses it at once; this one within five seconds.
    const other = await serve();
    expect((await other.ask(made.json.token, "GET", "/v1/runs")).json).toMatchObject({ status: 401, page: "PAWL4080" });
  });

  it(
    "an operation is on record before it is done; when the record cannot be written, nothing is done",
    proves("P-27", "P-29", "P-30"),
    async () => {
      const admin = await token({ scopes: roleScopes.admin });
      let broken = false;
      const kv: FullStore["kv"] = {
        put: (writes, seen) => {
          if (broken && writes.some((w) => w.collection.startsWith("access.audit")))
            return Promise.reject(new PawlError("PAWL3002", "the disk is full", { outcome: "none" }));
          return b.store.kv.put(writes, seen);
        },
        get: (c, k) => b.store.kv.get(c, k),
        list: (q) => b.store.kv.list(q),
      };
      const p = await serve(defaultScope, {}, { ...b.store, kv });
      await p.ask(admin, "POST", "/v1/runs", { workflow: "approval", id: "a-1" });
      const { runId } = (await p.ask(admin, "GET", "/v1/runs/a-1")).json;
      broken = true;
      const refused = await p.ask(admin, "POST", "/v1/runs/a-1/terminate", { reason: "stuck" });
      expect(refused.json).toMatchObject({ status: 503, page: "PAWL4094", outcome: "none", retryable: true });
      expect((await b.store.inbox({ runId, all: true })).filter((r) => r.kind === "control")).toEqual([]);
      expect((await p.ask(admin, "GET", "/v1/runs/a-1")).json.status).not.toBe("CANCELLED");
      broken = false;
      const done = await p.ask(admin, "POST", "/v1/runs/a-1/terminate", { reason: "stuck" });
      expect([200, 202]).toContain(done.status);
      const metrics = (await p.ask(admin, "GET", "/metrics")).json as string;
      expect(metrics, "what the alert is made of").toMatch(/pawl_http_requests_total\{operation="runs\.terminate",status="20[02]"\} 1/);
      const [record] = await audited(p, admin, "runs.terminate", `&run=${runId}`);
      expect(record).toMatchObject({
        decision: "granted",
        role: "operator",
        runId,
        reason: "stuck",
        principal: { kind: "person", subject: "ann" },
        policyDecisionId: expect.stringMatching(/^[0-9a-f-]{14}4/),
      });
      expect(await verifyAudit(b.store, defaultScope)).toMatchObject({ ok: true });
    },
  );

  it(
    "another tenant's run answers like one that does not exist; its token is refused; both are on record",
    proves("P-34", "P-47", "AX-33"),
    async () => {
      const ours = await token({ scopes: roleScopes.admin });
      const theirs = await token({ subject: "spy", scopes: roleScopes.admin }, rival);
      const [p, r] = [await serve(), await serve(rival)];
      const { runId } = (await r.ask(theirs, "POST", "/v1/runs", { workflow: "approval", id: "secret-1" })).json;
      const missing = "01890000-0000-7000-8000-000000000000";
      const same = (reply: Reply, id: string): unknown =>
        JSON.parse(
          JSON.stringify([reply.status, { ...reply.json, traceId: "" }])
            .replaceAll(id, "ID")
            .replaceAll(encodeURIComponent(id), "ID"),
        );
      const probes: [string, string, unknown?][] = [
        ["GET", ""],
        ["GET", "/events"],
        ["GET", "/events/1"],
        ["GET", "/steps"],
        ["GET", "/timeline"],
        ["GET", "/proof"],
        ["GET", "/result"],
        ["GET", "/views/status"],
        ["GET", "/projection"],
        ["POST", "/signals", { name: "approved", payload: {} }],
        ["POST", "/cancel", {}],
        ["POST", "/pause", {}],
        ["POST", "/terminate", { reason: "x" }],
        ["POST", "/retry", {}],
        ["POST", "/share", { allow: "read" }],
        ["POST", "/evidence", {}],
      ];
      for (const [method, path, body] of probes) {
        const [foreign, none] = [
          await p.ask(ours, method, `/v1/runs/${runId}${path}`, body),
          await p.ask(ours, method, `/v1/runs/${missing}${path}`, body),
        ];
        expect(foreign.status, `${method} ${path}`).toBe(404);
        expect(same(foreign, runId), `${method} ${path}`).toEqual(same(none, missing));
      }
      expect((await p.ask(ours, "GET", "/v1/runs/secret-1")).status, "by workflowId").toBe(404);
      expect((await p.ask(ours, "GET", "/v1/runs")).json.items).toEqual([]);
      expect((await p.ask(ours, "GET", "/v1/tokens")).json.items).toHaveLength(1);
      expect(JSON.stringify((await p.ask(ours, "GET", "/v1/audit?limit=1000")).json)).not.toContain("spy");
      expect((await p.ask(theirs, "GET", "/v1/runs")).json).toMatchObject({
        status: 403,
        page: "PAWL4092",
        code: "AUTHZ_TENANT_FORBIDDEN",
      });
      // Counted, and written at the end of the minute or of the server.
      await p.close();
      await r.close();
      open_ = [];
      const again = await serve();
      const records = (await again.ask(ours, "GET", "/v1/audit?limit=1000")).json.items as Reply["json"][];
      const forbidden = records.filter((x) => x.outcome?.code === "AUTHZ_TENANT_FORBIDDEN");
      expect(forbidden.find((x) => x.operation === "runs.get")).toMatchObject({ decision: "denied", runId, principal: { subject: "ann" } });
      expect(forbidden.find((x) => x.operation === "authenticate")).toMatchObject({ decision: "denied", principal: { subject: "spy" } });
      expect(JSON.stringify(records)).not.toContain(missing + '","decision":"denied');
    },
  );

  it("a token for one run shows that run to a page, and nothing else", async () => {
    const app = await token({ subject: "shop", kind: "service", scopes: roleScopes.app });
    const p = await serve();
    const [one, two] = [
      (await p.ask(app, "POST", "/v1/runs", { workflow: "approval", id: "a-1" })).json.runId as string,
      (await p.ask(app, "POST", "/v1/runs", { workflow: "approval", id: "a-2" })).json.runId as string,
    ];
    const shared = await p.ask(app, "POST", "/v1/runs/a-1/share", { allow: "read", ttlMs: 60_000 });
    expect([shared.status, shared.json.view.run]).toEqual([201, { runId: one, allow: "read" }]);
    const page = shared.json.token as string;
    expect((await p.ask(page, "GET", `/v1/runs/${one}`)).json.runId).toBe(one);
    expect((await p.ask(page, "GET", `/v1/runs/${one}/events`)).status).toBe(200);
    for (const [method, path, body] of [
      ["GET", `/v1/runs/${two}`],
      ["GET", "/v1/runs"],
      ["GET", `/v1/runs/${one}/result`],
      ["POST", `/v1/runs/${one}/signals`, { name: "approved", payload: { by: "eve" } }],
      ["POST", `/v1/runs/${one}/share`, { allow: "read" }],
      ["POST", "/v1/runs", { workflow: "order" }],
      ["GET", "/metrics"],
    ] as const)
      expect((await p.ask(page, method, path, body)).json, path).toMatchObject({ status: 403, page: "PAWL4081" });
    expect((await p.ask(app, "POST", "/v1/runs/a-1/share", { allow: "read", ttlMs: 3_600_001 })).status).toBe(422);
    expect((await p.ask(page, "POST", "/session")).status, "a session").toBe(403);
  });

  it("a token for one run shows no later run that has its runId for a workflowId", async () => {
    const operator = await token({ subject: "ops", scopes: roleScopes.admin });
    const p = await serve();
    const first = (await p.ask(operator, "POST", "/v1/runs", { workflow: "approval" })).json.runId as string;
    await p.ask(operator, "POST", `/v1/runs/${first}/terminate`, { reason: "wrong", requestId: randomUUID() });
    await expect.poll(async () => (await p.ask(operator, "GET", `/v1/runs/${first}`)).json.status, { timeout: 10_000 }).toBe("CANCELLED");
    const retried = await p.ask(operator, "POST", `/v1/runs/${first}/retry`, { requestId: randomUUID() });
    const later = (await p.ask(operator, "GET", `/v1/runs/${retried.json.runId as string}`)).json;
    expect(later).toMatchObject({ workflowId: first });
    const page = (await p.ask(operator, "POST", `/v1/runs/${first}/share`, { allow: "read" })).json.token as string;
    const headers = { accept: "text/event-stream", "last-event-id": `${later.runId as string}:0` };
    // Only the status: a stream that opens has no end.
    const gone = new AbortController();
    const answer = await fetch(`${p.url}/v1/runs/${first}/events`, {
      headers: { ...headers, authorization: `Bearer ${page}` },
      signal: gone.signal,
    });
    gone.abort();
    expect(answer.status).toBe(404);
  });

  it("a browser's session needs both halves, ends with its token, and when it is asked to", async () => {
    const admin = await token({ scopes: roleScopes.admin });
    const { token: ann, view } = await tokenVerbs({ store: b.store, platform: b.platform, scope: defaultScope }, null).create({
      subject: "vera",
      kind: "person",
      scopes: ["read"],
      ttlMs: 3_600_000,
    });
    const p = await serve();
    const bought = await p.ask(ann, "POST", "/session");
    expect(bought.status).toBe(201);
    const set = bought.headers.get("set-cookie") ?? "";
    expect(set).toMatch(new RegExp(`^pawl_${p.port}=[0-9a-f]{24}\\.[\\w-]{22}; Path=/; HttpOnly; SameSite=Strict; Max-Age=\\d+$`));
    expect(Date.parse(bought.json.expiresAt), "no longer than its token").toBeLessThanOrEqual(Date.parse(view.expiresAt));
    const cookie = set.split(";")[0]!;
    const half = bought.json.session as string;
    const as = (headers: Record<string, string>) => p.ask(undefined, "GET", "/v1/me", undefined, headers);
    expect((await as({ cookie, "x-pawl-session": half })).json).toMatchObject({ principal: { subject: "vera" }, scopes: ["read"] });
    for (const [what, headers] of Object.entries({
      "the cookie alone": { cookie },
      "the half alone": { "x-pawl-session": half },
      "another half": { cookie, "x-pawl-session": "A".repeat(22) },
      "another port's cookie": { cookie: cookie.replace(`pawl_${p.port}`, "pawl_1"), "x-pawl-session": half },
    }))
      expect((await as(headers as Record<string, string>)).status, what).toBe(401);
    expect((await rawRequest(p.port, { path: "/v1/me", headers: { host: "evil.example", cookie, "x-pawl-session": half } })).status).toBe(
      421,
    );
    const rows = JSON.stringify(await b.store.kv.list({ collection: "access.sessions:default/default/default", limit: 10 }));
    expect(rows).not.toMatch(new RegExp(`${half}|${cookie.split(".")[1]!}`));
    expect((await p.ask(undefined, "POST", "/session", undefined, { cookie, "x-pawl-session": half })).status, "it buys no other").toBe(
      403,
    );

    const second = await p.ask(ann, "POST", "/session");
    const [cookie2, half2] = [(second.headers.get("set-cookie") ?? "").split(";")[0]!, second.json.session as string];
    const ended = await p.ask(undefined, "DELETE", "/session", undefined, { cookie, "x-pawl-session": half });
    expect([ended.status, ended.headers.get("set-cookie")]).toEqual([200, expect.stringContaining("Max-Age=0")]);
    expect((await as({ cookie, "x-pawl-session": half })).status).toBe(401);
    expect((await as({ cookie: cookie2, "x-pawl-session": half2 })).status).toBe(200);
    await p.ask(admin, "POST", `/v1/tokens/${view.tokenId}/revoke`, { reason: "left" });
    const other = await serve();
    const there = { cookie: cookie2.replace(`pawl_${p.port}`, `pawl_${other.port}`), "x-pawl-session": half2 };
    expect((await other.ask(undefined, "GET", "/v1/me", undefined, there)).status, "ended with its token").toBe(401);
  });

  it("a wait that outlives its credential shows nothing, over REST and JSON-RPC, and what it asked for is done", async () => {
    const app = await token({ subject: "shop", kind: "service", scopes: roleScopes.app });
    const p = await serve();
    const started = await p.ask(app, "POST", "/v1/runs", { workflow: "approval", id: "w-1" });
    expect(started.status).toBe(201);
    const soon = await token({ subject: "shop", kind: "service", scopes: roleScopes.app, ttlMs: 4_000 });
    const waits = Promise.all([
      p.ask(soon, "GET", "/v1/runs/w-1/result?wait=30"),
      p.ask(soon, "POST", "/rpc", { jsonrpc: "2.0", id: 1, method: "runs.result", params: { id: "w-1", wait: 30 } }),
      p.ask(soon, "POST", "/v1/runs", { workflow: "approval", id: "w-2" }, { prefer: "wait=5" }),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 4_200));
    await p.ask(app, "POST", "/v1/runs/w-1/signals", { name: "approved", payload: { by: "canary" } });
    const [rest, rpc, start] = await waits;
    expect(rest.json).toMatchObject({ status: 401, page: "PAWL4080", outcome: "none" });
    expect(rpc.json).toMatchObject({ id: 1, error: { code: -32_001, data: { page: "PAWL4080" } } });
    expect(JSON.stringify([rest.json, rpc.json])).not.toContain("canary");
    expect(start.json, "nobody is told what became of it").toMatchObject({ status: 401, outcome: "unknown" });
    expect((await p.ask(app, "GET", "/v1/runs/w-2")).status, "it is started").toBe(200);
    expect((await p.ask(app, "GET", "/v1/runs/w-1/result?wait=30")).json.result).toEqual({ got: { by: "canary" } });
  });

  it("what a token may serve is all that is bought or made with it: a session and a token have no other queues", async () => {
    const mails = await token({ kind: "service", scopes: ["worker", "admin"], queues: ["mails"] });
    const p = await serve();
    const bought = await p.ask(mails, "POST", "/session");
    const cookie = (bought.headers.get("set-cookie") ?? "").split(";")[0]!;
    const session = { cookie, "x-pawl-session": bought.json.session as string };
    const made = await p.ask(mails, "POST", "/v1/tokens", { subject: "helper", scopes: ["worker"] });
    expect([bought.status, made.status, made.json.view.queues]).toEqual([201, 201, ["mails"]]);
    const wider = { subject: "helper", scopes: ["worker"], queues: ["mails", "letters"] };
    for (const [by, headers] of [[mails], [undefined, session]] as const)
      expect((await p.ask(by, "POST", "/v1/tokens", wider, headers)).json).toMatchObject({ status: 403, page: "PAWL4081" });
    const hello = (queue: string) => ({ lang: "test", works: [{ task: "t" }], queues: { [queue]: { concurrency: 1 } } });
    for (const [by, headers] of [[mails], [made.json.token as string], [undefined, session]] as const) {
      expect((await p.ask(by, "POST", "/v1/workers", hello("mails"), headers)).status).toBe(201);
      expect((await p.ask(by, "POST", "/v1/workers", hello("letters"), headers)).json).toMatchObject({ status: 403, page: "PAWL4081" });
    }
  });

  it("a bearer token that the host's own check passes over does not open the door to foreign pages", async () => {
    const auth = (): { kind: "person"; subject: string; scopes: AccessScope[] } => ({ kind: "person", subject: "ann", scopes: ["read"] });
    const p = await serve(defaultScope, { auth });
    const status = async (headers: Record<string, string>) => (await rawRequest(p.port, { path: "/v1/runs", headers })).status;
    const host = `127.0.0.1:${p.port}`;
    for (const authorization of ["Bearer x", "Bearer x y", "bearer\tx"]) {
      expect(await status({ host, authorization }), authorization).toBe(200);
      expect(await status({ host: "evil.example", authorization }), "a foreign Host").toBe(421);
      expect(await status({ host, authorization, origin: "https://evil.example" }), "a foreign Origin").toBe(403);
      expect(await status({ host, authorization, "sec-fetch-site": "cross-site" }), "a foreign page").toBe(403);
    }
    const own = await token({ scopes: ["read"] });
    expect(await status({ host: "10.0.0.7:1", authorization: `Bearer ${own}` }), "Pawl's own token").toBe(200);
  });

  it("a service that may vouch names the person for whom it acts; nobody else may", async () => {
    const desk = await token({ subject: "desk", kind: "service", scopes: [...roleScopes.operator, "vouch"] });
    const admin = await token({ scopes: roleScopes.admin });
    const p = await serve();
    const header = { "x-pawl-on-behalf-of": encodeURIComponent("zoë") };
    expect((await p.ask(desk, "GET", "/v1/me", undefined, header)).json.principal).toEqual({
      kind: "service",
      subject: "desk",
      onBehalfOf: "zoë",
    });
    expect((await p.ask(admin, "GET", "/v1/me", undefined, header)).json, "a person").toMatchObject({ status: 403, page: "PAWL4081" });
    for (const bad of ["%00", "%", "%ED%A0%80"])
      expect((await p.ask(desk, "GET", "/v1/me", undefined, { "x-pawl-on-behalf-of": bad })).json, bad).toMatchObject({ page: "PAWL4011" });
    await p.ask(desk, "POST", "/v1/runs", { workflow: "approval", id: "a-1" });
    await p.ask(desk, "POST", "/v1/runs/a-1/pause", {}, header);
    const [record] = await audited(p, admin, "runs.pause", `&subject=${encodeURIComponent("zoë")}`);
    expect(record.principal).toEqual({ kind: "service", subject: "desk", onBehalfOf: "zoë" });
  });

  it("two people are two subjects, neither of whom made the other's token; agents and services never count", async () => {
    const admin = await token({ subject: "root", scopes: roleScopes.admin });
    const p = await serve(defaultScope, { requireTwoApprovers: true });
    const made = async (by: string, n: Partial<NewToken>): Promise<string> =>
      (await p.ask(by, "POST", "/v1/tokens", { kind: "person", scopes: ["read", "payloads", "resolve", "admin"], ...n })).json
        .token as string;
    const ann = await made(admin, { subject: "ann" });
    const annToo = await made(admin, { subject: "ann" });
    const puppet = await made(ann, { subject: "puppet" });
    const bob = await made(admin, { subject: "bob" });
    const robot = await made(admin, { subject: "robot", kind: "agent" });
    const service = await made(admin, { subject: "cron", kind: "service" });
    await p.ask(admin, "POST", "/v1/runs", { workflow: "pay", id: "p-1" });
    let decisionId = "";
    while (decisionId === "") decisionId = (await p.ask(admin, "GET", "/v1/decisions")).json.items[0]?.decisionId ?? "";
    const answer = (by: string) =>
      p.ask(by, "POST", `/v1/decisions/${encodeURIComponent(decisionId)}/answer`, { answer: { approve: true, reason: "checked" } });
    expect((await answer(robot)).json).toMatchObject({ status: 409, detail: expect.stringContaining("an agent") });
    expect((await answer(service)).json).toMatchObject({ status: 409, detail: expect.stringContaining("a service") });
    expect((await answer(ann)).json).toMatchObject({ state: "proposed" });
    expect((await answer(annToo)).json, "the same person with another token").toMatchObject({ status: 409 });
    expect((await answer(puppet)).json, "a person whose token ann made").toMatchObject({ status: 409 });
    expect((await p.ask(admin, "GET", "/v1/runs/p-1")).json.status).toBe("RUNNING");
    expect((await answer(bob)).json).toMatchObject({ state: "applied" });
    expect((await p.ask(admin, "GET", "/v1/runs/p-1/result?wait=30")).json).toMatchObject({ status: "COMPLETED", result: "paid" });
    expect((await answer(bob)).status, "again").toBe(200);
  });
});
