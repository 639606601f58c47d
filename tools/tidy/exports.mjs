// One exported name, one meaning: no two modules of src declare an export of the same name. The one exception is the stores' twins, the
// same function in the folder of each database. Re-exports are not declarations: an entry point may pass on what another module has.
import { syntaxOf } from "./syntax.mjs";
import { isTest } from "./tree.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

/** The folder of one database; undefined elsewhere. @param {string} path */
const databaseOf = (path) => /^src\/store\/(memory|sqlite|postgres|mysql)\//.exec(path)?.[1];

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function exportProblems(tree) {
  /** @type {Map<string, { path: string, line: number }[]>} */
  const declared = new Map();
  for (const [path, text] of tree) {
    if (!path.startsWith("src/") || !path.endsWith(".ts") || isTest(path)) continue;
    const syntax = syntaxOf(path, text);
    const names = new Map(syntax.exports.map((e) => [e.name, e.start])); // overloads count once
    for (const [name, start] of names) {
      const places = declared.get(name) ?? [];
      places.push({ path, line: syntax.lineOf(start) });
      declared.set(name, places);
    }
  }
  /** @type {Problem[]} */
  const problems = [];
  for (const [name, [first, ...others]] of declared) {
    if (first === undefined || others.length === 0) continue;
    const databases = [first, ...others].map((p) => databaseOf(p.path));
    if (!databases.includes(undefined) && new Set(databases).size === databases.length) continue;
    const also = others.map((p) => p.path).join(", ");
    problems.push({ ...first, message: `${name} is also exported by ${also}: give each its own name` });
  }
  return problems;
}
