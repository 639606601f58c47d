// From ids, standings and tests to a verdict per id. An id is proved when tests that carry it ran and all of them passed;
// documented when those tests read the documentation (test/docs). A promise without proof is a failure.

/** @typedef {import("./report.mjs").Test} Test @typedef {import("./ids.mjs").Standing} Standing */
/** @typedef {{ id: string, status: "proved" | "documented" | "failed" | "open" | "informative", tests: string[] }} Verdict */

/**
 * @param {Iterable<string>} ids
 * @param {ReadonlyMap<string, Standing>} standing
 * @param {readonly Test[]} tests
 * @returns {Verdict[]}
 */
export function verdicts(ids, standing, tests) {
  /** @type {Map<string, Test[]>} */
  const carriers = new Map();
  for (const t of tests) for (const id of t.ids) carriers.set(id, [...(carriers.get(id) ?? []), t]);
  return [...ids].map((id) => {
    const mine = carriers.get(id) ?? [];
    return { id, status: verdict(standing.get(id)?.status, mine), tests: mine.map((t) => `${t.file} > ${t.name}`) };
  });
}

/**
 * @param {Standing["status"] | undefined} status
 * @param {readonly Test[]} tests
 * @returns {Verdict["status"]}
 */
function verdict(status, tests) {
  if (status !== "promised") return status ?? "open";
  if (tests.some((t) => t.outcome === "failed") || !tests.some((t) => t.outcome === "passed")) return "failed";
  return tests.every((t) => t.file.startsWith("test/docs/")) ? "documented" : "proved";
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
 * A table for people: one row per family, then what failed.
 * @param {readonly Verdict[]} all
 * @param {ReadonlyMap<string, { text: string }>} ids
 * @returns {string}
 */
export function table(all, ids) {
  const columns = /** @type {const} */ (["proved", "documented", "failed", "open", "informative"]);
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
  const failed = all.filter((v) => v.status === "failed");
  for (const v of failed) {
    const text = ids.get(v.id)?.text ?? "";
    lines.push(
      `${v.tests.length === 0 ? "no proof " : "red      "} ${v.id.padEnd(6)} ${text.length > 110 ? `${text.slice(0, 109)}…` : text}`,
    );
  }
  return lines.join("\n");
}
