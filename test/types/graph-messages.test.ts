// What the compiler says of a misspelt channel or node of a graph: the message names it. graph.test-d.ts says that none of these compile; this compiles
// them, and reads the messages.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** What is wrong, and what its message must name. */
const mistakes: readonly (readonly [code: string, says: string])[] = [
  ["two.nodes({ x: () => ({ a: 1, aaa: 1 }) });", "no channel is called aaa"],
  ["two.nodes({ x: async (s) => (s.a > 1 ? { a: 1 } : { bbb: 1 }) });", "no channel is called bbb"],
  ["two.nodes(({ effect }) => ({ w: effect(async () => ({ a: 1, ccc: 1 }), { once: true }) }));", "no channel is called ccc"],
  ["two.nodes(({ each }) => ({ w: each(z.object({}), () => ({ a: 1, ddd: 1 })) }));", "no channel is called ddd"],
  ['graph({ name: "g", state: { a: last(0) }, input: z.number(), begin: (i) => ({ a: i, eee: i }) });', "no channel is called eee"],
  ["two.nodes({ x: async () => JSON.parse('{}') });", "it returns any"],
  ['one.edges({ start: "fff", x: "end" });', '"fff"'],
  ['one.edges({ start: "x", x: (s) => (s.a > 1 ? "ggg" : "end") });', '"ggg"'],
  ['one.edges({ start: "x", x: () => send("hhh", {}) });', '"hhh"'],
  ['one.edges({ start: "x", x: "end", iii: "end" });', "'iii'"],
  ['one.edges({ start: "x", x: "end" }, { catch: { x: "jjj" } });', '"jjj"'],
];

it("a misspelt channel or node does not compile, and the message says which", () => {
  const dir = resolve(root, ".reports/graph-messages");
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const preamble = [
    'import { append, graph, last, send } from "pawl/graph";',
    'import { z } from "zod";',
    'const two = graph({ name: "two", state: { a: last(0), b: append<string>() } });',
    "const one = two.nodes({ x: () => ({ a: 1 }) });",
    "void [send, one];",
  ];
  writeFileSync(resolve(dir, "mistakes.ts"), `${[...preamble, ...mistakes.map(([code]) => code)].join("\n")}\n`);
  const compilerOptions = { noEmit: true, composite: false, isolatedDeclarations: false, declaration: false };
  writeFileSync(
    resolve(dir, "tsconfig.json"),
    JSON.stringify({ extends: "../../tsconfig.base.json", compilerOptions, files: ["mistakes.ts"] }),
  );
  let said = "";
  try {
    execFileSync(process.execPath, [resolve(root, "node_modules/typescript/bin/tsc"), "-p", dir], { cwd: dir, encoding: "utf8" });
  } catch (e) {
    said = (e as { stdout: string }).stdout;
  }
  const messages = new Map<number, string>();
  for (const text of said.split(/^(?=mistakes\.ts\()/m)) {
    const line = Number(/^mistakes\.ts\((\d+),/.exec(text)?.[1]);
    messages.set(line, `${messages.get(line) ?? ""}${text}`);
  }
  for (const [i, [code, says]] of mistakes.entries()) expect(messages.get(preamble.length + 1 + i), code).toContain(says);
  expect([...messages.keys()], "and nothing else is wrong").toHaveLength(mistakes.length);
});
