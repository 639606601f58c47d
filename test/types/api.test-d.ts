// Type tests of the catalogue: a schema or a handler that is missing, or is of another type than its operation, does not compile. `npm run types`
// compiles this file and nothing ever runs it, so that a line marked as an error which no longer is one fails the check.
import { z } from "zod";
import { exact, maybe } from "../../src/api/schemas/exact.ts";
import { schemas, type OperationSchemas } from "../../src/api/schemas/schemas.ts";
import type { OperationInput } from "../../src/api/operation-types.ts";
import type { Operation } from "../../src/api/operations.ts";
import type { Handlers } from "../../src/server/call.ts";
import { handlers } from "../../src/server/handlers/table.ts";

interface Order {
  readonly id: string;
  readonly state: "open" | "closed";
  readonly items: readonly { readonly sku: string; readonly note?: string }[];
}
const item = z.strictObject({ sku: z.string(), note: maybe(z.string()) });
const state = z.enum(["open", "closed"]);

export function schemasAreExact(): void {
  exact<Order>()(z.strictObject({ id: z.string(), state, items: z.array(item) }));
  // @ts-expect-error a member is missing
  exact<Order>()(z.strictObject({ id: z.string(), state }));
  // @ts-expect-error a member too many
  exact<Order>()(z.strictObject({ id: z.string(), state, items: z.array(item), more: maybe(z.string()) }));
  // @ts-expect-error an optional member is missing, one level down
  exact<Order>()(z.strictObject({ id: z.string(), state, items: z.array(z.strictObject({ sku: z.string() })) }));
  // @ts-expect-error a word is missing
  exact<Order>()(z.strictObject({ id: z.string(), state: z.enum(["open"]), items: z.array(item) }));
  // @ts-expect-error optional is not the same as required
  exact<Order>()(z.strictObject({ id: maybe(z.string()), state, items: z.array(item) }));
}

export function everyOperationHasSchemas(): void {
  const { version: _, ...others } = schemas;
  // @ts-expect-error the schemas of an operation are missing
  const all: { readonly [O in Operation]: OperationSchemas<O> } = others;
  void all;
  // @ts-expect-error the schemas of another operation
  const swapped: OperationSchemas<"runs.get"> = schemas["runs.start"];
  void swapped;
  const terminate: OperationInput<"runs.terminate"> = { id: "r", reason: "stuck" };
  void terminate;
  // @ts-expect-error an input has the members of its operation
  const wrong: OperationInput<"runs.terminate"> = { runId: "r" };
  void wrong;
}

export function everyOperationHasAHandler(): void {
  const { "runs.cancel": _, ...others } = handlers;
  // @ts-expect-error the handler of an operation is missing
  const all: Handlers = others;
  void all;
  // @ts-expect-error the handler of another operation
  const swapped: Handlers["runs.get"] = handlers["runs.cancel"];
  void swapped;
}
