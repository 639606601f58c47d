// What the dashboard costs those who work on Pawl: `npm ci` with what it is built and tested with, and without. Packages come from the local cache after the first
// round, so that the network is not measured. Users of the package install none of these: it ships the built files.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { percentile, type Measured } from "./measure.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Vite stays: the test runner needs it, too. */
const own = ["@preact/signals", "axe-core", "playwright-core", "preact"];

export async function installBudget(rounds: number): Promise<readonly Measured[]> {
  const folders = [true, false].map((whole) => folderWith(whole));
  try {
    const times: number[][] = [[], []];
    for (let n = 0; n <= rounds; n++)
      folders.forEach((folder, i) => {
        const began = performance.now();
        npm(folder, "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund");
        if (n > 0) times[i]!.push(performance.now() - began);
      });
    const [withIt, without] = [percentile(times[0]!, 0.5), percentile(times[1]!, 0.5)];
    const slower = (withIt / without - 1) * 100;
    const measured = `${(withIt / 1_000).toFixed(1)} s, ${(without / 1_000).toFixed(1)} s without: ${slower.toFixed(0)} % slower`;
    return [{ what: "npm ci", measured, budget: "at most 10 % slower", kind: "time", kept: slower <= 10 }];
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

function folderWith(whole: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), "pawl-install-"));
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { devDependencies: Record<string, string> };
  if (!whole) for (const name of own) delete manifest.devDependencies[name];
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  cpSync(join(root, "package-lock.json"), join(folder, "package-lock.json"));
  if (!whole) npm(folder, "install", "--package-lock-only", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund");
  return folder;
}

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}
