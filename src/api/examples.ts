// One request and one answer for each operation, as a caller would see them: for /openapi.json and the reference page. A test checks each
// against its schema, so that none is out of date. Nothing in it is real.
import type { OperationInput, OperationOutput } from "./operation-types.ts";
import type { Operation } from "./operations.ts";
import type { ControlAnswer } from "./types/operate.ts";
import type { RunView } from "./types/run.ts";

export interface OperationExample<O extends Operation> {
  readonly input: OperationInput<O>;
  readonly output: OperationOutput<O>;
}

const runId = "0192f0c1-7a2e-7c3b-9d10-5f6a7b8c9d0e";
const requestId = "7d2f9a53-18c4-4e0b-a6f1-3b5c7d9e1f20";
const at = "2026-01-31T08:00:00.000Z";
const later = "2026-01-31T08:00:02.250Z";
const id = "order-17";
const workerId = "0192f0c1-9b00-7aaa-8d10-2f6a7b8c9d0e";
const held = { dispatchId: "4211.0192f0c1-7a2e-7c3b-9d10-5f6a7b8c9d0e.3.run", token: "9c41d2…" };
const run: RunView = {
  runId,
  workflowId: id,
  workflow: "order",
  version: "1",
  status: "RUNNING",
  waiting: "signal",
  createdAt: at,
  updatedAt: later,
  tags: { shop: "bern" },
  headSeq: 7,
};
const controlled: ControlAnswer = { state: "applied", run, requestId, replayed: false };
const event = {
  eventId: "5b1d7c1e-8a43-4f6e-9c55-0d2b6a7f4e11",
  runId,
  tenantId: "acme",
  projectId: "shop",
  environmentId: "production",
  planId: "order",
  planVersion: "1",
  engineAttemptId: 1,
  logicalAttemptId: 1,
  idempotencyKey: "9f2c…",
  emittedAt: at,
  eventType: "RunStarted",
} as const;
const record = { ...event, runSeq: 1, persistedAt: at };
const proof: OperationOutput<"runs.proof"> = {
  verdict: "once",
  sentence: "the 1 effect of this run happened once, under 1 assumption",
  effects: [],
  assumptions: ["the sqlite store kept what it acknowledged"],
};
const engine = { engineId: "engine-1", alive: true, leaseUntil: later, serves: [{ workflow: "order", version: "1" }] };
const workflow: OperationOutput<"workflows.pause"> = {
  workflow: "order",
  versions: [
    {
      version: "1",
      served: true,
      publishedAt: at,
      input: { type: "object" },
      signals: { paid: null },
      updates: {},
      views: { status: null },
      derivesId: false,
    },
  ],
  latest: "1",
  served: true,
};
const orderTemplate: OperationOutput<"templates.get"> = {
  namespace: "shop",
  name: "order",
  version: "1.0.0",
  digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  registeredAt: at,
};
const payments: OperationOutput<"queues.set"> = {
  name: "payments",
  concurrency: 8,
  rate: { limit: 100, perMs: 60_000, burst: 1 },
  agingMs: 60_000,
  version: 3,
  ready: 4,
  claimed: 8,
  held: 0,
  oldestMs: 240_000,
  workers: 2,
  unserved: [],
  health: "healthy",
};
const investigation: OperationOutput<"investigations.open"> = {
  runId,
  n: 1,
  why: "by-hand",
  openedAt: at,
  snapshot: { status: "RUNNING", steps: [] },
  notes: [{ at, by: "ann", reason: "the customer called" }],
};
const dailyReport: OperationOutput<"schedules.get"> = {
  name: "daily-report",
  when: { cron: "0 9 * * *", tz: "Europe/Zurich" },
  overlap: "skip",
  catchupMs: 3_600_000,
  workflow: "report",
  input: "value",
  nextAt: "2026-02-01T08:00:00.000Z",
  lastRunId: runId,
  inCode: false,
  fires: [{ due: at, did: "started", at, runId }],
  orders: [{ order: "put", at, by: "ann" }],
};
const endpoint = {
  id: "shop",
  url: "https://example.org/hooks",
  events: ["Run*"],
  keys: [{ scheme: "hmac" }],
  createdAt: at,
  attempts: 12,
  timeoutMs: 10_000,
  waiting: 0,
} as const;
const batch: OperationOutput<"batches.get"> = {
  batchId: "b-1",
  action: "retry",
  filter: { status: ["FAILED"], workflow: "order" },
  reason: "the bank is back",
  max: 1000,
  state: "working",
  createdAt: at,
  done: 12,
  skipped: 0,
  failed: 0,
  failures: [],
};
const token: OperationOutput<"tokens.revoke"> = {
  tokenId: "k3v9q2m7x1ab",
  kind: "service",
  subject: "shop",
  scopes: ["read", "work"],
  createdAt: at,
  expiresAt: "2026-05-01T08:00:00.000Z",
};
const accepted = {
  accepted: true,
  workflowId: id,
  signalName: "paid",
  signalId: "payment-4711",
  acceptedAt: at,
  signalStorageKey: "…",
} as const;
const end: OperationOutput<"runs.result"> = { runId, status: "COMPLETED", result: { shipped: true } };
const principal = { kind: "person", subject: "ann" } as const;

