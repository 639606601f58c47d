// The house's rules, each tried on a planted violation and on its nearest innocent neighbour. A rule that catches nothing
// is worse than none, because it is trusted.
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { browserProblems } from "./browser.mjs";
import { contractIdProblems } from "./contract-ids.mjs";
import { exportProblems } from "./exports.mjs";
import { layerProblems } from "./layers.mjs";
import { lockProblems } from "./lock.mjs";
import { machineProblems } from "./machine.mjs";
import { markupProblems } from "./markup.mjs";
import { pageProblems } from "./pages.mjs";
import { headerProblems, refusedIn, wordProblems } from "./prose.mjs";
import { quarantineProblems } from "./quarantine.mjs";
import { fileSizes, folderSizes, sizeProblems } from "./sizes.mjs";
import { stateProblems } from "./state.mjs";
import { titleProblems } from "./titles.mjs";
import { readTree } from "./tree.mjs";
import { refusedPhrasesIn, vocabularyProblems } from "./vocabulary.mjs";

const header = "// One thing.\n// And what it must never do.\n";
const one = (path: string, text: string): Map<string, string> => new Map([[path, header + text]]);
const count = (rule: (t: Map<string, string>) => unknown[], path: string, text: string): number => rule(one(path, text)).length;

describe("markup", () => {
  it.each([`e.innerHTML = x;`, `<p dangerouslySetInnerHTML={x} />;`, `e["a"].insertAdjacentHTML("x", y);`, `new DOMParser();`])(
    "the dashboard may not say %s",
    (text) => {
      expect(count(markupProblems, "dashboard/parts/a.tsx", text)).toBe(1);
    },
  );
  it("text nodes are fine", () => {
    expect(count(markupProblems, "dashboard/parts/a.tsx", `<p title={x}>{y}</p>;`)).toBe(0);
  });
});

describe("browser", () => {
  it("the dashboard takes its few packages, and nothing of Node", () => {
    const page = (text: string): unknown[] => browserProblems(one("dashboard/main.tsx", text));
    expect(page(`import { render } from "preact";\nimport "./style/a.css";`)).toEqual([]);
    expect([page(`import "node:fs";`), page(`import { z } from "zod";`)].map((p) => p.length)).toEqual([1, 1]);
  });

  const loaded = (text: string): unknown[] =>
    browserProblems(
      new Map([
        ["src/http.ts", `${header}export { a } from "./client/a.ts";`],
        ["src/client/a.ts", `${header}import { b } from "../core/b.ts";\nimport type { c } from "../core/c.ts";\nexport const a = b;`],
        ["src/core/b.ts", `${header}${text}\nexport const b = 1;`],
        ["src/core/c.ts", `${header}import "node:fs";`],
      ]),
    );

  it.each([
    `import "node:fs";`,
    `import { z } from "zod";`,
    `export * from "fs";`,
    `await import("node:os");`,
    `Buffer.from("");`,
    `process.exit();`,
  ])("what pawl/http imports, however far below, may not say %s", (text) => {
    expect(loaded(text)).toHaveLength(1);
  });

  it.each([
    `import type { A } from "node:fs";`,
    `type B = import("zod").B;`,
    `const o = { Buffer: 1 };`,
    `(o as { process?: number }).process;`,
  ])("%s is harmless", (text) => {
    expect(loaded(text)).toEqual([]);
  });

  it("the project's own files are clean, and the rule has seen them", () => {
    const tree = readTree(fileURLToPath(new URL("../..", import.meta.url)));
    expect(browserProblems(tree)).toEqual([]);
    const spoilt = new Map(tree).set("src/codec/tags.ts", `${header}import "node:os";`);
    expect(browserProblems(spoilt)).toHaveLength(1);
  });
});

