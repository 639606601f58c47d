// From ids, standings and tests to a verdict per id. An id is proved when tests that carry it ran and all of them passed, a planted
// bug is named for it, and what it is about is reached from an entry point; without a planted bug it is tested, no more. It is documented
// when its tests read the documentation (test/docs). A promise that no test holds, or that only tests could use, is a failure.

/** @typedef {import("./report.mjs").Test} Test @typedef {import("./ids.mjs").Standing} Standing @typedef {import("./standing.mjs").Ground} Ground */
/** @typedef {"proved" | "tested" | "documented" | "unreached" | "failed" | "open" | "informative"} Status */
/** @typedef {{ id: string, status: Status, mutants: number, tests: string[] }} Verdict */

/**
 * @param {Iterable<string>} ids
 * @param {ReadonlyMap<string, Standing>} standing
 * @param {readonly Test[]} tests
 * @param {ReadonlyMap<string, Ground>} grounds
 * @returns {Verdict[]}
 */
export function verdicts(ids, standing, tests, grounds) {
  /** @type {Map<string, Test[]>} */
  const carriers = new Map();
  for (const t of tests) for (const id of t.ids) carriers.set(id, [...(carriers.get(id) ?? []), t]);
  return [...ids].map((id) => {
    const mine = carriers.get(id) ?? [];
    const ground = grounds.get(id) ?? { mutants: 0, reachable: true };
    const status = verdict(standing.get(id)?.status, mine, ground);
    return { id, status, mutants: ground.mutants, tests: mine.map((t) => `${t.file} > ${t.name}`) };
  });
}

/**
 * @param {Standing["status"] | undefined} status
 * @param {readonly Test[]} tests
 * @param {Ground} ground
 * @returns {Status}
 */
function verdict(status, tests, ground) {
  if (status !== "promised") return status ?? "open";
  if (tests.some((t) => t.outcome === "failed") || !tests.some((t) => t.outcome === "passed")) return "failed";
  if (tests.every((t) => t.file.startsWith("test/docs/"))) return "documented";
  if (!ground.reachable) return "unreached";
  return ground.mutants === 0 ? "tested" : "proved";
}

/**
 * What does not fit together: ids without a standing, standings without an id, tests with ids that nobody defined.
 * @param {ReadonlyMap<string, unknown>} ids
 * @param {ReadonlyMap<string, Standing>} standing
 * @param {readonly Test[]} tests
 * @returns {string[]}
 */
export function misfits(ids, standing, tests) {
  const problems = [];
  for (const id of ids.keys()) if (!standing.has(id)) problems.push(`${id} has no standing in contract/status.json`);
  for (const [id, s] of standing) {
    if (!ids.has(id)) problems.push(`contract/status.json names ${id}, which no page defines`);
    if (s.status === "informative" && (s.why ?? "") === "") problems.push(`${id} is informative without a reason`);
  }
  for (const t of tests) for (const id of t.ids) if (!ids.has(id)) problems.push(`${t.file} > ${t.name}: no such id ${id}`);
  return problems;
}

/**
 * A table for people: one row per family, then each id that fails, with what it says.
 * @param {readonly Verdict[]} all
 * @param {ReadonlyMap<string, { text: string }>} ids
 * @returns {string}
 */
export function table(all, ids) {
  const columns = /** @type {const} */ (["proved", "tested", "documented", "unreached", "failed", "open", "informative"]);
  const families = [...new Set(all.map((v) => v.id.replace(/-?\d+$/, "")))];
  const rows = families.map((f) => {
    const mine = all.filter((v) => v.id.replace(/-?\d+$/, "") === f);
    return [f, ...columns.map((c) => String(mine.filter((v) => v.status === c).length))];
  });
  rows.push(["all", ...columns.map((c) => String(all.filter((v) => v.status === c).length))]);
  const head = ["ids", ...columns];
  const lines = [head, ...rows].map((r) =>
    r.map((cell, i) => (i === 0 ? cell.padEnd(5) : cell.padStart((head[i] ?? "").length + 2))).join(""),
  );
  for (const v of all.filter((x) => x.status === "failed" || x.status === "unreached")) {
    const text = ids.get(v.id)?.text ?? "";
    const what = v.status === "unreached" ? "unreached" : v.tests.length === 0 ? "no test  " : "red      ";
    lines.push(`${what} ${v.id.padEnd(6)} ${text.length > 110 ? `${text.slice(0, 109)}…` : text}`);
  }
  return lines.join("\n");
}
