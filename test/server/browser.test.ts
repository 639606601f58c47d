// Hostile pages in a real browser: other origins, other ports of this machine, and names that are rebound to it. Whatever they try, in open mode or with
// the victim's cookie, nothing is started or changed. Skipped where there is no Chromium.
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import { serve, type Served } from "./serve.ts";
import type { HostCaller } from "../../src/server.ts";

const executablePath = "/usr/bin/chromium";

/** Everything that a page can send without asking, and some that it must ask for; run in the page. */
const attack = (target: string): string => `
  const body = JSON.stringify({ workflow: "order", id: "stolen-" + location.host });
  const rpc = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "runs.start", params: { workflow: "order", id: "rpc-" + location.host } });
  const tries = [];
  for (const [path, text] of [["/v1/runs", body], ["/rpc", rpc]]) {
    const url = ${JSON.stringify(target)} + path;
    for (const credentials of ["include", "omit"]) {
      tries.push(fetch(url, { method: "POST", credentials, headers: { "content-type": "application/json" }, body: text }));
      tries.push(fetch(url, { method: "POST", mode: "no-cors", credentials, body: text }));
      tries.push(fetch(url, { method: "POST", mode: "no-cors", credentials, body: new URLSearchParams({ [text]: "" }) }));
      tries.push(fetch(url, { method: "POST", mode: "no-cors", credentials, body: new Blob([text], { type: "application/json" }) }));
    }
    navigator.sendBeacon(url, text);
    try { navigator.sendBeacon(url, new Blob([text], { type: "application/json" })); } catch {}
    for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const frame = document.createElement("iframe"); frame.name = "f" + Math.random(); document.body.append(frame);
      const form = document.createElement("form"); form.method = "POST"; form.action = url; form.enctype = enctype; form.target = frame.name;
      const input = document.createElement("input"); input.name = text.slice(0, -1) + ',"x":"'; input.value = '"}'; form.append(input);
      document.body.append(form);
      tries.push(new Promise((done) => { frame.onload = done; form.submit(); setTimeout(done, 3000); }));
    }
  }
  for (const tag of ["img", "script", "iframe"]) { const e = document.createElement(tag); e.src = ${JSON.stringify(target)} + "/v1/runs"; document.body.append(e); }
  Promise.allSettled(tries).then(async (all) => {
    window.readable = [];
    for (const t of all) if (t.status === "fulfilled" && t.value && t.value.type !== "opaque" && t.value.ok) window.readable.push(await t.value.text());
    document.title = "done";
  });
`;

describe.skipIf(!existsSync(executablePath))("a hostile page in Chromium", () => {
  let browser: Browser;
  let evil: Server;
  let evilPort: number;
  let page = "";
  beforeAll(async () => {
    evil = createServer((_, response) => response.setHeader("content-type", "text/html").end(`<body><script>${page}</script>`));
    await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
    evilPort = (evil.address() as AddressInfo).port;
    browser = await chromium.launch({
      executablePath,
      args: [
        "--no-sandbox",
        "--host-resolver-rules=MAP *.test 127.0.0.1",
        "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
      ],
    });
  });
  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => evil.close(resolve));
  });

  /** Opens the attack at each address, after the victim has visited the server itself, and returns what became of the tenant. */
  async function attackFrom(s: Served, cookie?: string, victim?: (context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await browser.newContext();
    try {
      await victim?.(context);
      if (cookie !== undefined) {
        const where = { name: "session", value: cookie, path: "/" };
        await context.addCookies([
          { ...where, domain: "127.0.0.1" },
          { ...where, domain: "localhost" },
          { ...where, domain: "rebound.test" },
        ]);
      }
      const targets = [s.url, `http://localhost:${s.port}`];
      for (const target of targets) {
        page = attack(target);
        for (const from of [`http://127.0.0.1:${evilPort}`, `http://localhost:${evilPort}`, `http://evil.test:${evilPort}`]) {
          const tab = await context.newPage();
          await tab.goto(`${from}/`);
          await tab.waitForFunction("document.title === 'done'");
          expect(await tab.evaluate("window.readable")).toEqual([]);
          await tab.close();
        }
      }
      // A name of the attacker's that now points here: the page and the server are one origin to the browser.
      const tab = await context.newPage();
      const rebound = await tab.goto(`http://rebound.test:${s.port}/v1/runs`);
      expect(rebound?.status()).toBe(421);
      const inside = await tab.evaluate(async () => {
        const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"workflow":"order","id":"rebound"}' };
        return (await fetch("/v1/runs", init)).status;
      });
      expect(inside).toBe(421);
    } finally {
      await context.close();
    }
  }

  it("changes nothing in open mode", async () => {
    const s = await serve();
    try {
      await attackFrom(s);
      expect((await s.get("/v1/runs")).json.items).toEqual([]);
    } finally {
      await s.close();
    }
  });

  it("changes nothing with the victim's cookie, where the host's own sign-on decides", async () => {
    const ann: HostCaller = { kind: "person", subject: "ann", scopes: ["read", "payloads", "work", "operate"] };
    const s = await serve({ auth: (r) => (r.headers.get("cookie")?.includes("session=secret") === true ? ann : null) });
    try {
      await attackFrom(s, "secret");
      const own = await s.get("/v1/runs", { cookie: "session=secret" });
      expect([own.status, own.json.items]).toEqual([200, []]);
    } finally {
      await s.close();
    }
  });

  it("changes nothing while the victim has a session", async () => {
    const s = await serve({ auth: () => null });
    try {
      const { token } = await localClient(contextOfEngine(s.app)).tokens.create({
        subject: "ann",
        kind: "person",
        scopes: ["read", "payloads", "work", "operate"],
      });
      const own = { signIn: "", me: 0, without: 0 };
      await attackFrom(s, undefined, async (context) => {
        const tab = await context.newPage();
        await tab.goto(`${s.url}/livez`);
        own.signIn = await tab.evaluate(async (bearer) => {
          const init = { method: "POST", headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" } };
          return ((await (await fetch("/session", init)).json()) as { session: string }).session;
        }, token);
        own.me = await tab.evaluate(async (half) => (await fetch("/v1/me", { headers: { "x-pawl-session": half } })).status, own.signIn);
        own.without = await tab.evaluate(async () => (await fetch("/v1/me")).status);
        await tab.close();
        expect((await context.cookies()).map((c) => [c.name, c.httpOnly, c.sameSite])).toEqual([[`pawl_${s.port}`, true, "Strict"]]);
      });
      expect([own.me, own.without]).toEqual([200, 401]);
      const listed = await s.get("/v1/runs", { authorization: `Bearer ${token}` });
      expect([listed.status, listed.json.items]).toEqual([200, []]);
    } finally {
      await s.close();
    }
  });
});
