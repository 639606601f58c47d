// Contract ids: where they are defined (one line each in contract/*.md), what is promised of them (contract/status.json),
// and how they are written in a text. A range stands for every id in it.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ status: "promised" | "open" | "informative", why?: string, note?: string }} Standing */

const idPattern = String.raw`(?:(?:LX|TX|AX|[WDLTAPQR])-\d{2,3}|[KIC]\d{1,2})`;

/**
 * The ids of the contract with the line that defines each, in the order of the pages.
 * @param {string} contractDir
 * @returns {Map<string, { page: string, text: string }>}
 */
export function contractIds(contractDir) {
  const ids = new Map();
  for (const page of readdirSync(contractDir)
    .filter((n) => n.endsWith(".md"))
    .toSorted()) {
    for (const line of readFileSync(join(contractDir, page), "utf8").split("\n")) {
      const m = new RegExp(`^(?:- |\\| )(${idPattern}) (.*)$`).exec(line);
      if (!m) continue;
      const id = /** @type {string} */ (m[1]);
      if (ids.has(id)) throw new Error(`${id} is defined twice: in ${ids.get(id).page} and in ${page}`);
      ids.set(id, { page, text: m[2] });
    }
  }
  return ids;
}

/**
 * @param {string} contractDir
 * @returns {Map<string, Standing>}
 */
export function standings(contractDir) {
  return new Map(Object.entries(JSON.parse(readFileSync(join(contractDir, "status.json"), "utf8"))));
}

/**
 * The ids in a text: `D-060 D-061 …` and ranges such as `D-004 … D-014` or `K1…K3`.
 * @param {string} text
 * @returns {string[]}
 */
export function idsIn(text) {
  /** @type {Set<string>} */
  const found = new Set();
  const token = new RegExp(`(?<![\\w-])(${idPattern})(?:\\s*(?:…|\\.\\.\\.?)\\s*(${idPattern}))?(?![\\w-])`, "g");
  for (const [, from, to] of text.matchAll(token)) {
    for (const id of to === undefined ? [/** @type {string} */ (from)] : expand(/** @type {string} */ (from), to)) found.add(id);
  }
  return [...found];
}

/**
 * @param {string} from
 * @param {string} to
 */
function expand(from, to) {
  const [, family = "", first = ""] = /^(\D+?)(\d+)$/.exec(from) ?? [];
  const [, other, last = ""] = /^(\D+?)(\d+)$/.exec(to) ?? [];
  if (family !== other || Number(last) < Number(first)) throw new Error(`"${from} … ${to}" is not a range`);
  return Array.from(
    { length: Number(last) - Number(first) + 1 },
    (_, i) => `${family}${String(Number(first) + i).padStart(first.length, "0")}`,
  );
}
