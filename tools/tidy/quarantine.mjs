// A test that fails now and then is repaired, or quarantined by name: it stands in test/quarantine.json with the reason and carries
// the tag, which permits it to be tried again. No other test is: what passes at the second try is a bug that hides.
import { syntaxOf } from "./syntax.mjs";
import { isTest } from "./tree.mjs";
import { textOf } from "./titles.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem @typedef {import("./syntax.mjs").Node} Node */

const listPath = "test/quarantine.json";
const configPath = "vitest.config.ts";

/**
 * The member of an options object with this name.
 * @param {Node} options
 * @param {string} name
 * @returns {Node | undefined}
 */
function member(options, name) {
  const found = options["properties"].find((/** @type {any} */ p) => p.type === "Property" && p.key.name === name);
  return found?.value;
}

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function quarantineProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  /** @type {{ file: string, title: string, why: string }[]} */
  const listed = JSON.parse(tree.get(listPath) ?? "[]");
  const tagged = new Set();
  for (const [path, text] of tree) {
    if (!isTest(path)) continue;
    const syntax = syntaxOf(path, text);
    for (const call of syntax.calls) {
      const [title, options] = /** @type {Node[]} */ (call["arguments"]);
      if (options?.type !== "ObjectExpression" || textOf(title) === "" || !/^(it|test)\b/.test(text.slice(call.start, call.start + 5)))
        continue;
      const at = { path, line: syntax.lineOf(call.start) };
      if (member(options, "retry") !== undefined) problems.push({ ...at, message: `no test is tried again but those in ${listPath}` });
      if (!member(options, "tags")?.["elements"]?.some((/** @type {any} */ e) => e.value === "quarantined")) continue;
      const entry = listed.find((l) => l.file === path && l.title === textOf(title));
      if (entry === undefined) problems.push({ ...at, message: `it is quarantined and ${listPath} does not say why` });
      else tagged.add(entry);
    }
  }
  for (const entry of listed) {
    if (!tagged.has(entry)) problems.push({ path: listPath, message: `no quarantined test "${entry.title}" in ${entry.file}` });
    if ((entry.why ?? "").length < 20) problems.push({ path: listPath, message: `"${entry.title}" is quarantined without a reason` });
  }
  if ((tree.get(configPath) ?? "").split(/\bretry:/).length > 2)
    problems.push({ path: configPath, message: "only the tag permits a retry" });
  return problems;
}
