// The loader behind typescript.mjs: turns each .ts file into JavaScript when it is imported. Runs on Node's own hooks
// thread; it must never touch anything but .ts files of this tree.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transformSync } from "oxc-transform";

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
  const path = fileURLToPath(url);
  const { code } = transformSync(path, await readFile(path, "utf8"), { lang: "ts" });
  return { format: "module", shortCircuit: true, source: code };
}
