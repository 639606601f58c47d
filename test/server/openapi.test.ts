// What /openapi.json says is what the server does: a client in another language is made from the document alone and works, every operation that the
// document has answers, and what it answers fits the schema of the operation.
import { execFile, execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressOf } from "../../src/api/address.ts";
import { operations, operationSpecs, type Operation } from "../../src/api/operations.ts";
import { checkAnswer } from "../../src/api/schemas/check.ts";
import { z } from "zod";
import { graph, sum } from "../../src/graph.ts";
import { workflow } from "../../src/index.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { write } from "../log/producer-events.ts";
import { approval, order, serve, type Answer, type Served } from "./serve.ts";

const python = has("python3");

/** Answers an update, and waits for one. */
const asked: AnyWorkflow = workflow({ name: "asked", updates: { answer: { input: z.number(), output: z.number() } } }, async (ctx) => {
  ctx.onUpdate("answer", (n) => n + 1);
  await ctx.sleep("long", "10m");
});
/** Waits for a person. */
const essay: AnyWorkflow = graph({ name: "essay", state: { rounds: sum() } })
  .nodes({ write: () => ({ rounds: 1 }) })
  .edges({ start: "write", write: (s) => (s.rounds < 2 ? "write" : "end") });
const asking: AnyWorkflow = workflow({ name: "asking" }, async (ctx) => {
  await ctx.step("pay", async () => 1, { approve: true });
});

function has(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

interface Said {
  readonly what: string;
  readonly status: number;
  // Tests look into answers freely.
  // oxlint-disable-next-line no-explicit-any
  readonly answer: any;
}

function runPython(url: string): Promise<readonly Said[]> {
  const script = new URL("openapi_client.py", import.meta.url).pathname;
  return new Promise((resolve, reject) => {
    execFile("python3", [script, url], (e, out, err) => {
      if (e !== null) reject(new Error(`${err}\n${out}`));
      else
        resolve(
          out
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as Said),
        );
    });
  });
}

