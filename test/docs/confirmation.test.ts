// The page about confirmation: its first program runs as printed and prints what is shown, the other one type-checks, and what it
// says of modes, answers and verifiers names what there is.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as verifiers from "../../src/verifiers.ts";
import { pageSource } from "./read-page.ts";

const root = resolve(import.meta.dirname, "../..");
const page = pageSource("docs/confirmation.md");
const [program, shown] = [...page.matchAll(/^```(?:ts)?\n([\s\S]*?)^```$/gm)].map((m) => m[1]!);
const fragment = page.slice(page.lastIndexOf("```ts\n") + 6, page.lastIndexOf("```"));

let dir: string;
beforeAll(() => {
  mkdirSync(join(root, "node_modules/.pawl"), { recursive: true });
  dir = mkdtempSync(join(root, "node_modules/.pawl/confirmation-"));
  writeFileSync(join(dir, "p.ts"), program!);
  const around = `import { restVerifier, sqlVerifier } from "pawl/verifiers";\ndeclare const pool: { query(text: string, values: unknown[]): Promise<{ rows: object[] }> };\n`;
  writeFileSync(join(dir, "q.ts"), around + fragment);
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ extends: join(root, "tsconfig.test.json"), include: [join(dir, "*.ts")] }));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("docs/confirmation.md", () => {
  it("every program type-checks", () => {
    const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", dir], { encoding: "utf8" });
    expect(tsc.stdout).toBe("");
  });

  it("the program prints what is shown", () => {
    const load = `import { importFile } from ${JSON.stringify(pathToFileURL(join(root, "dist/platform/modules.js")).href)}; await importFile(${JSON.stringify(join(dir, "p.ts"))});`;
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", load], {
      cwd: dir,
      encoding: "utf8",
      env: { ...process.env, NODE_ENV: "" },
    });
    expect(ran.stdout).toBe(shown);
    expect(ran.stderr).toContain("report is not confirmed by file: it is gone");
  });

  it("names every verifier, mode and answer", () => {
    for (const name of Object.keys(verifiers)) expect(page).toContain(`\`${name}\``);
    for (const mode of ["strict", "warn", "human"]) expect(page).toContain(`| \`${mode}\``);
    for (const answer of ["accept", "retry", "fail"]) expect(page).toContain(`| \`${answer}: true\``);
  });
});
