// Mutants: small planted bugs, each with the contract ids that must notice. The unit of work here is one mutant in one
// copy of the project: patch, compile, run the tests that carry its ids, look, put the file back. A mutant that nobody
// notices means that a test is said to prove more than its assertions hold. What is quick is tried first: a vitest that stays, the
// file alone compiled, the shortest tests. Before a mutant is said to survive, everything is built and all of its tests are run by a new one.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { transformSync } from "oxc-transform";
import { layers } from "../tidy/layers.mjs";
import { readReport, runVitest } from "../conformance/report.mjs";

/** @typedef {import("../conformance/report.mjs").Test} Test */
/** @typedef {import("./warm-vitest.mjs").WarmVitest} WarmVitest */
/** @typedef {{ name: string, file: string, find: string, replace: string, red: string[] }} Mutant */
/** @typedef {{ mutant: Mutant, verdict: "red" | "survived" | "broken", detail: string, tests: number, ms: number, by?: Test[] }} Outcome `by`: the tests that noticed */

const runMsMin = 120_000;
/** A test that hangs with a bug in place need not be waited for as long as one on a busy machine: so many times what the longest took, and no less. */
const testTimes = 20;
const testMsMin = 10_000;
/** Of the tests that carry an id, those that are run first: so many, and no longer than this together. */
const quickTests = 12;
const quickMs = 3_000;
const skipped = new Set(["node_modules", ".git", ".reports", ".pawl", "coverage", "results"]);

/**
 * Every mutant of test/mutants/*.json, named by its file and place there.
 * @param {string} root
 * @returns {Mutant[]}
 */
export function readMutants(root) {
  const dir = join(root, "test/mutants");
  return readdirSync(dir)
    .filter((n) => n.endsWith(".json"))
    .toSorted()
    .flatMap((n) => {
      /** @type {Omit<Mutant, "name">[]} */
      const list = JSON.parse(readFileSync(join(dir, n), "utf8"));
      return list.map((m, i) => ({ ...m, name: `${basename(n, ".json")}#${i + 1}` }));
    });
}

/**
 * Why a mutant cannot be tried, or undefined.
 * @param {string} root
 * @param {Mutant} mutant
 * @param {readonly Test[]} tests
 */
export function unusable(root, mutant, tests) {
  const count = occurrences(readFileSync(join(root, mutant.file), "utf8"), mutant.find);
  if (count !== 1) return `"find" matches ${count} times in ${mutant.file}`;
  if (mutant.find === mutant.replace) return "the patch changes nothing";
  if (mutant.red.length === 0) return "it names no id";
  const lone = mutant.red.filter((id) => !tests.some((t) => carries(t, id) && t.outcome === "passed"));
  return lone.length === 0 ? undefined : `no passing test carries ${lone.join(", ")}`;
}

/**
 * A mutant in one line, which changes when anything of it does.
 * @param {Mutant} mutant
 */
export const patchOf = ({ file, find, replace, red }) => JSON.stringify([file, find, replace, red]);

/**
 * `red` names an id of the contract, or, of what the contract does not speak of, a test's whole title.
 * @param {Test} test
 * @param {string} red
 */
function carries(test, red) {
  return test.ids.includes(red) || test.title === red;
}

/**
 * @param {string} text
 * @param {string} part
 */
function occurrences(text, part) {
  return part === "" ? 0 : text.split(part).length - 1;
}

/**
 * A copy of the project that shares its installed packages.
 * @param {string} root
 * @returns {{ dir: string, remove(): void }}
 */
export function copyTree(root) {
  const dir = mkdtempSync(join(tmpdir(), "pawl-mutants-"));
  for (const name of readdirSync(root)) {
    if (!skipped.has(name)) cpSync(join(root, name), join(dir, name), { recursive: true, filter: (p) => basename(p) !== "node_modules" });
  }
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/**
 * How long a run of these tests may take.
 * @param {readonly Test[]} tests
 */
const runMs = (tests) => Math.max(runMsMin, 4 * tests.reduce((sum, t) => sum + t.ms, 0));

/**
 * What the build makes of a file.
 * @param {string} file
 */
const builtOf = (file) => file.replace(/^src\//, "dist/").replace(/\.ts$/, ".js");

/**
 * The mutated file alone, as the build would write it: only its own lines have changed.
 * @param {string} dir
 * @param {string} file
 */
function compileAlone(dir, file) {
  const built = join(dir, builtOf(file));
  if (!file.startsWith("src/") || !existsSync(built)) return;
  const options = { lang: /** @type {const} */ ("ts"), typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: true } };
  const { code, errors } = transformSync(file, readFileSync(join(dir, file), "utf8"), options);
  if (errors.length === 0) writeFileSync(built, code);
}

/** @param {string} dir */
function build(dir) {
  // A mutant may well not type-check; what counts is the code it becomes, and tsc writes that anyway.
  spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b", "--force"], { cwd: dir, stdio: "ignore" });
}

/**
 * A title as a pattern that can be handed to a process: what is not plain text may be anything.
 * @param {string} title
 */
function patternOf(title) {
  return title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/[^ -~]/g, ".");
}

