// pawl/http in a real browser: bundled for browsers, with nothing left out, and run in Chromium against a server on a real socket. A bundle that needed Node
// would not be built, or would not load. Without a browser the part that runs it is skipped, and that is said.
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromium, type Browser, type Page } from "playwright-core";
import { rolldown } from "rolldown";
import { z } from "zod";
import { engine, workflow, type Engine } from "../../src/index.ts";
import { server, type PawlServer } from "../../src/server.ts";

const chromiumPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

async function bundleForBrowsers(): Promise<string> {
  const build = await rolldown({ input: "src/http.ts", platform: "browser", external: () => false, treeshake: true, logLevel: "silent" });
  const { output } = await build.generate({ format: "esm" });
  await build.close();
  expect(output).toHaveLength(1);
  expect([output[0].imports, output[0].dynamicImports]).toEqual([[], []]);
  return output[0].code;
}

describe("pawl/http in browsers", () => {
  it("is one bundle without an import: nothing of Node, no package", async () => {
    const code = await bundleForBrowsers();
    expect(code).not.toMatch(/\brequire\(|"node:|\bBuffer\.from|from "zod"/);
    expect(Buffer.byteLength(code)).toBeLessThan(200_000);
  });
});

const wait = workflow({ name: "wait", input: z.any(), signals: { go: z.any() }, views: { status: z.string() } }, async (ctx, input) => {
  ctx.publish("status", "waiting");
  return { input, got: await ctx.receive("go") };
});

describe.skipIf(!existsSync(chromiumPath))("pawl/http in Chromium", () => {
  let app: Engine;
  let api: PawlServer;
  let host: Server;
  let browser: Browser;
  let page: Page;
  let origin: string;
  beforeAll(async () => {
    const code = await bundleForBrowsers();
    app = await engine({ store: "memory:", workflows: [wait], log: () => {} });
    api = await server({ engine: app, auth: "open", base: "/pawl", log: () => {} });
    host = createServer((request, response) => {
      if (request.url?.startsWith("/pawl/") === true) return api.node(request, response);
      const script = request.url === "/http.js";
      response
        .setHeader("content-type", script ? "text/javascript" : "text/html")
        .end(script ? code : "<!doctype html><title>page</title>");
    });
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(host.address() as { port: number }).port}`;
    browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
    page = await browser.newPage();
    await page.goto(`${origin}/`);
  });
  afterAll(async () => {
    await browser.close();
    await new Promise<void>((resolve) => host.close(() => resolve()));
    await api.stop();
    await app.stop();
  });

  /** Runs in the page; what it gives back must be JSON. */
  const inPage = (body: string): Promise<unknown> =>
    page.evaluate(`import("/http.js").then(async ({ connect, PawlError }) => { const url = location.origin + "/pawl"; ${body} })`);

  it("starts, signals twice, reads and waits, with values that JSON does not have", async () => {
    const answer = await inPage(`
      const client = await connect({ url });
      const input = { big: 12345678901234567890n, at: new Date(5), bytes: new Uint8Array([0, 255]), map: new Map([[1, new Set(["a"])]]), none: undefined };
      const { runId, created } = await client.start({ workflow: "wait", input, id: "order/42 ü" });
      const signals = [];
      for (const by of ["ann", "bob"]) signals.push(await client.signal("order/42 ü", "go", { by }, { signalId: "s" }));
      const { status, result } = await client.waitForEnd("order/42 ü", { timeoutMs: 60_000 });
      const { input: got } = result;
      await client.close();
      return {
        created, status, same: runId === (await connect({ url }).then((c) => c.get("order/42 ü"))).runId,
        replayed: signals.map((s) => s.replayed), equal: JSON.stringify(signals[0].result) === JSON.stringify(signals[1].result),
        big: String(got.big), at: got.at.getTime(), bytes: [...got.bytes], map: [...got.map.get(1)], none: "none" in got, by: result.got.by,
      };`);
    expect(answer).toEqual({
      created: true,
      status: "COMPLETED",
      same: true,
      replayed: [false, true],
      equal: true,
      big: "12345678901234567890",
      at: 5,
      bytes: [0, 255],
      map: ["a"],
      none: true,
      by: "ann",
    });
  });

  it("rejects with the errors of the server, and refuses what cannot travel", async () => {
    const answer = await inPage(`
      const client = await connect({ url });
      const told = async (p) => { try { await p(); return "nothing"; } catch (e) { return [e instanceof PawlError, e.page, e.outcome]; } };
      return [
        await told(() => client.waitForEnd("nobody")),
        await told(() => client.signal("nobody", "go", 1, { signalId: "" })),
        await told(() => client.verifyStore()),
        await told(() => connect({ url: "http://10.0.0.1" })),
        (await client.get("nobody")) === undefined,
      ];`);
    expect(answer).toEqual([
      [true, "PAWL4001", "none"],
      [true, "PAWL4005", "none"],
      [true, "PAWL4086", "none"],
      [true, "PAWL5042", "none"],
      true,
    ]);
  });
});
