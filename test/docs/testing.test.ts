// docs/testing.md: its blocks type-check against the package and run in their order, as the page's readers would run them; its
// tables name what there is. Guards that no page shows code which does not work.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testEngine } from "../../src/testing.ts";
import { pageSource, root } from "./read-page.ts";

const page = pageSource("docs/testing.md");
const [head = "", ...blocks] = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((m) => m[1] ?? "");
const source = `${head}\n${blocks.map((code, i) => `export async function block${i}(): Promise<void> {\n${code}}\n`).join("\n")}`;

let dir: string;
beforeAll(() => {
  mkdirSync(join(root, "node_modules/.pawl"), { recursive: true });
  dir = mkdtempSync(join(root, "node_modules/.pawl/testing-"));
  writeFileSync(
    join(dir, "page.ts"),
    source.replace('from "pawl"', 'from "../../../src/index.ts"').replace('from "pawl/testing"', 'from "../../../src/testing.ts"'),
  );
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ extends: join(root, "tsconfig.test.json"), include: [join(dir, "page.ts")] }));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("docs/testing.md", () => {
  it("every block type-checks", () => {
    const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", dir], { encoding: "utf8" });
    expect(tsc.stdout).toBe("");
  });

  it("every block runs, in order", async () => {
    expect(blocks).toHaveLength(5);
    const module = (await import(/* @vite-ignore */ join(dir, "page.ts"))) as Record<string, () => Promise<void>>;
    for (const i of blocks.keys()) await module[`block${i}`]?.();
  });

  it("names every verb of a test engine that an engine has not", async () => {
    const t = await testEngine();
    for (const name of ["mock", "until", "advance", "trace", "crash", "crashAt", "now"] as const) {
      expect(typeof t[name]).toBe("function");
      expect(page).toMatch(new RegExp(`^\\| .*\`${name}\\(`, "m"));
    }
    await t.stop();
  });
});
