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
  // P-43: nothing is fetched. A template comes from a file that somebody put there.
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    throw new PawlError("PAWL4011", `${path} is not a file: a template is read from a file, and nothing is fetched`, {
      data: { code: "PLAN_URI_NOT_ALLOWED" },
    });
  const text = readText(path);
  if (text === undefined) throw new PawlError("PAWL4011", `there is no file ${path}`);
  try {
    return /\.json$/i.test(path) ? (JSON.parse(text) as unknown) : (parseYaml(text, { maxAliasCount: 100 }) as unknown);
  } catch (e) {
    throw new PawlError("PAWL1025", `${path} is no ${/\.json$/i.test(path) ? "JSON" : "YAML"}: ${e instanceof Error ? e.message : ""}`);
  }
}
