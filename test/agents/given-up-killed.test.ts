// A run that kills its process, with real processes: after the third death by SIGKILL the run has failed, and the processes
// after that live and do not touch it. No test here waits for a time to pass.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { killChildren, runChild } from "../support/child-process.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts";

const program = "test/agents/programs/eater.js";
const stores = ["sqlite", "postgres", ...(skipsWithoutMariadb() ? [] : ["mysql"])] as ("sqlite" | "postgres" | "mysql")[];

describe.each(stores)("%s", (name) => {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 }); // a crowded machine is slow, not wrong
  let dir: string;
  let ground: TestDatabase;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "pawl-eater-"));
    ground = await openTestDatabase(name, dir);
  });
  afterEach(async () => {
    await killChildren();
    await ground.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each([
    ["three deaths unless it is said otherwise", 3, []],
    ["as many as it is said", 2, ["2"]],
  ] as const)("%s, then the run has failed and is never run again", proves("AX-18"), async (_, deaths, more) => {
    const ledger = join(dir, "ledger");
    const eaten = (): number => readFileSync(ledger, "utf8").split("\n").length - 1;
    for (let n = 1; n <= deaths; n++) {
      expect((await runChild(program, { args: [ground.url, ledger, ...more] })).signal).toBe("SIGKILL");
      expect(eaten()).toBe(n);
    }
    // Two more lives: they end by themselves, and the tool does not run.
    for (let n = 0; n < 2; n++) {
      const { code, signal, lines, stderr } = await runChild(program, { args: [ground.url, ledger, ...more] });
      expect([code, signal], stderr).toEqual([0, null]);
      expect(JSON.parse(lines.at(-1)!.slice(5))).toEqual({ status: "FAILED", code: "PAWL2016", decisions: 0 });
    }
    expect(eaten()).toBe(deaths);
  });
});
