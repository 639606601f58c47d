// The crash table, on SQLite with real processes: for every class and every window A to E the process dies by SIGKILL
// exactly there, is started again under the same environment, and the effect is counted in a ledger that the engine never
// reads. What must come out is expected.json, which GUARANTEES.md prints; a cell is never adjusted to what happened.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { killChildren, limitConcurrency, runChild } from "../support/child-process.ts";
import { expected, judge, type Seen } from "./cells.ts";
import { isAtomic, stepOf } from "./programs/classes.ts";
import { proves } from "../support/proves.ts";

const dir = mkdtempSync(join(tmpdir(), "pawl-windows-"));
const atATime = limitConcurrency(3);
afterAll(async () => {
  await killChildren();
  rmSync(dir, { recursive: true, force: true });
});

async function rows(store: string): Promise<number> {
  const db = await openConnection(store);
  try {
    return Number(db.prepare("select count(*) as n from charges").get()?.["n"]);
  } finally {
    db.close();
  }
}

expected.forEach((cell, i) => {
  it.concurrent(cell.test, { ...proves(...cell.ids), timeout: 90_000 }, async () => {
    const store = join(dir, `${i}.db`);
    const ledger = join(dir, `${i}.ledger`);
    const how = { args: [store, ledger, cell.class], env: { PAWL_CRASH: `${stepOf(cell.class)}:${cell.window}` } };
    const [killed, again] = await atATime(async () => {
      const first = await runChild("test/crash/programs/cell.js", how);
      return [first, await runChild("test/crash/programs/cell.js", how)] as const;
    });
    expect(killed).toMatchObject({ signal: "SIGKILL", lines: [] });
    expect(again).toMatchObject({ code: 0, stderr: "" });
    const seen = JSON.parse(again.lines[0] ?? "") as Seen;
    judge(cell, seen, ledger, isAtomic(cell.class) ? await rows(store) : 0);
  });
});
