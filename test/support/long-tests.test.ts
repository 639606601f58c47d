// The small dose leaves out files and tests, never a whole subject: each folder of tests keeps something, and what is named exists. It must never
// be satisfied by a name that nothing has any more.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { isLong, longFiles, longTests } from "./long-tests.ts";

const root = resolve(import.meta.dirname, "../..");
const all = ["src", "test", "tools"].flatMap((dir) =>
  readdirSync(join(root, dir), { recursive: true })
    .map((name) => `${dir}/${String(name)}`)
    .filter((path) => path.endsWith(".test.ts")),
);
const left = longFiles.flatMap((path) => {
  const [, before = path, names = "", after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return names === "" ? [before] : names.split(",").map((name) => before + name + after);
});

it("every file that the small dose leaves out, and every file of a test that it leaves out, exists", () => {
  expect(left.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(longTests.filter(({ file }) => !all.some((path) => file.test(`/${path}`))).map(({ file }) => file.source)).toEqual([]);
});

it("every folder keeps tests in the small dose", () => {
  const folders = (paths: readonly string[]): Set<string> => new Set(paths.map((path) => dirname(path)));
  const kept = folders(all.filter((path) => !left.includes(path)));
  // What MariaDB does is in src/store, on every test of the store's suite.
  expect([...folders(all)].filter((folder) => !kept.has(folder))).toEqual(["test/mysql"]);
});

it("a test is left out by its file and its title", () => {
  expect(isLong("/x/test/graph/undo.test.ts", "killed at superstep 900, on memory")).toBe(true);
  expect(isLong("/x/test/graph/undo.test.ts", "killed at superstep 900, on sqlite")).toBe(false);
  expect(isLong("/x/test/graph/other.test.ts", "on memory")).toBe(false);
});
