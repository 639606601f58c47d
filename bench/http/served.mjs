// One server under measure, in a process of its own: Pawl with its engine ("all"), without one ("api"), an engine alone ("engine"), or another
// library behind the same route. It says its port and its resident memory, measures in process what it is asked to, and ends with its input.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";

/** @typedef {"all" | "api" | "engine" | "hono" | "dbos" | "openworkflow" | "restate"} ServedRole */
/** @typedef {{ role: ServedRole, url: string, dir: string }} ServedOrder */
/** @typedef {{ port: number, w1?: (ms: number) => Promise<number>, w4?: (times: number) => Promise<number[]>, end: () => Promise<unknown> }} ServedPart */

/** @type {ServedOrder} */
const order = JSON.parse(process.argv[2] ?? "{}");
/** @param {unknown} what */
const say = (what) => void process.stdout.write(`${JSON.stringify(what)}\n`);
/** Runs that W1 has together. */
const together = 1_000;
const idleGapMs = 20;

/** @param {Hono} app @returns {Promise<{ port: number, close: () => Promise<void> }>} */
const listening = (app) =>
  new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false }, ({ port }) =>
      resolve({ port, close: () => new Promise((done) => void server.close(() => done())) }),
    );
  });

/** The same route for every peer: start a run, wait for its end, answer with it. @param {() => Promise<unknown>} run */
const behindRoute = async (run) => {
  const app = new Hono();
  app.post("/v1/runs", async (c) => {
    await c.req.json();
    return c.json({ end: { result: await run() } });
  });
  return listening(app);
};

/** @returns {Promise<ServedPart>} */
async function pawl() {
  const { engine, workflow } = await import("../../dist/index.js");
  const stepped = workflow({ name: "stepped" }, async (ctx) => ctx.step("s", () => 1));
  const ticker = workflow(
    { name: "ticker", input: z.object({ everyMs: z.number(), times: z.number() }) },
    async (ctx, { everyMs, times }) => {
      for (let i = 0; i < times; i++) await ctx.step("tick", () => new Promise((resolve) => setTimeout(() => resolve(i), everyMs)));
    },
  );
  const app =
    order.role === "api" ? undefined : await engine({ store: order.url, workflows: [stepped, ticker], effectsMax: 5_000, log: () => {} });
  let started = 0;
  const one = async () => (await app?.start(stepped, undefined, { id: `in-${process.pid}-${++started}` }))?.result();
  /** @param {number} ms */
  const w1 = async (ms) => {
    let runs = 0;
    const from = performance.now();
    do {
      await Promise.all(Array.from({ length: together }, one));
      runs += together;
    } while (performance.now() - from < ms);
    return (runs / (performance.now() - from)) * 1_000;
  };
  /** @param {number} times */
  const w4 = async (times) => {
    const took = [];
    for (let i = 0; i < times; i++) {
      await new Promise((resolve) => setTimeout(resolve, idleGapMs));
      const from = performance.now();
      await one();
      took.push(performance.now() - from);
    }
    return took;
  };
  if (order.role === "engine") return { port: 0, w1, end: async () => app?.stop() };
  const { server } = await import("../../dist/server.js");
  // Many callers: each may have so many streams.
  const auth = (/** @type {Request} */ r) => ({
    kind: /** @type {const} */ ("service"),
    subject: r.headers.get("x-who") ?? "bench",
    scopes: /** @type {const} */ (["read", "payloads", "work"]),
  });
  const on = app === undefined ? { store: order.url, tenant: "default/default/default" } : { engine: app };
  const api = await server({ ...on, auth, log: () => {} });
  const { port } = await api.listen({ port: 0 });
  return { port, w1, w4, end: async () => (await api.stop(), await app?.stop()) };
}

/** The least that such a route can do: one row, durable, then the answer. @returns {Promise<ServedPart>} */
async function hono() {
  const { openConnection } = await import("../../dist/store/sqlite/wire/driver.js");
  const db = await openConnection(join(order.dir, "hono.db"));
  for (const pragma of ["journal_mode = wal", "synchronous = full"]) db.exec(`pragma ${pragma}`);
  db.exec("create table runs (id integer primary key, body text)");
  const insert = db.prepare("insert into runs (body) values (?)");
  const { port, close } = await behindRoute(() => Promise.resolve(insert.run("{}").lastInsertRowid));
  return { port, end: async () => (await close(), db.close()) };
}

/** DBOS or OpenWorkflow, as they are measured in process. @param {"dbos" | "openworkflow"} role @returns {Promise<ServedPart>} */
async function peer(role) {
  const { subject } = await import(`../${role}.mjs`);
  const workload = { id: "H1", about: "", unit: "runs/s", kind: "rate", runs: 1, steps: 1, limit: [], peers: [], targets: {} };
  const store = order.url.startsWith("sqlite:") ? "sqlite" : "postgres";
  const { one, end } = await subject({
    role,
    workload,
    store,
    url: order.url,
    dir: order.dir,
    serverPid: null,
    warming: null,
    forMs: 0,
    runs: 64,
  });
  const { port, close } = await behindRoute(one);
  return { port, end: async () => (await close(), await end()) };
}

/** What is used of Restate's package; it is installed only where it is measured. @typedef {{ run(name: string, body: () => unknown): Promise<unknown> }} RestateContext */
/** @typedef {{ service(o: object): object, serve(o: { services: readonly object[], port: number }): Promise<number> }} Restate */

/** A service of Restate's: its own server calls it. @returns {Promise<ServedPart>} */
async function restateService() {
  const peer = "@restatedev/restate-sdk";
  const restate = /** @type {Restate} */ (await import(peer));
  const stepped = restate.service({
    name: "stepped",
    handlers: { run: async (/** @type {RestateContext} */ ctx) => ctx.run("s", () => 1) },
  });
  const port = await restate.serve({ services: [stepped], port: 0 });
  return { port, end: () => Promise.resolve() };
}

const { role } = order;
const part =
  role === "hono"
    ? await hono()
    : role === "dbos" || role === "openworkflow"
      ? await peer(role)
      : role === "restate"
        ? await restateService()
        : await pawl();
say({ port: part.port, residentMb: process.memoryUsage().rss / 1_048_576 });
for await (const line of createInterface({ input: process.stdin })) {
  const { w1, w4, rss } = JSON.parse(line);
  if (w1 !== undefined) say(await part.w1?.(w1));
  else if (w4 !== undefined) say(await part.w4?.(w4));
  else if (rss === true) say(process.memoryUsage().rss / 1_048_576);
}
await part.end();
process.exit(0);
