// One catalogue, every surface: each operation is on REST, JSON-RPC, the document and MCP, or says why not; each needs its scope on all of them; REST, JSON-RPC
// and the command line answer alike; bodies have a limit; refusals are recorded without credentials; a request's trace is in records and log lines.
import { afterEach, describe, expect, it } from "vitest";
import { addressOf } from "../../src/api/address.ts";
import { examples } from "../../src/api/examples.ts";
import { operations, operationSpecs, type Operation } from "../../src/api/operations.ts";
import { schemas } from "../../src/api/schemas/schemas.ts";
import { commands } from "../../src/cli/command-list.ts";
import { readAudit } from "../../src/access/audit-read.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { accessScopes, isAccessScope } from "../../src/core/principal.ts";
import { handlers } from "../../src/server/handlers/table.ts";
import { toolsFor } from "../../src/mcp/tools.ts";
import { CliFolder, killCommands, quickFile } from "../cli/pawl-process.ts";
import { proves } from "../support/proves.ts";
import { serve, type Answer, type Served } from "./serve.ts";

const names = Object.keys(operations) as Operation[];

/** The command that does what an operation does; where there is none, why. */
const commandOf: Readonly<Record<Operation, string>> = {
  "runs.start": "run",
  "runs.list": "ls",
  "runs.count": "ls",
  "runs.guarantees": "ls",
  "runs.get": "inspect",
  "runs.result": "inspect",
  "runs.events": "events",
  "runs.event": "events",
  "runs.steps": "inspect",
  "runs.timeline": "inspect",
  "runs.view": "inspect",
  "runs.projection": "project",
  "runs.proof": "proof",
  "runs.causes": "why",
  "runs.usage": "inspect",
  "runs.state": "state",
  "runs.history": "history",
  "runs.stream": "history",
  "runs.message": "inspect",
  "runs.io": "history",
  "runs.verify": "doctor",
  "runs.evidence": "evidence",
  "runs.signal": "signal",
  "runs.update": "update",
  "signals.get": "inspect",
  "updates.get": "inspect",
  "runs.cancel": "cancel",
  "runs.pause": "pause",
  "runs.resume": "resume",
  "runs.terminate": "terminate",
  "runs.retry": "retry",
  "runs.fork": "fork",
  "runs.next": "next",
  "runs.watch": "ls",
  "batches.create": "batch",
  "batches.list": "batch",
  "batches.get": "batch",
  "batches.stop": "batch",
  "effects.list": "effects",
  "effects.proof": "proof",
  "decisions.list": "decisions",
  "decisions.resolve": "resolve",
  "questions.list": "decisions",
  "questions.answer": "answer",
  "events.append": "append",
  "workflows.list": "workflows",
  "workflows.pause": "workflows",
  "workflows.resume": "workflows",
  "engines.list": "engines",
  "engines.drain": "engines",
  "runs.why": "why",
  "runs.evaluate": "why",
  "steps.act": "step",
  "queues.list": "queues",
  "queues.set": "queues",
  "queues.pause": "queues",
  "queues.resume": "queues",
  "queues.workers": "workers",
  "investigations.list": "investigations",
  "investigations.open": "investigations",
  "investigations.note": "investigations",
  "investigations.close": "investigations",
  "schedules.put": "schedules",
  "schedules.list": "schedules",
  "schedules.get": "schedules",
  "schedules.pause": "schedules",
  "schedules.resume": "schedules",
  "schedules.fire": "schedules",
  "schedules.remove": "schedules",
  "workers.register": "worker",
  "workers.poll": "worker",
  "workers.beats": "worker",
  "workers.results": "worker",
  "workers.leave": "worker",
  "templates.put": "templates",
  "templates.list": "templates",
  "templates.get": "templates",
  "templates.retire": "templates",
  "webhooks.add": "webhooks",
  "webhooks.list": "webhooks",
  "webhooks.pause": "webhooks",
  "webhooks.resume": "webhooks",
  "webhooks.rotate": "webhooks",
  "webhooks.test": "webhooks",
  "webhooks.replay": "webhooks",
  "webhooks.deliveries": "webhooks",
  "webhooks.remove": "webhooks",
  "consumers.list": "consumers",
  "consumers.dead": "consumers",
  "alerts.list": "alerts",
  "store.info": "doctor",
  "tokens.create": "token",
  "tokens.list": "token",
  "tokens.revoke": "token",
  "tokens.share": "token",
  "audit.list": "audit",
  me: "",
  version: "version",
  "errors.explain": "explain",
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await killCommands();
});

