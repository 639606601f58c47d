// Which files of a report of vitest failed, and a report with the results of a later run of those files in their place. It must never turn a file green that
// did not run again, or whose tests did not all come out as they should.

/** @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} FileResult */
/** @typedef {{ success: boolean, testResults: FileResult[] }} Report */

/** More files than this do not fail by chance. */
export const filesMax = 3;

/** @param {FileResult} f */
const isRed = (f) => f.status === "failed" || f.assertionResults.some((t) => t.status === "failed");

/**
 * @param {Report} report
 * @returns {string[]}
 */
export function failedFiles(report) {
  return report.testResults.filter(isRed).map((f) => f.name);
}

/**
 * @param {Report} report changed in place if all of them are green now
 * @param {Report} again
 * @param {string[]} files
 * @returns {boolean} whether they are
 */
export function replaceResults(report, again, files) {
  if (!again.success || failedFiles(again).length > 0) return false;
  const later = new Map(again.testResults.map((f) => [f.name, f]));
  const complete = files.every((name) => {
    const before = report.testResults.find((f) => f.name === name);
    const now = later.get(name);
    return now !== undefined && now.assertionResults.length >= Math.max(1, before?.assertionResults.length ?? 1);
  });
  if (!complete) return false;
  report.testResults = report.testResults.map((f) => (files.includes(f.name) ? /** @type {FileResult} */ (later.get(f.name)) : f));
  report.success = true;
  return true;
}
