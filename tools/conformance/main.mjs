// `npm run conformance`: runs the tests (or reads --report FILE from a run that has just been made), writes
// conformance.json and prints a table. Ends with 1 when a promised id has no proof: a promise is never withdrawn.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { contractIds, standings } from "./ids.mjs";
import { readReport, runVitest } from "./report.mjs";
import { misfits, table, verdicts } from "./verdicts.mjs";

const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
const { values } = parseArgs({ options: { report: { type: "string" }, json: { type: "boolean" } } });
const reportPath = values.report === undefined ? join(root, ".reports/vitest.json") : resolve(values.report);
if (values.report === undefined) await runVitest(root, reportPath, { show: values.json !== true });

const ids = contractIds(join(root, "contract"));
const standing = standings(join(root, "contract"));
const { tests, broken } = readReport(root, reportPath);
const all = verdicts(ids.keys(), standing, tests);
const problems = [...misfits(ids, standing, tests), ...broken.map((f) => `${f} failed before its tests ran`)];

const text = `[\n${all.map((v) => `  ${JSON.stringify(v)}`).join(",\n")}\n]\n`;
writeFileSync(join(root, "conformance.json"), text);
if (values.json === true) process.stdout.write(text);
else {
  console.log(table(all, ids));
  for (const p of problems) console.log(p);
}
const failed = all.filter((v) => v.status === "failed").length;
if (values.json !== true) {
  const promised = all.filter((v) => standing.get(v.id)?.status === "promised").length;
  console.log(
    failed + problems.length === 0 ? `All ${promised} promised ids are proved.` : `${failed} of ${promised} promised ids without proof.`,
  );
}
process.exitCode = failed + problems.length === 0 ? 0 : 1;
