// The operation catalogue: everything that a caller can ask a server for, as plain data. REST, JSON-RPC, the HTTP client, OpenAPI, MCP and
// the reference page are made from it, so an operation is on all of them or says why not. It must never import anything: browsers load it.

/** One operation. Its REST path starts with /v1; its JSON-RPC method is its name. */
export interface OperationSpec {
  readonly rest: `${"GET" | "POST"} /${string}`;
  /** What a token must permit; "none": any caller that the server accepts. */
  readonly scope: "none" | "read" | "payloads" | "work" | "operate" | "resolve" | "export" | "admin";
  readonly summary: string;
  /** It changes something. */
  readonly changes?: true;
  /** It takes something away that cannot be brought back: it needs a reason. */
  readonly destructive?: true;
  /** The member that makes a repeated request act once; `Idempotency-Key` may carry it. */
  readonly idempotentBy?: "idempotencyKey" | "signalId" | "updateId" | "requestId";
  /** Its name as an MCP tool. */
  readonly tool?: string;
  /** The tool exists only where the server's `--allow` names the scope. */
  readonly toolNeedsAllow?: true;
  /** Its REST answer may also be a stream of events. */
  readonly streams?: true;
  /** Why it is not on every surface: the surfaces that do not have it, then the reason. */
  readonly notOn?: string;
}

