// `pawl crashtest` with real processes and real kills: what it prints, what it finds, how it ends, on SQLite and on a server.
// Few kills at a time: each is two processes. The files are a user's, in a folder where nothing is installed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CrashCell } from "../../src/testing.ts";
import { rawConnection } from "../mysql/bundle.ts";
import { dropSchema, freshPlace, raw } from "../postgres/bundle.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { sharedPostgres } from "../support/postgres.ts";
import { killCommands, CliFolder } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

vi.setConfig({ testTimeout: 120_000 }); // many processes, on machines that are busy
afterEach(killCommands);

const orderFile = `import { workflow } from "pawl";
import { world } from "pawl/testing";
const bank = world();
const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } } as never;
interface Input { id: string }
export const order = workflow({ name: "order", input: any, signals: { go: any } }, async (ctx, input: Input) => {
  await ctx.step("charge", async (s) => bank.record("charge", s.key), { key: input.id, dedup: "1d" });
  await ctx.sleep("night", "8h");
  await ctx.receive("go");
  await ctx.step("mail", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    bank.record("mail");
  });
  await ctx.step("payout", () => bank.record("payout"), { once: true });
  return input.id;
});
`;
const common = ["crashtest", "./order.ts", "-P", "id=o-1", "--signal", "go=1"];

it(
  "finds what happens twice, with its line, and ends with exit code 9; what keeps its promise is left alone",
  proves("C7", "I6"),
  async () => {
    const place = new CliFolder({ "order.ts": orderFile });
    const kills = ["--step", "charge", "--step", "mail", "--step", "payout", "--window", "d"];
    const scratch = new CliFolder();
    const { code, out, err } = await place.start([...common, ...kills], { TMPDIR: scratch.dir }).ended;
    expect(err).toBe("");
    expect(out).toContain("order killed 3 times, sqlite, in real processes\n");
    expect(out).toMatch(/^charge +KEYED +· +· +· +✔ once +·$/m);
    expect(out).toMatch(/^mail +UNDECLARED +· +· +· +✘ twice +·$/m);
    expect(out).toMatch(/^payout +AT-MOST-ONCE +· +· +· +\? once, asks +·$/m);
    expect(out).toContain("✘ mail happened twice instead of once\n  killed in  mail (D)\n  step at    order.ts:10:13\n");
    expect(out).toContain('    > 10 |   await ctx.step("mail", async () => {\n');
    expect(out).toMatch(/ {2}change {5}say what is true of it: \{ key, dedup \}/);
    expect(out).toContain("✘ 1 of 3 kills broke a promise\n");
    expect(code).toBe(9);
    expect([readdirSync(place.dir), readdirSync(scratch.dir)]).toEqual([["order.ts"], []]);
  },
);

it(
  "with --json the cells are data; a workflow that keeps its promises ends with exit code 0, with no world at all",
  proves("C6", "C7", "C10"),
  async () => {
    const place = new CliFolder({
      "two.ts": `import { workflow } from "pawl";
export const two = workflow({ name: "two" }, async (ctx) => {
  await ctx.step("first", () => 1, { repeatable: true });
  return ctx.step("second", () => 2, { key: "k", dedup: "1d" });
});
export const other = workflow({ name: "other" }, async () => {});
`,
    });
    const got = await place.json<{ ok: boolean; kills: number; cells: CrashCell[] }>("crashtest", "./two.ts#two", "--step", "second");
    expect(got).toMatchObject({ workflow: "two", store: "sqlite", kills: 5, ok: true });
    expect(got.cells.map((c) => [c.window, c.class, c.count, c.allowed, c.line])).toEqual([
      ["A", "KEYED", 1, "at least 1", "two.ts:4:14"],
      ["B", "KEYED", 1, "at least 1", "two.ts:4:14"],
      ["C", "KEYED", 2, "at least 1", "two.ts:4:14"],
      ["D", "KEYED", 2, "at least 1", "two.ts:4:14"],
      ["E", "KEYED", 1, "at least 1", "two.ts:4:14"],
    ]);
  },
);

it("on Postgres, in real time, the same is found", proves("C7"), async () => {
  const { url, schema } = await freshPlace();
  try {
    const place = new CliFolder({ "order.ts": orderFile.replace('"8h"', '"10ms"') });
    const { code, out, err } = await place.pawl(...common, "--step", "mail", "--step", "charge", "--window", "C", "--store", url);
    expect(err).toBe("");
    expect(out).toContain("order killed 2 times, postgres");
    expect(out).not.toContain("://");
    expect(out).toMatch(/^charge +KEYED +· +· +✔ once/m);
    expect(out).toMatch(/^mail +UNDECLARED +· +· +✔ once/m); // killed before its request left: it had not recorded anything yet
    expect(code).toBe(0);
  } finally {
    await dropSchema(url, schema);
  }
});

