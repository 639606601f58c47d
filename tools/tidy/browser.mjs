// What browsers load: pawl/http and everything that it imports, files of types aside. Nothing there may touch Node, neither by an import nor by a
// global, and no package comes with it. One import too many, far below, would break every page that uses it.
import { posix } from "node:path";
import { isReference, syntaxOf } from "./syntax.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

const entry = "src/http.ts";
const nodeGlobals = ["Buffer", "process", "setImmediate", "clearImmediate", "require", "__dirname", "__filename"];

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function browserProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  /** Each file with the way to it. @type {Map<string, string>} */
  const ways = new Map(tree.has(entry) ? [[entry, entry]] : []);
  for (const [path, way] of ways) {
    const syntax = syntaxOf(path, tree.get(path) ?? "");
    for (const { specifier, start, erased } of syntax.imports) {
      if (erased) continue;
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
