// The outcome matrix, row by row, on every store, in an engine that lives: what is recorded of an effect that succeeded, failed
// before or after it may have happened, was cancelled, ran out of time, or was retried; and what the workflow's code is told.
import { describe, expect, it } from "vitest";
import { Fatal, NotSent, StepError, workflow } from "../../src/index.ts";
import type { StepOpts, Verdict } from "../../src/index.ts";
import { testStores } from "../support/test-store.ts";
import { never, effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";

const settled = (status: string): object => ({ status, phase: "settled" });
const say = (v: Verdict<unknown>) => async (): Promise<Verdict<unknown>> => v;
const notCompleted = say({ state: "not-completed" });
const twice = { attempts: 2, initial: 1 } as const;

interface Row {
  readonly name: string;
  readonly opts: StepOpts<unknown>;
  /** What the function does at its n-th call. */
  readonly does: (n: number) => unknown;
  readonly told: unknown;
  readonly sends: number;
  readonly record: object;
}
const fail = (message: string) => (): never => {
  throw new Error(message);
};
const before = (n: number): unknown => {
  if (n === 1) throw new NotSent("no connection");
  return "sent";
};

const rows: readonly Row[] = [
  // W-029
  {
    name: "success",
    opts: { once: true },
    does: () => ({ paid: 7 }),
    told: { paid: 7 },
    sends: 1,
    record: { ...settled("completed"), result: { paid: 7 } },
  },
  // W-030: before the effect: failed, and the policy may try again, whatever the class.
  {
    name: "before, once",
    opts: { once: true, retry: twice },
    does: before,
    told: "sent",
    sends: 2,
    record: { ...settled("completed"), attempts: 2 },
  },
  {
    name: "before, verified",
    opts: { verify: say({ state: "indeterminate" }), retry: twice },
    does: before,
    told: "sent",
    sends: 2,
    record: { ...settled("completed"), attempts: 2 },
  },
  {
    name: "before, for good",
    opts: { key: "k1" },
    does: () => Promise.reject(new NotSent("no route")),
    told: "NOT_SENT",
    sends: 1,
    record: { ...settled("failed"), error: { category: "NOT_SENT", message: "no route" } },
  },
  // W-031: after it may have happened: indeterminate, unless verify proves something.
  {
    name: "after, once",
    opts: { once: true, retry: twice },
    does: fail("reset"),
    told: "FAILED",
    sends: 1,
    record: { ...settled("indeterminate"), error: { category: "FAILED", message: "reset" } },
  },
  {
    name: "after, not proved",
    opts: { verify: notCompleted },
    does: fail("reset"),
    told: "FAILED",
    sends: 1,
    record: {
      ...settled("indeterminate"),
      error: { category: "FAILED", message: "reset", diagnosis: "verify says not-completed, and what was sent may still arrive" },
    },
  },
  {
    name: "unknown, then before",
    opts: { key: "k7", dedup: "1d", retry: twice },
    does: (n) => {
      throw n === 1 ? new Error("reset") : new NotSent("no line");
    },
    told: "NOT_SENT",
    sends: 2,
    record: { ...settled("indeterminate"), error: { category: "NOT_SENT" } },
  },
  {
    name: "after, proved done",
    opts: { verify: say({ state: "completed-with-result", result: 5 }) },
    does: fail("reset"),
    told: 5,
    sends: 1,
    record: { ...settled("completed"), result: 5 },
  },
  {
    name: "after, unknown",
    opts: { verify: say({ state: "indeterminate", reason: "shut" }) },
    does: fail("reset"),
    told: "INDETERMINATE",
    sends: 1,
    record: { ...settled("indeterminate"), error: { category: "INDETERMINATE", message: "reset", diagnosis: "shut" } },
  },
  // W-033
  {
    name: "late, once",
    opts: { key: "k2", dedup: "1d", timeout: 30 },
    does: never,
    told: "TIMEOUT",
    sends: 1,
    record: { ...settled("timed-out"), error: { category: "TIMEOUT" } },
  },
  {
    name: "late, proved done",
    opts: { key: "k3", dedup: "1d", timeout: 30, verify: say({ state: "completed-with-result", result: 6 }) },
    does: never,
    told: 6,
    sends: 1,
    record: { ...settled("completed"), result: 6 },
  },
  {
    name: "late, asked first",
    opts: { key: "k4", dedup: "1d", timeout: 30, retry: twice, verify: say({ state: "completed-with-result", result: 8 }) },
    does: never,
    told: 8,
    sends: 1,
    record: { ...settled("completed"), result: 8, attempts: 2 },
  },
  // W-034, W-035
  {
    name: "exhausted",
    opts: { key: "k5", dedup: "1d", retry: { attempts: 3, initial: 1 } },
    does: (n) => fail(`no ${n}`)(),
    told: "FAILED",
    sends: 3,
    record: { ...settled("indeterminate"), attempts: 3, error: { category: "FAILED", message: "no 3" } },
  },
  {
    name: "fatal",
    opts: { key: "k6", dedup: "1d", retry: twice },
    does: () => Promise.reject(new Fatal("never")),
    told: "FAILED",
    sends: 1,
    record: { ...settled("indeterminate"), attempts: 1 },
  },
  // W-036
  {
    name: "verify throws",
    opts: { verify: () => Promise.reject(new Error("down")) },
    does: fail("reset"),
    told: "INDETERMINATE",
    sends: 1,
    record: { ...settled("indeterminate"), error: { category: "INDETERMINATE", message: "reset", diagnosis: "verify threw Error: down" } },
  },
];

describe.each(testStores)("the outcome matrix on %s", (_, open) => {
  const p = effectTest(open);
  const wf = workflow({ name: "wf" }, async (ctx) => {
    const row = rows.find((r) => r.name === ctx.run.workflowId)!;
    return ctx.step<unknown>("send", () => row.does(p.send(row.name)), row.opts).catch((e: unknown) => (e as StepError).category);
  });

  it(
    "every row is recorded and told as the matrix says",
    proves("W-018", "W-019", "W-029", "W-030", "W-031", "W-033", "W-034", "W-035", "W-036"),
    async () => {
      const e = await p.engine({ workflows: [wf] });
      for (const r of rows) {
        const h = await e.engine.start(wf, undefined, { id: r.name });
        expect(await h.result(), r.name).toEqual(r.told);
        expect(p.sent.get(r.name), r.name).toBe(r.sends);
        expect(await p.record(e, h.runId), r.name).toMatchObject(r.record);
      }
      const counted = e.engine.metrics();
      expect(counted).toMatch(/^pawl_effects_total\{guarantee="AT-MOST-ONCE",outcome="completed"\} 2$/m);
      expect(counted).toMatch(/^pawl_effects_total\{guarantee="KEYED",outcome="timed-out"\} 1$/m);
    },
  );

  it(
    "a failure that will be retried is kept meanwhile, and verify is asked before the key is sent again",
    proves("W-034", "W-035"),
    async () => {
      let asked = 0;
      const slow = workflow({ name: "slow" }, async (ctx) =>
        ctx.step("send", () => (p.send("s") === 1 ? fail("first")() : "ok"), {
          key: "k",
          dedup: "1d",
          retry: { attempts: 2, initial: "10m" },
          verify: async () => (asked++, { state: "not-completed" }),
        }),
      );
      const e = await p.engine({ workflows: [slow] });
      const h = await e.engine.start(slow);
      await p.until(async () => (await h.status()).waiting === "retry");
      expect(await p.record(e, h.runId)).toMatchObject({ status: "indeterminate", phase: "retrying", error: { message: "first" } });
      expect(asked).toBe(0);
      p.testStore().advanceClock(1_200_000); // the delay and its jitter
      const b = await p.takeOver(e, { workflows: [slow] });
      expect(await b.client.waitForEnd(h.runId)).toMatchObject({ result: "ok" });
      expect([asked, p.sent.get("s")]).toEqual([1, 2]);
    },
  );

  it(
    "a cancelled effect is told to the code and never recorded as a success: cancelled, or indeterminate where it may not repeat",
    proves("W-031", "W-032"),
    async () => {
      for (const status of ["cancelled", "indeterminate"] as const) {
        const told: string[] = [];
        const stop = workflow({ name: status }, async (ctx) => {
          const step = ctx.step(
            "send",
            (s) => (
              p.send(status),
              new Promise((_r, reject) => s.signal.addEventListener("abort", () => reject(s.signal.reason as Error)))
            ),
            status === "cancelled" ? { repeatable: true } : { once: true },
          );
          await step.catch((e: unknown) => told.push((e as StepError).category));
        });
        const e = await p.engine({ workflows: [stop], ledger: "all" });
        const h = await e.engine.start(stop);
        await p.until(() => p.sent.get(status) === 1);
        await h.cancel("enough");
        await expect(h.result()).rejects.toMatchObject({ code: "PAWL1014" });
        expect(told).toEqual(["CANCELLED"]);
        const record = await p.record(e, h.runId);
        expect(record).toMatchObject({ ...settled(status), error: { category: "CANCELLED" } });
        expect(record).not.toHaveProperty("result");
      }
    },
  );
});
