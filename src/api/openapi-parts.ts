// The parts of the OpenAPI document that are not operations: the problem object, and what a server has beside its operations. It must never have a path
// below /v1: those are made from the catalogue.
import { catalogue } from "../errors/catalogue.ts";

type Json = Readonly<Record<string, unknown>>;

const text = { type: "string" };
export const problemSchema: Json = {
  type: "object",
  properties: {
    type: { ...text, description: "urn:pawl:error: and the page." },
    title: text,
    status: { type: "integer" },
    detail: text,
    code: { ...text, description: "The contract's name where it has one, else the page." },
    page: { ...text, enum: Object.keys(catalogue).toSorted(), description: "What programs switch on." },
    outcome: { ...text, enum: ["none", "applied", "unknown"], description: "What is known of the write that failed." },
    retryable: { type: "boolean", description: "The same request, with the same id, may be sent again." },
    fix: text,
    data: { type: "object", additionalProperties: { type: ["string", "number", "boolean", "null"] } },
    errors: {
      type: "array",
      items: { type: "object", properties: { pointer: text, message: text }, required: ["pointer", "message"] },
    },
    traceId: text,
  },
  required: ["type", "title", "status", "detail", "code", "page", "outcome", "retryable", "fix", "data", "errors"],
};
export const problemExample: Json = {
  type: "urn:pawl:error:PAWL4001",
  title: catalogue.PAWL4001.name,
  status: 404,
  detail: "there is no run order-17",
  code: "PAWL4001",
  page: "PAWL4001",
  outcome: "none",
  retryable: false,
  fix: catalogue.PAWL4001.fix,
  data: { id: "order-17" },
  errors: [],
};

const probe: Json = { 200: { description: "Yes.", content: { "text/plain": { schema: text } } } };

/** What a server has beside its operations. */
export const otherPaths: Json = {
  "/rpc": {
    post: {
      operationId: "rpc",
      tags: ["server"],
      summary: "The same operations as JSON-RPC 2.0; a batch holds at most 50 calls.",
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              anyOf: [{ type: "object" }, { type: "array", items: { type: "object" } }],
            },
            example: { jsonrpc: "2.0", id: 1, method: "runs.get", params: { id: "order-17" } },
          },
        },
      },
      responses: {
        200: { description: "An answer, or an error whose data is a problem.", content: { "application/json": { schema: {} } } },
        401: { $ref: "#/components/responses/Problem" },
      },
    },
  },
  "/mcp": {
    post: {
      operationId: "mcp",
      tags: ["server"],
      summary: "The same operations as tools of the Model Context Protocol.",
      requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
      responses: {
        200: {
          description: "An answer of the protocol.",
          content: { "application/json": { schema: {} }, "text/event-stream": { schema: text } },
        },
        202: { description: "A notification was taken." },
        401: { $ref: "#/components/responses/Problem" },
      },
    },
  },
  "/metrics": {
    get: {
      operationId: "metrics",
      tags: ["server"],
      summary: "Counters of this server, as Prometheus text.",
      "x-pawl-scope": "read",
      responses: {
        200: { description: "The counters.", content: { "text/plain": { schema: text } } },
        401: { $ref: "#/components/responses/Problem" },
        403: { $ref: "#/components/responses/Problem" },
      },
    },
  },
  "/livez": { get: { operationId: "livez", tags: ["server"], summary: "The process is alive.", security: [], responses: probe } },
  "/readyz": {
    get: {
      operationId: "readyz",
      tags: ["server"],
      summary: "The server can answer requests.",
      security: [],
      responses: { ...probe, 503: { description: "Not now.", content: { "text/plain": { schema: text } } } },
    },
  },
};
