// docs/quick-start.md, done from top to bottom as a reader would: its files are written, its commands run in a shell, and what it shows must
// be what is printed. Only the installation is left out: the package under test is the one of this folder.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installPawl, pawlCommand } from "../support/package-under-test.ts";
import { pageSource, root } from "./read-page.ts";

let dir = "";
beforeAll(() => {
  mkdirSync(join(root, ".reports"), { recursive: true });
  dir = mkdtempSync(join(root, ".reports/quick-start-")); // beside the packages that it needs
  installPawl(dir);
  writeFileSync(join(dir, "vitest.config.mjs"), "export default {};\n");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Times, durations and ids differ from one machine to the next. */
const same = (text: string): string => text.replaceAll(/\d+:\d\d:\d\d|\d+(\.\d+)?(ms|s)\b/g, "#").replaceAll(/[ \t]+/g, " ");

function shell(commands: string): { out: string; code: number | null } {
  const npx = `npx() { local name=$1; shift; case $name in
    pawl) "${process.execPath}" "${pawlCommand()}" "$@" ;;
    vitest) "${process.execPath}" "${join(root, "node_modules/vitest/vitest.mjs")}" "$@" --root . --config vitest.config.mjs ;;
  esac; }`;
  const { PAWL_STORE: _, PAWL_CRASH: __, VITEST: ___, ...env } = process.env;
  const done = spawnSync("bash", ["-c", `${npx}\n${commands}`], { cwd: dir, env: { ...env, NO_COLOR: "1" }, encoding: "utf8" });
  return { out: done.stdout + done.stderr, code: done.status };
}

const charges = (of: string): number =>
  readFileSync(join(dir, "charges.txt"), "utf8")
    .split("\n")
    .filter((line) => line === of).length;

it("the quick start works as it is written", { timeout: 240_000 }, () => {
  mkdirSync(join(dir, ".pawl"));
  let printed = "";
  const blocks = [...pageSource("docs/quick-start.md").matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].slice(1);
  expect(blocks.length).toBeGreaterThan(14);
  for (const [, language = "", text = ""] of blocks) {
    if (language === "ts") {
      writeFileSync(join(dir, /^\/\/ (\S+)\n/.exec(text)?.[1] ?? ""), text);
      printed = "";
    } else if (language === "sh") {
      printed = "";
      for (const command of text.trimEnd().split("\n")) {
        const { out, code } = shell(command);
        expect(code, `${command}\n${out}`).toBe(command.startsWith("PAWL_CRASH") ? 137 : 0);
        printed += out;
      }
    } else for (const line of text.trimEnd().split("\n")) expect(same(printed)).toContain(same(line));
  }
  expect(["o-1", "o-2", "o-3"].map(charges)).toEqual([1, 2, 1]);
  const { out, code } = shell("npx pawl run ./service.ts");
  expect(code, out).toBe(0);
  expect(out).toContain("ch_o-4");
});
