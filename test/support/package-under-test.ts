// The package as a user has it, for tests that start processes on it: its command, its examples, and a folder where it is installed. It is the
// bundled copy of compiled-tree.ts, because most of what such a process costs is finding the modules; with PAWL_TEST_AS_BUILT=1 it is the built
// package itself, as it would be published. .ci/run tries both. It must never decide what a test expects.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compiledTree } from "./compiled-tree.ts";

const project = resolve(import.meta.dirname, "../..");
const asBuilt = (process.env["PAWL_TEST_AS_BUILT"] ?? "") !== "";

function root(): string {
  if (!asBuilt) return compiledTree();
  if (!existsSync(join(project, "dist/index.js"))) throw new Error("the package is not built: npm run build");
  return project;
}

/** The file that Node runs for the command `pawl`. */
export const pawlCommand = (): string => join(root(), asBuilt ? "dist" : "src", "cli/main.js");

/** The file that Node runs, with the name of an example as its first argument. */
export const exampleLauncher = (): string => join(root(), "examples/run.mjs");

/** Makes `dir` a package of its own in which `pawl` is installed. */
export function installPawl(dir: string): void {
  mkdirSync(join(dir, "node_modules"), { recursive: true });
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }\n');
  symlinkSync(root(), join(dir, "node_modules/pawl"), "dir");
}
