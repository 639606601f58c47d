// Importing files that users wrote, TypeScript included, on every supported Node. Where Node does not strip types itself,
// a loader hook does it with oxc-transform, for the file and for every .ts file it imports. Types are erased, never checked.
// A file whose folder has no "pawl" gets the copy that is running; one that has it keeps its own.
import { register } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { readText } from "./files.ts";

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
  if (error) throw new SyntaxError(error.codeframe ? error.message + "\\n" + error.codeframe : path + ": " + error.message);
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
    const lent = /^pawl(?:\\/(sqlite|postgres|mysql|client|agents|ai-sdk|mcp|http|server|testing|graph|verifiers|webhooks|compat|verify))?$/.exec(specifier);
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

function prepare(strips: boolean): void {
  process.setSourceMapsEnabled(true); // stacks name the places of the sources, where a loader wrote other ones
  if (strips && !stripsTypes() && !stripping) {
    stripping = true;
    hook(hookSource(import.meta.resolve("oxc-transform")));
  }
  if (!lending) {
    lending = true;
    hook(lendSource(new URL(`../index${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`, import.meta.url).href));
  }
}

/** Imports the module at `path` (.ts, .mts, .js, .mjs), relative to the current directory. */
export async function importFile(path: string): Promise<unknown> {
  prepare(/\.m?ts$/.test(path));
  return dynamicImport(pathToFileURL(resolve(path)).href);
}

/** Tells which files of the user's are imported from now on, packages left out, each with its stamp right before it is read (see `fileStamp`). */
export function watchImports(onImport: (path: string, stamp: string) => void): void {
  prepare(true); // the last hook is asked first, and the one that strips types asks no other
  const own = new URL("..", import.meta.url).href;
  const source = `
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
let port;
export async function initialize(data) { port = data.port; }
export async function load(url, context, next) {
  if (url.startsWith("file:") && !url.includes("/node_modules/") && !url.startsWith(${JSON.stringify(own)})) {
    const path = fileURLToPath(url.split("?")[0]);
    const found = statSync(path, { throwIfNoEntry: false });
    port.postMessage([path, found === undefined ? "" : found.mtimeMs + " " + found.size + " " + found.ino]);
  }
  return next(url, context);
}
`;
  const { port1, port2 } = new MessageChannel();
  port1.on("message", ([path, stamp]: [string, string]) => onImport(path, stamp));
  port1.unref();
  register(`data:text/javascript,${encodeURIComponent(source)}`, { data: { port: port2 }, transferList: [port2] });
}

/** The file that an import did not find; undefined for any other failure. */
export function missingImport(e: unknown): string | undefined {
  const { code, url } = (e ?? {}) as { readonly code?: unknown; readonly url?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && typeof url === "string" && url.startsWith("file:") ? fileURLToPath(url) : undefined;
}

/** What is wrong with the syntax of a file, with the lines around it; undefined when nothing is. */
export async function syntaxProblem(path: string): Promise<string | undefined> {
  const text = /\.[cm]?[jt]sx?$/.test(path) ? readText(path) : undefined;
  if (text === undefined) return undefined;
  const { transformSync } = await import("oxc-transform");
  const error = transformSync(path, text, { lang: path.endsWith("ts") ? "ts" : "js" }).errors.find((e) => e.severity === "Error");
  return error === undefined ? undefined : `${path}: ${error.message}${error.codeframe === null ? "" : `\n${error.codeframe}`}`;
}

/** An import whose specifier is only known at run time. */
export async function dynamicImport(specifier: string): Promise<unknown> {
  return (await import(/* @vite-ignore */ specifier)) as unknown;
}
