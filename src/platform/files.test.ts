// Tests of the file operations: a missing file is an answer and never an exception, any other failure is thrown, a copy of
// a file has an identity of its own (K4 rests on it).
import { copyFileSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { appendText, cwd, ensureDir, exists, findUpward, identityOf, isDirectory, readText, removePath, writeText } from "./files.ts";
import { proves } from "../../test/support/proves.ts";

let dir = "";
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "pawl-files-")));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it("text that was written and appended is read back, and what is missing is undefined", () => {
  const file = join(dir, "a.txt");
  expect(readText(file)).toBeUndefined();
  writeText(file, "one\n");
  appendText(file, "two\n");
  expect(readText(file)).toBe("one\ntwo\n");
  removePath(file);
  removePath(file);
  expect(exists(file)).toBe(false);
});

it("a failure other than a missing file is thrown", () => {
  expect(() => readText(dir)).toThrow(/EISDIR/);
});

it("the nearest name upward is found, and the search ends at the root", () => {
  ensureDir(join(dir, "x/y/z"));
  writeText(join(dir, "mark"), "");
  expect(findUpward(join(dir, "x/y/z"), "mark")).toBe(join(dir, "mark"));
  writeText(join(dir, "x/mark"), "");
  expect(findUpward(join(dir, "x/y/z"), "mark")).toBe(join(dir, "x/mark"));
  expect(findUpward(dir, "no-such-name-anywhere")).toBeUndefined();
});

it("a directory is told from a file and from what is missing", () => {
  ensureDir(join(dir, "list"));
  writeText(join(dir, "list/a"), "");
  expect([isDirectory(join(dir, "list")), isDirectory(join(dir, "list/a")), isDirectory(join(dir, "none"))]).toEqual([true, false, false]);
});

it("a copy of a file has another physical identity, a rewritten file has the same", proves("K4"), () => {
  const file = join(dir, "id");
  writeText(file, "1");
  const before = identityOf(file);
  writeText(file, "2");
  expect(identityOf(file)).toBe(before);
  expect(before).toMatch(/^\d+:\d+$/);
  copyFileSync(file, join(dir, "copy"));
  expect(identityOf(join(dir, "copy"))).not.toBe(before);
  expect(identityOf(join(dir, "none"))).toBeUndefined();
});

it("the current directory is the process's", () => {
  expect(cwd()).toBe(process.cwd());
});