/** @param {{ file: string, name: string }} test */
const keyOf = (test) => `${test.file}\0${test.name}`;

/**
 * Tries one mutant in a copy of the project, and leaves the copy as it was.
 * @param {string} dir
 * @param {Mutant} mutant
 * @param {readonly Test[]} tests
 * @param {WarmVitest} vitest in that copy
 * @returns {Promise<Outcome>}
 */
export async function tryMutant(dir, mutant, tests, vitest) {
  const started = Date.now();
  const mine = tests.filter((t) => mutant.red.some((id) => carries(t, id)));
  const path = join(dir, mutant.file);
  const original = readFileSync(path, "utf8");
  /** @type {(verdict: Outcome["verdict"], detail: string) => Outcome} */
  const outcome = (verdict, detail) => ({ mutant, verdict, detail, tests: mine.length, ms: Date.now() - started });
  /** @type {Noticed} */
  const noticed = { unnoticed: mutant.red, failed: [], broken: [], tried: new Set() };
  let whole = false;
  try {
    writeFileSync(
      path,
      original.replace(mutant.find, () => mutant.replace),
    );
    for (const changed of [mutant.file, builtOf(mutant.file)]) vitest.changed(changed);
    compileAlone(dir, mutant.file);
    await tryWarm(mutant, mine, vitest, noticed);
    if (noticed.broken.length === 0 && noticed.neverEnded === undefined && noticed.unnoticed.length > 0) {
      whole = true;
      build(dir);
      await tryWhole(dir, mine, noticed);
    }
  } finally {
    writeFileSync(path, original);
    for (const changed of [mutant.file, builtOf(mutant.file)]) vitest.changed(changed);
    if (whole) build(dir);
    else compileAlone(dir, mutant.file);
  }
  if (noticed.broken.length > 0) return outcome("broken", `${noticed.broken.join(", ")} could not even be loaded`);
  if (noticed.neverEnded !== undefined)
    return (await failsAnyway(noticed.neverEnded, vitest))
      ? outcome("broken", "its tests do not end without it either")
      : outcome("red", "its tests never ended");
  if (noticed.unnoticed.length > 0) return outcome("survived", `${noticed.unnoticed.join(", ")} stayed green`);
  const [first] = noticed.failed;
  const by = noticed.failed.map((f) => f.test);
  return { ...outcome("red", first === undefined ? "" : `${first.test.name}: ${first.why.slice(0, 120)}`), by };
}

/**
 * Those of the outcomes that prove nothing, because the tests that noticed fail in this copy without any bug too.
 * @param {readonly Outcome[]} outcomes
 * @param {WarmVitest} vitest
 * @returns {Promise<Outcome[]>}
 */
export async function redAnyway(outcomes, vitest) {
  const by = new Map(outcomes.flatMap((o) => o.by ?? []).map((t) => [keyOf(t), t]));
  if (by.size === 0) return [];
  const tests = [...by.values()];
  const ran = await vitest.run(requestOf(tests, false), runMs(tests));
  const failed = new Set(ran === "never ended" ? by.keys() : ran.tests.filter((t) => t.outcome === "failed").map((t) => keyOf(t)));
  return outcomes
    .filter((o) => o.by !== undefined && o.mutant.red.some((id) => !o.by?.some((t) => carries(t, id) && !failed.has(keyOf(t)))))
    .map((o) => ({ ...o, verdict: "broken", detail: `fails without it too: ${o.by?.find((t) => failed.has(keyOf(t)))?.name}` }));
}

/** @typedef {{ unnoticed: string[], failed: { test: Test, why: string }[], broken: string[], neverEnded?: readonly Test[], tried: Set<string> }} Noticed */

const serverNames = /[Pp]ostgres|[Mm]y[Ss][Qq][Ll]|MariaDB/;

/**
 * How much longer a test may be taken for, because a bug in this file is hardly noticed there: one beside the file notices first, one of a layer
 * below it or of a page last. It only decides the order.
 * @param {string} file
 * @param {string} testFile
 */
function unlikely(file, testFile) {
  if (testFile === file.replace(/\.ts$/, ".test.ts")) return 0.1;
  if (!file.startsWith("src/")) return 1;
  const [of, at] = [file, testFile].map((f) => layers.indexOf(f.split("/")[1] ?? ""));
  const below = testFile.startsWith("src/") && at !== -1 && of !== -1 && Number(at) < Number(of);
  return below || testFile.startsWith("test/docs/") ? 50 : 1;
}

