// Ids of the contract are for those who work on Pawl. Texts for users name none: guides, pages of errors, the catalogue, the command
// line. The pages about the contract list them.
import { idsIn } from "../conformance/ids.mjs";
import { syntaxOf } from "./syntax.mjs";
import { isTest } from "./tree.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

const aboutTheContract = new Set(["docs/contract.md", "docs/campaign.md"]);
const isUserPage = (/** @type {string} */ path) =>
  /^docs\/.*\.md$/.test(path) && !path.startsWith("docs/adr/") && !aboutTheContract.has(path);
const isUserText = (/** @type {string} */ path) => /^src\/(cli|errors)\/.*\.ts$/.test(path) && !isTest(path);

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function contractIdProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  for (const [path, text] of tree) {
    if (isUserPage(path))
      text.split("\n").forEach((line, i) => {
        for (const id of idsIn(line)) problems.push({ path, line: i + 1, message: `${id}: users do not know ids of the contract` });
      });
    if (!isUserText(path)) continue;
    const syntax = syntaxOf(path, text);
    for (const s of syntax.strings)
      for (const id of idsIn(s["value"]))
        problems.push({ path, line: syntax.lineOf(s.start), message: `${id}: users do not know ids of the contract` });
  }
  return problems;
}
