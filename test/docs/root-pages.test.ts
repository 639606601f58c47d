// The pages at the root, and the links of all pages: what they quote exists, what they link to exists, and the crash table is the one
// that the crash tests run. Guards against pages that outlive the code.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/errors/catalogue.ts";
import expected from "../crash/expected.json" with { type: "json" };
import { pageText, pageSource, root } from "./read-page.ts";

const files = (dir: string, ending: string): string[] =>
  readdirSync(join(root, dir), { recursive: true, encoding: "utf8" })
    .filter((f) => f.endsWith(ending))
    .map((f) => join(dir, f));
const pages = ["README.md", "ARCHITECTURE.md", "GUARANTEES.md", "CONTRIBUTING.md", ...files("docs", ".md")];

/** What a link may name after the #: the headings of a page, as they are turned into anchors, and ids that it sets itself. */
function anchorsOf(page: string): ReadonlySet<string> {
  const prose = pageSource(page).replaceAll(/^```[\s\S]*?^```$/gm, "");
  const headings = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .replaceAll(/\]\([^)]*\)/g, "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
  return new Set([...headings, ...[...prose.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)]);
}

describe("links", () => {
  it("every link to a file leads to one", () => {
    const broken = pages.flatMap((page) =>
      [...pageSource(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .map((m) => m[1] ?? "")
        .filter((l) => !/^\w+:/.test(l) && !existsSync(resolve(root, dirname(page), l)))
        .map((l) => `${page}: ${l}`),
    );
    expect(broken).toEqual([]);
  });

  it("every link to a heading leads to one", () => {
    const broken = pages.flatMap((page) =>
      [...pageSource(page).matchAll(/\]\(([^)#\s]*)#([^)]+)\)/g)]
        .map(([, file = "", anchor = ""]) => ({ to: file === "" ? page : join(dirname(page), file), anchor }))
        .filter(({ to, anchor }) => to.endsWith(".md") && !to.includes(":") && !anchorsOf(to).has(anchor))
        .map(({ to, anchor }) => `${page}: ${to}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });

  it("every example that a page shows is the file", () => {
    const shown = pages.flatMap((page) =>
      [...pageSource(page).matchAll(/<!-- (examples\/[\w/.-]+\.ts) -->\n+```ts\n([\s\S]*?)```/g)].map(([, file = "", text = ""]) => ({
        page,
        file,
        text,
      })),
    );
    expect(shown.length).toBeGreaterThan(7);
    for (const { page, file, text } of shown) expect(text, `${page}: ${file}`).toBe(pageSource(file));
  });

  it("every error code that a page names is in the catalogue", () => {
    const named = pages.flatMap((p) => pageSource(p).match(/PAWL\d{4}/g) ?? []);
    expect([...new Set(named)].filter((c) => !Object.hasOwn(catalogue, c))).toEqual([]);
  });
});

describe("README.md", () => {
  it("shows the example hello as it is, in twenty lines at most", () => {
    const shown = /<!-- examples\/hello.ts -->\n+```ts\n([\s\S]*?)```/.exec(pageSource("README.md"))?.[1];
    const example = pageSource("examples/hello.ts");
    expect(shown).toBe(example);
    expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
  });

  it("is short: at most 110 lines", () => {
    expect(pageSource("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(110);
  });

  it("names the two commands, and package.json has them", () => {
    expect(pageSource("README.md")).toContain("npm ci && npm run demo");
    expect(pageSource("README.md")).toContain("npm ci && npm test");
    const { scripts } = JSON.parse(pageSource("package.json")) as { scripts: Record<string, string> };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["demo", "test"]));
  });

  it("never says exactly once but to refuse it", () => {
    for (const page of pages.filter((p) => p !== "CONTRIBUTING.md"))
      for (const m of pageText(page).matchAll(/.{60}exactly once.{20}/gi)) expect(m[0], page).toMatch(/nobody can promise|never|not/i);
  });
});

describe("docs/README.md", () => {
  it("leads to every page, itself or over a page that it links to", () => {
    const reached = new Set(["docs/README.md"]);
    for (const page of reached)
      for (const [, link = ""] of pageSource(page).matchAll(/\]\(([^)#:]+\.md)(?:#[^)]*)?\)/g)) {
        const to = join(dirname(page), link);
        if (pages.includes(to)) reached.add(to);
      }
    expect(pages.filter((p) => p !== "README.md" && !reached.has(p))).toEqual([]);
  });
});

const tests = [...files("src", ".ts"), ...files("test", ".ts"), ...files("test", ".json")]
  .map((f) => readFileSync(join(root, f), "utf8"))
  .join("\n");

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

describe("ARCHITECTURE.md", () => {
  const page = pageSource("ARCHITECTURE.md");

  it("names files that exist, in the path of a step and everywhere else", () => {
    const named = [...page.matchAll(/`((?:platform|errors|core|store|codec|log|engine|workflow|client|cli)\/[\w/-]+\.ts)`/g)].map(
      (m) => m[1] ?? "",
    );
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((f) => !existsSync(join(root, "src", f)))).toEqual([]);
  });

  it("every invariant has a guard that names it, and a test that exists", () => {
    const rows = page.match(/^\| I\d+ \|.*$/gm) ?? [];
    expect(rows.length).toBe(12);
    for (const row of rows) {
      const [, id = "", , guard = "", test = ""] = row.split("|").map((c) => c.trim());
      expect(pageSource(`src/${guard.replaceAll("`", "")}`), `${guard} names ${id}`).toMatch(new RegExp(`\\b${id}\\b`));
      expect(tests, id).toContain(JSON.stringify(test));
      expect(tests, `${test} carries ${id}`).toMatch(
        new RegExp(`${escaped(JSON.stringify(test))},[^;]{0,60}?(?:proves\\(|\\[)[^)\\]]*"${id}"`),
      );
    }
  });

  it("every rule of the kernel is named with files that name it, or as not built yet", () => {
    const rows = new Map([...page.matchAll(/^\| (K\d+) \|.*$/gm)].map((m) => [m[1] ?? "", m[0]]));
    const missing = Array.from({ length: 27 }, (_, i) => `K${i + 1}`).filter((id) => !rows.has(id));
    expect(missing.filter((id) => !page.includes(`${id} (`))).toEqual([]);
    for (const [id, row] of rows)
      for (const [, file = ""] of row.matchAll(/`([^`]+\.ts)`/g))
        expect(pageSource(`src/${file}`), `${file} names ${id}`).toMatch(new RegExp(`\\b${id}\\b`));
  });

  it("links every decision", () => {
    for (const f of files("docs/adr", ".md")) expect(page).toContain(`(${f})`);
  });
});

describe("GUARANTEES.md", () => {
  const page = pageSource("GUARANTEES.md");

  const cells = pageSource("docs/guarantees/crash-windows.md");

  it("prints the crash table cell by cell, as the crash tests expect it", () => {
    for (const c of expected) {
      const end = c.end === "decision" ? "waits for a decision" : c.end;
      expect(cells).toContain(`| ${c.window} | ${c.sends} | ${c.effects} | ${end} | ${c.test} |`);
    }
    expect(cells.match(/^\| [A-E] \| \d/gm)?.length).toBe(expected.length);
  });

  it("prints the same cells in short, a row for each class", () => {
    const short = (c: (typeof expected)[number]): string =>
      `${c.sends} / ${c.effects}${c.end === "decision" ? ", asks" : c.end === "FAILED" ? ", fails" : ""}`;
    const classes = [...new Set(expected.map((c) => c.class))];
    for (const cls of classes) {
      const row = expected.filter((c) => c.class === cls).map(short);
      expect(page).toMatch(new RegExp(`^\\| ${escaped(cls)} \\| [^|]+ \\| ${escaped(row.join(" | "))} \\|$`, "m"));
    }
    const windows = page.slice(0, page.indexOf("## Steps on queues"));
    expect(windows.match(/^\|.* \| \d \/ \d.*\|$/gm)?.length).toBe(classes.length);
  });

  it("names the stores on which every cell of the crash table is run", () => {
    for (const text of [page, cells]) expect(text).toContain("Seen on SQLite, Postgres and MariaDB, with real processes and SIGKILL");
    expect(pageSource("test/crash/windows.test.ts")).toContain("expected.forEach");
    const servers = pageSource("test/crash/windows-servers.test.ts");
    expect(servers).toContain("expected.forEach");
    for (const store of ["postgres", "mysql"]) expect(servers).toContain(`["${store}", `);
    expect(pageText("docs/guarantees/crash-windows.md")).toContain("every row but ATOMIC's, which needs SQL, is run on it too");
    expect(pageSource("test/crash/windows-memory.test.ts")).toContain("expected.forEach");
  });

  it("names only tests that exist", () => {
    const later = page.slice(page.indexOf("## What a later run sends again"));
    for (const [text, atLeast] of [
      [later, 7],
      [pageSource("docs/guarantees/promises.md"), 50],
    ] as const) {
      const rows = text.match(/^\|(?! ?promise|-)[^|]+\|[^|]+\|$/gm) ?? [];
      expect(rows.length).toBeGreaterThanOrEqual(atLeast);
      const titles = rows.map((r) => r.split("|")[2]?.trim() ?? "");
      expect(titles.filter((t) => !tests.includes(JSON.stringify(t)))).toEqual([]);
    }
  });

  it("answers whether it could have been charged twice in seven lines, one for each class or case", () => {
    const answer = page.slice(page.indexOf("## Could this have been charged twice?"), page.indexOf("## What this rests on"));
    expect(answer.match(/^\d\. /gm)?.length).toBe(7);
    for (const cls of ["ATOMIC", "KEYED", "VERIFIED", "AT-MOST-ONCE", "REPEATABLE", "UNDECLARED"]) expect(answer).toContain(cls);
  });

  it("says what it rests on", () => {
    for (const said of [
      "fsync",
      "Network file systems are not supported",
      "honours its key",
      "tells the truth",
      "never depends on a clock",
    ])
      expect(pageText("GUARANTEES.md")).toContain(said);
  });
});
