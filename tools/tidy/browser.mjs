// What browsers load: pawl/http, the dashboard, and everything that they import, files of types aside. Nothing there may touch Node, neither by an
// import nor by a global. No package comes with pawl/http; the dashboard's own files bundle a few. One import too many, far below, would break every
// page that uses it.
import { posix } from "node:path";
import { isReference, syntaxOf } from "./syntax.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

const entries = ["src/http.ts", "dashboard/main.tsx"];
const dashboardPackages = ["preact", "preact/hooks", "@preact/signals"];
const nodeGlobals = ["Buffer", "process", "setImmediate", "clearImmediate", "require", "__dirname", "__filename"];

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function browserProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  /** Each file with the way to it. @type {Map<string, string>} */
  const ways = new Map(entries.filter((entry) => tree.has(entry)).map((entry) => [entry, entry]));
  for (const [path, way] of ways) {
    const syntax = syntaxOf(path, tree.get(path) ?? "");
    for (const { specifier, start, erased } of syntax.imports) {
      if (erased || specifier.endsWith(".css")) continue;
      if (path.startsWith("dashboard/") && dashboardPackages.includes(specifier)) continue;
      if (!specifier.startsWith(".")) {
        problems.push({ path, line: syntax.lineOf(start), message: `import of "${specifier}": browsers load this file (${way})` });
        continue;
      }
      const to = posix.normalize(posix.join(posix.dirname(path), specifier));
      if (!ways.has(to)) ways.set(to, `${way} > ${to}`);
    }
    for (const site of syntax.sites) {
      const name = site.node["name"];
      if (nodeGlobals.includes(name) && isReference(site) && !site.parent.type.startsWith("TS"))
        problems.push({ path, line: syntax.lineOf(site.node.start), message: `${name} is Node's: browsers load this file (${way})` });
    }
  }
  return problems;
}
