// What a promised id stands on, besides tests: the planted bugs that are named for it, and whether what they break is reached from
// an entry point. An id without a planted bug is judged by its tests: those whose file imports something that only tests reach.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { moduleOf } from "./declarations.mjs";

/** @typedef {import("./report.mjs").Test} Test @typedef {import("./reach.mjs").Reach} Reach */
/** @typedef {{ file: string, find: string, red: string[] }} Planted */
/** @typedef {{ mutants: number, reachable: boolean }} Ground */

/**
 * @param {string} root
 * @param {Iterable<string>} ids
 * @param {readonly Test[]} tests
 * @param {readonly Planted[]} mutants
 * @param {Reach} reach
 * @returns {Map<string, Ground>}
 */
export function grounds(root, ids, tests, mutants, reach) {
  // What is no source of the package, a page or a table of the contract, is published as it is.
  const placeOf = (/** @type {Planted} */ m) => readFileSync(join(root, m.file), "utf8").indexOf(m.find);
  const onReached = new Map(mutants.map((m) => [m, !m.file.startsWith("src/") || reach.reached(m.file, placeOf(m))]));
  /** @type {Map<string, boolean>} */
  const files = new Map();
  const leansOnReached = (/** @type {string} */ file) => {
    const known = files.get(file);
    if (known !== undefined) return known;
    const answer = !importsUnreached(root, file, reach);
    files.set(file, answer);
    return answer;
  };
  return new Map(
    [...ids].map((id) => {
      const mine = mutants.filter((m) => m.red.includes(id));
      const carriers = tests.filter((t) => t.ids.includes(id));
      const reachable =
        mine.length > 0 ? mine.some((m) => onReached.get(m)) : carriers.length === 0 || carriers.some((t) => leansOnReached(t.file));
      return [id, { mutants: mine.length, reachable }];
    }),
  );
}

/**
 * @param {string} root
 * @param {string} file
 * @param {Reach} reach
 */
function importsUnreached(root, file, reach) {
  const unreached = new Set(reach.unreached.filter((d) => d.member === undefined).map((d) => d.id));
  return [...moduleOf(file, readFileSync(join(root, file), "utf8")).imports.values()].some((t) => unreached.has(`${t.file}#${t.name}`));
}
