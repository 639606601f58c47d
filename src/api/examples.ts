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
      gaps: [],
    },
  },
  "runs.view": { input: { id, name: "status" }, output: { value: "waiting for payment" } },
  "runs.projection": { input: { id }, output: { runId, status: "RUNNING" } },
  "runs.proof": { input: { id }, output: proof },
  "runs.verify": {
    input: { id },
    output: { runId, ok: true, stepsHash: "3f1a…", eventChainRoot: "9c0b…", ledger: { ok: true, pendingKeys: [] }, replay: { ok: true } },
  },
  "runs.evidence": { input: { id, redact: ["**.email"], signer: "ops" }, output: new Uint8Array() },
  "runs.signal": {
    input: { id, name: "paid", payload: { sum: 42 }, signalId: "payment-4711" },
    output: { result: accepted, replayed: false, state: "accepted" },
  },
  "runs.update": { input: { id, name: "setAddress", payload: { city: "Bern" } }, output: { updateId: requestId, answer: { ok: true } } },
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
    output: { code: "PAWL4001", name: "RunNotFound", fix: "Check the id and the store (pawl ls).", page: "# PAWL4001 RunNotFound\n…" },
  },
};
