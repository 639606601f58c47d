// Headers, words and sizes: every file opens by saying what it is; one thing has one word; a file that has grown long is
// pointed at. Words that the contract gives to public members are allowed by name.
import { syntaxOf } from "./syntax.mjs";
import { isSource } from "./tree.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

const refusedWords = ["job", "activity", "execution", "instance", "util", "helper", "manager"];
/** Members that the contract names (W-014): they are public, so they are spelled as they are, unquoted, and allowed here by name. */
const contractNames = new Set(["activityName"]);
const refused = new Set(refusedWords.flatMap((w) => [w, w.endsWith("y") ? `${w.slice(0, -1)}ies` : `${w}s`]));
const headerLinesMin = 2;
const headerLinesMax = 12;
const fileLinesSoft = 400;

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function headerProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  for (const [path, text] of tree) {
    if (!isSource(path)) continue;
    const lines = text.split("\n");
    if (lines[0]?.startsWith("#!")) lines.shift();
    const length = headerLength(lines);
    if (length < headerLinesMin || length > headerLinesMax) {
      const message = `opens with a comment of ${headerLinesMin} to ${headerLinesMax} lines: what it is, what it guards, what it must never do (found ${length})`;
      problems.push({ path, line: 1, message });
    }
    const count = text.split("\n").length - 1;
    if (count > fileLinesSoft) problems.push({ path, message: `${count} lines: look for the seam`, warning: true });
  }
  return problems;
}

/** @param {string[]} lines */
function headerLength(lines) {
  if (lines[0]?.startsWith("/*")) return lines.findIndex((l) => l.includes("*/")) + 1;
  const end = lines.findIndex((l) => !l.startsWith("//"));
  return end < 0 ? lines.length : end;
}

/**
 * The refused words in a text, taken apart at case changes and punctuation.
 * @param {string} text
 */
export function refusedIn(text) {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z]+/);
  return [...new Set(words.map((w) => w.toLowerCase()).filter((w) => refused.has(w)))];
}

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function wordProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  for (const [path, text] of tree) {
    if (!isSource(path)) continue;
    const syntax = syntaxOf(path, text);
    /** @type {(where: string, at: number | undefined, found: string[]) => void} */
    const report = (where, at, found) => {
      const line = at === undefined ? {} : { line: syntax.lineOf(at) };
      for (const word of found) problems.push({ path, ...line, message: `"${word}" in ${where}: use the words of ARCHITECTURE.md` });
    };
    report("the file's name", undefined, refusedIn(path));
    for (const { node, parent, key } of syntax.sites) {
      // A member is named where it is declared; `expect(x).toBeInstanceOf` is somebody else's word.
      if (parent.type === "MemberExpression" && key === "property" && parent["computed"] !== true) continue;
      if (contractNames.has(node["name"])) continue;
      report(`the name ${node["name"]}`, node.start, refusedIn(node["name"]));
    }
    for (const c of syntax.comments) report("a comment", c.start, refusedIn(c.value.replaceAll(/`[^`]*`|"[^"]*"/g, "")));
  }
  return problems;
}
