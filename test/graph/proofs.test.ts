// What LangGraph-Go's stores promise (contract/graphs.md) counts here only if a user can reach it: each promised line is carried by a test whose own code
// calls graph() and has an engine, or a process with one, run it; and on every store. It is read from the tests' text, so a test that only calls the
// function below it carries nothing. Exceptions are facts of a database's file, settings of its connections, and lines about other things than graphs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
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
/** What is about processes that end has no proof on a store that ends with them. */
const needsProcesses = new Set(["L-78"]);
const allStores = ["memory", "sqlite", "postgres", "mysql"];

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}
/** One test of a file: what it carries, where it runs, and every name that its code mentions, also through the functions of its file. */
interface Carrier {
  readonly ids: readonly string[];
  readonly stores: readonly string[];
  readonly names: ReadonlySet<string>;
}

function carriersOf(text: string): Carrier[] {
  const declared = new Map<string, Node>();
  const tests: { call: Node; around: readonly Node[] }[] = [];
  const walk = (n: unknown, around: readonly Node[]): void => {
    if (Array.isArray(n)) return n.forEach((x) => walk(x, around));
    if (typeof n !== "object" || n === null || typeof (n as Node).type !== "string") return;
    const node = n as Node;
    if (node.type === "VariableDeclarator" || node.type === "FunctionDeclaration") {
      const { name } = (node["id"] ?? {}) as { name?: string };
      if (name !== undefined) declared.set(name, node);
    }
    const isTest = node.type === "CallExpression" && /^it\b/.test(text.slice(node.start, node.end)) && node["arguments"] !== undefined;
    if (isTest && (node["arguments"] as Node[]).length > 1) tests.push({ call: node, around });
    for (const [key, inner] of Object.entries(node)) if (key !== "type") walk(inner, [...around, node]);
  };
  walk(parseSync("test.ts", text).program as unknown, []);
  return tests.map(({ call, around }) => {
    const own = text.slice(call.start, call.end);
    const outside = around.filter((n) => n.type === "CallExpression").map((n) => text.slice(n.start, (n["callee"] as Node).end));
    return { ids: [...own.matchAll(/"(L-\d\d)"/g)].map((m) => m[1]!), stores: storesOf([...outside, own].join("\n")), names: namesIn(own) };
  });

  function namesIn(own: string): ReadonlySet<string> {
    const seen = new Set<string>();
    const read = (code: string): void => {
      for (const [name] of code.matchAll(/[A-Za-z_$][\w$]*/g)) {
        if (seen.has(name)) continue;
        seen.add(name);
        const node = declared.get(name);
        if (node !== undefined) read(text.slice(node.start, node.end));
      }
    };
    read(own);
    return seen;
  }
}

/** Which stores the suites around a test, or the test itself, name. */
function storesOf(code: string): readonly string[] {
  if (/\b(describe|it)\.each\(testStores\)/.test(code)) return allStores;
  if (/\b(describe|it)\.each\(storeKinds\)/.test(code)) return ["memory", "sqlite"];
  const listed = allStores.filter((s) => new RegExp(`\\["${s}", `).test(code));
  return listed.length > 0 ? listed : ["memory"];
}

const runsGraph = (file: string, { names }: Carrier): boolean => {
  if (names.has("engine") && names.has("graph")) return true;
  // A process of its own: its program is one.
  const isProcess = names.has("runChild") && names.has("program");
  return isProcess && readFileSync(join(root, "test/crash/programs/graph.ts"), "utf8").includes("= graph({") && file.includes("/crash/");
};

it("each promise about checkpoints is proved by tests that run a graph, on every store", () => {
  const carried = new Map<string, Set<string>>();
  const idle: string[] = [];
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    for (const c of carriersOf(text)) {
      if (c.ids.length > 0 && !runsGraph(file, c)) idle.push(`${file}: ${c.ids.join(" ")}`);
      else for (const id of c.ids) carried.set(id, new Set([...(carried.get(id) ?? []), ...c.stores]));
    }
  }
  expect(idle, "carry a promise without running a graph").toEqual([]);
  const promised = Object.keys(status).filter((id) => id.startsWith("L-") && status[id]!.status === "promised");
  expect(promised.filter((id) => !carried.has(id) && !others.has(id))).toEqual([]);
  expect([...others].filter((id) => carried.has(id) || !promised.includes(id))).toEqual([]);
  const missing = promised.flatMap((id) => {
    const where = carried.get(id);
    const due = needsProcesses.has(id) ? allStores.filter((s) => s !== "memory") : allStores;
    return where === undefined ? [] : due.filter((s) => !where.has(s)).map((s) => `${id} on ${s}`);
  });
  expect(missing).toEqual([]);
});

it("a test that carries a promise and runs no graph is found", () => {
  const found = (code: string): boolean => carriersOf(code).every((c) => c.ids.length === 0 || runsGraph("test/graph/x.test.ts", c));
  const head = 'const make = () => graph({ name: "g" });\nconst key = () => checkpointKey();\n';
  expect(found(`${head}it("a", proves("L-36"), async () => { const g = make(); await s.engine({ workflows: [g] }); });`)).toBe(true);
  expect(found(`${head}it("a", proves("L-36"), () => { expect(key()).toBe(1); });`)).toBe(false);
  expect(found(`${head}it("a", proves("L-36"), () => { make(); });`)).toBe(false);
});
