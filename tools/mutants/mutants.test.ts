// Tests of the mutant runner on a tiny project of its own: a noticed bug is red, an unnoticed one survives, a patch that
// does not fit or breaks the file is named. The project's own mutants must all fit their files.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMutants, redAnyway, tryMutant, unusable } from "./mutants.mjs";
import { warmVitest, type WarmVitest } from "./warm-vitest.mjs";

const project = resolve(import.meta.dirname, "../..");
let dir = "";
const tests = [
  { file: "src/add.test.ts", title: "adds", name: "adds", outcome: "passed" as const, ids: ["K1"], ms: 1 },
  { file: "src/add.test.ts", title: "says nothing", name: "says nothing", outcome: "passed" as const, ids: ["K2"], ms: 1 },
];
let vitest: WarmVitest;
const mutant = (find: string, replace: string, red: string[]) => ({ name: "m#1", file: "src/add.ts", find, replace, red });

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "pawl-mutant-test-"));
  vitest = warmVitest(dir);
  mkdirSync(join(dir, "src"));
  symlinkSync(join(project, "node_modules"), join(dir, "node_modules"));
  writeFileSync(join(dir, "vitest.config.ts"), 'export default { test: { include: ["src/**/*.test.ts"], pool: "forks" } };\n');
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }');
  writeFileSync(join(dir, "src/add.ts"), "export const add = (a: number, b: number): number => a + b;\n");
  writeFileSync(
    join(dir, "src/add.test.ts"),
    `import { expect, it } from "vitest";
import { add } from "./add.ts";
it("adds", { meta: { ids: ["K1"] } }, () => expect(add(1, 2)).toBe(3));
it("says nothing", { meta: { ids: ["K2"] } }, () => expect(typeof add).toBe("function"));
`,
  );
});
afterAll(async () => {
  await vitest.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("one mutant", () => {
  it("a noticed bug is red, and the file is put back", async () => {
    expect((await tryMutant(dir, mutant("a + b", "a - b", ["K1"]), tests, vitest)).verdict).toBe("red");
    expect((await tryMutant(dir, mutant("a + b", "a - b", ["K1"]), tests, vitest)).verdict).toBe("red");
  });

  it("a bug survives if one of its ids stays green", async () => {
    const o = await tryMutant(dir, mutant("a + b", "a - b", ["K1", "K2"]), tests, vitest);
    expect([o.verdict, o.detail]).toEqual(["survived", "K2 stayed green"]);
  });

  it("what one bug did is gone when the next is tried, and a test that fails by itself proves nothing", async () => {
    const red = await tryMutant(dir, mutant("a + b", "a - b", ["K1"]), tests, vitest);
    expect((await tryMutant(dir, mutant("a + b", "b + a", ["K1"]), tests, vitest)).verdict).toBe("survived");
    expect(await redAnyway([red], vitest)).toEqual([]);
    writeFileSync(join(dir, "src/add.ts"), "export const add = (a: number, b: number): number => a * b;\n");
    vitest.changed("src/add.ts");
    expect((await redAnyway([red], vitest)).map((o) => [o.verdict, o.detail])).toEqual([["broken", "fails without it too: adds"]]);
    writeFileSync(join(dir, "src/add.ts"), "export const add = (a: number, b: number): number => a + b;\n");
    vitest.changed("src/add.ts");
  });

  it("a patch that breaks the file proves nothing", async () => {
    expect((await tryMutant(dir, mutant("export const", "export export const", ["K1"]), tests, vitest)).verdict).toBe("broken");
  });

  it("a patch that does not fit exactly once, or ids that no passing test carries, are named before", () => {
    expect(unusable(dir, mutant("a + c", "x", ["K1"]), tests)).toContain("matches 0 times");
    expect(unusable(dir, mutant("a", "x", ["K1"]), tests)).toContain("matches");
    expect(unusable(dir, mutant("a + b", "a - b", ["K9"]), tests)).toContain("no passing test carries K9");
    expect(unusable(dir, mutant("a + b", "a - b", ["K1"]), tests)).toBeUndefined();
  });
});

it("every mutant of the project fits its file", () => {
  const all = readMutants(project);
  const everything = [...new Set(all.flatMap((m) => m.red))].map((id) => ({
    file: "x",
    title: id,
    name: id,
    outcome: "passed" as const,
    ids: [id],
    ms: 1,
  }));
  expect(all.map((m) => [m.name, unusable(project, m, everything)]).filter(([, why]) => why !== undefined)).toEqual([]);
});
