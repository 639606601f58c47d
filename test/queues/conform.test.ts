// `pawl conform --worker`: the sample worker keeps every rule, and a worker that breaks one is caught by the transcript of that rule. The
// command is run as a user runs it; where there is no Python the tests are skipped.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compiledTree } from "../support/compiled-tree.ts";

const sample = fileURLToPath(new URL("../../examples/workers", import.meta.url));

function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

interface Conformed {
  readonly code: number;
  readonly failed: readonly string[];
  readonly count: number;
}

describe.skipIf(!hasPython())("a worker in Python", () => {
  let dir: string;
  let cli: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "pawl-conform-"));
    cli = join(compiledTree(), "src/cli/main.js");
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  const conform = (folder: string, only?: string): Promise<Conformed> =>
    new Promise((resolve) => {
      const args = [
        cli,
        "conform",
        "--json",
        "--worker",
        `python3 -B ${join(folder, "conformance.py")}`,
        "--timeout",
        only === undefined ? "60s" : "4s",
      ];
      execFile(process.execPath, only === undefined ? args : [...args, "--only", only], (e, out) => {
        const { transcripts } = JSON.parse(out) as { transcripts: { name: string; ok: boolean }[] };
        const code = e === null ? 0 : Number(e.code);
        resolve({ code, failed: transcripts.filter((t) => !t.ok).map((t) => t.name), count: transcripts.length });
      });
    });

  it("keeps every transcript of the protocol", { timeout: 300_000 }, async () => {
    expect(await conform(sample)).toEqual({ code: 0, failed: [], count: 26 });
  });

  const faults: readonly (readonly [broken: string, find: string, replace: string, transcript: string])[] = [
    [
      "gives a result up after one try",
      `self._ask("results", {"results": results})`,
      `self._ask("results", {"results": results}, tries=1)`,
      "result, answer lost",
    ],
    [
      "forgets a step before its result is answered",
      `            self._ask("results"`,
      `            self._held.clear()\n            time.sleep(0.3)\n            self._ask("results"`,
      "result, server busy",
    ],
    ["begins a step too late", `> claim["beginWithinMs"]`, `> 1e9`, "too late"],
    ["does not stop when it is cancelled", `step.check()`, `pass`, "cancel"],
    ["runs a step again that it holds", `if step.dispatch_id in self._held:`, `if False:`, "claim twice"],
    ["asks for more than its places", `n - taken.count(q)`, `n`, "places"],
    ["does not register anew", `if e.code in (404, 410):`, `if False:`, "forgotten worker"],
    ["continues before its checkpoint is answered", `"carried": carried}, wait=True)`, `"carried": carried}, wait=False)`, "checkpoint"],
    [
      "does not survive a refused result",
      `except (TypeError, ValueError, RecursionError, urllib.error.HTTPError)`,
      `except (MemoryError,)`,
      "result, refused",
    ],
    [
      "gives back what it cannot verify",
      `step.what == "verify":\n`,
      `step.what == "verify":\n            return {"back": True}\n`,
      "verify, not supplied",
    ],
    ["leaves before it has finished", `while self._held:\n`, `while False:\n`, "stop"],
  ];
  it.each(faults)("a worker that %s is caught", { timeout: 60_000 }, async (_broken, find, replace, transcript) => {
    const folder = mkdtempSync(join(dir, "broken-"));
    cpSync(sample, folder, { recursive: true });
    const paths = ["pawl_worker.py", "conformance.py"].map((file) => join(folder, file));
    const texts = paths.map((path) => readFileSync(path, "utf8"));
    expect(texts.filter((text) => text.includes(find)).length, "the line to break is there").toBeGreaterThan(0);
    for (const [i, path] of paths.entries()) writeFileSync(path, texts[i]!.replace(find, replace));
    expect(await conform(folder, transcript)).toEqual({ code: 9, failed: [transcript], count: 1 });
  });
});
