// The OpenAPI document: it is valid, has every operation with what the catalogue says of it, and every example in it fits its schema. That the
// server keeps what it says is tried in test/server.
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { examples } from "./examples.ts";
import { memberText } from "./member-texts.ts";
import { openApiDocument } from "./openapi.ts";
import { operations, operationSpecs, type Operation } from "./operations.ts";
import { checkAnswer, checkInput } from "./schemas/check.ts";
import { inputSchemaOf } from "./schemas/json-schemas.ts";

const names = Object.keys(operations) as Operation[];
type Described = Record<string, unknown> & { readonly operationId: string; readonly parameters?: readonly Record<string, unknown>[] };
const document = JSON.parse(JSON.stringify(openApiDocument({ version: "1.2.3", base: "/pawl" }))) as {
  readonly paths: Record<string, Record<string, Described>>;
  readonly servers: unknown;
  readonly components: { readonly schemas: Record<string, unknown> };
};
const described = new Map(
  Object.values(document.paths).flatMap((methods) => Object.values(methods).map((d) => [d.operationId, d] as const)),
);

it("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe("3.1");
  expect(document.servers).toEqual([{ url: "/pawl" }]);
});

it("every operation is in it, with its scope, flags, tool and id", () => {
  for (const operation of names) {
    const spec = operationSpecs[operation];
    const [method, path] = spec.rest.split(" ") as [string, string];
    expect(document.paths[`/v1${path}`]?.[method.toLowerCase()]?.operationId).toBe(operation);
    expect(described.get(operation)).toMatchObject({
      "x-pawl-scope": spec.scope,
      ...(spec.changes === true ? { "x-pawl-changes": true } : {}),
      ...(spec.destructive === true ? { "x-pawl-destructive": true } : {}),
      ...(spec.tool === undefined ? {} : { "x-pawl-tool": spec.tool }),
    });
    const own = Object.keys((inputSchemaOf(operation)["properties"] ?? {}) as object);
    const { parameters = [], requestBody } = described.get(operation)!;
    const body = (requestBody as { content?: Record<string, { schema: { properties?: object } }> } | undefined)?.content;
    const members = Object.keys(body?.["application/json"]?.schema.properties ?? {});
    const inUrl = parameters.filter((p) => p["in"] !== "header").map((p) => p["name"]);
    expect(new Set([...inUrl, ...members]), operation).toEqual(new Set(own));
    const key = described.get(operation)?.parameters?.some((p) => p["name"] === "Idempotency-Key");
    expect(key, operation).toBe(spec.idempotentBy !== undefined);
  }
});

it("every reference leads somewhere", () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((m) => m[1]!);
  expect(refs.length).toBeGreaterThan(50);
  expect(refs.filter((name) => document.components.schemas[name] === undefined)).toEqual([]);
  expect(JSON.stringify(document)).not.toContain("#/$defs/");
  for (const [name, schema] of Object.entries(document.components.schemas)) expect(schema, name).not.toHaveProperty("$ref");
});

it("every example fits its schema", () => {
  for (const operation of names) {
    const { input, output } = examples[operation];
    expect(checkInput(operation, input), operation).toEqual(input);
    expect(checkAnswer(operation, output), operation).toEqual(output);
  }
});

it("every member of an input is explained", () => {
  for (const operation of names)
    for (const member of Object.keys((inputSchemaOf(operation)["properties"] ?? {}) as object))
      expect(memberText(operation, member), `${operation} ${member}`).toBeDefined();
});
