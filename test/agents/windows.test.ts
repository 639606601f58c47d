// The five crash windows of a tool call, with real processes: an agent is killed by SIGKILL around one call, with and without an effect store, and the next process
// goes on; so is a graph with a tools node, which is the same code. Calls are counted in a file that no engine reads; the model asks for the call a second time. No test here waits for a time to pass.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { requests } from "../crash/programs/receiver.ts";
import { killChildren, runChild, startChild } from "../support/child-process.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts";
import type { WindowsDuty } from "./programs/windows.ts";

const program = "test/agents/programs/windows.js";
const stores = ["sqlite", "postgres", ...(skipsWithoutMariadb() ? [] : ["mysql"])] as ("sqlite" | "postgres" | "mysql")[];
/** The first call's step; its result is recorded; the model's repeat takes it over. */
const once = { status: "COMPLETED", told: ["done -", "done 3/tools/pay"] };

describe.each(stores)("%s", (name) => {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 }); // a crowded machine is slow, not wrong
  let dir: string;
  let ground: TestDatabase;
  let ledger: string;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "pawl-windows-"));
    ledger = join(dir, "ledger");
    ground = await openTestDatabase(name, dir);
  });
  afterEach(async () => {
    await killChildren();
    await ground.remove();
    rmSync(dir, { recursive: true, force: true });
  });
  const args = (o: Partial<WindowsDuty>): readonly string[] => [JSON.stringify({ store: ground.url, ledger, doubt: "ask", ...o })];
  const sent = (): number => requests(ledger).length;
  async function dies(window: string, o: Partial<WindowsDuty>): Promise<void> {
    const { signal, stderr } = await runChild(program, {
      args: args(o),
      env: { PAWL_CRASH: `${o.byHand === true ? 2 : 3}/tools/pay:${window}` },
    });
    expect(signal, stderr).toBe("SIGKILL");
  }
  async function goesOn(o: Partial<WindowsDuty>): Promise<unknown> {
    const { lines, stderr } = await runChild(program, { args: args(o) });
    return JSON.parse(lines.find((l) => l.startsWith("seen "))?.slice(5) ?? JSON.stringify(stderr));
  }

  describe.each([
    ["with an effect store", (): Partial<WindowsDuty> => ({ kept: join(dir, "kept") })],
    ["without one", (): Partial<WindowsDuty> => ({})],
  ])("%s", (_, o) => {
    it("window 1, before the call: it is made once", proves("A-09"), async () => {
      await dies("A", o());
      expect(sent()).toBe(0);
      expect(await goesOn(o())).toMatchObject(once);
      expect(sent()).toBe(1);
    });

    it("window 2, after the call and before anything is kept: not made again, a person decides", proves("A-10", "A-14"), async () => {
      await dies("D", o());
      expect(await goesOn(o())).toMatchObject({ status: "RUNNING", waiting: "decision" });
      expect(sent()).toBe(1);
    });

    it(
      "windows 4 and 5, recorded: its result is used, also where the ledger has lost its record",
      proves("A-04", "A-07", "A-12", "A-13"),
      async () => {
        await dies("E", o());
        const { searchParams } = new URL(ground.url);
        await ground.sql(`delete from ${name === "postgres" ? `${searchParams.get("schema")}.effects` : "pawl_effects"}`);
        expect(await goesOn(o())).toMatchObject({ ...once, via: "run" });
        expect(sent()).toBe(1);
      },
    );
  });

  it("window 3, kept and not recorded: written back from the effect store, not made again", proves("A-05", "A-06", "A-11"), async () => {
    const o = { kept: join(dir, "kept") };
    const first = startChild(program, { args: args({ ...o, hold: true }) });
    await first.waitForLine('kept "paid 1"');
    first.signal("SIGKILL");
    await first.ended;
    expect(await goesOn(o)).toMatchObject({ ...once, via: "kept" });
    expect(sent()).toBe(1);
  });

  it.each([
    ["fail", 1, { status: "COMPLETED", told: ["unknown -", "unknown -"] }],
    ["retry", 2, once],
  ] as const)("window 2, by configuration: %s", proves("A-10", "A-14"), async (doubt, sends, seen) => {
    await dies("D", { doubt });
    expect(await goesOn({ doubt })).toMatchObject(seen);
    expect(sent()).toBe(sends);
    expect(new Set(requests(ledger).map((r) => r.key)).size, "a receiver that knows the key acts once").toBe(1);
  });

  it.each([
    ["A", { status: "COMPLETED", told: ["done -", "done 2/tools/pay"], via: "run" }],
    ["D", { status: "RUNNING", waiting: "decision" }],
    ["E", { status: "COMPLETED", told: ["done -", "done 2/tools/pay"], via: "run" }],
  ] as const)("the tools node of a graph, killed in window %s: sent once", async (window, seen) => {
    await dies(window, { byHand: true });
    expect(sent()).toBe(window === "A" ? 0 : 1);
    expect(await goesOn({ byHand: true })).toMatchObject(seen);
    expect(sent()).toBe(1);
  });
});
