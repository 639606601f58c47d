// The dashboard shows what anybody may have written, so it makes text nodes and nothing else: no member that turns text into markup or code may even be
// named there. The page's policy refuses it, too; this finds it before a browser does.
import { syntaxOf } from "./syntax.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

const refused = new Set([
  "dangerouslySetInnerHTML",
  "innerHTML",
  "outerHTML",
  "insertAdjacentHTML",
  "setHTMLUnsafe",
  "srcdoc",
  "DOMParser",
  "createContextualFragment",
  "eval",
  "Function",
]);

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function markupProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  for (const [path, text] of tree) {
    if (!/^dashboard\/.*\.tsx?$/.test(path)) continue;
    const syntax = syntaxOf(path, text);
    for (const { node, parent } of syntax.sites)
      if (refused.has(node["name"]) && !parent.type.startsWith("TS"))
        problems.push({ path, line: syntax.lineOf(node.start), message: `${node["name"]}: the dashboard makes text nodes only` });
  }
  return problems;
}
