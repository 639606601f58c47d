// The words around the commands: help, version, usage errors, init, explain, completion, and the page that documents them.
// Everything is made from one list of commands, and nothing of it may lag behind.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { commands } from "../../src/cli/command-list.ts";
import { explainCommand } from "../../src/cli/commands/help/explain.ts";
import { catalogue } from "../../src/errors/catalogue.ts";
import * as terminal from "../../src/platform/terminal.ts";
import { killCommands, CliFolder } from "./pawl-process.ts";

vi.mock("../../src/platform/terminal.ts", async (original) => ({ ...(await original<typeof terminal>()), writeOut: vi.fn() }));
afterEach(killCommands);

const version = (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;

it("version, help and no arguments answer on stdout, without a store", async () => {
  const place = new CliFolder();
  const [plain, json, flag, none, help, of] = await place.all([
    ["version"],
    ["version", "--json"],
    ["--version"],
    [],
    ["--help"],
    ["help", "run"],
  ]);
  expect([plain?.out, json?.out, flag?.out]).toEqual([`${version}\n`, `{"version":"${version}"}\n`, `${version}\n`]);
  for (const c of commands) expect(help?.out).toContain(`  ${c.name} `);
  expect([none?.code, none?.out]).toEqual([0, help?.out]);
  expect(of?.out).toContain("--input <json|@file|->");
  expect(existsSync(join(place.dir, ".pawl"))).toBe(false);
});

it("every command on a store says whose runs it is about", () => {
  const flags = (c: (typeof commands)[number]): string[] => Object.values(c.options).map((o) => o.flags.split(" ")[0] ?? "");
  const without = commands.filter((c) => flags(c).includes("--store") && !flags(c).includes("--tenant"));
  // It makes a store of its own, of the kind that --store names.
  expect(without.map((c) => c.name)).toEqual(["crashtest"]);
});

it("what cannot be understood is exit code 2, with a code, a fix and where to read more", async () => {
  const place = new CliFolder();
  const ends = await place.all([
    ["lss"],
    ["ls", "--nope"],
    ["inspect"],
    ["signal", "x"],
    ["ls", "--limit", "many"],
    ["ls", "--status", "DONE"],
    ["inspect", "a", "b"],
  ]);
  for (const e of ends) {
    expect([e.code, e.out], e.err).toEqual([2, ""]);
    expect(e.err).toMatch(/^PAWL4011 BadRequest: [^\n]+\n {2}fix {3}[^\n]+\n {2}more {2}pawl explain PAWL4011/);
  }
  expect(ends[0]?.err).toContain("Did you mean ls?");
  expect(ends[2]?.err).toContain("pawl help inspect");
  const json = await place.pawl("lss", "--json");
  expect(JSON.parse(json.err)).toMatchObject({ code: "PAWL4011", title: "BadRequest", fix: catalogue.PAWL4011.fix });
});

it("init writes an example that runs, and overwrites nothing", async () => {
  const place = new CliFolder();
  const made = await place.pawl("init", "first.ts");
  expect([made.code, made.out]).toEqual([0, "first.ts\n"]);
  expect(made.err).toContain("next: pawl run ./first.ts");
  expect((await place.json("ls")).runs).toEqual([]);
  place.write("first.ts", readFileSync(join(place.dir, "first.ts"), "utf8").replace('"5s"', '"1ms"'));
  expect((await place.json("run", "./first.ts")).result).toMatchObject({ greeting: "Hello, world" });
  const again = await place.pawl("init", "first.ts");
  expect([again.code, again.err.includes("PAWL5007")]).toEqual([5, true]);
  expect((await place.pawl("init", "first.txt")).code).toBe(2);
});

it("explain prints the page of every code, by code, number and name", async () => {
  const written = vi.mocked(terminal.writeOut);
  for (const [code, { name }] of Object.entries(catalogue)) {
    for (const asked of [code, code.toLowerCase(), code.slice(4), name]) {
      written.mockClear();
      await explainCommand([asked], {});
      expect(written.mock.calls[0]?.[0]).toBe(readFileSync(`docs/errors/${code}.md`, "utf8"));
    }
  }
  const place = new CliFolder();
  const [page, json, list, unknown] = await place.all([
    ["explain", "PAWL4009"],
    ["explain", "RunNotFound", "--json"],
    ["explain"],
    ["explain", "PAWL9999"],
  ]);
  expect(page?.out).toMatch(/^# PAWL4009 InputMismatch\n/);
  expect(JSON.parse(json?.out ?? "")).toMatchObject({ code: "PAWL4001", name: "RunNotFound" });
  expect(list?.out.trim().split("\n").length).toBe(Object.keys(catalogue).length);
  expect(unknown?.code).toBe(2);
});

it("completion scripts name every command and its flags", async () => {
  const place = new CliFolder();
  const [bash, zsh, fish, other] = await place.all([
    ["completion", "bash"],
    ["completion", "zsh"],
    ["completion", "fish"],
    ["completion", "tcsh"],
  ]);
  for (const c of commands) {
    expect(bash?.out).toContain(`    ${c.name}) words=`);
    expect(zsh?.out).toContain(`'${c.name}:`);
    expect(fish?.out).toContain(`-a ${c.name} `);
  }
  for (const s of [bash, zsh]) expect(s?.out).toContain("--from-step");
  expect(fish?.out).toContain("-l from-step");
  expect(other?.code).toBe(2);
});

it("docs/cli.md names every command and every exit code; the reference has every option of each", () => {
  const page = readFileSync("docs/cli.md", "utf8");
  const reference = readFileSync("docs/reference/cli.md", "utf8");
  for (const c of commands) {
    expect(page).toMatch(new RegExp(`\\bpawl ${c.name}\\b`));
    const section = reference.split(`### pawl ${c.name}\n`)[1]?.split("\n### ")[0] ?? "";
    for (const o of c.options) expect(section, `${c.name} ${o.flags}`).toContain(o.flags.replaceAll("|", "\\|"));
  }
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 130]) expect(page).toMatch(new RegExp(`\\| ${code} +\\|`));
});
