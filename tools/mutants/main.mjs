// `npm run mutants`: plants each bug of test/mutants/*.json in a copy of the project and expects the tests that carry its
// ids to turn red. Options: --only TEXT (name, file or id), --part 2/3 (every third, from the second), --report FILE (a green
// run just made), --json. At most two at a time. Ends with 1 when one survives, when a patch does not fit, or when a test was red to begin with.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readReport, runVitest } from "../conformance/report.mjs";
import { copyTree, readMutants, tryMutant, unusable } from "./mutants.mjs";

/** @typedef {import("./mutants.mjs").Outcome} Outcome */

const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
const { values } = parseArgs({
  options: { only: { type: "string" }, part: { type: "string" }, report: { type: "string" }, json: { type: "boolean" } },
});

/** @param {string} text */
const say = (text) => void process.stderr.write(`${text}\n`);

const [, part = "1", parts = "1"] = /^(\d+)\/(\d+)$/.exec(values.part ?? "1/1") ?? [];
if (Number(part) < 1 || Number(part) > Number(parts) || (values.part ?? "1/1") !== `${part}/${parts}`) {
  say(`--part ${values.part}: which of how many parts, as 2/3`);
  process.exit(2);
}
const only = values.only;
const mutants = readMutants(root)
  .filter((_, i) => i % Number(parts) === Number(part) - 1)
  .filter((m) => only === undefined || m.name.startsWith(only) || m.file.includes(only) || m.red.includes(only));

const reportPath = values.report === undefined ? join(root, ".reports/vitest.json") : resolve(values.report);
if (values.report === undefined) {
  say("The tests first, without any mutant.");
  await runVitest(root, reportPath);
}
const { tests } = readReport(root, reportPath);

/** @type {Outcome[]} */
const outcomes = [];
/** @type {import("./mutants.mjs").Mutant[]} */
const waiting = [];
for (const mutant of mutants) {
  const why = unusable(root, mutant, tests);
  if (why === undefined) waiting.push(mutant);
  else report({ mutant, verdict: "broken", detail: why, tests: 0, ms: 0 });
}

/** @param {Outcome} o */
function report(o) {
  outcomes.push(o);
  const { mutant } = o;
  const place = `[${outcomes.length}/${mutants.length}]`.padEnd(10);
  say(
    `${place}${o.verdict.padEnd(9)} ${mutant.name.padEnd(16)} ${mutant.red.join(" ").padEnd(20)} ${mutant.file} ${(o.ms / 1000).toFixed(1)}s ${o.detail}`,
  );
}

await Promise.all(
  Array.from({ length: Math.min(2, waiting.length) }, async () => {
    const copy = copyTree(root);
    try {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) report(await tryMutant(copy.dir, mutant, tests));
    } finally {
      copy.remove();
    }
  }),
);

const bad = outcomes.filter((o) => o.verdict !== "red");
if (values.json === true) {
  console.log(
    JSON.stringify(
      outcomes.map((o) => ({ name: o.mutant.name, file: o.mutant.file, red: o.mutant.red, verdict: o.verdict, detail: o.detail })),
    ),
  );
} else {
  console.log(`${outcomes.length - bad.length} of ${outcomes.length} mutants were noticed.`);
  for (const o of bad) console.log(`${o.verdict}  ${o.mutant.name}  ${o.mutant.file}  ${o.mutant.red.join(" ")}  ${o.detail}`);
}
process.exitCode = bad.length === 0 ? 0 : 1;
