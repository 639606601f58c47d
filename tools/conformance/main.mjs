// `npm run conformance`: runs the tests (or reads --report FILE from a run that has just been made), writes conformance.json and prints
// how each promised id stands: carried by a passing test, broken on purpose by a planted bug, reached from an entry point. Ends with 1
// when a promised id has no passing test, has no planted bug, or stands on code that only tests reach.
// --reachable names what of src only tests reach.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readMutants } from "../mutants/mutants.mjs";
import { contractIds, standings } from "./ids.mjs";
import { reachOf } from "./reach.mjs";
import { readReport, runVitest } from "./report.mjs";
import { grounds } from "./standing.mjs";
import { misfits, table, verdicts } from "./verdicts.mjs";

const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
const { values } = parseArgs({
  options: { report: { type: "string" }, json: { type: "boolean" }, reachable: { type: "boolean" } },
});
const reportPath = values.report === undefined ? join(root, ".reports/vitest.json") : resolve(values.report);
if (values.report === undefined) await runVitest(root, reportPath, { show: values.json !== true });

const ids = contractIds(join(root, "contract"));
const standing = standings(join(root, "contract"));
const { tests, broken } = readReport(root, reportPath);
const reach = reachOf(root);
const all = verdicts(ids.keys(), standing, tests, grounds(root, ids.keys(), tests, readMutants(root), reach));
const problems = [...misfits(ids, standing, tests), ...broken.map((f) => `${f} failed before its tests ran`)];

const text = `[\n${all.map((v) => `  ${JSON.stringify(v)}`).join(",\n")}\n]\n`;
writeFileSync(join(root, "conformance.json"), text);
const count = (/** @type {import("./verdicts.mjs").Status} */ status) => all.filter((v) => v.status === status).length;
const bad = count("failed") + count("unreached") + count("tested") + problems.length;
if (values.json === true) process.stdout.write(text);
else {
  console.log(table(all, ids));
  for (const p of problems) console.log(p);
  const unplanted = all.filter((v) => v.status === "tested").map((v) => v.id);
  if (unplanted.length > 0) console.log(`Without a planted bug: ${unplanted.join(" ")}`);
  if (values.reachable === true) for (const d of reach.unreached) console.log(`only tests reach ${d.id}`);
  const promised = all.filter((v) => standing.get(v.id)?.status === "promised").length;
  console.log(
    `${promised} ids are promised: ${count("proved")} proved, ${count("tested")} tested without a planted bug, ${count("documented")} documented, ` +
      `${count("unreached")} on code that only tests reach, ${count("failed")} without a passing test.`,
  );
}
process.exitCode = bad === 0 ? 0 : 1;
