// The OpenAPI 3.1 document: made from the catalogue, the schemas and the examples, so that it says what the server does. Served at /openapi.json;
// programs in other languages are generated from it. It must never describe an operation by hand.
import { memberOf, routeOf } from "./address.ts";
import { examples } from "./examples.ts";
import { otherPaths, problemExample, problemSchema } from "./openapi-parts.ts";
import { operations, operationSpecs, type Operation } from "./operations.ts";
import { problemType } from "./problem.ts";
import { documentSchemas, type SchemaJson, type OperationJsonSchemas } from "./schemas/json-schemas.ts";

export interface OpenApiOptions {
  readonly version: string;
  /** The path that the server is mounted at: "" or "/pawl". */
  readonly base: string;
}

type Json = Readonly<Record<string, unknown>>;

const at = "#/components/schemas/";

/** Operations that answer 201 when they made something, and 202 when it is not finished. */
const answersCreated: ReadonlySet<Operation> = new Set<Operation>([
  "workers.register",
  "runs.start",
  "runs.retry",
  "runs.fork",
  "runs.next",
  "webhooks.add",
  "tokens.create",
  "tokens.share",
]);
const answersPending: ReadonlySet<Operation> = new Set<Operation>([
  "runs.start",
  "runs.result",
  "runs.update",
  "runs.cancel",
  "runs.pause",
  "runs.resume",
  "runs.terminate",
  "decisions.resolve",
  "questions.answer",
  "batches.create",
]);

/** The document as an object of plain JSON. */
export function openApiDocument(o: OpenApiOptions): Json {
  const { components, of } = documentSchemas(at);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of Object.keys(operations) as Operation[]) {
    const { method, parts } = routeOf(operation);
    const path = `/v1/${parts.join("/")}`;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(operation, of[operation]) };
  }
  return {
    openapi: "3.1.1",
    jsonSchemaDialect: "https://spec.openapis.org/oas/3.1/dialect/base",
    info: { title: "Pawl", version: o.version, license: { name: "Apache-2.0", identifier: "Apache-2.0" }, description: about },
    servers: [{ url: o.base === "" ? "/" : o.base }],
    security: [{ bearer: [] }],
    tags: [...new Set((Object.keys(operations) as Operation[]).map(tagOf))].map((name) => ({ name })),
    paths: { ...paths, ...otherPaths },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "A token of this server: pawl token create, or a JWT." } },
      schemas: { ...components, Problem: problemSchema },
      responses: {
        Problem: {
          description: "What went wrong.",
          content: { [problemType]: { schema: { $ref: `${at}Problem` }, example: problemExample } },
        },
      },
    },
  };
}

const about = [
  "Durable runs over HTTP. Values are plain JSON: dates are RFC 3339 text, bigints decimal text, bytes base64.",
  "With `application/vnd.pawl+json` as Accept and Content-Type they keep their types.",
  "Errors are problem objects: programs switch on `page`, which is always a PAWL code.",
  "Lists answer `items` and, while there is more, `nextCursor`; a page may be empty and still have one.",
  "An id of a run in a path may be sent as `~` and the base64url of its UTF-8.",
  "POST /rpc takes the same operations as JSON-RPC 2.0: the method is the operation's name, params are its members.",
].join(" ");

