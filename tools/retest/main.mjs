// `node tools/retest/main.mjs REPORT [--mode small]`, for .ci/run only: which test files failed beside all others, and do they pass alone? Ends
// with 0 only if a few failed and each of them passes now, and writes that into the report. A file that fails once and then passes has a race: it is named at the end,
// to be repaired or quarantined by name. It must never hide a name, and never run more than a few files: many failures are not chance.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readReport, runVitest } from "../conformance/report.mjs";
import { failedFiles, filesMax, replaceResults } from "./report-merge.mjs";

const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { mode: { type: "string" } } });
const reportPath = resolve(positionals[0] ?? join(root, ".reports/vitest.json"));
const first = JSON.parse(readFileSync(reportPath, "utf8"));
const failed = failedFiles(first);
const names = failed.map((f) => f.slice(root.length + 1));

if (failed.length === 0 || failed.length > filesMax) {
  console.log(failed.length === 0 ? "No test failed, but the run did: see above." : `${failed.length} files failed: that is not chance.`);
  process.exit(1);
}
console.log(`\nFailed beside the others, run once more alone: ${names.join(", ")}`);
const againPath = `${reportPath}.again.json`;
const mode = values.mode === undefined ? [] : ["--mode", values.mode];
await runVitest(root, againPath, { args: [...names, "--maxWorkers=1", ...mode], show: true, timeoutMs: 20 * 60_000 });
const again = JSON.parse(readFileSync(againPath, "utf8"));
const { tests } = readReport(root, reportPath);
const red = tests.filter((t) => t.outcome === "failed").map((t) => `${t.file} > ${t.name}`);
if (!replaceResults(first, again, failed)) {
  console.log("\nRed alone, too.");
  process.exit(1);
}
writeFileSync(reportPath, JSON.stringify(first));
console.log(`\nFLAKY, green alone: repair these, or quarantine them by name (CONTRIBUTING.md).\n${red.map((t) => `  ${t}`).join("\n")}`);
