// The entry points of the sources and the programs of the process tests, compiled and bundled once for whoever asks first:
// Node 20 runs no TypeScript, and starts of processes are a large part of what a run of tests costs. The copy
// lies inside node_modules, so that it finds the same packages, under a name made of its content: test files, and copies of the
// project with a planted bug, never meet each other's. The copy is a package called pawl with the same entry points, and has the examples, whose
// types are stripped beforehand. It must never be used to ship anything.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { transformSync } from "oxc-transform";

const project = resolve(import.meta.dirname, "../..");
const keepMs = 3_600_000;

/** Where a process may begin, in src: what users import, and the command. Whatever else these need is bundled with them. */
const beginnings = /^src\/([^/]+|cli\/main|cli\/crash-child|cli\/dev-child)\.ts$/;
/** Stands alone, and is tested alone: it is compiled and not bundled. */
const alone = "src/verify.ts";
const bundler = "test/support/bundle.mjs";

function sources(): string[] {
  const found = (dir: string): string[] =>
    readdirSync(join(project, dir), { recursive: true })
      .map((n) => join(dir, String(n)))
      .filter((n) => /\.(ts|mjs)$/.test(n) && !n.endsWith(".test.ts") && !n.endsWith(".d.ts"));
  const programs = readdirSync(join(project, "test"))
    .map((name) => join("test", name, "programs"))
    .filter((dir) => existsSync(join(project, dir)));
  return [...found("src"), ...programs.flatMap(found)].toSorted();
}

const examples = (): string[] =>
  readdirSync(join(project, "examples"), { recursive: true })
    .map((n) => join("examples", String(n)))
    .filter((path) => /\.(ts|json)$/.test(path))
    .toSorted();

let made: string | undefined;

/** The root of the compiled copy: entry points of `src` and `test/…/programs/…` lie in it as `.js`. One copy for a process's whole life. */
export function compiledTree(): string {
  return (made ??= compile());
}

function compile(): string {
  const files = sources().map((path) => ({ path, text: readFileSync(join(project, path), "utf8") }));
  const hash = createHash("sha256").update(readFileSync(join(project, bundler)));
  for (const f of files) hash.update(`${f.path}\0${f.text}\0`);
  for (const path of ["package.json", ...examples()]) hash.update(`${path}\0${readFileSync(join(project, path), "utf8")}\0`);
  const home = join(project, "node_modules/.pawl");
  mkdirSync(home, { recursive: true });
  const dir = join(home, `tree-${hash.digest("hex").slice(0, 24)}`);
  if (existsSync(dir)) return dir;
  forgetOld(home);
  const draft = mkdtempSync(join(home, "draft-"));
  writeFileSync(join(draft, "package.json"), manifest());
  // What the package ships beside its code: pages, schemas, the dashboard.
  for (const shipped of ["docs", "contract", "dist"]) symlinkSync(join(project, shipped), join(draft, shipped), "dir");
  for (const path of examples()) writeExample(draft, path);
  writeFileSync(join(draft, "examples/run.mjs"), 'await import(new URL(`${process.argv[2] ?? "hello"}.js`, import.meta.url).href);\n');
  bundle(
    draft,
    files.map((f) => f.path).filter((path) => path !== alone && (beginnings.test(path) || !path.startsWith("src/"))),
  );
  writeFileSync(join(draft, named(alone)), stripped(alone));
  try {
    renameSync(draft, dir);
  } catch {
    rmSync(draft, { recursive: true, force: true }); // somebody else was first, with the same content
  }
  return dir;
}

/** As the built package's, with the entry points where they lie here. */
function manifest(): string {
  const { name, version, exports } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as Record<string, unknown>;
  return JSON.stringify({ name, version, type: "module", exports }).replaceAll('"./dist/', '"./src/');
}

function stripped(path: string): string {
  const options = { lang: "ts", typescript: { rewriteImportExtensions: true } } as const;
  const { code, errors } = transformSync(path, readFileSync(join(project, path), "utf8"), options);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return code;
}

function writeExample(to: string, path: string): void {
  mkdirSync(join(to, dirname(path)), { recursive: true });
  writeFileSync(join(to, named(path)), path.endsWith(".ts") ? stripped(path) : readFileSync(join(project, path)));
}

const named = (path: string): string => path.replace(/\.(ts|mjs)$/, ".js");

/** In a process of its own: whoever asks for the tree cannot wait for a promise. */
function bundle(to: string, paths: readonly string[]): void {
  const input = Object.fromEntries(paths.map((path) => [named(path).slice(0, -3), join(project, path)]));
  const { status, stderr } = spawnSync(process.execPath, [join(project, bundler), to], { input: JSON.stringify(input), encoding: "utf8" });
  if (status !== 0) throw new Error(`the programs of the process tests could not be bundled: ${stderr}`);
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