function operationOf(operation: Operation, { input, output }: OperationJsonSchemas): Json {
  const spec = operationSpecs[operation];
  const { method, parts } = routeOf(operation);
  const inPath = new Set(parts.map(memberOf).filter((m) => m !== undefined));
  const properties = Object.entries((input["properties"] ?? {}) as Record<string, SchemaJson>);
  const required = new Set((input["required"] ?? []) as readonly string[]);
  const example = examples[operation].input as Readonly<Record<string, unknown>>;
  const parameters = properties
    .filter(([member]) => inPath.has(member) || method === "GET")
    .map(([member, schema]) => parameterOf(member, schema, inPath.has(member), required.has(member), example[member]));
  const inBody = properties.filter(([member]) => !inPath.has(member));
  const bodyRequired = inBody.map(([member]) => member).filter((m) => required.has(m));
  return {
    operationId: operation,
    tags: [tagOf(operation)],
    summary: spec.summary,
    ...(spec.notOn === undefined ? {} : { description: `Not on ${spec.notOn}` }),
    "x-pawl-scope": spec.scope,
    ...(spec.changes === true ? { "x-pawl-changes": true } : {}),
    ...(spec.destructive === true ? { "x-pawl-destructive": true } : {}),
    ...(spec.idempotentBy === undefined ? {} : { "x-pawl-idempotent-by": spec.idempotentBy }),
    ...(spec.tool === undefined ? {} : { "x-pawl-tool": spec.tool }),
    parameters: [...parameters, ...headersOf(operation)],
    ...(method === "GET"
      ? {}
      : {
          requestBody: {
            required: bodyRequired.length > 0,
            content: {
              "application/json": {
                schema: {
                  ...input,
                  properties: Object.fromEntries(inBody),
                  ...(bodyRequired.length > 0 ? { required: bodyRequired } : { required: [] }),
                },
                example: Object.fromEntries(Object.entries(example).filter(([member]) => !inPath.has(member))),
              },
            },
          },
        }),
    responses: responsesOf(operation, output),
  };
}

function tagOf(operation: Operation): string {
  return operation.includes(".") ? operation.slice(0, operation.indexOf(".")) : "server";
}

function parameterOf(name: string, described: SchemaJson, inPath: boolean, required: boolean, example: unknown): Json {
  const { description, ...schema } = described;
  return {
    name,
    in: inPath ? "path" : "query",
    required: inPath || required,
    description,
    schema,
    ...(schema["type"] === "object" ? { style: "deepObject", explode: true } : {}),
    ...(example === undefined ? {} : { example }),
  };
}

function headersOf(operation: Operation): readonly Json[] {
  const { idempotentBy } = operationSpecs[operation];
  const text = { type: "string" };
  return [
    ...(idempotentBy === undefined
      ? []
      : [
          {
            name: "Idempotency-Key",
            in: "header",
            description: `The same as ${idempotentBy}: a repeated request acts once.`,
            schema: text,
          },
        ]),
    ...(operation === "runs.start"
      ? [{ name: "Prefer", in: "header", description: "`wait=30` waits for the run's end.", schema: text }]
      : []),
    ...(operation === "runs.events"
      ? [{ name: "Last-Event-ID", in: "header", description: "Of a stream: the last frame that arrived.", schema: text }]
      : []),
  ];
}

function responsesOf(operation: Operation, output: SchemaJson): Json {
  const spec = operationSpecs[operation];
  const { method, parts } = routeOf(operation);
  const json = { "application/json": { schema: output, example: examples[operation].output } };
  const frames = { "text/event-stream": { schema: { type: "string" }, example: streamExample } };
  const file = { "application/zip": {} };
  const isFile = examples[operation].output instanceof Uint8Array;
  const content = isFile ? file : operation === "runs.watch" ? frames : spec.streams === true ? { ...json, ...frames } : json;
  const location = { Location: { description: "Where to look for it.", schema: { type: "string", format: "uri-reference" } } };
  const always = [401, 403, 404, 422, 429, 500, 503];
  const problems = [
    ...always,
    ...(method === "POST" ? [400, 409, 413, 415] : []),
    ...(parts.some((p) => memberOf(p) !== undefined) || spec.changes === true ? [410] : []),
    ...(spec.idempotentBy === "requestId" ? [412] : []),
  ].toSorted((a, b) => a - b);
  return {
    200: { description: answersCreated.has(operation) ? "It had been done before, or is done." : "Done.", content },
    ...(answersCreated.has(operation) ? { 201: { description: "Created.", headers: location, content } } : {}),
    ...(answersPending.has(operation) ? { 202: { description: "Not finished yet.", headers: location, content } } : {}),
    ...Object.fromEntries(problems.map((status) => [status, { $ref: "#/components/responses/Problem" }])),
  };
}

const streamExample = 'id: 0192f0c1-7a2e-7c3b-9d10-5f6a7b8c9d0e:1\nevent: event\ndata: {"eventType":"RunStarted"}\n\n';
