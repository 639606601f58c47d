// The tools of MCP, made from the catalogue: each operation that has a tool name, with its schema and its summary. A tool that changes something
// takes two calls: a preview first, then the same with `confirm`. It must never list a tool that the caller may not use.
import { inputSchemaOf, type SchemaJson } from "../api/schemas/json-schemas.ts";
import { operations, operationSpecs, type Operation } from "../api/operations.ts";
import type { AccessScope } from "../core/principal.ts";

export interface ToolSpec {
  readonly operation: Operation;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" } & SchemaJson;
  /** It takes two calls. */
  readonly writes: boolean;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: true;
    readonly openWorldHint: false;
  };
}

export interface ToolRights {
  readonly scopes: readonly AccessScope[];
  /** Scopes whose dangerous tools exist as well: terminate_run needs operate, resolve_decision needs resolve. */
  readonly allow: readonly AccessScope[];
}

/** Members that the preview takes care of. */
const leftOut: ReadonlySet<string> = new Set(["requestId", "dryRun", "expectHead", "by"]);

export const confirmMember = "confirm";

const all: ReadonlyMap<string, Operation> = new Map(
  (Object.keys(operations) as Operation[]).flatMap((operation) => {
    const { tool } = operationSpecs[operation];
    return tool === undefined ? [] : [[tool, operation] as const];
  }),
);

/** The tools that a caller has. */
export function toolsFor(rights: ToolRights): readonly ToolSpec[] {
  return [...all].filter(([, operation]) => mayUse(operation, rights)).map(([name, operation]) => toolOf(name, operation));
}

/** The operation of a tool; undefined where there is no such tool for this caller. */
export function operationOfTool(name: string, rights: ToolRights): Operation | undefined {
  const operation = all.get(name);
  return operation !== undefined && mayUse(operation, rights) ? operation : undefined;
}

function mayUse(operation: Operation, { scopes, allow }: ToolRights): boolean {
  const { scope, toolNeedsAllow } = operationSpecs[operation];
  if (scope === "none") return true;
  return scopes.includes(scope) && (toolNeedsAllow !== true || allow.includes(scope));
}

function toolOf(name: string, operation: Operation): ToolSpec {
  const { summary, changes, destructive } = operationSpecs[operation];
  const writes = changes === true;
  const { properties, required, ...rest } = inputSchemaOf(operation);
  const members = Object.entries(properties as Record<string, SchemaJson>).filter(([member]) => !(writes && leftOut.has(member)));
  const confirm = { type: "string", description: "The confirm text of the preview; leave it out in the first call." };
  return {
    operation,
    name,
    description: writes
      ? `${summary} Takes two calls: the first changes nothing and answers a preview with a confirm text; the second, with the same arguments and that confirm, does it.`
      : summary,
    inputSchema: {
      ...rest,
      type: "object",
      properties: Object.fromEntries(writes ? [...members, [confirmMember, confirm]] : members),
      ...(required === undefined ? {} : { required }),
    },
    writes,
    annotations: {
      title: summary,
      readOnlyHint: !writes,
      destructiveHint: destructive === true || operation === "runs.cancel",
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}
