// Smaller pages: the index of errors against the catalogue, the verbs of the port against the port, and what the pages about
// stores and versions claim. Guards that nothing is left out when something is added.
import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/errors/catalogue.ts";
import { suite } from "../../src/store/suite/index.ts";
import { pageText, pageSource } from "./read-page.ts";
import { proves } from "../support/proves.ts";

describe("docs/errors.md", () => {
  it("lists every code with its name and its fix", () => {
    for (const [code, { name, fix }] of Object.entries(catalogue))
      expect(pageText("docs/errors.md")).toContain(`| [${code}](errors/${code}.md) | ${name} | ${fix.replaceAll("|", "\\|")} |`);
  });
});

describe("docs/store-port.md", () => {
  it("names every verb of the port", () => {
    const port = pageSource("src/store/port.ts");
    const body = port.slice(port.indexOf("export interface Store {"));
    const verbs = [...body.matchAll(/^ {2}(\w+)(?:<\w+>)?\(/gm)].map((m) => m[1] ?? "");
    expect(verbs.length).toBeGreaterThan(14);
    expect(verbs.filter((v) => !new RegExp(`^\\|.*\`${v}\`.*\\|`, "m").test(pageSource("docs/store-port.md")))).toEqual([]);
  });
});

describe("docs/store-port.md, what a store promises", () => {
  const text = pageText("docs/store-port.md");
  it("states the five guarantees, each with a case of the suite that every store passes", proves("L-70"), () => {
    const said = [
      ...text.matchAll(
        /- (each step commits once|no partial commits|keys prevent duplicates|recovery is safe[^:]*|concurrency is handled): "([^"]+)"/g,
      ),
    ];
    expect(said).toHaveLength(5);
    for (const [, , title] of said)
      expect(
        suite.map((c) => c.title).filter((t) => t.includes(title ?? "?")),
        title,
      ).toHaveLength(1);
  });
  it("names the four mechanisms", proves("L-71"), () => {
    expect(text).toContain("four mechanisms: one atomic commit, a deterministic key, a constraint of the database, and resuming");
  });
});

describe("docs/stores/sqlite.md", () => {
  it("names every setting that a connection is opened with", () => {
    const set = [...pageSource("src/store/sqlite/open.ts").matchAll(/pragma (\w+) = /g)].map((m) => m[1] ?? "");
    const shown = [...pageSource("docs/stores/sqlite.md").matchAll(/^\| `(\w+)` \|/gm)].map((m) => m[1] ?? "");
    expect(shown.toSorted()).toEqual([...new Set(set)].toSorted());
  });
});

describe("docs/versioning.md", () => {
  it("says that a divergence pauses and never fails a run, and what to do", () => {
    const page = pageText("docs/versioning.md");
    expect(page).toContain('PAWL1006, status PAUSED, with an event RunPaused `{category: "DIVERGED"}`');
    expect(page).toContain("the run does not fail. Fix the code, deploy, and `resume` the run");
  });
});
