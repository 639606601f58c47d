// Every error code has a page and every page a code: `pawl explain CODE` prints it. A page has its title, what happened,
// why, what is known and what to do; none of these may be empty.
import { cataloguePath, codesIn } from "../generate/catalogue.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

const pageSections = ["What happened", "Why", "What is known", "What to do"];

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function pageProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  const codes = codesIn(tree.get(cataloguePath) ?? "");
  for (const [code, { name }] of codes) {
    const path = `docs/errors/${code}.md`;
    const page = tree.get(path);
    if (page === undefined) {
      problems.push({ path: cataloguePath, message: `${code} has no page ${path}` });
      continue;
    }
    if (!page.startsWith(`# ${code} ${name}\n`)) problems.push({ path, line: 1, message: `the title is "# ${code} ${name}"` });
    for (const section of pageSections) {
      const body = page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0];
      if (body === undefined || body.trim().length < 20) problems.push({ path, message: `"## ${section}" is missing or says nothing` });
    }
  }
  for (const path of tree.keys()) {
    const page = /^docs\/errors\/(.+)\.md$/.exec(path);
    if (page && !codes.has(page[1] ?? "")) problems.push({ path, message: `no code ${page[1]} in the catalogue` });
  }
  return problems;
}
