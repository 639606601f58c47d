// The server inside other people's apps, run for real: Express, Hono and Fastify in processes of their own, Next's route handlers called with web
// requests. Each answers for itself and for Pawl, and ends by SIGTERM.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GET, POST } from "../../examples/mounted/next-route.ts";
import { exampleLauncher } from "../support/package-under-test.ts";

const ann = { cookie: "session=ann" };
const json = { "content-type": "application/json" };
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "pawl-mounted-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Starts an example and waits for what it says. */
async function start(name: string, says: RegExp): Promise<{ readonly child: ChildProcess; readonly found: string }> {
  const { PAWL_CRASH: _, ...env } = process.env;
  const store = `sqlite:${join(dir, `${name.replaceAll("/", "-")}.db`)}`;
  const child = spawn(process.execPath, [exampleLauncher(), name], {
    cwd: dir,
    env: { ...env, PORT: "0", PAWL_STORE: store },
  });
  let out = "";
  return new Promise((done, failed) => {
    const look = (data: Buffer): void => {
      out += String(data);
      const match = says.exec(out);
      if (match !== null) done({ child, found: match[1] ?? "" });
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("close", () => failed(new Error(`${name} ended: ${out}`)));
  });
}

/** What every mounted server answers, whichever way it is called. */
async function asksEverything(ask: (path: string, init?: RequestInit) => Promise<Response>): Promise<void> {
  const post = (body: unknown, headers: Record<string, string> = ann): Promise<Response> =>
    ask("/pawl/v1/runs", { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
  expect((await ask("/pawl/v1/me")).status).toBe(401);
  expect(await (await ask("/pawl/v1/me", { headers: ann })).json()).toMatchObject({ principal: { subject: "ann" } });
  expect((await post({ workflow: "order", input: {} }, { cookie: "session=bob" })).status).toBe(403);
  expect((await post({ workflow: "order", input: { orderId: "", cents: 1 } })).status).toBe(422);
  const made = await post({ workflow: "order", input: { orderId: "o-1", cents: 900 }, id: "order-1" });
  expect(made.status).toBe(201);
  const at = new URL(made.headers.get("location") ?? "", "http://host/pawl/v1/runs").pathname;
  expect(at).toMatch(/^\/pawl\/v1\/runs\/[0-9a-f-]{36}$/);
  expect(await (await ask(`${at}/result?wait=30`, { headers: ann })).json()).toMatchObject({
    status: "COMPLETED",
    result: { shipped: true },
  });
  const rpc = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "runs.get", params: { id: "order-1" } });
  expect(await (await ask("/pawl/rpc", { method: "POST", headers: { ...json, ...ann }, body: rpc })).json()).toMatchObject({
    id: 1,
    result: { workflowId: "order-1" },
  });
  expect((await ask("/pawl/v1/nothing", { headers: ann })).status).toBe(404);
  expect((await ask("/pawl/readyz")).status).toBe(200);
}

describe.concurrent("a mounted server", () => {
  it.each(["express", "hono", "fastify"])("in %s answers below its base; the app keeps its own routes; SIGTERM ends both", async (name) => {
    const { child, found } = await start(`mounted/${name}`, /listening on (\d+)/);
    try {
      const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(`http://127.0.0.1:${found}${path}`, init);
      await asksEverything(ask);
      const echo = await ask("/echo", { method: "POST", headers: json, body: '{"own":true}' });
      expect(await echo.json()).toEqual({ own: true });
      expect((await ask("/elsewhere")).status).toBe(404);
      child.removeAllListeners("close");
      child.kill("SIGTERM");
      expect(await once(child, "close")).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("as Next's route handlers records starts, which a worker on the same store runs", async () => {
    const { child } = await start("recipes/next-worker", /(working)/);
    const before = process.env["PAWL_STORE"];
    try {
      process.env["PAWL_STORE"] = `sqlite:${join(dir, "recipes-next-worker.db")}`;
      await asksEverything((path, init = {}) => (init.method === "POST" ? POST : GET)(new Request(`http://shop.example${path}`, init)));
      expect((await GET(new Request("http://evil.example/pawl/v1/me", { headers: ann }))).status).toBe(421);
    } finally {
      child.removeAllListeners("close");
      child.kill("SIGKILL");
      const { pawlServer } = globalThis as { pawlServer?: Promise<{ stop(): Promise<void> }> };
      await (await pawlServer)?.stop();
      if (before === undefined) delete process.env["PAWL_STORE"];
      else process.env["PAWL_STORE"] = before;
    }
  });
});