describe("layers", () => {
  it.each([
    ["src/store/port.ts", "../engine/engine.ts"],
    ["src/platform/x.ts", "../errors/error.ts"],
    ["src/core/x.ts", "../platform/platform.ts"],
    ["src/core/x.ts", "../store/port.ts"],
    ["src/core/x.ts", "node:path"],
    ["src/core/x.ts", "canonicalize"],
    ["src/engine/x.ts", "../store/sqlite/store.ts"],
    ["src/engine/x.ts", "../index.ts"],
    ["src/store/sqlite/store.ts", "../memory/store.ts"],
    ["src/store/sqlite/store.ts", "../../log/append-authority.ts"],
    ["src/engine/x.ts", "../../test/support/compile-folder.ts"],
    ["src/engine/x.ts", "node:fs"],
    ["src/engine/x.ts", "fs"],
    ["src/cli/x.ts", "node:child_process"],
    ["src/engine/x.ts", "node:crypto"],
    ["src/store/sqlite/store.ts", "node:sqlite"],
    ["src/store/sqlite/other/driver.ts", "@photostructure/sqlite"],
    ["src/platform/x.ts", "pg"],
    ["src/verify.ts", "./platform/hash.ts"],
    ["src/verify.ts", "canonicalize"],
    ["src/index.ts", "node:fs"],
    ["src/client/x.ts", "zod"],
    ["src/server/x.ts", "jose"],
    ["src/server/x.ts", "@modelcontextprotocol/server"],
  ])("%s may not import %s", (path, specifier) => {
    for (const form of [
      `import { a } from "S";`,
      `import type { a } from "S";`,
      `export * from "S";`,
      `export { a } from "S";`,
      `await import("S");`,
      `type A = import("S").A;`,
    ]) {
      expect(count(layerProblems, path, form.replace("S", specifier)), form).toBeGreaterThan(0);
    }
  });

  it.each([
    ["src/engine/x.ts", "../store/port.ts"],
    ["src/engine/x.ts", "../core/model.ts"],
    ["src/core/x.ts", "../errors/error.ts"],
    ["src/store/sqlite/store.ts", "../port.ts"],
    ["src/store/sqlite/store.ts", "../keys.ts"],
    ["src/store/sqlite/store.ts", "./sql.ts"],
    ["src/store/sqlite/store.ts", "../../platform/platform.ts"],
    ["src/store/sqlite/wire/driver.ts", "node:sqlite"],
    ["src/index.ts", "./store/sqlite/store.ts"],
    ["src/cli/x.ts", "../sqlite.ts"],
    ["src/engine/x.test.ts", "../store/sqlite/store.ts"],
    ["src/engine/x.ts", "node:path"],
    ["src/verify.ts", "node:crypto"],
    ["src/platform/x.ts", "node:fs"],
    ["src/api/schemas/x.ts", "zod"],
    ["src/server/access/jwt.ts", "jose"],
    ["src/mcp/x.ts", "@modelcontextprotocol/server"],
  ])("%s may import %s", (path, specifier) => {
    expect(layerProblems(one(path, `import { a } from "${specifier}";`))).toEqual([]);
  });

  it("a driver's name is caught in a string, and a folder that is no layer is named", () => {
    expect(count(layerProblems, "src/engine/x.ts", `load("node:sqlite");`)).toBe(1);
    expect(count(layerProblems, "src/common/x.ts", "")).toBe(1);
  });

  it("a comment or a string that looks like an import is none", () => {
    expect(layerProblems(one("src/core/x.ts", `// import "node:fs";\nconst s = 'import "node:fs"';`))).toEqual([]);
  });
});

describe("the machine", () => {
  it.each([
    "Date.now();",
    "const f = Date.now;",
    'Date["now"]();',
    "const { now } = Date;",
    "new Date();",
    "Date();",
    "const D = Date;",
    "performance.now();",
    "Math.random();",
    "const { random } = Math;",
    "crypto.randomUUID();",
    "setTimeout(() => {}, 1);",
    "setImmediate(f);",
    "setInterval(f, 1);",
    "AbortSignal.timeout(5);",
    'fetch("x");',
    "process.exit(1);",
    'console.log("x");',
    "globalThis.process;",
    "const f = { fetch };",
    "f(setTimeout);",
    "const x = (process: string) => process;",
    'new WebSocket("x");',
    'new Function("x");',
  ])("%s is caught outside platform", (text) => {
    expect(count(machineProblems, "src/engine/x.ts", text)).toBeGreaterThan(0);
    expect(machineProblems(one("src/platform/x.ts", text))).toEqual([]);
    expect(machineProblems(one("src/engine/x.test.ts", text))).toEqual([]);
  });

  it.each([
    "new Date(5);",
    "x instanceof Date;",
    "Date.UTC(2020, 1);",
    "Math.floor(1.5);",
    "new AbortController();",
    "platform.setTimeout(1);",
    "const o = { process: 1 };",
    'const s = "Date.now()";',
    "// Date.now()",
    "class A { fetch() {} }",
    "interface A { console: string }",
    "queueMicrotask(f);",
  ])("%s is innocent", (text) => {
    expect(machineProblems(one("src/engine/x.ts", text))).toEqual([]);
  });
});

