// What the dashboard costs those who work on Pawl: `npm ci` with what it is built and tested with, and without. Packages come from the local cache after the first
// round, so that the network is not measured. The fastest round of each counts: whatever else the machine does only makes one slower. Its processor time is printed, too. Users of the package install none of these: it ships the built files.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Measured } from "./measure.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Vite and playwright-core stay: the test runner needs the one, the tests of the server with a browser the other. */
const own = ["@preact/signals", "axe-core", "preact"];

export async function installBudget(rounds: number): Promise<readonly Measured[]> {
  const folders = [true, false].map((whole) => folderWith(whole));
  try {
    const rounded: Round[][] = [[], []];
    for (let n = 0; n <= rounds; n++)
      folders.forEach((folder, i) => {
        const round = install(folder);
        if (n > 0) rounded[i]!.push(round);
      });
    const fastest = (of: keyof Round): readonly [number, number] =>
      rounded.map((all) => Math.min(...all.map((r) => r[of]))) as unknown as readonly [number, number];
    const [withIt, without] = fastest("seconds");
    const [busy, busyWithout] = fastest("processorSeconds");
    const more = (a: number, b: number): string => `${Math.max(0, (a / b - 1) * 100).toFixed(0)} %`;
    const slower = (withIt / without - 1) * 100;
    const measured = `${withIt.toFixed(1)} s, ${without.toFixed(1)} s without: ${more(withIt, without)} slower; ${more(busy, busyWithout)} more processor time`;
    return [{ what: "npm ci", measured, budget: "at most 10 % slower", kind: "time", kept: slower <= 10 }];
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

interface Round {
  readonly seconds: number;
  readonly processorSeconds: number;
}

function install(cwd: string): Round {
  const began = performance.now();
  const said = execFileSync("sh", ["-c", "npm ci --prefer-offline --ignore-scripts --no-audit --no-fund >/dev/null 2>&1 && times"], {
    cwd,
    encoding: "utf8",
  });
  // The second line of `times`: what its children took, such as "0m3.120000s 0m2.050000s".
  const taken = [...(said.trim().split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)].map((m) => Number(m[1]) * 60 + Number(m[2]));
  return { seconds: (performance.now() - began) / 1_000, processorSeconds: taken.reduce((a, b) => a + b, 0) };
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
