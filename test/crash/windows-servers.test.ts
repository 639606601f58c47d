// The crash table on Postgres and MariaDB, with real processes: one process brings every class into every window at once and is
// killed by SIGKILL there, another one finishes what it left. Each effect is counted in a ledger that no engine reads, each
// transaction by its rows. What must come out is what must come out on SQLite: expected.json.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runChild, startChild, killChildren, withoutDecisionNotices } from "../support/child-process.ts";
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { expected, judge, type Seen } from "./cells.ts";
import { proves } from "../support/proves.ts";

const program = "test/crash/programs/cells.js";
const table = resolve(import.meta.dirname, "expected.json");

describe.each([
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("on %s", (store, skip) => {
  let dir: string;
  let ground: TestDatabase;
  let lives: readonly unknown[] = [];
  let seen: readonly (Seen | null)[] = [];
  const rows = new Map<string, number>();

  beforeAll(async () => {
    if (skip) return;
    dir = mkdtempSync(join(tmpdir(), `pawl-windows-${store}-`));
    ground = await openTestDatabase(store, dir);
    await (await openStore(ground.url, systemPlatform())).close();
    await ground.sql("create table charges (what varchar(100))");
    const first = startChild(program, { args: [ground.url, dir, table, "hold"] });
    await first.waitForLine("held");
    first.signal("SIGKILL");
    const killed = await first.ended;
    const again = await runChild(program, { args: [ground.url, dir, table, "finish"] });
    lives = [killed.signal, again.code, withoutDecisionNotices(again.stderr)];
    seen = JSON.parse(again.lines[0] ?? "[]") as Seen[];
    for (const r of await ground.sql("select what, count(*) as n from charges group by what")) rows.set(String(r["what"]), Number(r["n"]));
  }, 240_000);
  afterAll(async () => {
    await killChildren();
    if (skip) return;
    await ground.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  it.skipIf(skip)("the process in its windows was killed, and the next one ended by itself", () => {
    expect(lives).toEqual(["SIGKILL", 0, ""]);
  });

  expected.forEach((cell, i) => {
    it.skipIf(skip)(cell.test, proves(...cell.ids), () => {
      expect(seen[i], "every cell has a step before the one under test, so its run exists").toMatchObject({ step: {} });
      judge(cell, seen[i] as Seen, join(dir, `${i}.ledger`), rows.get(`cell-${i}`) ?? 0);
    });
  });
});
