// Mutants: small planted bugs, each with the contract ids that must notice. The unit of work here is one mutant in one
// copy of the project: patch, build, run the tests that carry its ids, look, put the file back. A mutant that nobody
// notices means that a test is said to prove more than its assertions hold.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readReport, runVitest } from "../conformance/report.mjs";

/** @typedef {import("../conformance/report.mjs").Test} Test */
/** @typedef {{ name: string, file: string, find: string, replace: string, red: string[] }} Mutant */
/** @typedef {{ mutant: Mutant, verdict: "red" | "survived" | "broken", detail: string, tests: number, ms: number }} Outcome */

const mutantTimeoutMs = 180_000;
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

/** @param {string} dir */
function build(dir) {
  // A mutant may well not type-check; what counts is the code it becomes, and tsc writes that anyway.
  spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b"], { cwd: dir, stdio: "ignore" });
}

/**
 * A title as a pattern that can be handed to a process: what is not plain text may be anything.
 * @param {string} title
 */
function patternOf(title) {
  return title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/[^ -~]/g, ".");
}

/**
 * Tries one mutant in a copy of the project, and leaves the copy as it was.
 * @param {string} dir
 * @param {Mutant} mutant
 * @param {readonly Test[]} tests
 * @returns {Promise<Outcome>}
 */
export async function tryMutant(dir, mutant, tests) {
  const started = Date.now();
  const mine = tests.filter((t) => mutant.red.some((id) => carries(t, id)));
  const path = join(dir, mutant.file);
  const original = readFileSync(path, "utf8");
  /** @type {(verdict: Outcome["verdict"], detail: string) => Outcome} */
  const outcome = (verdict, detail) => ({ mutant, verdict, detail, tests: mine.length, ms: Date.now() - started });
  try {
    writeFileSync(
      path,
      original.replace(mutant.find, () => mutant.replace),
    );
    build(dir);
    // Id by id, each until the first test that notices: what has turned red already need not be run to its end.
    let unnoticed = mutant.red;
    for (const id of mutant.red) {
      if (!unnoticed.includes(id)) continue;
      const carrying = mine.filter((t) => carries(t, id));
      // A run that is broken off may lose the very failure that broke it: before a bug is said to survive, all of it is run.
      for (const whole of [false, true]) {
        const ran = await runTests(dir, mutant.file, carrying, whole);
        if (ran === "never ended") return outcome("red", "its tests never ended");
        if (ran.broken.length > 0) return outcome("broken", `${ran.broken.join(", ")} could not even be loaded`);
        unnoticed = unnoticed.filter((other) => !ran.tests.some((t) => t.outcome === "failed" && carries(t, other)));
        if (!unnoticed.includes(id)) break;
      }
      if (unnoticed.includes(id)) return outcome("survived", `${id} stayed green`);
    }
    return outcome("red", "");
  } finally {
    writeFileSync(path, original);
  }
}

const serverNames = "(?:[Pp]ostgres|[Mm]y[Ss][Qq][Ll]|MariaDB)";

/**
 * A bug outside the folders of the servers' stores is looked for without a server first, as long as any test of it needs none. Before it is
 * said to survive, the servers' tests are run too.
 * @param {string} dir
 * @param {string} mutated
 * @param {readonly Test[]} tests
 * @param {boolean} whole to the end, and not only to the first test that notices
 */
async function runTests(dir, mutated, tests, whole) {
  const onServer = new RegExp(serverNames);
  const near =
    whole || /^src\/store\/(postgres|mysql)\//.test(mutated) ? [] : tests.filter((t) => !onServer.test(t.name) && !onServer.test(t.file));
  const chosen = near.length > 0 ? near : tests;
  const files = [...new Set(chosen.map((t) => t.file))];
  const titles = [...new Set(chosen.map((t) => patternOf(t.title)))].join("|");
  const pattern = near.length > 0 ? `^(?!.*${serverNames}).*(${titles})$` : `(${titles})$`;
  const reportPath = join(dir, ".reports/mutant.json");
  const args = [...files, "-t", pattern, "--maxWorkers=1", "--no-file-parallelism", "--retry=0", ...(whole ? [] : ["--bail=1"])];
  const ran = await runVitest(dir, reportPath, { args, timeoutMs: mutantTimeoutMs });
  return ran.timedOut ? "never ended" : readReport(dir, reportPath);
}