/**
 * Id by id, each time until the first test that notices: the shortest, then all that need no server, then the servers' too. A test that
 * speaks for several of the ids comes early, and so does one beside the file. A bug in the folder of a server's store is looked for on servers at once.
 * @param {Mutant} mutant
 * @param {readonly Test[]} mine
 * @param {WarmVitest} vitest
 * @param {Noticed} noticed
 */
async function tryWarm(mutant, mine, vitest, noticed) {
  const ofServers = /^src\/store\/(postgres|mysql)\//.test(mutant.file);
  const onServer = (/** @type {Test} */ t) => !ofServers && (serverNames.test(t.name) || serverNames.test(t.file));
  const cost = (/** @type {Test} */ t) => ((t.ms + 10) * unlikely(mutant.file, t.file)) / mutant.red.filter((id) => carries(t, id)).length;
  for (const id of mutant.red) {
    const carrying = mine.filter((t) => t.outcome === "passed" && carries(t, id)).toSorted((a, b) => cost(a) - cost(b));
    let spent = 0;
    const quick = carrying
      .filter((t) => !onServer(t))
      .slice(0, quickTests)
      .filter((t, i) => (spent += t.ms) <= quickMs || i === 0);
    for (const stage of [quick, carrying.filter((t) => !onServer(t)), carrying]) {
      if (noticed.broken.length > 0 || noticed.neverEnded !== undefined || !noticed.unnoticed.includes(id)) break;
      await runStage(
        stage.filter((t) => !noticed.tried.has(keyOf(t))),
        vitest,
        noticed,
      );
    }
  }
}

/**
 * @param {readonly Test[]} chosen
 * @param {WarmVitest} vitest
 * @param {Noticed} noticed
 */
async function runStage(chosen, vitest, noticed) {
  if (chosen.length === 0) return;
  const ran = await vitest.run(requestOf(chosen, true), runMs(chosen));
  if (ran === "never ended") {
    noticed.neverEnded = chosen;
    return;
  }
  noticed.broken.push(...ran.broken);
  const byKey = new Map(chosen.map((t) => [keyOf(t), t]));
  for (const r of ran.tests) {
    const test = byKey.get(keyOf(r));
    if (test === undefined) continue;
    noticed.tried.add(keyOf(test));
    if (r.outcome === "failed") noticed.failed.push({ test, why: r.why });
  }
  noticed.unnoticed = noticed.unnoticed.filter((id) => !noticed.failed.some((f) => carries(f.test, id)));
}

/**
 * @param {readonly Test[]} chosen
 * @param {boolean} bail
 * @returns {import("./warm-vitest.mjs").Request}
 */
function requestOf(chosen, bail) {
  /** @type {Record<string, string>} */
  const patterns = {};
  for (const t of chosen)
    patterns[t.file] = `${patterns[t.file] === undefined ? "" : `${patterns[t.file]}|`}^${patternOf(t.name.replaceAll(" > ", " "))}$`;
  return { chosen: patterns, bail, testMsMax: Math.max(testMsMin, testTimes * Math.max(...chosen.map((t) => t.ms))) };
}

/**
 * The tests of the ids that nobody noticed so far, all of them, by a vitest that knows nothing of an earlier run.
 * @param {string} dir
 * @param {readonly Test[]} mine
 * @param {Noticed} noticed
 */
async function tryWhole(dir, mine, noticed) {
  const chosen = mine.filter((t) => noticed.unnoticed.some((id) => carries(t, id)));
  const files = [...new Set(chosen.map((t) => t.file))];
  const titles = [...new Set(chosen.map((t) => patternOf(t.title)))].join("|");
  const reportPath = join(dir, ".reports/mutant.json");
  const args = [...files, "-t", `(${titles})$`, "--maxWorkers=1", "--no-file-parallelism", "--retry=0"];
  const ran = await runVitest(dir, reportPath, { args, timeoutMs: runMs(chosen) });
  if (ran.timedOut) {
    noticed.neverEnded = chosen;
    return;
  }
  const report = readReport(dir, reportPath);
  noticed.broken.push(...report.broken);
  for (const test of report.tests) if (test.outcome === "failed") noticed.failed.push({ test, why: "" });
  noticed.unnoticed = noticed.unnoticed.filter((id) => !noticed.failed.some((f) => carries(f.test, id)));
}

/**
 * Whether these tests fail in the copy as it was.
 * @param {readonly Test[]} failed
 * @param {WarmVitest} vitest
 */
async function failsAnyway(failed, vitest) {
  const ran = await vitest.run(requestOf(failed, false), runMs(failed));
  return ran === "never ended" || ran.tests.some((t) => t.outcome === "failed");
}
