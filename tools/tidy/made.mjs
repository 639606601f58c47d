// What is made from the contract's files is as it would be made now: nobody edits it by hand, and nobody changes the contract
// without it. Compares only; `npm run generate` writes.
import { madeFiles } from "../generate/made.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

/**
 * @param {Tree} tree
 * @returns {Promise<Problem[]>}
 */
export async function madeProblems(tree) {
  const made = await madeFiles((path) => tree.get(path) ?? "");
  const stale = [...made].filter(([path, text]) => tree.get(path) !== text);
  return stale.map(([path]) => ({ path, message: "is not what the contract's files make: run `npm run generate`" }));
}
