// The crash table, on SQLite with real processes: for every class and every window A to E the process dies by SIGKILL
// exactly there, another one finishes what it left, and the effect is counted in a ledger that the engine never reads. What must come
// out is expected.json, which GUARANTEES.md prints; a cell is never adjusted to what happened. The other process is the same program, started
// again under the same environment, for a class with keys and for transactions; for the rest it is this one, which costs no start.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { engine } from "../../src/index.ts";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { killChildren, limitConcurrency, runChild } from "../support/child-process.ts";
import { expected, judge, type Cell, type Seen } from "./cells.ts";
import { cellWorkflow, isAtomic, lookAt, stepOf } from "./programs/classes.ts";
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

const program = "test/crash/programs/cell.js";
const startedAgain = new Set(["KEYED", "ATOMIC"]);

/** What the next owner of the store comes to, in this process. */
async function finish(cell: Cell, store: string, ledger: string): Promise<Seen> {
  const losesFirst = cell.class === "VERIFIED not-completed" && "CD".includes(cell.window);
  const wf = cellWorkflow({ name: "cell", cls: cell.class, ledger, losesFirst, makesTable: true });
  const said: string[] = [];
  const log = (level: string, message: string): void => void (["warn", "error"].includes(level) && said.push(message));
  const next = await engine({ store: `sqlite:${store}`, workflows: [wf], log, onDecision: () => {} });
  try {
    return (await lookAt(await next.start(wf, undefined, { id: "cell" }), stepOf(cell.class))) as Seen;
  } finally {
    await next.stop();
    expect(said).toEqual([]);
  }
}

expected.forEach((cell, i) => {
  it.concurrent(cell.test, { ...proves(...cell.ids), timeout: 90_000 }, async () => {
    const store = join(dir, `${i}.db`);
    const ledger = join(dir, `${i}.ledger`);
    const how = { args: [store, ledger, cell.class], env: { PAWL_CRASH: `${stepOf(cell.class)}:${cell.window}` } };
    const seen = await atATime(async () => {
      expect(await runChild(program, how)).toMatchObject({ signal: "SIGKILL", lines: [] });
      if (!startedAgain.has(cell.class)) return finish(cell, store, ledger);
      const again = await runChild(program, how);
      expect(again).toMatchObject({ code: 0, stderr: "" });
      return JSON.parse(again.lines[0] ?? "") as Seen;
    });
    judge(cell, seen, ledger, isAtomic(cell.class) ? await rows(store) : 0);
  });
});
