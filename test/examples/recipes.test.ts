// The recipes, run for real: each web framework in a process of its own, asked over HTTP and ended by SIGTERM; Next's route handlers called
// with web requests; and the program about webhooks. Guards that what docs/recipes shows works as shown.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testEngine } from "pawl/testing";
import { order } from "../../examples/recipes/approved-order.ts";
import { GET, POST } from "../../examples/recipes/next-route.ts";
import { exampleLauncher } from "../support/package-under-test.ts";

const root = resolve(import.meta.dirname, "../..");
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "pawl-recipes-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcess;
  /** Standard output so far, or standard error if there is any. */
  out(): string;
}

function start(name: string): Started {
  const { PAWL_CRASH: _, ...env } = process.env;
  const child = spawn(process.execPath, [exampleLauncher(), `recipes/${name}`], {
    cwd: dir,
    env: { ...env, PORT: "0", PAWL_STORE: `sqlite:${join(dir, `${name}.db`)}` },
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (d: Buffer) => (out += String(d)));
  return { child, out: () => out };
}

async function said(started: Started, what: RegExp): Promise<string> {
  for (;;) {
    const found = what.exec(started.out());
    if (found !== null) return found[1] ?? "";
    if (started.child.exitCode !== null) throw new Error(`it ended: ${started.out()}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** It ends by itself when SIGTERM has stopped its engine. */
async function endedBySigterm({ child }: Started): Promise<void> {
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([0, null]);
}

/** Asks until the run has ended. */
async function outcome(ask: () => Promise<Response>): Promise<{ code: number; body: unknown }> {
  for (;;) {
    const answer = await ask();
    const body: unknown = await answer.json();
    if (answer.status !== 202) return { code: answer.status, body };
    await new Promise((done) => setTimeout(done, 50));
  }
}

const completed = { code: 200, body: { status: "COMPLETED", result: { charge: "ch_o-1", shipped: true } } };

describe.concurrent("web frameworks", () => {
  it.each(["express", "hono", "fastify"])(
    "%s: the same request twice is one run; its result is asked for; SIGTERM ends it",
    async (name) => {
      const web = start(name);
      try {
        const url = `http://127.0.0.1:${await said(web, /listening on (\d+)/)}`;
        const post = (body: unknown): Promise<Response> =>
          fetch(`${url}/orders`, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
        for (let n = 0; n < 2; n++) {
          const answer = await post({ orderId: "o-1", cents: 900 });
          expect([answer.status, answer.headers.get("location"), await answer.json()]).toEqual([
            202,
            "/orders/order-o-1",
            { id: "order-o-1" },
          ]);
        }
        expect((await post({ orderId: "o-1", cents: 901 })).status).toBe(409);
        expect((await post({ orderId: "o-2", cents: -1 })).status).toBe(400);
        expect((await fetch(`${url}/orders/none`)).status).toBe(404);
        expect(await outcome(() => fetch(`${url}/orders/order-o-1`))).toEqual(completed);
        await endedBySigterm(web);
      } finally {
        web.child.kill("SIGKILL");
      }
    },
  );

  it("service: says that it is well, shows its metrics, and ends on SIGTERM", async () => {
    const service = start("service");
    try {
      const url = `http://127.0.0.1:${await said(service, /listening on (\d+)/)}`;
      expect(await (await fetch(`${url}/`)).json()).toEqual({ ok: true, trouble: null });
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const page = readFileSync(join(root, "docs/operate.md"), "utf8");
      const named = [...page.matchAll(/`(pawl_[a-z_]+)/g)]
        .map((m) => m[1] ?? "")
        .filter((m) => !/^pawl_(webhook_|http_|stream|oldest_|queue_|consumer_)/.test(m)); // those of a server
      expect(named.length).toBeGreaterThan(15);
      expect(named.filter((m) => !metrics.includes(`# TYPE ${m} `))).toEqual([]);
      const all = [...metrics.matchAll(/^# TYPE (\w+) /gm)].map((m) => m[1] ?? "");
      expect(all.filter((m) => !named.includes(m))).toEqual([]); // the page leaves none out
      await endedBySigterm(service);
    } finally {
      service.child.kill("SIGKILL");
    }
  });

  it("next: the route records the start, and a worker on the same store runs it", async () => {
    const worker = start("next-worker");
    const before = process.env["PAWL_STORE"];
    try {
      await said(worker, /(working)/);
      process.env["PAWL_STORE"] = `sqlite:${join(dir, "next-worker.db")}`;
      const post = (body: unknown): Promise<Response> =>
        POST(new Request("http://shop/orders", { method: "POST", body: JSON.stringify(body) }));
      for (let n = 0; n < 2; n++) {
        const answer = await post({ orderId: "o-1", cents: 900 });
        expect([answer.status, await answer.json()]).toEqual([202, { id: "order-o-1" }]);
      }
      expect((await post({ orderId: "o-1", cents: 901 })).status).toBe(409);
      expect((await post({ orderId: "o-2", cents: -1 })).status).toBe(400);
      expect((await GET(new Request("http://shop/orders?id=none"))).status).toBe(404);
      expect(await outcome(() => GET(new Request("http://shop/orders?id=order-o-1")))).toEqual(completed);
      await endedBySigterm(worker);
    } finally {
      worker.child.kill("SIGKILL");
      if (before === undefined) delete process.env["PAWL_STORE"];
      else process.env["PAWL_STORE"] = before;
      const { pawlClient } = globalThis as { pawlClient?: Promise<{ close(): Promise<void> }> };
      await (await pawlClient)?.close();
    }
  });
});

describe.concurrent("programs", () => {
  const shown = {
    "webhooks-in": [
      "404 before the run exists",
      "401 with a forged signature",
      "evt_7 accepted",
      "evt_7 was here before",
      "204 204 twice",
      "paid 900",
      "204 after the end",
    ],
  };
  it.each(Object.entries(shown))("%s shows what its page says", async (name, lines) => {
    const program = start(name);
    expect(await once(program.child, "close")).toEqual([0, null]);
    expect(program.out().trimEnd().split("\n")).toEqual(lines);
    const page = readFileSync(join(root, "docs/recipes", `${name}.md`), "utf8");
    expect(page).toContain(lines.join("\n"));
  });
});

it("the workflow of the migration page charges, waits, and ends with an answer or without one", async () => {
  const t = await testEngine({ workflows: [order] });
  const answered = await t.start(order, { id: "o-1" });
  await answered.signal("approved", { by: "ann" }, { signalId: "mail-77" }); // before the code asks for it
  expect(await answered.result()).toEqual({ chargeId: "ch_o-1_o-1", by: "ann" });
  const left = await t.start(order, { id: "o-2" });
  await expect(left.result()).rejects.toThrow("nobody answered");
  await t.stop();
});
