// How large folders and files may grow. A folder of source has at most 24 files, tests beside them not counted: past that nobody finds
// anything by name. A page of documentation has at most 200 lines; a reference (docs/reference, and the table of all error codes) may be longer. A long file is pointed at in prose.mjs. The largest of both are printed at the end of `npm run tidy`.
import { isSource, isTest } from "./tree.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

const folderFilesMax = 24;
const pageLinesMax = 200;
const counted = /^(src|dashboard|tools|bench|examples)\//;

/**
 * The folders of source with the number of their own files, largest first.
 * @param {Tree} tree
 * @returns {[folder: string, files: number][]}
 */
export function folderSizes(tree) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const path of tree.keys()) {
    if (!isSource(path) || !counted.test(path) || isTest(path)) continue;
    const folder = path.slice(0, path.lastIndexOf("/"));
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  return [...sizes].toSorted(([, a], [, b]) => b - a);
}

/**
 * The files of source with their lines, longest first.
 * @param {Tree} tree
 * @returns {[path: string, lines: number][]}
 */
export function fileSizes(tree) {
  /** @type {[path: string, lines: number][]} */
  const sizes = [];
  for (const [path, text] of tree) if (isSource(path) && counted.test(path)) sizes.push([path, text.split("\n").length - 1]);
  return sizes.toSorted(([, a], [, b]) => b - a);
}

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function sizeProblems(tree) {
  const folders = folderSizes(tree)
    .filter(([, files]) => files > folderFilesMax)
    .map(([folder, files]) => ({ path: folder, message: `${files} files: at most ${folderFilesMax} fit into a folder, make rooms` }));
  const pages = [...tree]
    .filter(([path]) => /^docs\/(?!reference\/|errors\.md$).+\.md$/.test(path))
    .map(([path, text]) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > pageLinesMax)
    .map(({ path, lines }) => ({ path, message: `${lines} lines: a page has at most ${pageLinesMax}, split it by task` }));
  return [...folders, ...pages];
}
