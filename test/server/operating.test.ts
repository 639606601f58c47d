// Operators over HTTP, on a real socket: what they look at, batches, paused workflows, draining engines. Every answer is that of the client's
// verb; statuses and places are REST's.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { workflow } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { approval, order, serve, type Served } from "./serve.ts";

let broken = true;
const bank = workflow({ name: "bank" }, (ctx) =>
  ctx.step("pay", () => {
    if (broken) throw new Error("the bank is down");
    return 1;
  }),
);
let s: Served;
beforeEach(async () => {
  broken = true;
  s = await serve({ workflows: [order, approval, bank] });
});
afterEach(() => s.close());

it("starts by name are checked: 404 for what nobody published, 422 for what does not fit", async () => {
  const unknown = await s.post("/v1/runs", { workflow: "ordr" });
  expect([unknown.status, unknown.json.page]).toEqual([404, "PAWL4008"]);
  const queued = await s.post("/v1/runs", { workflow: "ordr", allowUnknown: true });
  expect([queued.status, queued.json.served]).toEqual([201, false]);
  expect((await s.get(`/v1/runs/${queued.json.runId}`)).json.because.code).toBe("no-engine");
});

it("counts, timeline, events and the check of a run", proves("AX-27"), async () => {
  await s.app.run(order, 1, { id: "o" });
  expect((await s.get("/v1/runs/count")).json).toMatchObject({ max: 1000, byStatus: { COMPLETED: 1 }, byWorkflow: { order: 1 } });
  expect((await s.get("/v1/runs/o")).json.because).toMatchObject({ code: "ended" });
  expect((await s.get("/v1/runs/o/timeline")).json).toMatchObject({ bars: [{ name: "first", status: "SUCCESS" }], gaps: [] });
  const { items } = (await s.get("/v1/runs/o/events")).json;
  expect((await s.get("/v1/runs/o/events/2")).json).toEqual(items[1]);
  expect((await s.get("/v1/runs/o/events/99")).status).toBe(404);
  expect((await s.get("/v1/runs/o/events?types=StepCompleted")).json.items).toHaveLength(1);
  expect((await s.get(`/v1/runs/o/events?before=${items.length}&limit=1`)).json.items[0].runSeq).toBe(items.length - 1);
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
  expect((await s.get("/v1/runs/o/verification")).json).toEqual({
    runId: items[0].runId,
    ok: true,
    stepsHash: hash,
    eventChainRoot: hash,
    ledger: { ok: true, pendingKeys: [] },
    replay: { ok: true },
  });
  expect((await s.get("/v1/runs/nothing/verification")).status).toBe(404);
  const rpc = await s.rpc({ jsonrpc: "2.0", id: 1, method: "runs.verify", params: { id: "o" } });
  expect(rpc.json.result.ok).toBe(true);
});

it("a batch is answered 202 with its place, worked, and listed", async () => {
  for (const id of ["a", "b"]) await s.app.run(bank, undefined, { id }).catch(() => {});
  const order = { filter: { status: ["FAILED"], workflow: "bank" }, action: "retry" };
  expect((await s.post("/v1/batches", order)).status).toBe(422);
  const asked = { ...order, reason: "the bank is back" };
  const dry = await s.post("/v1/batches", { ...asked, dryRun: true });
  expect([dry.status, dry.json.matches, dry.json.state]).toEqual([200, 2, "dry-run"]);
  broken = false;
  const requestId = randomUUID();
  const made = await s.post("/v1/batches", { ...asked, requestId });
  expect([made.status, made.json.replayed, made.headers.get("idempotency-replayed")]).toEqual([202, undefined, null]);
  const again = await s.post("/v1/batches", { ...asked, requestId });
  expect([again.json.batchId, again.json.replayed, again.headers.get("idempotency-replayed")]).toEqual([made.json.batchId, true, "true"]);
  const place = `/v1/batches/${made.json.batchId}`;
  expect(new URL(made.headers.get("location")!, `${s.url}/v1/batches`).pathname).toBe(place);
  await vi.waitFor(async () => expect((await s.get(place)).json).toMatchObject({ state: "done", done: 2 }), {
    timeout: 20_000,
    interval: 50,
  });
  expect((await s.get("/v1/batches")).json.items).toHaveLength(1);
  expect((await s.post(`${place}/stop`, { reason: "enough" })).json.state).toBe("done");
  expect((await s.get("/v1/batches/nothing")).status).toBe(404);
  for (const id of ["a", "b"]) expect((await s.get(`/v1/runs/${id}/result?wait=10`)).json.status).toBe("COMPLETED");
});

it("a workflow is paused and resumed; an engine is drained", async () => {
  const listed = (await s.get("/v1/workflows")).json.items;
  expect(listed.map((w: { workflow: string }) => w.workflow)).toEqual(["approval", "bank", "order"]);
  expect(listed[0].versions[0].signals.approved).toMatchObject({ type: "object" });
  const paused = await s.post("/v1/workflows/order/pause", { reason: "bank is down" });
  expect(paused.json.paused).toMatchObject({ reason: "bank is down" });
  await vi.waitFor(
    async () => {
      const { json } = await s.post("/v1/runs", { workflow: "order" });
      expect((await s.get(`/v1/runs/${json.runId}`)).json.because.code).toBe("workflow-paused");
    },
    { timeout: 20_000, interval: 200 },
  );
  expect((await s.post("/v1/workflows/order/resume", {})).json.paused).toBeUndefined();
  expect((await s.post("/v1/workflows/nothing/pause", {})).status).toBe(404);
  const [engine] = (await s.get("/v1/engines")).json.items;
  const drained = await s.post(`/v1/engines/${engine.engineId}/drain`, { reason: "replaced" });
  expect(drained.json.draining).toMatchObject({ reason: "replaced" });
  await vi.waitFor(() => expect(s.app.health().draining).toBe(true), { timeout: 20_000, interval: 50 });
  // Requests still succeed here: a load balancer need not go elsewhere.
  expect(await s.get("/readyz")).toMatchObject({ status: 200, json: { ready: true, engine: "draining", draining: false } });
  expect((await s.get("/v1/engines")).json.items[0].alive).toBe(true);
});
