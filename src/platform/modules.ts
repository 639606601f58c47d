// Importing files that users wrote, TypeScript included, on every supported Node. Where Node does not strip types itself,
// a loader hook does it with oxc-transform, for the file and for every .ts file it imports. Types are erased, never checked.
import { register } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

let registered = false;

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

function stripsTypes(): boolean {
  return Boolean((process.features as { typescript?: string | false }).typescript);
}

/** Imports the module at `path` (.ts, .mts, .js, .mjs), relative to the current directory. */
export async function importFile(path: string): Promise<unknown> {
  if (/\.m?ts$/.test(path) && !stripsTypes() && !registered) {
    registered = true;
    register(`data:text/javascript,${encodeURIComponent(hookSource(import.meta.resolve("oxc-transform")))}`);
  }
  return dynamicImport(pathToFileURL(resolve(path)).href);
}

/** An import whose specifier is only known at run time. */
export async function dynamicImport(specifier: string): Promise<unknown> {
  return (await import(/* @vite-ignore */ specifier)) as unknown;
}
