// Generated files are what the generator would write now: nobody edits them by hand, and nobody changes their source without them.
// Compares only; `npm run generate` writes.
import { outputFiles } from "../generate/outputs.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

/**
 * @param {Tree} tree
 * @returns {Promise<Problem[]>}
 */
export async function generatedProblems(tree) {
  const made = await outputFiles((path) => tree.get(path) ?? "");
  const stale = [...made].filter(([path, text]) => tree.get(path) !== text);
  return stale.map(([path]) => ({ path, message: "is not what its source gives: run `npm run generate`" }));
}
