// The project's files as one value, so that every rule is a function from files to problems and can be tested on planted
// ones. Generated and installed folders are not the project's. Reading only: this must never write.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** @typedef {ReadonlyMap<string, string>} Tree path, relative with forward slashes, to text */
/** @typedef {{ path: string, line?: number, message: string, warning?: boolean }} Problem */

const skipped = new Set(["node_modules", "dist", ".git", ".pawl", ".reports", "coverage", "results"]);

/**
 * @param {string} root
 * @returns {Tree}
 */
export function readTree(root) {
  /** @type {Map<string, string>} */
  const tree = new Map();
  /** @param {string} dir */
  const walk = (dir) => {
    for (const entry of readdirSync(join(root, dir), { withFileTypes: true })) {
      const path = dir === "" ? entry.name : `${dir}/${entry.name}`;
      if (skipped.has(entry.name)) continue;
      if (entry.isDirectory()) walk(path);
      else if (/\.(ts|tsx|mjs|js|md|json|sql)$/.test(entry.name)) tree.set(path, readFileSync(join(root, path), "utf8"));
    }
  };
  walk("");
  return tree;
}

/** @param {string} path */
export function isSource(path) {
  return /^(src|test|tools|bench|examples|dashboard)\/.*\.(ts|tsx|mjs|js)$/.test(path) && !path.endsWith(".d.ts");
}

/**
 * The verifier stands alone: whoever checks evidence copies this one file and trusts nothing else of the package, so it
 * touches the machine itself and imports nothing of ours.
 * @param {string} path
 */
export function standsAlone(path) {
  return path === "src/verify.ts";
}

/** @param {string} path */
export function isTest(path) {
  return /\.test(-d)?\.ts$/.test(path);
}
