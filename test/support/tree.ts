// The sources and the programs of the process tests, compiled once for whoever asks first: Node 20 runs no TypeScript. The
// copy lies inside node_modules, so that it finds the same packages, under a name made of its content: test files, and
// copies of the project with a planted bug, never meet each other's. It must never be used to ship anything.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { transformSync } from "oxc-transform";

const project = resolve(import.meta.dirname, "../..");
const keepMs = 3_600_000;

function sources(): string[] {
  const found = (dir: string): string[] =>
    readdirSync(join(project, dir), { recursive: true })
      .map((n) => join(dir, String(n)))
      .filter((n) => n.endsWith(".ts") && !n.endsWith(".test.ts") && !n.endsWith(".d.ts"));
  const programs = readdirSync(join(project, "test"))
    .map((name) => join("test", name, "programs"))
    .filter((dir) => existsSync(join(project, dir)));
  return [...found("src"), ...programs.flatMap(found)].toSorted();
}

let made: string | undefined;

/** The root of the compiled copy: `src/…` and `test/…/programs/…` lie in it as `.js`. One copy for the whole life of a process. */
export function compiledTree(): string {
  return (made ??= compile());
}

function compile(): string {
  const files = sources().map((path) => ({ path, text: readFileSync(join(project, path), "utf8") }));
  const hash = createHash("sha256");
  for (const f of files) hash.update(`${f.path}\0${f.text}\0`);
  const home = join(project, "node_modules/.pawl");
  mkdirSync(home, { recursive: true });
  const dir = join(home, `tree-${hash.digest("hex").slice(0, 24)}`);
  if (existsSync(dir)) return dir;
  forgetOld(home);
  const draft = mkdtempSync(join(home, "draft-"));
  writeFileSync(join(draft, "package.json"), '{"type":"module"}\n');
  for (const { path, text } of files) {
    const { code, errors } = transformSync(path, text, { lang: "ts", typescript: { rewriteImportExtensions: true } });
    if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
    const to = join(draft, path.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, code);
  }
  try {
    renameSync(draft, dir);
  } catch {
    rmSync(draft, { recursive: true, force: true }); // somebody else was first, with the same content
  }
  return dir;
}

function forgetOld(home: string): void {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    if (!/^(tree|draft)-/.test(relative(home, path))) continue;
    try {
      if (Date.now() - statSync(path).mtimeMs > keepMs) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another test process tidied it up.
    }
  }
}
