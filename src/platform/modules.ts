// Importing files that users wrote, TypeScript included, on every supported Node. Where Node does not strip types itself,
// a loader hook does it with oxc-transform, for the file and for every .ts file it imports. Types are erased, never checked.
// A file whose folder has no "pawl" gets the copy that is running; one that has it keeps its own.
import { register } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

let stripping = false;
let lending = false;

/** The loader runs on Node's own hooks thread, which reads JavaScript only: it is handed over as text. */
function hookSource(transformUrl: string): string {
  return `
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transformSync } from ${JSON.stringify(transformUrl)};

const isTypeScript = (url) => url.startsWith("file:") && /\\.m?ts$/.test(url.split("?")[0]);

export async function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context);
  const path = fileURLToPath(url.split("?")[0]);
  const out = transformSync(path, await readFile(path, "utf8"), { lang: "ts", sourcemap: true });
  const error = out.errors.find((e) => e.severity === "Error");
  if (error) throw new SyntaxError(path + ": " + error.message + (error.codeframe ? "\\n" + error.codeframe : ""));
  const map = out.map ? "\\n//# sourceMappingURL=data:application/json;base64," + Buffer.from(JSON.stringify(out.map)).toString("base64") : "";
  return { format: "module", shortCircuit: true, source: out.code + map };
}
`;
}

/** Answers `import "pawl"` where nothing else does: a first file runs before anything is installed beside it. */
function lendSource(ownIndex: string): string {
  return `
const own = ${JSON.stringify(ownIndex)};
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (e) {
    const lent = /^pawl(?:\\/(sqlite|postgres|mysql|client|testing|verifiers|webhooks|verify))?$/.exec(specifier);
    if (!lent || e?.code !== "ERR_MODULE_NOT_FOUND") throw e;
    return { url: lent[1] ? new URL(lent[1] + own.slice(own.lastIndexOf(".")), own).href : own, shortCircuit: true };
  }
}
`;
}

function hook(source: string): void {
  register(`data:text/javascript,${encodeURIComponent(source)}`);
}

function stripsTypes(): boolean {
  return Boolean((process.features as { typescript?: string | false }).typescript);
}

/** Imports the module at `path` (.ts, .mts, .js, .mjs), relative to the current directory. */
export async function importFile(path: string): Promise<unknown> {
  process.setSourceMapsEnabled(true); // stacks name the places of the sources, where a loader wrote other ones
  if (/\.m?ts$/.test(path) && !stripsTypes() && !stripping) {
    stripping = true;
    hook(hookSource(import.meta.resolve("oxc-transform")));
  }
  if (!lending) {
    lending = true;
    hook(lendSource(new URL(`../index${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`, import.meta.url).href));
  }
  return dynamicImport(pathToFileURL(resolve(path)).href);
}

/** An import whose specifier is only known at run time. */
export async function dynamicImport(specifier: string): Promise<unknown> {
  return (await import(/* @vite-ignore */ specifier)) as unknown;
}
