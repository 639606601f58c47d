// The state of a run changes in one place: the classes of the engine that hold it offer named transitions, and no member that another
// file could assign. A field that is neither private nor readonly, and a public setter, would let any of them break what belongs together.
import { syntaxOf } from "./syntax.mjs";
import { isTest } from "./tree.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem @typedef {import("./syntax.mjs").Node} Node */

const holders = ["LiveRun", "RunState"];

/** @param {Node} member */
function isAssignable(member) {
  if (member["accessibility"] === "private" || member["accessibility"] === "protected" || member["static"] === true) return false;
  if (member["key"]?.type === "PrivateIdentifier") return false;
  if (member.type === "PropertyDefinition") return member["readonly"] !== true;
  return member.type === "MethodDefinition" && member["kind"] === "set";
}

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function stateProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  let found = 0;
  for (const [path, text] of tree) {
    if (!path.startsWith("src/engine/") || isTest(path)) continue;
    const syntax = syntaxOf(path, text);
    for (const c of syntax.classes.filter((c) => holders.includes(c["id"]?.name))) {
      found++;
      for (const member of /** @type {Node[]} */ (c["body"].body)) {
        if (!isAssignable(member)) continue;
        const name = member["key"].name;
        const message = `${c["id"].name}.${name} can be assigned from outside: make it private, and give it a named transition`;
        problems.push({ path, line: syntax.lineOf(member.start), message });
      }
    }
  }
  if (found === 0)
    problems.push({ path: "src/engine", message: `no class ${holders.join(" or ")}: tell this rule what holds the state of a run` });
  return problems;
}
