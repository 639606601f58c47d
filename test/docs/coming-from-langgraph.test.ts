// The page for those who come from LangGraph: both of its programs say the same. Pawl's is run with all pages (pages.test.ts); LangGraph's here, where
// it is installed (`npm install` in bench/agents). Nothing else of the project needs it.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/coming-from-langgraph.md"), "utf8");
const program = (language: string): string => page.split(`\`\`\`${language}\n`)[1]!.split("```")[0]!;
const says = (code: string): string | undefined => /console\.log\(.*\); \/\/ (.*)\n/.exec(code)?.[1];
const peer = join(root, "bench/agents");

it("both programs on the page claim the same output", () => {
  expect(says(program("js"))).toBe(says(program("ts")));
  expect(says(program("ts"))).toMatch(/^2 a fact/);
});

it.skipIf(!existsSync(join(peer, "node_modules/@langchain/langgraph")))("LangGraph's program says what the page says", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program("js")], { cwd: peer, encoding: "utf8" });
  expect([stdout.trim(), stderr.replaceAll(/^npm .*$/gm, "").trim()]).toEqual([says(program("js")), ""]);
});