export const operations = {
  "runs.start": {
    rest: "POST /runs",
    scope: "work",
    summary: "Start a run of a workflow by name.",
    changes: true,
    idempotentBy: "idempotencyKey",
    tool: "start_run",
  },
  "runs.list": { rest: "GET /runs", scope: "read", summary: "List runs, newest first.", tool: "list_runs" },
  "runs.count": {
    rest: "GET /runs/count",
    scope: "read",
    summary: "Count runs by status, workflow and error code, each up to 1,000.",
    tool: "count_runs",
  },
  "runs.get": { rest: "GET /runs/{id}", scope: "read", summary: "One run, and why it is waiting.", tool: "get_run" },
  "runs.result": {
    rest: "GET /runs/{id}/result",
    scope: "payloads",
    summary: "How a run ended; with wait, after waiting up to that many seconds.",
    tool: "get_result",
  },
  "runs.events": {
    rest: "GET /runs/{id}/events",
    scope: "read",
    summary: "The log of a run, a page at a time, or as a stream.",
    tool: "list_events",
    streams: true,
  },
  "runs.event": { rest: "GET /runs/{id}/events/{seq}", scope: "payloads", summary: "One event with its payload.", tool: "get_event" },
  "runs.steps": { rest: "GET /runs/{id}/steps", scope: "read", summary: "The steps of a run.", tool: "list_steps" },
  "runs.timeline": {
    rest: "GET /runs/{id}/timeline",
    scope: "read",
    summary: "The steps of a run as at most 400 bars of time, with the gaps of crashes.",
    tool: "get_timeline",
  },
  "runs.view": {
    rest: "GET /runs/{id}/views/{name}",
    scope: "payloads",
    summary: "The value that a run published last under a name.",
    tool: "get_view",
  },
  "runs.projection": {
    rest: "GET /runs/{id}/projection",
    scope: "payloads",
    summary: "What a projector made of a run.",
    tool: "get_projection",
  },
  "runs.proof": {
    rest: "GET /runs/{id}/proof",
    scope: "read",
    summary: "How often each effect of a run may have happened, and why that is known.",
    tool: "prove_run",
  },
  "runs.verify": {
    rest: "GET /runs/{id}/verification",
    scope: "read",
    summary: "Check a run's log and ledger, and name their hashes.",
    tool: "verify_run",
  },
  "runs.evidence": {
    rest: "POST /runs/{id}/evidence",
    scope: "export",
    summary: "An archive that proves a run offline.",
    notOn: "JSON-RPC and MCP: it answers with a file.",
  },
  "runs.signal": {
    rest: "POST /runs/{id}/signals",
    scope: "work",
    summary: "Send a signal to a run.",
    changes: true,
    idempotentBy: "signalId",
    tool: "signal_run",
  },
  "runs.update": {
    rest: "POST /runs/{id}/updates",
    scope: "work",
    summary: "Send a request to a run and wait for its answer.",
    changes: true,
    idempotentBy: "updateId",
    tool: "update_run",
  },
  "signals.get": {
    rest: "GET /runs/{id}/signals/{name}/{signalId}",
    scope: "work",
    summary: "What became of a signal.",
    notOn: "MCP: signal_run says the state, and sent again it says it again.",
  },
  "updates.get": {
    rest: "GET /runs/{id}/updates/{name}/{updateId}",
    scope: "work",
    summary: "What became of an update.",
    notOn: "MCP: update_run waits for the answer, and sent again it gives it again.",
  },
  "runs.cancel": {
    rest: "POST /runs/{id}/cancel",
    scope: "operate",
    summary: "Cancel a run: its compensations run, then it ends.",
    changes: true,
    idempotentBy: "requestId",
    tool: "cancel_run",
  },
  "runs.pause": {
    rest: "POST /runs/{id}/pause",
    scope: "operate",
    summary: "Pause a run after the steps that are at work.",
    changes: true,
    idempotentBy: "requestId",
    tool: "pause_run",
  },
  "runs.resume": {
    rest: "POST /runs/{id}/resume",
    scope: "operate",
    summary: "Resume a run that is paused or that engines gave up.",
    changes: true,
    idempotentBy: "requestId",
    tool: "resume_run",
  },
  "runs.terminate": {
    rest: "POST /runs/{id}/terminate",
    scope: "operate",
    summary: "End a run at once. No compensation runs.",
    changes: true,
    destructive: true,
    idempotentBy: "requestId",
    tool: "terminate_run",
    toolNeedsAllow: true,
  },
  "runs.retry": {
    rest: "POST /runs/{id}/retry",
    scope: "operate",
    summary: "Start a new run in place of one that has ended; it keeps what was completed.",
    changes: true,
    idempotentBy: "requestId",
    tool: "retry_run",
  },
  "runs.watch": {
    rest: "GET /changes",
    scope: "read",
    summary: "Changes of runs, as a stream.",
    streams: true,
    notOn: "JSON-RPC and MCP: it never ends.",
  },
  "batches.create": {
    rest: "POST /batches",
    scope: "operate",
    summary: "Retry, cancel, pause, resume or terminate every run that a filter matches.",
    changes: true,
    destructive: true,
    idempotentBy: "requestId",
    notOn: "MCP: one wrong filter would change many runs; people start batches.",
  },
  "batches.list": { rest: "GET /batches", scope: "operate", summary: "List batches, newest first.", notOn: "MCP: batches are for people." },
  "batches.get": {
    rest: "GET /batches/{batchId}",
    scope: "operate",
    summary: "One batch and how far it is.",
    notOn: "MCP: batches are for people.",
  },
  "batches.stop": {
    rest: "POST /batches/{batchId}/stop",
    scope: "operate",
    summary: "Stop a batch; what it did stays done.",
    changes: true,
    destructive: true,
    idempotentBy: "requestId",
    notOn: "MCP: batches are for people.",
  },
  "effects.list": { rest: "GET /effects", scope: "read", summary: "Recorded effects across runs.", tool: "list_effects" },
  "effects.proof": {
    rest: "GET /effects/proof",
    scope: "read",
    summary: "How often the effects under a key may have happened.",
    tool: "prove_key",
  },
  "decisions.list": { rest: "GET /decisions", scope: "read", summary: "Everything that waits for a person.", tool: "list_decisions" },
  "decisions.resolve": {
    rest: "POST /decisions/{decisionId}/answer",
    scope: "resolve",
    summary: "Answer a decision.",
    changes: true,
    destructive: true,
    idempotentBy: "requestId",
    tool: "resolve_decision",
    toolNeedsAllow: true,
  },
  "events.append": {
    rest: "POST /events",
    scope: "work",
    summary: "Append events of runs that producers outside an engine write.",
    changes: true,
    notOn: "MCP: it is for programs. It is idempotent by the events' own keys.",
  },
  "workflows.list": {
    rest: "GET /workflows",
    scope: "read",
    summary: "Workflows that engines published: versions, schemas, whether one serves them.",
    tool: "list_workflows",
  },
  "workflows.pause": {
    rest: "POST /workflows/{name}/pause",
    scope: "operate",
    summary: "Stop engines from beginning or taking on runs of a workflow; starts queue.",
    changes: true,
    tool: "pause_workflow",
  },
  "workflows.resume": {
    rest: "POST /workflows/{name}/resume",
    scope: "operate",
    summary: "Let engines work on a paused workflow again.",
    changes: true,
    tool: "resume_workflow",
  },
  "engines.list": { rest: "GET /engines", scope: "read", summary: "Engines of this tenant.", tool: "list_engines" },
  "engines.drain": {
    rest: "POST /engines/{engineId}/drain",
    scope: "operate",
    summary: "Make an engine stop claiming runs and release those that it owns.",
    changes: true,
    notOn: "MCP: it belongs to a deployment.",
  },
  "webhooks.add": {
    rest: "POST /webhooks",
    scope: "operate",
    summary: "Add an endpoint that events are sent to.",
    changes: true,
    notOn: "MCP: where events are sent to is set up by people.",
  },
  "webhooks.list": {
    rest: "GET /webhooks",
    scope: "operate",
    summary: "List endpoints.",
    notOn: "MCP: where events are sent to is set up by people.",
  },
  "webhooks.pause": {
    rest: "POST /webhooks/{endpointId}/pause",
    scope: "operate",
    summary: "Stop sending to an endpoint.",
    changes: true,
    notOn: "MCP: where events are sent to is set up by people.",
  },
  "webhooks.resume": {
    rest: "POST /webhooks/{endpointId}/resume",
    scope: "operate",
    summary: "Send to an endpoint again.",
    changes: true,
    notOn: "MCP: where events are sent to is set up by people.",
  },
  "webhooks.rotate": {
    rest: "POST /webhooks/{endpointId}/rotate",
    scope: "operate",
    summary: "Give an endpoint a new secret.",
    changes: true,
    notOn: "MCP: no agent handles secrets.",
  },
  "webhooks.test": {
    rest: "POST /webhooks/{endpointId}/test",
    scope: "operate",
    summary: "Send a test event.",
    changes: true,
    notOn: "MCP: where events are sent to is set up by people.",
  },
  "webhooks.replay": {
    rest: "POST /webhooks/{endpointId}/replay",
    scope: "operate",
    summary: "Send events again.",
    changes: true,
    notOn: "MCP: where events are sent to is set up by people.",
  },
  "webhooks.deliveries": {
    rest: "GET /webhooks/{endpointId}/deliveries",
    scope: "operate",
    summary: "Attempts to deliver to an endpoint, newest first.",
    notOn: "MCP: where events are sent to is set up by people.",
  },
  "webhooks.remove": {
    rest: "POST /webhooks/{endpointId}/remove",
    scope: "operate",
    summary: "Remove an endpoint with everything it kept.",
    changes: true,
    destructive: true,
    notOn: "MCP: where events are sent to is set up by people.",
  },
  "consumers.list": {
    rest: "GET /consumers",
    scope: "read",
    summary: "Who reads the log, and how far behind they are.",
    notOn: "MCP: it is about programs that read the log, not about runs.",
  },
  "consumers.dead": {
    rest: "GET /consumers/{consumer}/dead",
    scope: "read",
    summary: "Events that a consumer gave up.",
    notOn: "MCP: it is about programs that read the log, not about runs.",
  },
  "alerts.list": {
    rest: "GET /alerts",
    scope: "read",
    summary: "Invalid events that projectors met.",
    notOn: "MCP: it is about programs that write the log, not about runs.",
  },
  "store.info": {
    rest: "GET /store",
    scope: "read",
    summary: "The store: format, clock, settings, this tenant's engines.",
    tool: "get_store",
  },
  "tokens.create": {
    rest: "POST /tokens",
    scope: "admin",
    summary: "Make a token. Its secret is shown once.",
    changes: true,
    notOn: "MCP: no agent makes credentials.",
  },
  "tokens.list": {
    rest: "GET /tokens",
    scope: "admin",
    summary: "List tokens, without their secrets.",
    notOn: "MCP: no agent handles credentials.",
  },
  "tokens.revoke": {
    rest: "POST /tokens/{tokenId}/revoke",
    scope: "admin",
    summary: "Revoke a token everywhere within seconds.",
    changes: true,
    destructive: true,
    notOn: "MCP: no agent handles credentials.",
  },
  "tokens.share": {
    rest: "POST /runs/{id}/share",
    scope: "work",
    summary: "A short-lived token for one run, for a page in a browser.",
    changes: true,
    notOn: "MCP: no agent makes credentials.",
  },
  "audit.list": { rest: "GET /audit", scope: "export", summary: "Who did what, and who was refused.", notOn: "MCP: it is for auditors." },
  me: { rest: "GET /me", scope: "none", summary: "Who the caller is and what it may do.", tool: "get_me" },
  version: { rest: "GET /version", scope: "none", summary: "The version of Pawl and of its API.", tool: "get_version" },
  "errors.explain": { rest: "GET /errors/{code}", scope: "none", summary: "The page of an error code.", tool: "explain_error" },
} as const;

export type Operation = keyof typeof operations;

/** Every entry above is an OperationSpec; one that is not does not compile here. */
export const operationSpecs: Readonly<Record<Operation, OperationSpec>> = { ...operations };