const standpoint = {
  superstep: 1,
  key: "cp-7b1e",
  at,
  runSeq: 5,
  values: { text: "a draft", rounds: 1 },
  items: [{ node: "write", item: "1/write", ok: true, update: { text: "a draft", rounds: 1 }, route: ["review"] }],
  next: [{ node: "review", item: "2/review", orderKey: "17179869184" }],
};

export const examples: { readonly [O in Operation]: OperationExample<O> } = {
  "runs.start": {
    input: { workflow: "order", input: { id: "17" }, id, idempotencyKey: "checkout-17" },
    output: { runId, workflowId: id, created: true, replayed: false, served: true },
  },
  "runs.list": { input: { status: ["FAILED"], tags: { shop: "bern" }, limit: 50 }, output: { items: [run], nextCursor: "eyJhIjox" } },
  "runs.count": {
    input: { workflow: "order" },
    output: { max: 1000, byStatus: { RUNNING: 3, FAILED: 1 }, byWorkflow: { order: 4 }, byErrorCode: { PAWL1012: 1 } },
  },
  "runs.guarantees": { input: { runs: [runId] }, output: { items: [{ runId, weakest: "KEYED" }] } },
  "runs.get": {
    input: { id },
    output: { ...run, because: { code: "signal", text: "It waits for the signal paid.", since: later, fix: `pawl signal ${id} paid` } },
  },
  "runs.result": { input: { id, wait: 25 }, output: end },
  "runs.events": { input: { id, after: 0, limit: 100 }, output: { items: [record] } },
  "runs.event": { input: { id, seq: 1 }, output: record },
  "runs.steps": {
    input: { id },
    output: {
      items: [
        {
          stepId: "charge#1",
          name: "charge",
          kind: "effect",
          class: "KEYED",
          status: "SUCCESS",
          attempts: 1,
          engineAttempts: 1,
          startedAt: at,
        },
      ],
    },
  },
  "runs.timeline": {
    input: { id },
    output: {
      runId,
      from: at,
      to: later,
      bars: [
        { stepId: "charge#1", name: "charge", kind: "effect", status: "SUCCESS", startedAt: at, endedAt: later, attempts: 1, steps: 1 },
      ],
      gaps: [{ from: at, to: later, reason: "crash", engine: "engine-2", lost: "engine-1" }],
    },
  },
  "runs.view": { input: { id, name: "status" }, output: { value: "waiting for payment" } },
  "runs.projection": { input: { id }, output: { runId, status: "RUNNING" } },
  "runs.proof": { input: { id }, output: proof },
  "runs.state": { input: { id }, output: standpoint },
  "runs.history": { input: { id, limit: 10 }, output: { items: [standpoint] } },
  "runs.stream": {
    input: { id, after: 1 },
    output: { items: [{ mode: "updates", superstep: 2, node: "write", item: "2/write", update: { text: "Owls.." } }] },
  },
  "runs.message": {
    input: { id },
    output: {
      items: [
        { type: "start", messageId: runId },
        { type: "start-step" },
        { type: "text-start", id: "2/model/model.0" },
        { type: "text-delta", id: "2/model/model.0", delta: "It is sunny." },
        { type: "text-end", id: "2/model/model.0" },
      ],
    },
  },
  "runs.io": {
    input: { id, superstep: 1 },
    output: {
      items: [
        {
          node: "write",
          item: "1/write",
          stepId: "1/write/draft",
          attempt: 1,
          response: "a draft",
          hash: "sha256:9b1e",
          at,
          durationMs: 12,
        },
      ],
    },
  },
  "runs.causes": {
    input: { id },
    output: {
      items: [
        {
          runId: "r-1",
          effect: { stepId: "3/tools/refund", tool: "refund", key: "refund:ch_7", outcome: "completed" },
          by: { stepId: "2/model/model", eventId: event.eventId, part: 0, toolCallId: "call_1" },
          model: { id: "gpt-5", provider: "openai", promptHash: "0f1e" },
          tool: { version: "1", schemaHash: "a1b2" },
          saw: [],
        },
      ],
    },
  },
  "runs.usage": {
    input: { id },
    output: {
      runId,
      modelCalls: 3,
      inputTokens: 1200,
      outputTokens: 240,
      cost: 0.0031,
      toolCalls: 2,
      repeats: 1,
      byModel: [{ model: "large", provider: "openai", modelCalls: 3, inputTokens: 1200, outputTokens: 240, cost: 0.0031 }],
    },
  },
  "runs.verify": {
    input: { id },
    output: { runId, ok: true, stepsHash: "3f1a…", eventChainRoot: "9c0b…", ledger: { ok: true, pendingKeys: [] }, replay: { ok: true } },
  },
  "runs.evidence": { input: { id, redact: ["**.email"], signer: "ops" }, output: new Uint8Array() },
  "runs.signal": {
    input: { id, name: "paid", payload: { sum: 42 }, signalId: "payment-4711" },
    output: { result: accepted, replayed: false, state: "accepted" },
  },
  "runs.update": {
    input: { id, name: "setAddress", payload: { city: "Bern" } },
    output: { updateId: requestId, answer: { ok: true }, replayed: false },
  },
  "signals.get": { input: { id, name: "paid", signalId: "payment-4711" }, output: { state: "delivered", result: accepted } },
  "updates.get": {
    input: { id, name: "setAddress", updateId: requestId },
    output: { state: "delivered", result: {}, answer: { ok: true } },
  },
  "runs.cancel": { input: { id, reason: "the customer called" }, output: controlled },
  "runs.pause": { input: { id, reason: "the bank is down" }, output: controlled },
  "runs.resume": { input: { id }, output: controlled },
  "runs.terminate": { input: { id, reason: "it cannot be compensated" }, output: controlled },
  "runs.retry": { input: { id, requestId }, output: { runId, workflowId: id, replayed: false } },
  "runs.fork": {
    input: { id, newId: "essay-2", at: 2, update: { text: "Owls" }, by: "ann", reason: "another beginning" },
    output: { runId, workflowId: "essay-2", superstep: 2, replayed: false },
  },
  "runs.next": {
    input: { id: "chat-1", input: { messages: { role: "user", text: "And owls?" } }, requestId },
    output: { runId, workflowId: "chat-1", after: { runId: run.runId, superstep: 3 }, replayed: false },
  },
  "runs.watch": { input: { status: ["RUNNING"] }, output: run },
  "batches.create": {
    input: { filter: { status: ["FAILED"], workflow: "order" }, action: "retry", reason: "the bank is back", requestId },
    output: batch,
  },
  "batches.list": { input: {}, output: { items: [batch] } },
  "batches.get": { input: { batchId: "b-1" }, output: batch },
  "batches.stop": { input: { batchId: "b-1", reason: "too many fail" }, output: { ...batch, state: "stopped" } },
  "effects.list": { input: { key: "charge-17" }, output: { items: [] } },
  "effects.proof": { input: { key: "charge-17" }, output: proof },
  "decisions.list": { input: {}, output: { items: [] } },
  "decisions.resolve": {
    input: { decisionId: "d-1", answer: { happened: true, result: { chargeId: "ch_1" }, reason: "found at the bank" } },
    output: { state: "applied" },
  },
  "questions.list": {
    input: { id },
    output: {
      items: [
        {
          questionId: `${run.runId}:7`,
          runId: run.runId,
          workflowId: run.workflowId,
          workflow: run.workflow,
          kind: "question",
          stepId: "price",
          name: "price",
          text: "What does order 17 cost?",
          askedAt: at,
        },
      ],
    },
  },
  "questions.answer": {
    input: { questionId: "r-1:7", value: { cents: 500 }, submissionId: "form-3" },
    output: { state: "applied", replayed: false },
  },
  "events.append": {
    input: { event },
    output: { eventId: event.eventId, runSeq: 1, persistedAt: at, idempotent: false, persisted: true, replayed: false, samePayload: true },
  },
  "workflows.list": { input: {}, output: { items: [workflow] } },
  "workflows.pause": {
    input: { name: "order", reason: "the bank is down" },
    output: { ...workflow, paused: { since: at, by: principal, reason: "the bank is down" } },
  },
  "workflows.resume": { input: { name: "order" }, output: workflow },
  "engines.list": { input: {}, output: { items: [engine] } },
  "engines.drain": { input: { engineId: "engine-1", reason: "a new version" }, output: engine },
  "runs.evaluate": {
    input: { id },
    output: { runId, status: "processing", counts: { running: 1, succeeded: 2 }, final: false, alreadyFinal: false },
  },
  "runs.why": {
    input: { id },
    output: { items: [{ stepId: "ship", readiness: "waiting-for-dependencies", sentence: "ship waits for charge", waitsFor: ["charge"] }] },
  },
  "templates.put": {
    input: { template: { namespace: "shop", name: "order", version: "1.0.0", steps: [{ name: "charge", handler: "payments.charge" }] } },
    output: { ...orderTemplate, created: true },
  },
  "templates.list": { input: { namespace: "shop" }, output: { items: [orderTemplate] } },
  "templates.get": { input: { namespace: "shop", name: "order" }, output: orderTemplate },
  "templates.retire": {
    input: { namespace: "shop", name: "order", version: "1.0.0", reason: "replaced by 1.1.0" },
    output: { retired: true },
  },
  "steps.act": { input: { id, step: "charge", do: "retry", reason: "the bank is back", requestId }, output: { state: "applied" } },
  "queues.list": { input: {}, output: { items: [payments] } },
  "queues.set": { input: { name: "payments", concurrency: 8, reason: "the bank's limit" }, output: payments },
  "queues.pause": {
    input: { name: "payments", reason: "the bank is down" },
    output: { ...payments, paused: { since: at, by: "ann", reason: "the bank is down" } },
  },
  "queues.resume": { input: { name: "payments", reason: "the bank is back" }, output: payments },
  "queues.workers": {
    input: {},
    output: {
      items: [
        {
          workerId: "worker-1",
          kind: "worker",
          lang: "typescript",
          alive: true,
          leaseUntil: later,
          queues: ["payments"],
          works: ["charge"],
          labels: { zone: "a" },
          running: 4,
        },
      ],
    },
  },
  "investigations.list": { input: { state: "open" }, output: { items: [investigation] } },
  "investigations.open": { input: { id, reason: "the customer called" }, output: investigation },
  "investigations.note": { input: { id, reason: "the bank has no record of it" }, output: investigation },
  "investigations.close": {
    input: { id, as: "resolved", reason: "paid by hand" },
    output: { ...investigation, closed: { at: later, by: "ann", reason: "paid by hand", as: "resolved" } },
  },
  "schedules.put": {
    input: { name: "daily-report", when: { cron: "0 9 * * *", tz: "Europe/Zurich" }, workflow: "report", input: { kind: "daily" } },
    output: dailyReport,
  },
  "schedules.list": { input: {}, output: { items: [dailyReport] } },
  "schedules.get": { input: { name: "daily-report" }, output: dailyReport },
  "schedules.pause": {
    input: { name: "daily-report", reason: "the warehouse is down" },
    output: { ...dailyReport, paused: { since: at, by: "ann", reason: "the warehouse is down" } },
  },
  "schedules.resume": { input: { name: "daily-report" }, output: dailyReport },
  "schedules.fire": {
    input: { name: "daily-report", reason: "asked for by the board" },
    output: { name: "daily-report", due: later, runId },
  },
  "schedules.remove": { input: { name: "daily-report", reason: "replaced" }, output: { removed: true } },
  "workers.register": {
    input: { lang: "python", works: [{ task: "sendEmail" }], queues: { emails: { concurrency: 4 } } },
    output: { workerId, leaseMs: 10_000, beatEveryMs: 3_000, beginWithinMs: 5_000 },
  },
  "workers.poll": {
    input: { workerId, free: { emails: 4 }, waitMs: 20_000, holds: [] },
    output: {
      claimed: [
        {
          ...held,
          what: "run",
          task: "sendEmail",
          queue: "emails",
          runId,
          stepId: "sendEmail",
          input: { to: "ann@example.com" },
          key: "order-17",
          fence: "4211",
          class: "KEYED",
          attempt: { logical: 1, engine: 1 },
          timeoutMs: 60_000,
          beginWithinMs: 5_000,
        },
      ],
      cancel: [],
      lost: [],
    },
  },
  "workers.beats": { input: { workerId, beats: [{ ...held, detail: { sent: 3 } }] }, output: { cancel: [], lost: [] } },
  "workers.results": {
    input: { workerId, results: [{ ...held, ok: true, result: { messageId: "m-9" } }] },
    output: { noted: [{ dispatchId: held.dispatchId, as: "recorded" }] },
  },
  "workers.leave": { input: { workerId, holds: [] }, output: { left: true } },
  "webhooks.add": { input: { url: "https://example.org/hooks", events: ["Run*"] }, output: { endpoint, secret: "whsec_…" } },
  "webhooks.list": { input: {}, output: { items: [endpoint] } },
  "webhooks.pause": {
    input: { endpointId: "shop", reason: "maintenance" },
    output: { ...endpoint, paused: { since: at, reason: "maintenance" } },
  },
  "webhooks.resume": { input: { endpointId: "shop" }, output: endpoint },
  "webhooks.rotate": { input: { endpointId: "shop", window: "2d" }, output: { endpoint, secret: "whsec_…" } },
  "webhooks.test": { input: { endpointId: "shop" }, output: { delivered: true, status: 204 } },
  "webhooks.replay": { input: { endpointId: "shop", what: { dead: true } }, output: { runs: 3 } },
  "webhooks.deliveries": {
    input: { endpointId: "shop", state: "dead" },
    output: {
      items: [
        {
          endpoint: "shop",
          eventId: event.eventId,
          eventType: "RunStarted",
          runId,
          runSeq: 1,
          state: "dead",
          attempts: 12,
          error: "status 500",
        },
      ],
    },
  },
  "webhooks.remove": { input: { endpointId: "shop", reason: "the receiver is gone" }, output: { removed: true } },
  "consumers.list": {
    input: {},
    output: { items: [{ consumer: "mailer", joinedAt: at, waiting: 0, active: true, held: [], deadLetters: 0 }] },
  },
  "consumers.dead": { input: { consumer: "mailer" }, output: { items: [] } },
  "alerts.list": { input: {}, output: { items: [] } },
  "store.info": {
    input: {},
    output: {
      store: "sqlite",
      storeId: "4c1f…",
      format: 7,
      oldestReader: 7,
      oldestWriter: 7,
      incarnation: 1,
      identity: "file:2049:131",
      identityRecorded: "file:2049:131",
      persistence: "durable",
      settings: { synchronous: "FULL" },
      unsafe: [],
      now: at,
      engines: [engine],
    },
  },
  "tokens.create": { input: { subject: "shop", scopes: ["read", "work"] }, output: { token: "pawl_…", view: token } },
  "tokens.list": { input: {}, output: { items: [token] } },
  "tokens.revoke": { input: { tokenId: token.tokenId, reason: "it was in a log" }, output: { ...token, revokedAt: later } },
  "tokens.share": {
    input: { id, allow: "views", ttlMs: 600_000 },
    output: { token: "pawl_…", view: { ...token, scopes: ["read"], run: { runId, allow: "views" } } },
  },
  "audit.list": {
    input: { since: at },
    output: { items: [{ id: "a-1", at, operation: "runs.cancel", decision: "granted", policyDecisionId: requestId, principal, runId }] },
  },
  me: { input: {}, output: { principal, tenant: "acme/shop/production", scopes: ["read", "work"] } },
  version: { input: {}, output: { version: "0.1.0", api: "v1", scopes: ["read", "work"] } },
  "errors.explain": {
    input: { code: "PAWL4001" },
    output: {
      code: "PAWL4001",
      name: "RunNotFound",
      fix: "Check the id, the store and the tenant: pawl ls lists the runs of one tenant.",
      page: "# PAWL4001 RunNotFound\n…",
    },
  },
};