describe("prose", () => {
  it("a file without a header, or with one that is too short or long, is caught", () => {
    const problems = (text: string): number => headerProblems(new Map([["src/core/x.ts", text]])).length;
    expect(problems("export const a = 1;\n")).toBe(1);
    expect(problems("// one line\nexport const a = 1;\n")).toBe(1);
    expect(problems("// line\n".repeat(13))).toBe(1);
    expect(problems(`${header}export const a = 1;\n`)).toBe(0);
    expect(problems(`#!/usr/bin/env node\n${header}export const a = 1;\n`)).toBe(0);
    expect(problems("/*\n * two\n */\nexport const a = 1;\n")).toBe(0);
  });

  it("a file over 400 lines is a warning and no error", () => {
    const problems = headerProblems(one("src/core/x.ts", "x;\n".repeat(400)));
    expect(problems).toEqual([expect.objectContaining({ warning: true })]);
  });

  it.each([
    "const jobId = 1;",
    "class ActivityRunner {}",
    "// an instance of it",
    "/* the manager */",
    "const o = { helper: 1 };",
    "type ExecutionId = string;",
    "f(utils);",
  ])("the refused word in %s is caught", (text) => {
    expect(count(wordProblems, "src/engine/x.ts", text)).toBeGreaterThan(0);
  });

  it.each([
    'const f = "activityName";',
    '// the field `activityName` and "jobId" of the contract',
    "x instanceof Y;",
    'import { inspect } from "node:util";',
    "const jobber = 1;",
    "expect(x).toBeInstanceOf(Y);",
  ])("%s is innocent", (text) => {
    expect(wordProblems(one("src/engine/x.ts", text))).toEqual([]);
  });

  it("a file's name is checked too, and words are taken apart at case changes", () => {
    expect(count(wordProblems, "src/engine/lease-manager.ts", "")).toBe(1);
    expect(refusedIn("HTTPJobs")).toEqual(["jobs"]);
    expect(refusedIn("snake_activities_x")).toEqual(["activities"]);
    expect(refusedIn("reactivity")).toEqual([]);
  });
});

describe("error pages", () => {
  const catalogue = `${header}export const catalogue = { PAWL1001: { name: "Bad", fix: "x" } } as const;\n`;
  const page = [
    "# PAWL1001 Bad",
    ...["What happened", "Why", "What is known", "What to do"].map((s) => `\n## ${s}\n\nA sentence of some length.`),
    "",
  ].join("\n");
  const problems = (...pages: [string, string][]): string[] =>
    pageProblems(new Map([["src/errors/catalogue.ts", catalogue], ...pages])).map((p: { message: string }) => p.message);

  it("a code without a page, and a page without a code, are caught", () => {
    expect(problems()).toEqual(["PAWL1001 has no page docs/errors/PAWL1001.md"]);
    expect(problems(["docs/errors/PAWL1001.md", page])).toEqual([]);
    expect(problems(["docs/errors/PAWL1001.md", page], ["docs/errors/PAWL9999.md", page])).toEqual(["no code PAWL9999 in the catalogue"]);
  });

  it("a page with another title, or with an empty section, is caught", () => {
    expect(problems(["docs/errors/PAWL1001.md", page.replace("Bad", "Good")])).toHaveLength(1);
    expect(problems(["docs/errors/PAWL1001.md", page.replace("## Why\n\nA sentence of some length.", "## Why\n")])).toHaveLength(1);
  });
});

describe("the lock file", () => {
  const problems = (packages: object): number => lockProblems(new Map([["package-lock.json", JSON.stringify({ packages })]])).length;

  it("a missing binding and a named registry are caught", () => {
    const a = { version: "1.0.0", optionalDependencies: { "@a/linux": "1.0.0" } };
    expect(problems({ "node_modules/a": a })).toBe(1);
    expect(problems({ "node_modules/a": a, "node_modules/@a/linux": { version: "1.0.0" } })).toBe(0);
    expect(problems({ "node_modules/b": { version: "1.0.0", resolved: "https://host/b.tgz" } })).toBe(1);
    expect(lockProblems(new Map())).toHaveLength(1);
  });
});

it("the project's own files are found, and what is generated is not", () => {
  const paths = [...readTree(fileURLToPath(new URL("../..", import.meta.url))).keys()];
  expect(paths).toContain("src/store/port.ts");
  expect(paths.filter((p) => p.includes("node_modules") || p.startsWith("dist/"))).toEqual([]);
});

