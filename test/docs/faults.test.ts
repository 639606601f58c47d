// The page of faults and guarantees: every cell names a test, every test that it names exists and is run, and all of the fatal set is there. That those tests
// pass is theirs to show; here a cell cannot be left empty, and a test cannot be renamed or taken away unnoticed.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { partNames } from "../campaign/parts.ts";
import { proves } from "../support/proves.ts";

const page = readFileSync("docs/guarantees/faults.md", "utf8");
/** The rows of the table after a mark, without its head. */
function rows(mark: string): string[][] {
  const after = page.slice(page.indexOf(`<!-- ${mark} -->`));
  const lines = after.slice(after.indexOf("\n|")).split("\n");
  const table = lines.slice(1, lines.findIndex((l, i) => i > 0 && !l.startsWith("|")) >>> 0).filter((l) => l.startsWith("|"));
  return table.slice(2).map((l) =>
    l
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
const tests = new Map(rows("tests").map(([letter, file, title]) => [letter!, { file: file!, title: title! }]));
const letters = (cell: string): string[] => cell.split(" ").filter((x) => x !== "");

/** The page may show a part of a title. */
function exists({ file, title }: { file: string; title: string }): boolean {
  if (file === "test/campaign/parts.ts") return (partNames as readonly string[]).includes(title);
  const source = readFileSync(file, "utf8");
  const at = source.indexOf(title);
  return at > 0 && !/\b(it|test|describe)\.(skip|todo)\b/.test(source.slice(Math.max(0, at - 200), at));
}

it("eleven faults, seven guarantees: no cell is empty, and each names tests that exist", proves("AX-36"), () => {
  const matrix = rows("matrix");
  expect(matrix).toHaveLength(11);
  for (const [fault, ...cells] of matrix) {
    expect(cells, fault).toHaveLength(7);
    for (const cell of cells) {
      expect(letters(cell).length, `${fault}: ${cell}`).toBeGreaterThan(0);
      for (const letter of letters(cell)) expect(tests.has(letter), `${fault}: ${letter}`).toBe(true);
    }
  }
  for (const [letter, t] of tests) expect(exists(t), `${letter}: ${t.title}`).toBe(true);
});

it("the fatal set is whole: thirteen lines, each with a test that exists", proves("AX-35"), () => {
  const fatal = rows("fatal");
  expect(fatal).toHaveLength(13);
  const wanted = [
    "before a tool",
    "after a tool",
    "two workers",
    "replay",
    "kept",
    "nothing was kept",
    "race",
    "many runs",
    "many times",
    "API",
    "database",
    "checkpoint",
    "lease",
  ];
  for (const [i, word] of wanted.entries()) expect(fatal[i]![0]).toContain(word);
  for (const [what, cell] of fatal)
    for (const letter of letters(cell!)) expect(exists(tests.get(letter)!), `${what}: ${letter}`).toBe(true);
});
