// Requests over HTTP to a server that is killed between a commit and its answer, each sent again with the same id to the server that takes its
// place: start, restart, reject, retry, resolve, pause. Each must have had one effect, and be answered the same every time. What is wrong is
// returned, not thrown: the campaign counts it.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { connect } from "../../src/client.ts";
import type { Client } from "../../src/client/types.ts";
import type { Engine } from "../../src/client/engine-types.ts";
import { engine, task, workflow } from "../../src/index.ts";
import { type Child, startChild } from "../support/child-process.ts";

export type KilledOperation = "start" | "reject" | "restart" | "retry" | "resolve" | "pause";
export const killedOperations: readonly KilledOperation[] = ["start", "reject", "restart", "retry", "resolve", "pause"];

export interface KilledRequests {
  readonly kills: number;
  readonly requests: number;
  readonly violations: readonly { readonly kind: "lost" | "duplicate" | "differs"; readonly what: string }[];
}

const waits = workflow({ name: "waits", signals: { go: z.unknown() } }, async (ctx) => ctx.receive("go"));
const fails = workflow({ name: "fails" }, async (ctx) => {
  await ctx.step("one", () => 1);
  throw new Error("no");
});
const pay = task({ name: "pay", input: z.number() }, () => "paid", { approve: () => true });
const asks = workflow({ name: "asks" }, async (ctx) => ctx.do(pay, 1));

interface Answer {
  readonly status: number;
  // Answers of six operations are looked into freely.
  // oxlint-disable-next-line no-explicit-any
  readonly json: any;
}
interface Prepared {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** What must be the same in every answer. */
  readonly same: (a: Answer) => unknown;
  /** How often it has happened. */
  readonly effects: (a: Answer) => Promise<number>;
}

