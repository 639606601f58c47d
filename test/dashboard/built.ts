// The dashboard as the package ships it, for tests: built when it is missing or older than its sources, so that a single test file can be run by itself.
// `npm test` has built it before. It must never leave half of a build where a server would serve it.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const built = join(root, "dist", "dashboard");

const lock = join(root, "dist", ".dashboard-lock");
/** A lock that is older belongs to a process that died. */
const lockMsMax = 120_000;

/** One process builds; the others wait for it. */
export async function buildDashboard(): Promise<string> {
  while (!isFresh()) {
    if (!takeLock()) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    try {
      const beside = join(root, "dist", `.dashboard-${process.pid}`);
      await build({ configFile: join(root, "dashboard", "vite.config.ts"), build: { outDir: beside } });
      rmSync(built, { recursive: true, force: true });
      renameSync(beside, built);
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return built;
}

function isFresh(): boolean {
  const page = statSync(join(built, "index.html"), { throwIfNoEntry: false });
  return page !== undefined && page.mtimeMs >= Math.max(newestIn(join(root, "dashboard")), newestIn(join(root, "src", "api")));
}

function takeLock(): boolean {
  const held = statSync(lock, { throwIfNoEntry: false });
  if (held !== undefined && Date.now() - held.mtimeMs > lockMsMax) rmSync(lock, { recursive: true, force: true });
  mkdirSync(join(root, "dist"), { recursive: true });
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

function newestIn(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}
