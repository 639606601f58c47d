// Split mode with real processes, run store and effect store in one database of a server: a process is killed by SIGKILL where
// its effect has taken place, before the result was kept or after, and the next one goes on. Effects are counted in a ledger
// that no engine reads. No test here waits for a time to pass.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { killChildren, runChild, startChild, withoutDecisionNotices } from "../support/child-process.ts";
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { requests } from "./programs/receiver.ts";
import { proves } from "../support/proves.ts";

const program = "test/crash/programs/split.js";

describe.each(["postgres", ...(skipsWithoutMariadb() ? [] : ["mysql"])] as ("postgres" | "mysql")[])("split mode on %s", (name) => {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 }); // a crowded machine is slow, not wrong
  let dir: string;
  let ground: TestDatabase;
  let ledger: string;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "pawl-split-"));
    ledger = join(dir, "ledger");
    ground = await openTestDatabase(name, dir);
  });
  afterEach(async () => {
    await killChildren();
    await ground.remove();
    rmSync(dir, { recursive: true, force: true });
  });
  const sent = (): string[] => requests(ledger).map((r) => `${r.key} ${r.fence}`);
  /** Another life, which ends by itself although its effect store was not closed. */
  async function finish(): Promise<unknown> {
    const { code, signal, lines, stderr } = await runChild(program, { args: [ground.url, ledger] });
    expect([code, signal, withoutDecisionNotices(stderr)]).toEqual([0, null, ""]);
    return JSON.parse(lines.find((l) => l.startsWith("seen "))?.slice(5) ?? "null");
  }

  it(
    "killed when the result was kept and the store knew nothing: it is written back, nothing is sent",
    proves("A-05", "A-06", "A-11"),
    async () => {
      const first = startChild(program, { args: [ground.url, ledger, "hold"] });
      expect(await first.waitForLine("kept")).toBe('kept "paid under 1"');
      first.signal("SIGKILL");
      expect((await first.ended).signal).toBe("SIGKILL");
      expect(await finish()).toMatchObject({ status: "COMPLETED", outcome: { via: "kept", result: "paid under 1" } });
      expect(sent()).toEqual(["charge 1"]);
    },
  );

  it("killed before the result was kept: a person decides, nothing is sent", proves("A-10"), async () => {
    const first = await runChild(program, { args: [ground.url, ledger], env: { PAWL_CRASH: "charge:D" } });
    expect(first.signal).toBe("SIGKILL");
    expect(await finish()).toMatchObject({ status: "RUNNING", waiting: "decision", outcome: null });
    expect(sent()).toEqual(["charge 1"]);
  });

  it("unharmed, it keeps, records and ends by itself", async () => {
    expect(await finish()).toMatchObject({ status: "COMPLETED", outcome: { result: "paid under 1" } });
    const table = name === "mysql" ? "pawl_split_kept" : `${new URL(ground.url).searchParams.get("schema")}.kept`;
    expect(await ground.sql(`select step_id, result from ${table}`)).toEqual([{ step_id: "charge", result: '"paid under 1"' }]);
    expect(sent()).toEqual(["charge 1"]);
  });
});
