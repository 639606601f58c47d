// What LangGraph-Go's stores promise (contract/graphs.md) counts here only if a user can reach it: each promised line is carried by a test that runs a
// graph through the engine. Exceptions are facts of a database's file, settings of its connections, and lines about other things than graphs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const status = JSON.parse(readFileSync(join(root, "contract/status.json"), "utf8")) as Record<string, { readonly status: string }>;
const files = [
  ...readdirSync(import.meta.dirname).flatMap((f) => (f.endsWith(".test.ts") && f !== "proofs.test.ts" ? [`test/graph/${f}`] : [])),
  "test/crash/graph.test.ts",
];

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `L-${String(from + i).padStart(2, "0")}`);
/** Each with its proof elsewhere. */
const others = new Set([
  ...numbers(2, 3), // the four operations, and mechanisms with an outbox: test/ownership, the store suite
  ...numbers(23, 34), // the file, the locks and the limits of SQLite
  "L-60", // the isolation that connections ask for
  "L-74",
  ...numbers(70, 71), // summaries
]);

it("each promise about checkpoints is proved by a test that runs a graph", () => {
  const carried = new Set(files.flatMap((f) => [...readFileSync(join(root, f), "utf8").matchAll(/"(L-\d\d)"/g)].map((m) => m[1]!)));
  const promised = Object.keys(status).filter((id) => id.startsWith("L-") && status[id]!.status === "promised");
  expect(promised.filter((id) => !carried.has(id) && !others.has(id))).toEqual([]);
  expect([...others].filter((id) => carried.has(id) || !promised.includes(id))).toEqual([]);
});
