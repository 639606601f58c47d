// An approval and real processes, on SQLite: killed before the question is recorded, while it waits, and between the answer and the
// dispatch. It is one question all the time, and what leaves after the answer leaves as the step's class says.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { killChildren, runChild, startChild } from "../support/child-process.ts";
import { requests } from "./programs/receiver.ts";
import { proves } from "../support/proves.ts";

const dir = mkdtempSync(join(tmpdir(), "pawl-approval-"));
afterAll(async () => {
  await killChildren();
  rmSync(dir, { recursive: true, force: true });
});

/** How many requests left. */
async function killedThrice(cls: "KEYED" | "AT-MOST-ONCE"): Promise<number> {
  const [store, ledger] = [join(dir, `${cls}.db`), join(dir, `${cls}.ledger`)];
  const life = (crash?: string) => ({ args: [store, ledger, cls], env: crash === undefined ? {} : { PAWL_CRASH: crash } });
  const program = "test/crash/programs/approver.js";
  const client = async () => connect({ store: `sqlite:${store}` });

  expect((await runChild(program, life("pay:A"))).signal).toBe("SIGKILL");
  const waits = startChild(program, life());
  const [, kind, id = ""] = (await waits.waitForLine("asked")).split(" ");
  expect(kind).toBe("approval");
  waits.signal("SIGKILL");
  await waits.ended;
  const again = startChild(program, life());
  await again.waitForLine("ready");
  again.signal("SIGKILL");
  await again.ended;

  const c = await client();
  expect((await c.decisions()).map((d) => [d.kind, d.decisionId])).toEqual([["approval", id]]);
  expect(requests(ledger)).toEqual([]);
  expect(await c.resolve(id, { by: "ann", reason: "checked", approve: true }, { timeoutMs: 0 })).toEqual({ state: "posted" });
  await c.close();

  expect((await runChild(program, life("pay:B"))).signal).toBe("SIGKILL");
  expect(requests(ledger)).toEqual([]);
  const last = startChild(program, life());
  if (cls === "KEYED") expect(await last.waitForLine("result")).toBe("result paid");
  else {
    const [, doubt, second = ""] = (await last.waitForLine("asked")).split(" ");
    expect([doubt, second === id]).toEqual(["effect", false]);
    const d = await client();
    await d.resolve(second, { by: "ann", reason: "the bank has nothing", fail: true });
    await d.close();
    expect(await last.waitForLine("result")).toBe("result INDETERMINATE");
  }
  expect((await last.ended).code).toBe(0);
  const end = await client();
  const types = (await end.events("order-1")).map((e) => e.eventType);
  expect(types.filter((t) => t === "StepStarted")).toHaveLength(1);
  expect(types.filter((t) => t === "pawl.DecisionAnswered")).toHaveLength(cls === "KEYED" ? 1 : 2);
  await end.close();
  return requests(ledger).length;
}

it(
  "killed before it asks, while it waits and after the answer, a KEYED step is asked about once and sent once",
  { ...proves("I6", "K14"), timeout: 90_000 },
  async () => {
    expect(await killedThrice("KEYED")).toBe(1);
  },
);

it(
  "killed before it asks, while it waits and after the answer, an AT-MOST-ONCE step is asked about once and then in doubt, never sent on a guess",
  { ...proves("I6", "K14", "K27"), timeout: 90_000 },
  async () => {
    expect(await killedThrice("AT-MOST-ONCE")).toBe(0);
  },
);
