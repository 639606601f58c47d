// The lock file serves every platform: each optional binding that a package names has its entry, or `npm ci` refuses the
// file on a fresh machine. It names no registry host, so that a mirror serves as well as the original.

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */
/** @typedef {{ version?: string, resolved?: string, optionalDependencies?: Record<string, string> }} Entry */

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function lockProblems(tree) {
  const path = "package-lock.json";
  const text = tree.get(path);
  if (text === undefined) return [{ path, message: "there is no lock file" }];
  /** @type {Record<string, Entry>} */
  const packages = JSON.parse(text).packages;
  /** @type {Problem[]} */
  const problems = [];
  for (const [name, entry] of Object.entries(packages)) {
    if (entry.resolved !== undefined)
      problems.push({ path, message: `${name} names a registry host; lock with --omit-lockfile-registry-resolved` });
    for (const wanted of Object.keys(entry.optionalDependencies ?? {})) {
      if (!(`node_modules/${wanted}` in packages) && !(`${name}/node_modules/${wanted}` in packages)) {
        problems.push({ path, message: `${name} may need ${wanted}, which has no entry` });
      }
    }
  }
  return problems;
}
