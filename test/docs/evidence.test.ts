// docs/reference/evidence-*.md is a specification: people write verifiers from it. Guards that it names every check, every member
// and every field that the code writes and checks, and that nothing is added to the code without it.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { verify } from "../../src/verify.ts";
import { membersOf } from "../evidence/archive.ts";
import { goldenDir } from "../evidence/golden.ts";
import { pageText, pageSource } from "./read-page.ts";

const format = pageSource("docs/reference/evidence-format.md");
const checks = pageSource("docs/reference/evidence-checks.md");
const good = readFileSync(`${goldenDir}/good-signed.zip`);
const members = membersOf(good);
const fieldsOf = (name: string): Set<string> =>
  new Set(
    members
      .get(name)!
      .trim()
      .split("\n")
      .flatMap((l) => Object.keys(JSON.parse(l) as object)),
  );

it("has a row for every check, in the order in which they are made, and no other", () => {
  const rows = checks.slice(checks.indexOf("## The checks"), checks.indexOf("## External runs")).matchAll(/^\| `([a-z-]+)` \|/gm);
  expect([...rows].map((m) => m[1])).toEqual(verify(good).checks.map((c) => c.check));
});

it("names every member, every field beside the log, and every field of a link", () => {
  const table = format.slice(format.indexOf("## The archive"), format.indexOf("## The formulas"));
  for (const name of members.keys()) expect(table).toContain(`| \`${name}\` |`);
  for (const name of ["effects.jsonl", "operators.jsonl"]) for (const f of fieldsOf(name)) expect(table, f).toContain(`\`${f}\``);
  const sources = pageSource("src/log/evidence-events.ts");
  for (const list of ["stepFacts", "shownStepFacts", "operatorFacts"]) {
    const body = new RegExp(`const ${list} = \\[([^\\]]+)\\]`).exec(sources)?.[1] ?? "";
    const fields = [...body.matchAll(/"(\w+)"/g)].map((m) => m[1] ?? "");
    expect(fields.length).toBeGreaterThan(0);
    for (const f of fields) expect(table, f).toContain(`\`${f}\``);
  }
  const link = format.slice(format.indexOf("- **link**"));
  const source = pageSource("src/verify.ts");
  const canonical = source.slice(source.indexOf("function frameOf("), source.indexOf("// ---- what the events say"));
  const linked = [...canonical.matchAll(/"(\w+)":/g)].map((m) => m[1] ?? "");
  expect(linked).toHaveLength(16);
  expect([...link.matchAll(/`(\w+)`/g)].map((m) => m[1]).filter((f) => linked.includes(f ?? ""))).toEqual(expect.arrayContaining(linked));
});

it("names every member and every field of a run chain", () => {
  const table = format.slice(format.indexOf("## The archive"), format.indexOf("## The formulas"));
  const line = membersOf(readFileSync(`${goldenDir}/good-line.zip`));
  for (const name of line.keys()) expect(table).toContain(`| \`${name}\``);
  const manifest = JSON.parse(line.get("manifest.json")!) as { line: object };
  const proof = JSON.parse(line.get("proof.json")!) as { effects: object[] };
  const facts = line.get("line.jsonl")!.trim().split("\n");
  const fields = [manifest.line, ...proof.effects, ...facts.map((l) => JSON.parse(l) as object)].flatMap((o) => Object.keys(o));
  for (const f of new Set(fields)) if (f !== "events" && f !== "verdict") expect(table, f).toContain(`\`${f}\``);
});

it("says what is not sealed, and that salts and digests leave with what they would give away", () => {
  const text = pageText("docs/evidence.md");
  expect(text).toContain("If the run has not ended: `persistedAt` of the last commit, which the next commit will seal");
  expect(text).toContain("The payload's salt is removed with it, and so are the digests of calls and inputs");
  expect(text).toContain("imports nothing but Node's own modules and shares no code with the rest of Pawl");
});