/** A server that is begun again whenever it was killed. */
class KilledServer {
  readonly #env: Readonly<Record<string, string>>;
  #child: Child;
  #port = 0;
  kills = 0;

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
    this.#child = startChild("test/server/programs/killed-server.js", { env });
  }
  async #ready(): Promise<void> {
    if (this.#child.process.exitCode === null && this.#child.process.signalCode === null && this.#port > 0) return;
    if (this.#port > 0) this.#child = startChild("test/server/programs/killed-server.js", { env: this.#env });
    this.#port = Number((await this.#child.waitForLine("listening ")).slice("listening ".length));
  }
  /** The write after which it dies; undefined: none. */
  async ask(path: string, body: unknown, killAfter?: number): Promise<Answer | undefined> {
    await this.#ready();
    if (killAfter !== undefined) {
      this.#child.send(`arm ${killAfter}`);
      await this.#child.waitForLine(`armed ${killAfter}`);
    }
    try {
      const headers = { "content-type": "application/json" };
      const r = await fetch(`http://127.0.0.1:${this.#port}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      const text = await r.text();
      if (killAfter === undefined) return { status: r.status, json: JSON.parse(text) as unknown };
      await this.kill(); // it answered before that many writes: begin again unarmed
      return { status: r.status, json: JSON.parse(text) as unknown };
    } catch (e) {
      if (killAfter === undefined) throw e;
      const { signal } = await this.#child.ended;
      if (signal !== "SIGKILL") throw e;
      this.kills++;
      return undefined;
    }
  }
  async kill(): Promise<void> {
    this.#child.signal("SIGKILL");
    await this.#child.ended;
  }
}

/** `withEngine`: an engine in this process does the runs' work; else the server applies controls by itself. */
export async function killRequests(o: {
  readonly store: string;
  readonly kills: number;
  readonly random: (below: number) => number;
  readonly operations?: readonly KilledOperation[];
  readonly withEngine?: boolean;
  readonly bug?: string;
  readonly say?: (text: string) => void;
}): Promise<KilledRequests> {
  const { operations = killedOperations } = o;
  const client = await connect({ store: o.store });
  let app: Engine | null = await engine({ store: o.store, workflows: [waits, fails, asks], log: () => {} });
  const served = new KilledServer({ STORE: o.store, ...(o.bug === undefined ? {} : { BUG: o.bug }) });
  const violations: { kind: "lost" | "duplicate" | "differs"; what: string }[] = [];
  let requests = 0;
  try {
    for (let n = 0; served.kills < o.kills && violations.length < 20; n++) {
      const operation = operations[n % operations.length]!;
      app ??= await engine({ store: o.store, workflows: [waits, fails, asks], log: () => {} });
      const p = await prepare[operation](client, app, `${operation}-${n}`);
      if (o.withEngine === false) {
        await app.stop({ grace: 1_000 });
        app = null;
      }
      const before = served.kills;
      const first = await served.ask(p.path, p.body, 1 + o.random(2));
      const answers = first === undefined ? [] : [first];
      for (let again = 0; again < 2; again++) answers.push((await served.ask(p.path, p.body))!);
      requests++;
      const what = `${operation} ${n}, killed ${served.kills - before} times`;
      if (answers.some((a) => a.status >= 400)) {
        violations.push({ kind: "lost", what: `${what}: ${JSON.stringify(answers)}` });
        continue;
      }
      const texts = answers.map((a) => JSON.stringify(p.same(a)));
      if (new Set(texts).size !== 1) violations.push({ kind: "differs", what: `${what}: ${texts.join(" ")}` });
      else if (answers.at(-1)!.json.replayed !== true) violations.push({ kind: "differs", what: `${what}: its last answer is no replay` });
      const times = await p.effects(answers.at(-1)!);
      if (times !== 1) violations.push({ kind: times === 0 ? "lost" : "duplicate", what: `${what}: it happened ${times} times` });
      if (requests % 20 === 0) o.say?.(`${served.kills} of ${o.kills} kills, ${requests} requests`);
    }
    return { kills: served.kills, requests, violations };
  } finally {
    await served.kill();
    await app?.stop({ grace: 1_000 });
    await client.close();
  }
}

type Prepare = (client: Client, app: Engine, id: string) => Promise<Prepared>;

const start =
  (onConflict?: "reject"): Prepare =>
  async (client, _, id) => ({
    path: "/v1/runs",
    body: { workflow: "waits", id, idempotencyKey: randomUUID(), ...(onConflict === undefined ? {} : { onConflict }) },
    same: (a) => a.json.runId,
    effects: () => runsOf(client, id),
  });

const prepare: Readonly<Record<KilledOperation, Prepare>> = {
  start: start(),
  reject: start("reject"),
  restart: async (client, app, id) => {
    const old = await waitingRun(client, app, id);
    return {
      path: "/v1/runs",
      body: { workflow: "waits", id, idempotencyKey: randomUUID(), onConflict: "restart", reason: "again" },
      same: (a) => a.json.runId,
      effects: async (a) => {
        const ended = (await typesOf(client, old)).filter((t) => t === "RunCancelled").length;
        const own = (await typesOf(client, a.json.runId as string)).includes("RunCancelled");
        return own ? 2 : ended === 1 ? (await runsOf(client, id)) - 1 : 0;
      },
    };
  },
  retry: async (client, app, id) => {
    const { runId } = await app.start(fails, undefined, { id });
    await client.waitForEnd(runId);
    return {
      path: `/v1/runs/${id}/retry`,
      body: { requestId: randomUUID() },
      same: (a) => a.json.runId,
      effects: async () => (await runsOf(client, id)) - 1,
    };
  },
  resolve: async (client, app, id) => {
    const { runId } = await app.start(asks, undefined, { id });
    const open = async (): Promise<string | undefined> => (await client.decisions()).find((d) => d.runId === runId)?.decisionId;
    let decisionId: string | undefined;
    while ((decisionId = await open()) === undefined) await client.waitForChange(runId, { timeoutMs: 100 });
    return {
      path: `/v1/decisions/${encodeURIComponent(decisionId)}/answer`,
      body: { answer: { approve: true, reason: "fine" }, requestId: randomUUID(), wait: 20 },
      same: (a) => a.json.state,
      effects: async () => {
        await client.waitForEnd(runId);
        return (await typesOf(client, runId)).filter((t) => t === "pawl.DecisionAnswered").length;
      },
    };
  },
  pause: async (client, app, id) => {
    const runId = await waitingRun(client, app, id);
    return {
      path: `/v1/runs/${id}/pause`,
      body: { requestId: randomUUID(), reason: "lunch" },
      same: (a) => [a.json.state, a.json.requestId, a.json.run.runId],
      effects: async () => (await typesOf(client, runId)).filter((t) => t === "RunPaused").length,
    };
  },
};

async function waitingRun(client: Client, app: Engine, id: string): Promise<string> {
  const { runId } = await app.start(waits, undefined, { id });
  while ((await client.get(runId))?.waiting !== "signal") await client.waitForChange(runId, { timeoutMs: 100 });
  return runId;
}
async function runsOf(client: Client, workflowId: string): Promise<number> {
  return (await client.list({ workflowId, limit: 100 })).runs.length;
}
async function typesOf(client: Client, runId: string): Promise<string[]> {
  return (await client.events(runId)).map((e) => e.eventType);
}