describe("/openapi.json", () => {
  let s: Served;
  beforeAll(async () => {
    s = await serve({ workflows: [order, approval, asked, asking, essay] });
  });
  afterAll(() => s.close());

  it.skipIf(!python)("a Python client made from the document starts, signals twice, waits and cancels", async () => {
    const said = new Map((await runPython(s.url)).map((line) => [line.what, line]));
    expect(said.get("start")).toMatchObject({ status: 201, answer: { workflowId: "py/1", created: true } });
    expect(said.get("again")).toMatchObject({ status: 200, answer: { created: false, runId: said.get("start")?.answer.runId } });
    expect(said.get("signal")?.answer).toMatchObject({ replayed: false, result: { signalId: "s-1", accepted: true } });
    expect(said.get("signal again")?.answer).toMatchObject({ replayed: true, result: said.get("signal")?.answer.result });
    expect(said.get("result")).toMatchObject({ status: 200, answer: { status: "COMPLETED", result: { got: { by: "ann" } } } });
    expect(said.get("list")?.answer.items).toMatchObject([{ workflowId: "py/1" }]);
    expect([200, 202]).toContain(said.get("cancel")?.status);
    expect(said.get("cancelled")).toMatchObject({ status: 200, answer: { status: "CANCELLED" } });
    expect(said.get("refused runs.get")).toMatchObject({ status: 404, answer: { page: "PAWL4001" } });
    expect(said.get("refused runs.terminate")).toMatchObject({ status: 422, answer: { page: "PAWL4090" } });
    expect(said.get("refused runs.start")).toMatchObject({ status: 422, answer: { errors: [{ pointer: "/workflow" }] } });
  });

  it("every reading operation answers what its schema says, with a status that the document has", async () => {
    const document = (await s.get("/openapi.json")).json;
    await s.post("/v1/runs", { workflow: "order", input: { a: 1 }, id: "all-1", wait: 30 });
    const inputs: Partial<Record<Operation, Record<string, unknown>>> = {
      "runs.event": { id: "all-1", seq: 1 },
      "effects.proof": { key: "no-such-key" },
      "errors.explain": { code: "PAWL4001" },
    };
    const skipped = new Set<Operation>(["runs.watch"]);
    const reading = (Object.keys(operations) as Operation[]).filter((o) => operationSpecs[o].rest.startsWith("GET") && !skipped.has(o));
    for (const operation of reading) {
      const given = inputs[operation] ?? Object.fromEntries(pathMembers(operation).map((m) => [m, m === "id" ? "all-1" : "none"]));
      const { path } = addressOf(operation, given);
      const answer: Answer = await s.get(path);
      const route = `/v1${operationSpecs[operation].rest.split(" ")[1]!}`;
      expect(Object.keys(document.paths[route].get.responses), `${operation} ${answer.text}`).toContain(String(answer.status));
      if (answer.status < 300) checkAnswer(operation, answer.json);
      else expect([404, 410, 422], `${operation} ${answer.text}`).toContain(answer.status);
    }
  });

  it("every changing operation answers what its schema says, with a status that the document has", async () => {
    const document = (await s.get("/openapi.json")).json;
    const tried = new Set<Operation>();
    const ask = async (operation: Operation, input: Record<string, unknown>): Promise<Answer> => {
      const { method, path, body } = addressOf(operation, input);
      expect(method, operation).toBe("POST");
      const answer = await s.post(path, body);
      const route = `/v1${operationSpecs[operation].rest.split(" ")[1]!}`;
      expect(Object.keys(document.paths[route].post.responses), `${operation} ${answer.text}`).toContain(String(answer.status));
      expect(answer.status, `${operation} ${answer.text.slice(0, 300)}`).toBeLessThan(300);
      if (operation !== "runs.evidence") checkAnswer(operation, answer.json);
      tried.add(operation);
      return answer;
    };
    const reason = "a test";
    await ask("runs.start", { workflow: "approval", id: "w-1" });
    await ask("runs.pause", { id: "w-1" });
    await ask("runs.resume", { id: "w-1" });
    await ask("runs.signal", { id: "w-1", name: "approved", payload: { by: "ann" } });
    expect((await ask("runs.start", { workflow: "asked", id: "w-2", wait: 0 })).status).toBe(201);
    await ask("runs.update", { id: "w-2", name: "answer", payload: 5, wait: 20 });
    await ask("runs.start", { workflow: "approval", id: "w-3" });
    await ask("runs.cancel", { id: "w-3" });
    await s.get("/v1/runs/w-3/result?wait=30");
    await ask("runs.retry", { id: "w-3", dryRun: true });
    await ask("runs.retry", { id: "w-3" });
    await ask("runs.terminate", { id: "w-3", reason });
    await ask("runs.start", { workflow: "essay", id: "w-6", input: {} });
    await s.get("/v1/runs/w-6/result?wait=30");
    await ask("runs.fork", { id: "w-6", at: 1, dryRun: true });
    expect((await ask("runs.fork", { id: "w-6", newId: "w-7", at: 1, update: { rounds: 1 }, reason })).status).toBe(201);
    expect((await ask("runs.fork", { id: "w-6", newId: "w-7", at: 1, update: { rounds: 1 }, reason })).status).toBe(200);
    expect((await ask("runs.next", { id: "w-6", input: { rounds: -2 } })).status).toBe(201);
    await ask("runs.evidence", { id: "w-1" });
    await ask("batches.create", { filter: { workflow: "approval" }, action: "cancel", reason, dryRun: true });
    const batch = await ask("batches.create", { filter: { workflow: "none" }, action: "cancel", reason });
    await ask("batches.stop", { batchId: batch.json.batchId, reason });
    await ask("workflows.pause", { name: "approval", reason });
    await ask("workflows.resume", { name: "approval" });
    const added = await ask("webhooks.add", { id: "hook", url: "https://hooks.example/x" });
    expect(added.json.secret).toMatch(/^whsec_/);
    await ask("webhooks.pause", { endpointId: "hook", reason });
    await ask("webhooks.resume", { endpointId: "hook" });
    await ask("webhooks.rotate", { endpointId: "hook" });
    await ask("webhooks.test", { endpointId: "hook" });
    await ask("webhooks.replay", { endpointId: "hook", what: { dead: true } });
    await ask("webhooks.remove", { endpointId: "hook", reason });
    const token = await ask("tokens.create", { subject: "shop", scopes: ["read"] });
    await ask("tokens.revoke", { tokenId: token.json.view.tokenId, reason });
    await ask("tokens.share", { id: "w-1", allow: "read" });
    await ask("runs.start", { workflow: "asking", id: "w-4" });
    await expect.poll(async () => (await s.get("/v1/decisions")).json.items.length, { timeout: 20_000 }).toBe(1);
    const open = await s.get("/v1/decisions");
    checkAnswer("decisions.list", open.json);
    await ask("decisions.resolve", { decisionId: open.json.items[0].decisionId, answer: { approve: true, reason } });
    const { items } = (await s.get("/v1/engines")).json as { items: { engineId: string }[] };
    await ask("engines.drain", { engineId: items[0]!.engineId, reason });
    await ask("runs.start", { workflow: "approval", id: "w-5" });
    await ask("investigations.open", { id: "w-5", reason });
    await ask("investigations.note", { id: "w-5", reason });
    await ask("investigations.close", { id: "w-5", as: "resolved", reason });
    await ask("queues.set", { name: "mails", concurrency: 2, reason });
    await ask("queues.pause", { name: "mails", reason });
    await ask("queues.resume", { name: "mails", reason });
    const { json: worker } = await ask("workers.register", {
      lang: "test",
      works: [{ task: "mail" }],
      queues: { mails: { concurrency: 1 } },
    });
    const { workerId } = worker as { workerId: string };
    await ask("workers.poll", { workerId, free: { mails: 1 }, waitMs: 0, holds: [] });
    await ask("workers.beats", { workerId, beats: [] });
    await ask("workers.results", { workerId, results: [{ dispatchId: "1.nobody", token: "t", ok: true }] });
    await ask("workers.leave", { workerId });
    const nightly = { name: "nightly", when: { cron: "0 2 * * *" }, workflow: "approval" };
    await ask("schedules.put", nightly);
    await ask("schedules.pause", { name: "nightly", reason });
    await ask("schedules.resume", { name: "nightly", reason });
    await ask("schedules.fire", { name: "nightly", reason });
    await ask("schedules.remove", { name: "nightly", reason });
    const template = { namespace: "shop", name: "order", version: "1.0.0", steps: [{ name: "charge", handler: "payments.charge" }] };
    await ask("templates.put", { template });
    await ask("templates.retire", { namespace: "shop", name: "order", version: "1.0.0", reason });
    await ask("events.append", { event: write({ eventType: "RunStarted", runId: "outside-1" }) });
    const changing = (Object.keys(operations) as Operation[]).filter((o) => operationSpecs[o].rest.startsWith("POST"));
    // These need a DAG, or a run that waits for a person: test/operate, test/dag and test/questions ask them.
    expect(changing.filter((o) => !tried.has(o))).toEqual(["questions.answer", "runs.evaluate", "steps.act"]);
  });
});

function pathMembers(operation: Operation): string[] {
  return [...operationSpecs[operation].rest.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);
}