describe("titles", () => {
  it.each([
    `it("I7 nothing is sent", () => {});`,
    "it(`K1 ${name} is so`, async () => {});",
    `it.each(cases)("nothing is sent (K27)", { timeout: 1 }, () => {});`,
    `describe("D-004 … D-007 known events", () => {});`,
    `suiteCase("W-119 a lost fence", [], async () => {});`,
  ])("a contract id has no place in a title: %s", (text) => {
    expect(count(titleProblems, "src/engine/x.test.ts", text)).toBeGreaterThan(0);
    expect(count(titleProblems, "src/store/suite/x.ts", text)).toBeGreaterThan(0);
  });

  it.each([
    `it("nothing is sent", proves("I7"), () => {});`,
    `it("a digest of SHA-256", () => {});`,
    `expect(idsIn("I3 W-119 a lost fence")).toEqual([]);`,
  ])("ids elsewhere are nobody's business here: %s", (text) => {
    expect(count(titleProblems, "src/engine/x.test.ts", text)).toBe(0);
  });
});

describe("quarantine", () => {
  const path = "src/engine/x.test.ts";
  const tagged = `it("a lease is kept", { timeout: 9, tags: ["quarantined"] }, () => {});`;
  const list = (why: string, title = "a lease is kept"): string => JSON.stringify([{ file: path, title, why }]);
  const of = (text: string, quarantined: string): number =>
    quarantineProblems(new Map([...one(path, text), ["test/quarantine.json", quarantined]])).length;

  it("a quarantined test is listed with its reason, and what is listed is quarantined", () => {
    expect(of(tagged, list("its lease runs out on a busy machine"))).toBe(0);
    expect(of(tagged, "[]")).toBe(1);
    expect(of(tagged, list(""))).toBe(1);
    expect(of(`it("a lease is kept", () => {});`, list("its lease runs out on a busy machine"))).toBe(1);
    expect(of(tagged, list("its lease runs out on a busy machine", "another"))).toBe(2);
  });

  it("no other test is tried again, neither by its options nor by the configuration", () => {
    expect(of(`it("a", { retry: 1 }, () => {});`, "[]")).toBe(1);
    expect(of(`it("a", { timeout: 1 }, () => {}); ctx.step("a", { retry: 1 });`, "[]")).toBe(0);
    const config = (text: string): number => quarantineProblems(new Map([["vitest.config.ts", text]])).length;
    expect(config(`{ tags: [{ name: "quarantined", retry: 2 }] }`)).toBe(0);
    expect(config(`{ retry: 1, tags: [{ name: "quarantined", retry: 2 }] }`)).toBe(1);
  });
});

describe("exports", () => {
  const of = (...files: [path: string, text: string][]): string[] =>
    exportProblems(new Map(files.map(([path, text]) => [path, header + text]))).map((p: { message: string }) => p.message);

  it.each([
    "export function look() {}",
    "export const look = 1;",
    "export class look {}",
    "export type look = string;",
    "export interface look {}",
  ])("a name that two modules export is caught: %s", (text) => {
    expect(of(["src/engine/a.ts", text], ["src/client/b.ts", "export const look = 2;"])).toEqual([
      "look is also exported by src/client/b.ts: give each its own name",
    ]);
  });

  it("the twins of the databases are not, but two in the folder of one database are", () => {
    const twin = "export const toRun = 1;";
    expect(of(["src/store/sqlite/rows.ts", twin], ["src/store/mysql/rows.ts", twin])).toEqual([]);
    expect(of(["src/store/sqlite/rows.ts", twin], ["src/store/sqlite/runs.ts", twin])).toHaveLength(1);
    expect(of(["src/store/sqlite/rows.ts", twin], ["src/store/rules.ts", twin])).toHaveLength(1);
  });

  it("a re-export, an overload, a local name and a test are innocent", () => {
    expect(of(["src/a.ts", "export const x = 1;"], ["src/index.ts", 'export { x } from "./a.ts";'])).toEqual([]);
    expect(of(["src/a.ts", "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f() {}"])).toEqual(
      [],
    );
    expect(of(["src/a.ts", "export const x = 1;"], ["src/b.ts", "const x = 2;"], ["src/b.test.ts", "export const x = 3;"])).toEqual([]);
  });
});

