// The operations' schemas as JSON Schema, for /openapi.json, the reference page and the tools of MCP. Shapes that several operations share are
// named once. It must never say more than the schemas check: members get their descriptions from member-texts.ts and nothing else is added.
import { z } from "zod";
import { memberText } from "../member-texts.ts";
import { operations, type Operation } from "../operations.ts";
import * as events from "./events.ts";
import * as ledger from "./ledger.ts";
import * as operate from "./operate.ts";
import * as run from "./run.ts";
import { schemas } from "./schemas.ts";

export type SchemaJson = Readonly<Record<string, unknown>>;

/** Shapes that have a name of their own in documents: that of their type. */
const shared = {
  Run: run.runViewSchema,
  ExplainedRun: run.explainedRunSchema,
  Step: run.stepViewSchema,
  Failure: run.failureSchema,
  RunEnd: run.runEndSchema,
  RunFilter: run.openFilterSchema,
  Engine: run.engineViewSchema,
  ExplainedEngine: operate.explainedEngineSchema,
  Store: run.storeViewSchema,
  AcceptedSignalResult: run.acceptedSignalResultSchema,
  RetryAnswer: run.retryAnswerSchema,
  PlannedStep: run.plannedStepSchema,
  Started: run.startedSchema,
  Effect: ledger.effectViewSchema,
  Decision: ledger.decisionViewSchema,
  DecisionAnswer: ledger.decisionAnswerSchema,
  Proof: ledger.proofSchema,
  ControlAnswer: operate.controlAnswerSchema,
  RunCounts: operate.runCountsSchema,
  Timeline: operate.timelineSchema,
  RunVerification: operate.runVerificationSchema,
  MessageState: operate.messageStateSchema,
  Batch: operate.batchViewSchema,
  Workflow: operate.workflowViewSchema,
  Token: operate.tokenViewSchema,
  CreatedToken: operate.createdTokenSchema,
  AuditRecord: operate.auditRecordSchema,
  Me: operate.meViewSchema,
  EventRecord: events.eventRecordSchema,
  AppendAnswer: events.appendAnswerSchema,
  Consumer: events.consumerViewSchema,
  DeadLetter: events.consumerDeadLetterSchema,
  Alert: events.alertSchema,
  Endpoint: events.endpointViewSchema,
  EndpointSecret: events.endpointSecretSchema,
  Delivery: events.deliveryViewSchema,
} satisfies Record<string, z.ZodType>;

const names = new Map<z.ZodType, string>(Object.entries(shared).map(([name, schema]) => [schema, name]));

export interface OperationJsonSchemas {
  /** An object schema; its properties are the members of the input. */
  readonly input: SchemaJson;
  readonly output: SchemaJson;
}

/** The schemas of all operations, with references into `components`. */
export function documentSchemas(at: string): {
  readonly components: Readonly<Record<string, SchemaJson>>;
  readonly of: Readonly<Record<Operation, OperationJsonSchemas>>;
} {
  const registry = z.registry<{ id?: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const components: Record<string, SchemaJson> = {};
  const made = (schema: z.ZodType): SchemaJson => {
    const { $defs, ...root } = plain(z.toJSONSchema(schema, { ...options, metadata: registry }), at);
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, SchemaJson>))
      components[name] = opened(name, definition);
    const name = names.get(schema);
    if (name === undefined) return root;
    // A shape that contains itself is among the definitions, and the root only points there.
    if (root["$ref"] === undefined) components[name] = opened(name, root);
    return { $ref: `${at}${name}` };
  };
  const all = (Object.keys(operations) as Operation[]).map((operation) => {
    const input = withTexts(operation, withoutId(resolved(made(schemas[operation].input), components, at)));
    return [operation, { input, output: tolerant(made(schemas[operation].output)) }] as const;
  });
  return {
    components: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    of: Object.fromEntries(all) as Record<Operation, OperationJsonSchemas>,
  };
}

/** The schema of an operation's input by itself, without references to elsewhere. */
export function inputSchemaOf(operation: Operation): SchemaJson {
  return withTexts(operation, plain(z.toJSONSchema(schemas[operation].input, options), "#/$defs/"));
}

const options = {
  unrepresentable: "any",
  // A time has a format; its pattern would be a line of its own. zod's largest integer says nothing to anybody.
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void => {
    if (jsonSchema["format"] === "date-time" || jsonSchema["format"] === "uuid") delete jsonSchema["pattern"];
    if (jsonSchema["maximum"] === Number.MAX_SAFE_INTEGER) delete jsonSchema["maximum"];
    delete jsonSchema["propertyNames"];
  },
} as const;

function plain(schema: object, at: string): Record<string, unknown> {
  const text = JSON.stringify(schema).replaceAll("#/$defs/", at);
  const { $schema: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return rest;
}

function withoutId(schema: SchemaJson): SchemaJson {
  const { id: _, $id: __, ...rest } = schema;
  return rest;
}

/** Shapes of requests: they refuse members that they do not have. */
const ofRequests: ReadonlySet<string> = new Set(["RunFilter", "DecisionAnswer"]);

function opened(name: string, schema: SchemaJson): SchemaJson {
  return ofRequests.has(name) ? withoutId(schema) : tolerant(withoutId(schema));
}

/** Answers may get more members in later versions: a document that forbids them would break its readers. */
function tolerant(schema: SchemaJson): SchemaJson {
  return JSON.parse(JSON.stringify(schema).replaceAll(',"additionalProperties":false', "")) as SchemaJson;
}

/** An input that is a shape with a name is written out: its members go into path, query and body. */
function resolved(schema: SchemaJson, components: Readonly<Record<string, SchemaJson>>, at: string): SchemaJson {
  const ref = schema["$ref"];
  return typeof ref === "string" ? (components[ref.slice(at.length)] ?? schema) : schema;
}

function withTexts(operation: Operation, schema: SchemaJson): SchemaJson {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, SchemaJson>).map(([member, of]) => {
    const description = memberText(operation, member);
    return [member, description === undefined ? of : { ...of, description }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