it("what cannot be tested is said, with its code: no file, no such step, a wait that nobody ends, the clock in workflow code", async () => {
  const place = new CliFolder({
    "order.ts": orderFile,
    "clock.ts": `import { workflow } from "pawl";
export const clock = workflow({ name: "clock" }, async (ctx) => ctx.step("s" + Date.now(), () => 1));
`,
  });
  const [none, step, window, signal, clock] = await place.all([
    ["crashtest", "./none.ts"],
    [...common, "--step", "nope"],
    [...common, "--window", "X"],
    ["crashtest", "./order.ts", "-P", "id=o-1"],
    ["crashtest", "./clock.ts"],
  ]);
  expect([none?.code, none?.err.includes("PAWL5005")]).toEqual([2, true]);
  expect([step?.code, step?.err.includes("has no such step and window")]).toEqual([2, true]);
  expect([window?.code, window?.err.includes("--window takes A, B, C, D or E")]).toEqual([2, true]);
  expect([signal?.code, signal?.err.includes("waiting for a signal")]).toEqual([7, true]);
  expect([clock?.code, clock?.err.includes("PAWL1017 NotReplayable: Date.now() in the code of workflow clock")]).toEqual([9, true]);
});

const shopFile = `import { workflow } from "pawl";
export const shop = workflow({ name: "shop" }, async (ctx) => {
  await ctx.tx("reserve", (db) => db.sql\`update crashtest_stock set cups = cups - 1\`);
  return ctx.tx("left", async (db) => Number((await db.sql\`select cups from crashtest_stock\`).rows[0].cups));
});
`;
const tablesFile = `import { appendFileSync } from "node:fs";
export async function setup(db) {
  await db.sql\`create table crashtest_stock (cups integer not null)\`;
  await db.sql\`insert into crashtest_stock values (10)\`;
}
export const reset = async (db) => appendFileSync(process.env.SEEN, (await db.sql\`select cups from crashtest_stock\`).rows[0].cups + " ");
`;

describe.each([
  { name: "sqlite", url: async () => undefined },
  { name: "postgres", url: sharedPostgres },
  { name: "mysql", url: async () => `${await sharedMariadb()}/mysql` },
])("on $name", ({ name, url }) => {
  it.skipIf(name === "mysql" && skipsWithoutMariadb())(
    "tables are made for each run by --setup and looked at by its reset, in a place of its own that is gone afterwards",
    proves("C7"),
    async () => {
      const place = new CliFolder({ "shop.ts": shopFile, "tables.ts": tablesFile });
      const server = await url();
      const seen = join(place.dir, "seen");
      const args = ["crashtest", "./shop.ts", "--setup", "./tables.ts", "--step", "reserve", "--window", "B", "--window", "D"];
      const { code, out, err } = await place.start([...args, ...(server === undefined ? [] : ["--store", server])], { SEEN: seen }).ended;
      expect([err, code]).toEqual(["", 0]);
      expect(out).toContain("✔ without a kill the run is COMPLETED\n");
      expect(readFileSync(seen, "utf8")).toBe("9 9 9 ");
      expect(await placesOn(name, server)).toBe(0);
    },
  );
});

/** How many of this file's tables are left on a server. */
async function placesOn(name: string, url: string | undefined): Promise<number> {
  if (url === undefined) return 0;
  const made = "select 1 from information_schema.tables where table_name = 'crashtest_stock'";
  if (name === "postgres") {
    const c = await raw(url);
    const { rows } = await c.query({ text: made });
    await c.end();
    return rows.length;
  }
  const c = await rawConnection(url);
  const { rows } = await c.query(made);
  await c.close();
  return rows.length;
}

it("a run that fails by itself ends the test with exit code 9 and says how it ended, unless that is its end", async () => {
  const place = new CliFolder({
    "bad.ts": `import { workflow } from "pawl";
export const bad = workflow({ name: "bad" }, async (ctx) => {
  await ctx.step("one", () => 1, { repeatable: true });
  throw new Error("out of cups");
});
`,
  });
  const plain = await place.pawl("crashtest", "./bad.ts");
  expect(plain.code).toBe(9);
  expect(plain.out).toContain("✘ without a kill the run is FAILED: out of cups\n");
  expect(plain.out).toContain("--expect-end FAILED");
  const said = await place.pawl("crashtest", "./bad.ts", "--expect-end", "failed", "--window", "D");
  expect([said.code, said.out.includes("bad killed 1 times")]).toEqual([0, true]);
  const wrong = await place.pawl("crashtest", "./bad.ts", "--expect-end", "done");
  expect([wrong.code, wrong.err.includes("PAWL4011")]).toEqual([2, true]);
  const none = await place.pawl("crashtest", "./bad.ts", "--setup", "./bad.ts");
  expect([none.code === 0, none.err.includes("setup(db)")]).toEqual([false, true]);
  place.write("tables.ts", "export const setup = () => { throw new Error('no database today'); };");
  const broken = await place.pawl("crashtest", "./bad.ts", "--setup", "./tables.ts");
  expect([broken.code, broken.err.includes("./tables.ts: setup(db) failed: no database today")]).toEqual([2, true]);
});

it("a process that ends without a result, and one that takes too long, have codes of their own", async () => {
  const place = new CliFolder({
    "ends.ts": `process.exit(3);\nexport const nothing = 1;\n`,
    "slow.ts": `import { workflow } from "pawl";
export const slow = workflow({ name: "slow" }, async (ctx) => ctx.step("never", () => new Promise(() => setInterval(() => {}, 1_000))));
`,
  });
  const [ends, slow] = await place.all([
    ["crashtest", "./ends.ts"],
    ["crashtest", "./slow.ts", "--timeout", "2s"],
  ]);
  expect([ends?.code, ends?.err]).toEqual([1, expect.stringContaining("PAWL5031 CrashTestProcessFailed: the process ended with 3")]);
  expect([slow?.code, slow?.err]).toEqual([7, expect.stringContaining("PAWL5032 CrashTestTimedOut")]);
});