describe("sizes", () => {
  const files = (n: number, more: [string, string][] = []): Map<string, string> =>
    new Map([...Array.from({ length: n }, (_, i): [string, string] => [`src/engine/f${i}.ts`, header]), ...more]);

  it("a folder with more than 24 files of source is caught; tests beside them do not count", () => {
    expect(sizeProblems(files(25))).toHaveLength(1);
    expect(sizeProblems(files(24, [["src/engine/f1.test.ts", header]]))).toEqual([]);
  });

  it("a page with more than 200 lines is caught; a reference may be longer", () => {
    const page = (path: string, lines: number): [string, string][] => [[path, "x\n".repeat(lines)]];
    expect(sizeProblems(new Map(page("docs/guide.md", 201)))).toHaveLength(1);
    expect(sizeProblems(new Map([...page("docs/cli/act.md", 200), ...page("docs/reference/cli.md", 880)]))).toEqual([]);
  });

  it("the largest folder and the longest file come first", () => {
    const tree = files(3, [["src/core/long.ts", `${header}x;\n`.repeat(9)]]);
    expect([folderSizes(tree)[0], fileSizes(tree)[0]]).toEqual([
      ["src/engine", 3],
      ["src/core/long.ts", 27],
    ]);
  });
});

describe("the state of a run", () => {
  const of = (body: string, name = "LiveRun"): number =>
    count(stateProblems, "src/engine/run/live-run.ts", `export class ${name} { ${body} }`);

  it.each(["isPaused = false;", "open: Map<string, string> | null = null;", "set isPaused(v: boolean) {}"])(
    "a member that another file could assign is caught: %s",
    (body) => {
      expect(of(body)).toBe(1);
      expect(of(body, "RunState")).toBe(1);
    },
  );

  it.each([
    "#isPaused = false;",
    "private isPaused = false;",
    "readonly open = 1;",
    "get isPaused() { return true; }",
    "pause() {}",
    "static all = 1;",
  ])("%s is innocent", (body) => {
    expect(of(body)).toBe(0);
  });

  it("that nothing holds the state is a problem too: a rule that looks at nothing is worth nothing", () => {
    expect(of("a = 1;", "Other")).toBe(1);
  });
});

describe("the vocabulary", () => {
  it.each([
    ["src/engine/x.ts", "// Whoever waits is told."],
    ["src/engine/x.ts", "/** It goes on. */"],
    ["src/engine/x.ts", 'throw new Error("the store was mended");'],
    ["src/engine/x.ts", "f(`what may not have happened ${x}`);"],
    ["src/cli/x.ts", 'const o = { summary: "let paused runs go on" };'],
    ["docs/guide.md", "The papers say so."],
    ["README.md", "A run belongs to its user: he starts it."],
  ])("%s: %s is caught", (path, text) => {
    expect(count(vocabularyProblems, path, text)).toBeGreaterThan(0);
  });

  it.each([
    ["src/engine/x.ts", "const told = 1;"],
    ["src/engine/x.ts", 'const kind = "told";'],
    ["src/engine/x.ts", "// the member `shelf` of a row"],
    ["src/store/mysql/x.ts", 'const sql = "select value from shelves where shelf = ?";'],
    ["src/engine/x.test.ts", "// Whoever waits is told."],
    ["docs/guide.md", "```ts\n// it goes on\n```\n"],
    ["contract/events.md", "It goes on."],
    ["CHANGELOG.md", "It goes on."],
  ])("%s: %s is innocent", (path, text) => {
    expect(vocabularyProblems(one(path, text))).toEqual([]);
  });

  it("says what to write instead", () => {
    expect(refusedPhrasesIn("it went on")).toEqual([{ found: "went on", instead: "continue", at: 3 }]);
  });
});

describe("contract ids", () => {
  it.each([
    ["docs/guide.md", "It is kept (W-048)."],
    ["docs/errors/PAWL1001.md", "See K12."],
    ["src/cli/x.ts", 'printNote("as K5 says");'],
    ["src/errors/catalogue.ts", 'const c = { fix: "See D-004." };'],
  ])("%s: %s is caught", (path, text) => {
    expect(count(contractIdProblems, path, text)).toBe(1);
  });

  it.each([
    ["docs/contract.md", "K12 and W-048."],
    ["docs/campaign.md", "K12"],
    ["docs/adr/0001-x.md", "K12"],
    ["src/cli/x.ts", "// K5: control needs no code"],
    ["src/engine/x.ts", 'f("K5");'],
  ])("%s: %s is innocent", (path, text) => {
    expect(contractIdProblems(one(path, text))).toEqual([]);
  });
});
