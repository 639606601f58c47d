// docs/evidence.md is a specification: somebody writes a verifier from it. Guards that it names every check, every member and every
// field that the code writes and checks, and that nothing is added to the code without it.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { verify } from "../../src/verify.ts";
import { membersOf } from "../evidence/archive.ts";
import { goldenDir } from "../evidence/golden.ts";
import { paper, raw } from "./papers.ts";

const page = raw("docs/evidence.md");
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
  const rows = page.slice(page.indexOf("## The checks")).matchAll(/^\| `([a-z-]+)` \|/gm);
  expect([...rows].map((m) => m[1])).toEqual(verify(good).checks.map((c) => c.check));
});

it("names every member, every field beside the log, and every field of a link", () => {
  const table = page.slice(page.indexOf("## The archive"), page.indexOf("## The formulas"));
  for (const name of members.keys()) expect(table).toContain(`| \`${name}\` |`);
  for (const name of ["effects.jsonl", "operators.jsonl"]) for (const f of fieldsOf(name)) expect(table, f).toContain(`\`${f}\``);
  const sources = raw("src/log/evidence-lines.ts");
  for (const list of ["stepFacts", "shownStepFacts", "operatorFacts"]) {
    const body = new RegExp(`const ${list} = \\[([^\\]]+)\\]`).exec(sources)?.[1] ?? "";
    const fields = [...body.matchAll(/"(\w+)"/g)].map((m) => m[1] ?? "");
    expect(fields.length).toBeGreaterThan(0);
    for (const f of fields) expect(table, f).toContain(`\`${f}\``);
  }
  const link = page.slice(page.indexOf("- **link**"), page.indexOf("## The checks"));
  const source = raw("src/verify.ts");
  const canonical = source.slice(source.indexOf("function frameOf("), source.indexOf("// ---- what the events say"));
  const linked = [...canonical.matchAll(/"(\w+)":/g)].map((m) => m[1] ?? "");
  expect(linked).toHaveLength(16);
  expect([...link.matchAll(/`(\w+)`/g)].map((m) => m[1]).filter((f) => linked.includes(f ?? ""))).toEqual(expect.arrayContaining(linked));
});

it("names every member and every field of a line of runs", () => {
  const table = page.slice(page.indexOf("## The archive"), page.indexOf("## The formulas"));
  const line = membersOf(readFileSync(`${goldenDir}/good-line.zip`));
  for (const name of line.keys()) expect(table).toContain(`| \`${name}\``);
  const manifest = JSON.parse(line.get("manifest.json")!) as { line: object };
  const proof = JSON.parse(line.get("proof.json")!) as { effects: object[] };
  const facts = line.get("line.jsonl")!.trim().split("\n");
  const fields = [manifest.line, ...proof.effects, ...facts.map((l) => JSON.parse(l) as object)].flatMap((o) => Object.keys(o));
  for (const f of new Set(fields)) if (f !== "events" && f !== "verdict") expect(table, f).toContain(`\`${f}\``);
});

it("says what is not sealed, and that salts and digests leave with what they would give away", () => {
  const text = paper("docs/evidence.md");
  expect(text).toContain("of a run that goes on, `persistedAt` of the last Commit, which the next one will seal");
  expect(text).toContain("Its salt goes with it, and so do the digests of calls and inputs");
  expect(text).toContain("imports nothing but Node's own modules and shares no code with the rest of Pawl");
});
