// Tests of places in users' files: how one is shown, and what is shown where there is none to read. Who called into Pawl is
// tested where it matters: with the guard and the crash matrix.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { callerLocation, codeFrame, locationText } from "./source-location.ts";

const dir = mkdtempSync(join(tmpdir(), "pawl-places-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it("a frame shows the line, two around it, and a mark under the column; at the edges there are fewer", () => {
  const file = join(dir, "a.ts");
  writeFileSync(file, Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join("\n"));
  expect(codeFrame({ file, line: 9, column: 6 }).split("\n")).toEqual([
    `${file}:9:6`,
    "   7 | line 7",
    "   8 | line 8",
    ">  9 | line 9",
    "     |      ^",
    "  10 | line 10",
    "  11 | line 11",
  ]);
  expect(codeFrame({ file, line: 1, column: 1 }).split("\n")[1]).toBe("> 1 | line 1");
  expect(codeFrame({ file, line: 40, column: 1 })).toBe(`${file}:40:1`);
  expect(codeFrame({ file: join(dir, "none.ts"), line: 1, column: 1 })).toBe(`${join(dir, "none.ts")}:1:1`);
});

it("a place is told from here, if it is below here", () => {
  expect(locationText({ file: resolve("src/x.ts"), line: 2, column: 3 })).toBe("src/x.ts:2:3");
});

it("Pawl's own files are passed over: called from one of them, the caller is whoever called that", () => {
  expect(callerLocation()?.file).not.toContain(`${resolve("src")}/`);
});
