// The verifier as somebody takes it away: one file, copied out of the package into an empty folder, run by Node alone. It
// imports Node's own modules and nothing else; its exit code is all that a script needs.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { compiledTree } from "../support/compiled-tree.ts";
import { goldenDir } from "./golden.ts";

const dir = mkdtempSync(join(tmpdir(), "pawl-verify-"));
const compiled = join(compiledTree(), "src/verify.js");
copyFileSync(compiled, join(dir, "verify.mjs"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const run = (...args: string[]): { code: number | null; out: string; err: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dir, "verify.mjs"), ...args], { cwd: goldenDir, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
};

it("imports nothing but Node's own modules, and reaches for no other way to load code", () => {
  const text = readFileSync(compiled, "utf8");
  const imported = [...text.matchAll(/\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g)].map((m) => m[1] ?? m[2] ?? "");
  expect(imported.length).toBeGreaterThan(2);
  for (const i of imported) expect([i.startsWith("node:"), builtinModules.includes(i.slice(5))], i).toEqual([true, true]);
  expect(text).not.toMatch(/\brequire\b|\bimport\s*\(|node:(module|vm|child_process|net|http|https|worker_threads)/);
});

it("alone in a folder it tells true from false by its exit code: 0, 9, and 2 when it was not asked properly", () => {
  const good = run("good-signed.zip", "--signer", "signer.pub.pem");
  expect([good.code, good.err]).toEqual([0, ""]);
  expect(good.out).toMatch(/^run [\w-]+ {2}COMPLETED {2}\d+ events {2}signed by /);
  for (const line of ["ok    chain ", "assumed: ", "not sealed: ", "charge  KEYED  SUCCESS: only if the receiver", "\nverified\n"])
    expect(good.out).toContain(line);
  const bad = run("sent-twice.zip");
  expect(bad.code).toBe(9);
  expect(bad.out).toMatch(/FAIL {2}at-most-once {2}mail was sent again \[runSeq \d+\]/);
  expect(bad.out).toContain("NOT verified");
  const json = run("altered-key.zip", "--json");
  expect([json.code, (JSON.parse(json.out) as { ok: boolean }).ok]).toEqual([9, false]);
  for (const args of [[], ["--json"], ["nothing.zip"], ["good.zip", "good.zip"], ["good.zip", "--signer"]])
    expect(run(...args).code).toBe(2);
});

it("started through a linked folder, as pnpm installs packages, it checks all the same", () => {
  const link = join(dir, "linked");
  symlinkSync(dir, link, "dir");
  const { status, stdout } = spawnSync(process.execPath, [join(link, "verify.mjs"), "sent-twice.zip"], {
    cwd: goldenDir,
    encoding: "utf8",
  });
  expect([status, stdout.includes("NOT verified")]).toEqual([9, true]);
});
