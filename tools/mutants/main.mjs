// `npm run mutants`: plants each bug of test/mutants/*.json in a copy of the project and expects the tests that carry its
// ids to turn red. Options: --only TEXT (name, file or id; several with commas), --part 2/3 (every third, from the second), --report FILE (a
// green run just made), --lanes 1 (at a time; two where nothing is said), --seen FILE (which were noticed is written there, and those are not
// tried again while they are the same), --minutes 8 (then no other is begun), --json. Ends with 1 when one survives, when a patch does not
// fit, when a test was red to begin with, or when some were not tried.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readReport, runVitest } from "../conformance/report.mjs";
import { copyTree, patchOf, readMutants, redAnyway, tryMutant, unusable } from "./mutants.mjs";
import { warmVitest } from "./warm-vitest.mjs";

/** @typedef {import("./mutants.mjs").Outcome} Outcome */

const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    part: { type: "string" },
    report: { type: "string" },
    lanes: { type: "string" },
    seen: { type: "string" },
    minutes: { type: "string" },
    json: { type: "boolean" },
  },
});

/** @param {string} text */
const say = (text) => void process.stderr.write(`${text}\n`);

const [, part = "1", parts = "1"] = /^(\d+)\/(\d+)$/.exec(values.part ?? "1/1") ?? [];
if (Number(part) < 1 || Number(part) > Number(parts) || (values.part ?? "1/1") !== `${part}/${parts}`) {
  say(`--part ${values.part}: which of how many parts, as 2/3`);
  process.exit(2);
}
const only = values.only?.split(",") ?? [""];
const seen = values.seen;
const noticedBefore = new Set(seen !== undefined && existsSync(seen) ? readFileSync(seen, "utf8").split("\n") : []);
const until = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;
const mutants = readMutants(root)
  .filter((_, i) => i % Number(parts) === Number(part) - 1)
  .filter((m) => only.some((text) => m.name.startsWith(text) || m.file.includes(text) || m.red.includes(text)))
  .filter((m) => !noticedBefore.has(patchOf(m)));

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
  Array.from({ length: Math.min(Number(values.lanes ?? 2), waiting.length) }, async () => {
    const copy = copyTree(root);
    const vitest = warmVitest(copy.dir);
    try {
      /** @type {Outcome[]} */
      const mine = [];
      const next = () => (Date.now() < until ? waiting.shift() : undefined);
      for (let mutant = next(); mutant !== undefined; mutant = next()) {
        const outcome = await tryMutant(copy.dir, mutant, tests, vitest);
        mine.push(outcome);
        report(outcome);
      }
      for (const amended of await redAnyway(mine, vitest)) {
        outcomes[outcomes.findIndex((o) => o.mutant === amended.mutant)] = amended;
        mine[mine.findIndex((o) => o.mutant === amended.mutant)] = amended;
        say(`          ${amended.verdict.padEnd(9)} ${amended.mutant.name.padEnd(16)} ${amended.detail}`);
      }
      const red = mine.filter((o) => o.verdict === "red").map((o) => `${patchOf(o.mutant)}\n`);
      if (seen !== undefined) appendFileSync(seen, red.join(""));
    } finally {
      await vitest.close();
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
  if (waiting.length > 0) console.log(`${waiting.length} were not tried: the time was up.`);
  for (const o of bad) console.log(`${o.verdict}  ${o.mutant.name}  ${o.mutant.file}  ${o.mutant.red.join(" ")}  ${o.detail}`);
}
process.exitCode = bad.length === 0 && waiting.length === 0 ? 0 : 1;
