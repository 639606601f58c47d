// The generator on contracts that are changed on purpose: what a file says is in the types and on the page, and what the
// generator does not understand it refuses, since a type that says less than its schema is believed all the same.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { outputFiles } from "./outputs.mjs";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
/** The made files, with one file of the contract changed. */
async function madeWith(file: string, change: (json: any) => void): Promise<{ types: string; page: string }> {
  const path = `contract/schema/${file}`;
  const json = JSON.parse(read(path));
  change(json);
  const made = await outputFiles((p: string) => (p === path ? JSON.stringify(json) : read(p)));
  return { types: made.get("src/core/contract.ts")!, page: plainTable(made.get("docs/contract.md")!) };
}
/** The formatter pads the cells of a table. */
const plainTable = (page: string): string => page.replaceAll(/(?<=\|) +| +(?=\|)/g, " ");
const write = "RunEventWrite.schema.json";

describe("npm run generate", () => {
  it("what is in the project is what the contract's files make", async () => {
    const made = await outputFiles(read);
    expect([...made.keys()]).toEqual([
      "src/core/contract.ts",
      "docs/contract.md",
      "docs/reference/cli.md",
      "docs/reference/api.md",
      "docs/errors.md",
    ]);
    for (const [path, text] of made) expect(read(path), path).toBe(text);
  });

  it("a changed transition changes the table, the statuses and the page", async () => {
    const { types, page } = await madeWith("transitions.json", (t) => (t.run.RunPaused = { from: ["PENDING", "RUNNING"], to: "HELD" }));
    expect(types).toContain('RunPaused: { from: ["PENDING", "RUNNING"], to: "HELD" }');
    expect(types).toContain('runStatuses = ["PENDING", "RUNNING", "HELD", "COMPLETED", "FAILED", "CANCELLED"]');
    expect(page).toContain("| `RunPaused` | PENDING, RUNNING | HELD |");
  });

  it.each([
    [{ type: "string", minLength: 1 }, "readonly trace?: string;", "| `trace` | | Text, not empty. |"],
    [{ type: ["integer", "null"], minimum: 3 }, "readonly trace?: number | null;", "| `trace` | | A whole number from 3 or null. |"],
    [{ enum: ["a", "b"], description: "Which" }, 'readonly trace?: "a" | "b";', "| `trace` | | One of `a`, `b`. Which. |"],
    [{ enum: ["PENDING", "RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED"] }, "readonly trace?: RunStatus;", "`CANCELLED`. |"],
    [{ type: "array", items: { const: 7 } }, "readonly trace?: readonly 7[];", "| `trace` | | A list; each: always `7`. |"],
    [
      { type: "object", additionalProperties: { type: "boolean" } },
      "readonly trace?: Readonly<Record<string, boolean>>;",
      "each value: boolean. |",
    ],
    [{ type: "string", pattern: "^x|y$" }, "readonly trace?: string;", "| `trace` | | Text that matches `^x\\|y$`. |"],
  ])("a member %j is in the type and on the page", async (schema, type, row) => {
    const { types, page } = await madeWith(write, (s) => (s.properties.trace = schema));
    expect(types).toContain(type);
    expect(page).toContain(row);
  });

  it("a required member is no optional one", async () => {
    const { types, page } = await madeWith(write, (s) => s.required.push("payload"));
    expect(types).toContain("readonly payload: Readonly<Record<string, unknown>>;");
    expect(page).toContain("| `payload` | required |");
  });

  it.each([
    ["a keyword it does not know", (s: any) => (s.properties.runId.oneOf = []), /runId: the generator does not know the keyword oneOf/],
    ["one inside of a list", (s: any) => (s.properties.x = { type: "array", items: { maxLength: 2 } }), /x\/items: .* maxLength/],
    ["a type it does not know", (s: any) => (s.properties.runId.type = "number"), /knows no type number/],
    ["another kind of choice", (s: any) => s.then.required.push("runId"), /knows no such if, then and else/],
  ])("refuses %s", async (_, change, message) => {
    await expect(madeWith(write, change)).rejects.toThrow(message);
  });
});
