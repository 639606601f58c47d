// A template from a file, JSON or YAML, as plain data, for the commands that take one. It must never check what the template says:
// dagFromTemplate() does.
import { parse as parseYaml } from "yaml";
import { PawlError } from "../../errors/error.ts";
import { readText } from "../../platform/files.ts";

/** By its name: a file with a DAG as data, not with code. */
export function isTemplateFile(path: string): boolean {
  return /\.(json|ya?ml)$/i.test(path);
}

/** JSON is YAML, too; anything but a tree of plain values is refused by the check. */
export function readTemplate(path: string): unknown {
  const text = readText(path);
  if (text === undefined) throw new PawlError("PAWL4011", `there is no file ${path}`);
  try {
    return /\.json$/i.test(path) ? (JSON.parse(text) as unknown) : (parseYaml(text, { maxAliasCount: 100 }) as unknown);
  } catch (e) {
    throw new PawlError("PAWL1025", `${path} is no ${/\.json$/i.test(path) ? "JSON" : "YAML"}: ${e instanceof Error ? e.message : ""}`);
  }
}
