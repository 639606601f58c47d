// A compiled copy of one source folder, for tests that need it in a real process: Node 20 runs no TypeScript. The copy lies
// inside node_modules, so that it finds the same packages as its source. It must never be used to ship anything.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { transformSync } from "oxc-transform";

export interface CompiledFolder {
  readonly dir: string;
  /** Writes `body` as a script beside the compiled modules and returns its path. */
  script(body: string): string;
  remove(): void;
}

export function compileFolder(sourceDir: string): CompiledFolder {
  const root = resolve(import.meta.dirname, "../../node_modules/.pawl");
  mkdirSync(root, { recursive: true });
  const dir = mkdtempSync(join(root, "compiled-"));
  for (const name of readdirSync(sourceDir)) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const { code } = transformSync(name, readFileSync(join(sourceDir, name), "utf8"), { lang: "ts" });
    writeFileSync(join(dir, name.replace(/\.ts$/, ".mjs")), code.replaceAll(/(\.\/[\w-]+)\.ts"/g, '$1.mjs"'));
  }
  let scripts = 0;
  return {
    dir,
    script(body) {
      const file = join(dir, `script-${scripts++}.mjs`);
      writeFileSync(file, body);
      return file;
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
