// The server inside a host of Node's: bases, what is passed on, bodies that somebody read before, and how it stops.
// The frameworks themselves are tried in test/examples.
import express from "express";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { engine } from "../../src/index.ts";
import { server, type PawlServer } from "../../src/server.ts";
import type { Engine } from "../../src/client/engine-types.ts";
import { approval, order, serve } from "./serve.ts";

const json = { "content-type": "application/json" };
const start = JSON.stringify({ workflow: "order", id: "mounted" });
const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

async function mounted(
  use: (web: express.Express, api: PawlServer) => void,
  base = "/pawl",
): Promise<{ url: string; api: PawlServer; app: Engine }> {
  const app = await engine({ store: "memory:", workflows: [order], log: () => {} });
  const api = await server({ engine: app, auth: "open", base, log: () => {} });
  const web = express();
  use(web, api);
  const listening = await new Promise<Server>((resolve) => {
    const s: Server = web.listen(0, "127.0.0.1", () => resolve(s));
  });
  ending.push(
    () => app.stop(),
    () => api.stop(),
    () => new Promise((resolve) => listening.close(resolve)),
  );
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, api, app };
}

describe("mounted", () => {
  it("a body that a parser has read is refused with the reason", async () => {
    const { url } = await mounted((web, api) => web.use(express.json()).use(api.node));
    const refused = await fetch(`${url}/pawl/v1/runs`, { method: "POST", headers: json, body: start });
    expect([refused.status, ((await refused.json()) as { page: string }).page]).toEqual([500, "PAWL5041"]);
    expect((await fetch(`${url}/pawl/v1/me`)).status).toBe(200);
  });

  it("at a path that the host strips it needs no base, and answers with relative locations", async () => {
    const { url } = await mounted((web, api) => web.use("/deep/pawl", api.node), "");
    const made = await fetch(`${url}/deep/pawl/v1/runs`, { method: "POST", headers: json, body: start });
    expect(made.status).toBe(201);
    const at = new URL(made.headers.get("location")!, `${url}/deep/pawl/v1/runs`);
    expect((await fetch(at)).status).toBe(200);
  });

  it("passes on what is not below its base", async () => {
    const { url } = await mounted((web, api) => {
      web.use(api.node);
      web.use((request, response) => void response.json({ own: request.url }));
    });
    expect(await (await fetch(`${url}/pawlish`)).json()).toEqual({ own: "/pawlish" });
    expect((await fetch(`${url}/pawl`, { redirect: "manual" })).status).toBe(308); // to the dashboard, at /pawl/
  });

  it("a base that is no path is refused, and so is a server without engine and tenant", async () => {
    for (const base of ["pawl", "/pawl/", "/a b", "/../x?"])
      await expect(server({ store: "memory:", tenant: "a/b/c", auth: "open", base })).rejects.toThrow(/base/);
    await expect(server({ store: "memory:", auth: "open" })).rejects.toThrow(/tenant/);
    await expect(server({ store: "memory:", tenant: "a/b", auth: "open" })).rejects.toThrow(/tenant\/project\/environment/);
  });
});

describe("stopping", () => {
  it("answers what waits, closes connections, and continues nothing new", async () => {
    const s = await serve({ workflows: [order, approval] });
    ending.push(() => s.app.stop());
    await s.post("/v1/runs", { workflow: "approval", id: "held" });
    const waits = [
      fetch(`${s.url}/v1/runs/held/result?wait=30`),
      s.rpc({ jsonrpc: "2.0", id: 1, method: "runs.result", params: { id: "held", wait: 30 } }),
    ] as const;
    const stopped = s.api.stop({ drainDelayMs: 1_000 }); // time for both to arrive
    const [rest, rpc] = await Promise.all(waits);
    expect([rest.status, ((await rest.json()) as { pending: boolean }).pending]).toEqual([202, true]);
    expect(rpc.json.result).toMatchObject({ pending: true });
    await stopped;
    await expect(fetch(`${s.url}/livez`)).rejects.toThrow(/fetch failed/);
  });

  it("serves during the drain delay, and says that it is not ready", async () => {
    const s = await serve();
    ending.push(() => s.app.stop());
    const stopped = s.api.stop({ drainDelayMs: 5_000 });
    const ready = await s.get("/readyz");
    expect([ready.status, ready.json.draining]).toEqual([503, true]);
    expect((await s.get("/livez")).status).toBe(200);
    expect((await s.post("/v1/runs", { workflow: "order", id: "late" })).status).toBe(201);
    await stopped;
    await stopped;
  });
});
