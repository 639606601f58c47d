// The tests as vitest's JSON report tells them: file, titles, outcome, and the contract ids that the test proves (its
// meta, written by test/support/proves.ts). Shared by the
// conformance table and the mutants, so that both mean the same by "the tests that carry an id".
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, relative } from "node:path";
import { idsIn } from "./ids.mjs";

/** @typedef {{ file: string, title: string, name: string, outcome: "passed" | "failed" | "skipped", ids: string[], ms: number }} Test */

/**
 * @param {string} root
 * @param {string} reportPath
 * @returns {{ tests: Test[], broken: string[] }} `broken`: files that failed before any of their tests ran
 */
export function readReport(root, reportPath) {
  const report = JSON.parse(readFileSync(reportPath, "utf8"));
  /** @type {Test[]} */
  const tests = [];
  /** @type {string[]} */
  const broken = [];
  for (const file of report.testResults) {
    const path = relative(root, file.name).replaceAll("\\", "/");
    if (file.status === "failed" && file.assertionResults.length === 0) broken.push(path);
    for (const t of file.assertionResults) {
      const outcome = t.status === "passed" || t.status === "failed" ? t.status : "skipped";
      const ids = [...new Set((t.meta?.ids ?? []).flatMap(idsIn))];
      tests.push({ file: path, title: t.title, name: [...t.ancestorTitles, t.title].join(" > "), outcome, ids, ms: t.duration ?? 0 });
    }
  }
  return { tests, broken };
}

/**
 * Runs vitest with the JSON reporter; resolves when it has ended, whatever the outcome.
 * @param {string} root
 * @param {string} reportPath
 * @param {{ args?: string[], timeoutMs?: number, show?: boolean }} [options]
 * @returns {Promise<{ timedOut: boolean, output: string }>}
 */
export function runVitest(root, reportPath, options = {}) {
  mkdirSync(dirname(reportPath), { recursive: true });
  rmSync(reportPath, { force: true });
  const reporters = ["--reporter=json", `--outputFile.json=${reportPath}`, ...(options.show === true ? ["--reporter=default"] : [])];
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...(options.args ?? [])], {
    cwd: root,
    stdio: ["ignore", options.show === true ? "inherit" : "pipe", options.show === true ? "inherit" : "pipe"],
    // A group of its own: a hanging test is ended together with the children that it started.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (/** @type {Buffer} */ d) => (output += String(d)));
  let timedOut = false;
  const limit =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        }, options.timeoutMs);
  return new Promise((resolve) => {
    child.on("close", () => {
      clearTimeout(limit);
      if (!timedOut && !existsSync(reportPath)) output += "\nvitest wrote no report";
      resolve({ timedOut, output });
    });
  });
}