/** Who asks, and with which scopes, is in headers. */
async function served(o: Parameters<typeof serve>[0] = {}): Promise<Served> {
  const s = await serve({
    auth: (r) => ({
      kind: "service",
      subject: r.headers.get("x-who") ?? "test",
      scopes: (r.headers.get("x-scopes") ?? accessScopes.join(",")).split(",").filter(isAccessScope),
    }),
    ...o,
  });
  closing.push(() => s.close());
  return s;
}

function overRest(s: Served, operation: Operation, input: object, headers: Record<string, string> = {}): Promise<Answer> {
  const { method, path, body } = addressOf(operation, input as Record<string, unknown>);
  return method === "GET" ? s.get(path, headers) : s.post(path, body, headers);
}

const onRpc = (operation: Operation): boolean => operationSpecs[operation].notOn?.startsWith("JSON-RPC") !== true;

describe("the catalogue", () => {
  it(
    "every operation has a handler, a schema, a policy and a description, and is on every surface or says why not",
    proves("Q-12"),
    async () => {
      const document = (await (await served()).get("/openapi.json")).json;
      const tools = toolsFor({ scopes: accessScopes, allow: accessScopes }).map((t) => t.operation);
      expect(Object.keys(handlers).toSorted()).toEqual(names.toSorted());
      expect(Object.keys(schemas).toSorted()).toEqual(names.toSorted());
      for (const operation of names) {
        const { rest, scope, tool, notOn, destructive, changes } = operationSpecs[operation];
        const [method, path] = rest.split(" ") as [string, string];
        const described = document.paths[`/v1${path}`][method.toLowerCase()];
        expect(described, operation).toMatchObject({ operationId: operation, "x-pawl-scope": scope });
        expect(described["x-pawl-destructive"] === true, operation).toBe(destructive === true);
        expect(method === "POST", operation).toBe(changes === true || operation === "runs.evidence");
        expect(tools.includes(operation), operation).toBe(tool !== undefined);
        if (tool === undefined) expect(notOn, operation).toMatch(/^(JSON-RPC and )?MCP: .+/);
      }
    },
  );

  it("every operation that a command does has that command", () => {
    const known = new Set(commands.map((c) => c.name.split(" ")[0]));
    expect(names.filter((o) => !known.has(commandOf[o]) && !notCommands.has(o))).toEqual([]);
  });

  it("every operation needs its scope, over REST and over JSON-RPC, and nothing but its scope", proves("Q-12", "TX-25"), async () => {
    const s = await served();
    for (const operation of names) {
      const { scope } = operationSpecs[operation];
      if (scope === "none" || operation === "runs.watch") continue;
      const input = examples[operation].input;
      const lacking = { "x-scopes": accessScopes.filter((a) => a !== scope).join(",") };
      const denied = await overRest(s, operation, input, lacking);
      expect([denied.status, denied.json.page, denied.json.data.scope], operation).toEqual([403, "PAWL4081", scope]);
      const having = { "x-scopes": scope };
      if (operation !== "runs.evidence") expect((await overRest(s, operation, input, having)).json?.data?.scope, operation).not.toBe(scope);
      if (!onRpc(operation)) continue;
      const rpc = (await s.rpc({ jsonrpc: "2.0", id: 1, method: operation, params: input }, lacking)).json;
      expect([rpc.error.code, rpc.error.data.page], operation).toEqual([-32_001, "PAWL4081"]);
    }
  });

  it("REST and JSON-RPC answer alike", proves("TX-25"), async () => {
    const s = await served();
    await s.post("/v1/runs", { workflow: "order", input: { a: 1 }, id: "same-1", wait: 30 });
    const inputs: Partial<Record<Operation, object>> = { "runs.event": { id: "same-1", seq: 1 }, "errors.explain": { code: "PAWL4001" } };
    const asked = names.filter((o) => operationSpecs[o].rest.startsWith("GET") && onRpc(o) && !changing.has(o));
    for (const operation of asked) {
      const members = [...operationSpecs[operation].rest.matchAll(/\{(\w+)\}/g)].map(
        (m) => [m[1]!, m[1] === "id" ? "same-1" : "none"] as const,
      );
      const input = inputs[operation] ?? { ...Object.fromEntries(members), ...(operation === "effects.proof" ? { key: "k" } : {}) };
      const rest = await overRest(s, operation, input);
      const rpc = (await s.rpc({ jsonrpc: "2.0", id: 1, method: operation, params: input })).json;
      const said = (body: object | null): object | null => (body === null ? null : { ...body, traceId: undefined });
      expect(said(rpc.error?.data ?? rpc.result), operation).toEqual(said(JSON.parse(rest.text) as object | null));
    }
  });

  it("the command line, REST and JSON-RPC show the same runs", { timeout: 60_000, ...proves("TX-25") }, async () => {
    const folder = new CliFolder({ "quick.ts": quickFile });
    const started = folder.start(["start", "./quick.ts", "--tenant", "acme/shop/live", "--listen", "127.0.0.1:0", "--open", "--json"]);
    let out = "";
    started.child.stdout?.on("data", (d: Buffer) => (out += String(d)));
    await started.saw('"url"');
    const { url } = JSON.parse(out.split("\n")[0]!) as { url: string };
    const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
      const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      return (await (await fetch(`${url}${path}`, body === undefined ? {} : post)).json()) as Record<string, unknown>;
    };
    await ask("/v1/runs", { workflow: "quick", input: { text: "x" }, id: "cli-1", tags: { a: "b" }, wait: 30 });
    const { items } = (await ask("/v1/runs")) as { items: object[] };
    const { result } = (await ask("/rpc", { jsonrpc: "2.0", id: 1, method: "runs.list" })) as { result: { items: object[] } };
    const shown = await folder.json("ls", "--tenant", "acme/shop/live");
    expect(items).toHaveLength(1);
    expect(result.items).toEqual(items);
    expect(JSON.stringify(shown)).toContain(JSON.stringify((items[0] as { runId: string }).runId));
    expect(shown.runs ?? shown).toEqual(items);
  });

  it("bodies have a limit on every transport", proves("Q-12"), async () => {
    const s = await served();
    const large = JSON.stringify({ workflow: "order", input: "x".repeat(2 * 1_048_576) });
    for (const path of ["/v1/runs", "/mcp"]) expect((await s.post(path, large)).status, path).toBe(413);
    const larger = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "runs.start",
      params: { workflow: "order", input: "x".repeat(17 * 1_048_576) },
    });
    expect((await s.post("/rpc", larger)).status).toBe(413);
  });

  it(
    "decisions about access are on record without credentials, with the trace that the log lines have",
    proves("Q-12", "TX-25"),
    async () => {
      const lines: string[] = [];
      const store = memoryStore(systemPlatform());
      const s = await served({
        on: store,
        log: (_, message, data) => lines.push(JSON.stringify([message, data, String(data?.["error"])])),
      });
      const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
      const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, authorization: "Basic aHVudGVyMg==", "x-who": "ann" };
      await s.post("/v1/runs", { workflow: "approval", id: "audited-1" });
      const paused = await s.post("/v1/runs/audited-1/pause", { reason: "because" }, headers);
      expect(paused.status).toBeLessThan(300);
      const denied = await s.post("/v1/runs/audited-1/pause", {}, { ...headers, "x-scopes": "read" });
      expect([denied.status, denied.json.traceId]).toEqual([403, traceId]);
      await s.api.stop();
      const { records } = await readAudit(store, defaultScope, {});
      expect(records).toContainEqual(expect.objectContaining({ operation: "runs.pause", decision: "granted", traceId, reason: "because" }));
      expect(records).toContainEqual(
        expect.objectContaining({ operation: "runs.pause", decision: "denied", principal: { kind: "service", subject: "ann" } }),
      );
      expect(JSON.stringify(records)).not.toMatch(/aHVudGVyMg|hunter2|Basic/);
      expect(lines.join()).not.toMatch(/aHVudGVyMg/);
    },
  );

  it(
    "a failure that nobody expected is in the log under the trace of its request, and the answer has only the trace",
    proves("TX-25"),
    async () => {
      const lines: { readonly message: string; readonly data: Readonly<Record<string, unknown>> }[] = [];
      const store = memoryStore(systemPlatform());
      let broken = false;
      const failing: typeof store = {
        ...store,
        runs: (q) => (broken ? Promise.reject(new TypeError("hunter2 is not a function")) : store.runs(q)),
      };
      const s = await served({ on: failing, log: (_, message, data = {}) => lines.push({ message, data }) });
      broken = true;
      const traceId = "0af7651916cd43dd8448eb211c80319c";
      const answer = await s.get("/v1/runs", { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
      broken = false;
      expect([answer.status, answer.json.page, answer.json.traceId]).toEqual([500, "PAWL5010", traceId]);
      expect(answer.text).not.toContain("hunter2");
      expect(lines.filter((l) => l.data["traceId"] === traceId)).toHaveLength(1);
    },
  );
});

/** Their answers change from one moment to the next. */
const changing: ReadonlySet<Operation> = new Set<Operation>(["store.info", "engines.list", "runs.evidence", "audit.list"]);
/** Operations without a command of their own. */
const notCommands: ReadonlySet<Operation> = new Set<Operation>(["me"]);
