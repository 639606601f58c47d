// A shop with a history, and a server and a browser to look at it: runs of every kind on a SQLite file, one of them taken over from a process that died. All
// tests of the dashboard and its pictures begin here. Everything is gone after `close`.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import type { Engine, EngineOpts } from "../../src/client/engine-types.ts";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import { engine } from "../../src/index.ts";
import { server, type PawlServer, type ServerOpts } from "../../src/server.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { buildDashboard } from "./built.ts";
import { graphWorkflows } from "./graphs.ts";
import { hostile, shopWorkflows } from "./shop.ts";

export const chromiumPath: string = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const hasBrowser: boolean = existsSync(chromiumPath);

export interface World {
  readonly folder: string;
  readonly store: string;
  readonly app: Engine;
  readonly api: PawlServer;
  readonly url: string;
  readonly browser: Browser;
  readonly shop: Readonly<Record<string, AnyWorkflow>>;
  /** Opens a view in a browser of its own; problems of the page are kept in `problems`. */
  open(hash: string, o?: Parameters<Browser["newContext"]>[0]): Promise<Page>;
  readonly problems: string[];
  close(): Promise<void>;
}

export interface WorldOptions {
  /** False: an empty store. */
  readonly seeded?: boolean;
  /** Nothing that is made to break a page: for pictures. */
  readonly calm?: boolean;
  readonly server?: Partial<ServerOpts>;
  readonly engine?: Partial<EngineOpts>;
  /** Beside those of the shop. */
  readonly workflows?: Readonly<Record<string, AnyWorkflow>>;
}

export async function openWorld(o: WorldOptions = {}): Promise<World> {
  await buildDashboard();
  const folder = mkdtempSync(join(tmpdir(), "pawl-dashboard-"));
  const store = `sqlite:${join(folder, "shop.db")}`;
  let busy = 0;
  const charge = (key: string): unknown => {
    if (key.endsWith("order-1007") && busy++ === 0) throw new Error("the bank is busy");
    return { chargeId: "ch_1", key };
  };
  const { odd, ...calm } = shopWorkflows({ charge });
  const shop = { ...calm, ...(o.calm === true ? {} : { odd: odd! }), ...graphWorkflows(o.calm === true), ...o.workflows };
  const seeded = o.seeded !== false;
  if (seeded) await dieCharging(store, "order-1042");
  const app = await engine({ store, workflows: Object.values(shop), log: () => {}, ...o.engine });
  const api = await server({ engine: app, auth: "open", log: () => {}, ...o.server });
  const { url } = await api.listen({ port: 0 });
  if (seeded) await seed(app, shop, o.calm === true);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  const problems: string[] = [];
  const contexts: BrowserContext[] = [];
  return {
    folder,
    store,
    app,
    api,
    url,
    browser,
    shop,
    problems,
    open: async (hash, context = {}) => {
      const own = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...context });
      contexts.push(own);
      const page = await own.newPage();
      page.on("pageerror", (e) => problems.push(`error: ${e.message}`));
      page.on("dialog", (d) => problems.push(`dialog: ${d.message()}`));
      page.on("console", (m) => {
        if (m.type() === "error" || /Content.Security|Trusted/i.test(m.text())) problems.push(`console: ${m.text()}`);
      });
      await page.goto(`${url}/${hash}`);
      return page;
    },
    close: async () => {
      for (const context of contexts) await context.close();
      await browser.close();
      await api.stop();
      await app.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A process of its own dies in the middle of a charge, at once or when the file `sign` is there; what it owned is left to the next engine. */
export function dieCharging(store: string, id: string, sign = ""): Promise<void> {
  const loader = fileURLToPath(new URL("../support/typescript.mjs", import.meta.url));
  const program = fileURLToPath(new URL("./crash-program.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", loader, program, store, id, sign], { stdio: "ignore" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve());
  });
}

async function seed(app: Engine, shop: Readonly<Record<string, AnyWorkflow>>, calm: boolean): Promise<void> {
  const start = (name: string, id: string, input?: unknown, tags: Record<string, string> = {}): Promise<unknown> =>
    app.start(shop[name]! as never, input as never, { id, tags } as never);
  for (let i = 1; i <= 12; i++)
    await start("order", `order-10${String(i).padStart(2, "0")}`, { sku: "cup", cents: 1250 + i }, { customer: String(i % 4) });
  await start("order", "order-1013", { sku: "anvil", heavy: true }, { customer: "3" });
  await start("flaky", "report-2026-11", { month: "2026-11" });
  await start("flaky", "report-2026-10", { month: "2026-10" });
  await start("payout", "payout-ann", { to: "ann", cents: 90_000 });
  await start("payout", "payout-bob", { to: "bob", cents: 1_200 });
  await start("refund", "refund-1013", { order: "order-1013", cents: 1263 });
  await start("review", "review-77");
  await start("remind", "remind-ann");
  await start("parent", "basket-5");
  await start("etl", "etl-nightly");
  await start("research", "research-owls", { topics: ["owls", "newts"] });
  await stopInDoubt(app, (await start("delivery", "delivery-8")) as { runId: string });
  if (!calm) await start("odd", `<img src=x onerror=alert(1)> \u202eevil`, hostile);
  await start("support", "ticket-17", { prompt: "I was charged twice." });
  await approve(app, "ticket-17");
  const idle = await app.start(shop["review"]! as never, undefined as never, { id: "review-paused" });
  await (idle as unknown as { pause(o?: object): Promise<unknown> }).pause();
  await settled(app);
}

/** Ends a run while nobody knows what became of its steps: a retry of it has to treat each by its class. */
async function stopInDoubt(app: Engine, { runId }: { readonly runId: string }): Promise<void> {
  while (!(await app.decisions()).some((d) => d.runId === runId)) await new Promise((resolve) => setTimeout(resolve, 20));
  await localClient(contextOfEngine(app)).control(runId, "terminate", { reason: "the customer moved" });
}

/** A person says yes to the first question of a run. */
export async function approve(app: Engine, id: string): Promise<void> {
  for (;;) {
    const asked = (await app.decisions()).find((d) => d.workflowId === id);
    if (asked !== undefined) {
      await app.resolve(asked.decisionId, { approve: true, by: "ann", reason: "it was charged twice" });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Every run has ended, waits for somebody, or sleeps. */
async function settled(app: Engine): Promise<void> {
  for (;;) {
    const { runs } = await app.list({ status: ["PENDING", "RUNNING"], limit: 100 });
    if (runs.every((r) => r.waiting !== undefined && r.waiting !== "retry" && r.waiting !== "child")) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
