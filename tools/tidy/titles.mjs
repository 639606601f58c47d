// A test's title is a sentence about what is so; the contract ids that the test proves are its meta (test/support/proves.ts). Nobody
// would read an id in a title: neither the conformance table nor the mutants look there.
import { idsIn } from "../conformance/ids.mjs";
import { syntaxOf } from "./syntax.mjs";
import { isTest } from "./tree.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem @typedef {import("./syntax.mjs").Node} Node */

/** @param {Node | undefined} node */
export function textOf(node) {
  if (node?.type === "TemplateLiteral") return node["quasis"].map((/** @type {any} */ q) => q.value.cooked).join(" ");
  return node?.type === "Literal" && typeof node["value"] === "string" ? node["value"] : "";
}

/**
 * Whatever is called with a text and a function in a test: it, describe, it.each(…), and functions that make cases.
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function titleProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  for (const [path, text] of tree) {
    if (!isTest(path) && !/^(src\/store\/suite|test)\/.*\.ts$/.test(path)) continue;
    const syntax = syntaxOf(path, text);
    for (const call of syntax.calls) {
      const [first, ...rest] = /** @type {Node[]} */ (call["arguments"]);
      if (!rest.some((a) => /Function/.test(a.type))) continue;
      for (const id of idsIn(textOf(first)))
        problems.push({ path, line: syntax.lineOf(call.start), message: `${id} stands in a test's title: write proves("${id}") after it` });
    }
  }
  return problems;
}
