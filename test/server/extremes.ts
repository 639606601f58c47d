// Inputs at the edges of what schemas permit, and a little beyond: for each member of each operation the largest and smallest numbers, texts at their limits
// and in odd alphabets, times at the ends of the calendar, lists and objects with thousands of entries, values that are deep, empty or of another type.
import { examples } from "../../src/api/examples.ts";
import { operations, operationSpecs, type Operation } from "../../src/api/operations.ts";
import { inputSchemaOf, type SchemaJson } from "../../src/api/schemas/json-schemas.ts";

export interface Extreme {
  readonly operation: Operation;
  /** The member that is not as in the example. */
  readonly place: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const times = ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"];
const texts = [
  "",
  " ",
  "x".repeat(512),
  "x".repeat(1_024),
  "x".repeat(100_000),
  "é".repeat(256),
  "\u{1f600}".repeat(128),
  "a b/c?d#e%f",
  "'\"\\;--",
  "\u202e\ufeff",
  "$pawl",
  "RUN",
  "*",
  "%_",
  "1e999",
  "-1s",
  "1e300d",
  "99999999999999999999w",
];
const numbers = [0, 1, -1, 0.5, 5e-324, 2 ** 31, 2 ** 32, 2 ** 40, Number.MAX_SAFE_INTEGER, 1e308];
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
const anything = [null, "", [], {}, deep(40), "x".repeat(300_000), { $pawl: "NaN" }, 1e308, Array.from({ length: 20_000 }, (_, i) => i)];
const otherTypes = [null, true, 7, "text", [1], { a: 1 }];

/** Waiting takes time, and says nothing more. */
const waits: Readonly<Record<string, readonly unknown[]>> = { wait: [-1, 31, 1e308, 0], waitMs: [-1, 1e308, 0] };

function valuesFor(schema: SchemaJson, depth: number): readonly unknown[] {
  const { type, format, anyOf, oneOf, properties, items, additionalProperties } = schema as Readonly<Record<string, never>>;
  const forms = (anyOf ?? oneOf) as readonly SchemaJson[] | undefined;
  if (forms !== undefined) return [...otherTypes, ...forms.flatMap((form) => valuesFor(form, depth))];
  if (type === undefined) return [...anything, ...otherTypes];
  switch (type as string) {
    case "string":
      return [...otherTypes, ...(format === "date-time" ? times : []), ...((schema as { enum?: readonly string[] }).enum ?? []), ...texts];
    case "integer":
    case "number":
      return [...otherTypes, ...numbers];
    case "array": {
      const one = (items === undefined ? ["x"] : valuesFor(items, depth + 1)) as readonly unknown[];
      const good = sampleOf((items ?? {}) as SchemaJson);
      return [...otherTypes, [], ...(depth < 2 ? one.slice(0, 40).map((x) => [x]) : []), many(3_000, good), many(70_000, good)];
    }
    case "object": {
      if (properties !== undefined && depth < 2) {
        const base = sampleOf(schema) as Record<string, unknown>;
        return [
          ...otherTypes,
          ...Object.entries(properties as Record<string, SchemaJson>).flatMap(([name, of]) =>
            valuesFor(of, depth + 1).map((value) => ({ ...base, [name]: value })),
          ),
        ];
      }
      const value = additionalProperties === undefined || typeof additionalProperties === "boolean" ? "v" : sampleOf(additionalProperties);
      const entries = (n: number): unknown => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, value]));
      return [
        ...otherTypes,
        {},
        { "": value },
        { "a|b": value },
        { ["x".repeat(600)]: value },
        entries(20),
        entries(100),
        entries(1_000),
        entries(20_000),
      ];
    }
    default:
      return otherTypes;
  }
}

const many = (length: number, of: unknown): unknown[] => Array.from({ length }, () => of);

/** Something that fits. */
function sampleOf(schema: SchemaJson): unknown {
  const { type, format, anyOf, oneOf, properties, required, pattern } = schema as Readonly<Record<string, never>>;
  const choice = ((schema as { enum?: readonly unknown[] }).enum ?? [])[0];
  if (choice !== undefined) return choice;
  if ("const" in schema) return schema["const"];
  const forms = (anyOf ?? oneOf) as readonly SchemaJson[] | undefined;
  if (forms !== undefined) return sampleOf(forms[0] ?? {});
  switch (type as string | undefined) {
    case "string":
      if (format === "date-time") return "2026-01-31T08:00:00Z";
      return pattern === undefined ? "x" : "7d2f9a53-18c4-4e0b-a6f1-3b5c7d9e1f20";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return Object.fromEntries(
        Object.entries((properties ?? {}) as Record<string, SchemaJson>)
          .filter(([name]) => ((required ?? []) as readonly string[]).includes(name))
          .map(([name, of]) => [name, sampleOf(of)]),
      );
    default:
      return "x";
  }
}

/** Members of the examples that a test replaces: ids of what exists, and those of a repeated request, which would be answered from memory. */
export type OwnMembers = (operation: Operation, n: number) => Readonly<Record<string, unknown>>;

/** For every operation that `asked` permits. */
export function* extremes(own: OwnMembers, asked: (operation: Operation) => boolean): Generator<Extreme> {
  let n = 0;
  for (const operation of Object.keys(operations) as Operation[]) {
    if (!asked(operation)) continue;
    const {
      [operationSpecs[operation].idempotentBy ?? ""]: _,
      by: __,
      ...example
    } = examples[operation].input as Readonly<Record<string, unknown>>;
    const properties = (inputSchemaOf(operation)["properties"] ?? {}) as Record<string, SchemaJson>;
    // What has a wait of its own does not wait for it here.
    const soon = "wait" in properties ? { wait: 0 } : {};
    for (const [place, schema] of Object.entries(properties))
      for (const value of waits[place] ?? valuesFor(schema, 0))
        yield { operation, place, input: { ...example, ...own(operation, n++), ...soon, [place]: value } };
  }
}
