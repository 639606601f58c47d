// An effect in flight while its run ends by a cancel, its deadline, or a failure beside it. The receiver charges first and
// answers never, so that the engine cannot know; what the ledger, the proof and the receiver say must fit. Virtual clock; no sleeps.
import { describe, expect, it } from "vitest";
import { workflow } from "../../workflow/define.ts";
import type { AnyWorkflow, StepOpts, Verdict } from "../../workflow/types.ts";
import { proves } from "../../../test/support/proves.ts";
import {
  anySchema,
  deferred,
  testClusters,
  payloadOf,
  storeKinds,
  type TestCluster,
  type ClusterEngine,
} from "../../../test/support/test-cluster.ts";
import { posted } from "../../../test/support/posted.ts";

const fresh = testClusters();

type Bank = { charged: number; asked: number; refunded: string[]; keys: Set<string> };
type Answer = "honest" | "lost" | "cannot say";

interface Case {
  readonly name: string;
  readonly opts: (b: Bank, verify: () => Verdict<string>) => StepOpts<string>;
  /** Whether the charge reaches the bank; the reply never comes. */
  readonly arrives: boolean;
  readonly verify?: Answer;
  readonly charged: number;
  readonly asked: "yes" | "no";
  readonly refunded: number;
  readonly ends: "CANCELLED" | "decision";
  readonly verdict: string;
  readonly status: string;
}

const undo = (b: Bank) => (r: string) => void b.refunded.push(r);
const cases: readonly Case[] = [
  {
    name: "KEYED with verify, charged",
    opts: (b, verify) => ({ key: "k", dedup: "1d", verify: async () => verify(), compensate: undo(b) }),
    arrives: true,
    charged: 1,
    asked: "yes",
    refunded: 1,
    ends: "CANCELLED",
    verdict: "once",
    status: "completed",
  },
  {
    name: "KEYED with verify, never arrived",
    opts: (b, verify) => ({ key: "k", dedup: "1d", verify: async () => verify(), compensate: undo(b) }),
    arrives: false,
    charged: 0,
    asked: "yes",
    refunded: 0,
    ends: "CANCELLED",
    verdict: "not-at-all",
    status: "cancelled",
  },
  {
    name: "VERIFIED, charged",
    opts: (b, verify) => ({ verify: async () => verify(), compensate: undo(b) }),
    arrives: true,
    charged: 1,
    asked: "yes",
    refunded: 1,
    ends: "CANCELLED",
    verdict: "once",
    status: "completed",
  },
  {
    name: "VERIFIED, verify cannot say, to be undone",
    opts: (b, verify) => ({ verify: async () => verify(), compensate: undo(b) }),
    arrives: true,
    verify: "cannot say",
    charged: 1,
    asked: "yes",
    refunded: 0,
    ends: "decision",
    verdict: "in-doubt",
    status: "indeterminate",
  },
  {
    name: "VERIFIED, verify cannot say, nothing to undo",
    opts: (_, verify) => ({ verify: async () => verify() }),
    arrives: true,
    verify: "cannot say",
    charged: 1,
    asked: "yes",
    refunded: 0,
    ends: "CANCELLED",
    verdict: "at-most-once",
    status: "indeterminate",
  },
  {
    name: "VERIFIED, charged and its result lost",
    opts: (b, verify) => ({ verify: async () => verify(), compensate: undo(b) }),
    arrives: true,
    verify: "lost",
    charged: 1,
    asked: "yes",
    refunded: 0,
    ends: "CANCELLED",
    verdict: "once",
    status: "completed",
  },
  {
    name: "KEYED without verify, to be undone: its key is sent again for its answer",
    opts: (b) => ({ key: "k", dedup: "1d", compensate: undo(b) }),
    arrives: true,
    charged: 1,
    asked: "no",
    refunded: 1,
    ends: "CANCELLED",
    verdict: "once",
    status: "completed",
  },
  {
    name: "KEYED without verify, nothing to undo",
    opts: () => ({ key: "k", dedup: "1d" }),
    arrives: true,
    charged: 1,
    asked: "no",
    refunded: 0,
    ends: "CANCELLED",
    verdict: "at-most-once",
    status: "indeterminate",
  },
  {
    name: "AT-MOST-ONCE, to be undone",
    opts: (b) => ({ once: true, compensate: undo(b) }),
    arrives: true,
    charged: 1,
    asked: "no",
    refunded: 0,
    ends: "decision",
    verdict: "in-doubt",
    status: "indeterminate",
  },
  {
    name: "AT-MOST-ONCE, nothing to undo",
    opts: () => ({ once: true }),
    arrives: true,
    charged: 1,
    asked: "no",
    refunded: 0,
    ends: "CANCELLED",
    verdict: "at-most-once",
    status: "indeterminate",
  },
];

/** The first request is answered never; a later one under a known key is answered with what was done. */
function world(c: Case): { readonly bank: Bank; readonly opts: StepOpts<string>; send(key: string, signal: AbortSignal): Promise<string> } {
  const bank: Bank = { charged: 0, asked: 0, refunded: [], keys: new Set() };
  const verify = (): Verdict<string> => {
    bank.asked++;
    if (c.verify === "cannot say") return { state: "indeterminate" };
    if (bank.charged === 0) return { state: "not-completed" };
    return c.verify === "lost" ? { state: "completed-result-unavailable" } : { state: "completed-with-result", result: "c-1" };
  };
  let sends = 0;
  const send = (key: string, signal: AbortSignal): Promise<string> => {
    const known = bank.keys.has(key);
    if (c.arrives && !known) bank.charged++;
    bank.keys.add(key);
    if (++sends > 1 && known) return Promise.resolve("c-1");
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  };
  return { bank, opts: { timeout: "10s", settle: undefined, ...c.opts(bank, verify) } as never, send };
}

type How = "cancel" | "deadline" | "failure beside it";

function begin(c: Case, how: How): ReturnType<typeof world> & { readonly wf: AnyWorkflow } {
  const w = world(c);
  const wf = workflow({ name: "wf", signals: { stop: anySchema() }, ...(how === "deadline" ? { timeout: "3s" } : {}) }, async (ctx) => {
    const charge = ctx.step<string>("charge", (s) => w.send(s.key, s.signal), w.opts).catch(() => {});
    if (how !== "failure beside it") return charge;
    await ctx.receive("stop");
    throw new Error("out of stock");
  });
  return { ...w, wf };
}

async function stop(e: ClusterEngine, runId: string, how: How): Promise<void> {
  if (how === "cancel") await e.client.control(runId, "cancel", { reason: "changed my mind", ...posted });
  if (how === "failure beside it") await e.client.signal(runId, "stop", null, {});
}

/** What everybody says at the end, or when a person is asked. */
async function seen(l: TestCluster, e: ClusterEngine, runId: string, c: Case, bank: Bank): Promise<object> {
  if (c.ends === "decision") await l.advanceUntilLine(runId, "pawl.StepInDoubt");
  else await l.advanceUntil(e.client.waitForEnd(runId));
  const { status, waiting } = await l.row(runId);
  const record = (await e.client.effects({ runId })).effects.find((x) => x.stepId === "charge");
  const proof = await e.client.proof(runId);
  const { compensationsFailed } = payloadOf((await l.log(runId)).at(-1)) as { compensationsFailed?: unknown };
  return {
    charged: bank.charged,
    asked: bank.asked > 0 ? "yes" : "no",
    refunded: bank.refunded.length,
    ends: waiting === "decision" ? "decision" : status,
    verdict: proof.effects.find((x) => x.stepId === "charge")?.verdict,
    status: record?.status,
    phase: record?.phase,
    underWay: JSON.stringify(proof).includes("under way"),
    compensationsFailed,
  };
}

function wanted(c: Case, how: How): object {
  const { charged, asked, refunded, ends, verdict, status } = c;
  return {
    charged,
    asked,
    refunded,
    ends: ends === "decision" || how === "cancel" ? ends : "FAILED",
    verdict,
    status,
    phase: ends === "decision" ? "doubt" : "settled",
    underWay: false,
    compensationsFailed: c.verify === "lost" ? ["charge"] : undefined,
  };
}

describe.each(storeKinds)("an effect in flight while its run ends, on %s", (kind) => {
  for (const how of ["cancel", "deadline", "failure beside it"] as const)
    it.each(cases)(`$name: settled by its class before the end (${how})`, proves("K19", "I7", "W-031"), async (c) => {
      const l = await fresh(kind);
      const { wf, bank } = begin(c, how);
      const e = await l.engine([wf]);
      const h = await e.engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepStarted charge");
      await stop(e, h.runId, how);
      expect(await seen(l, e, h.runId, c, bank)).toEqual(wanted(c, how));
    });

  it.each(cases)(
    "$name: the owner dies while the run is ending, and the next one asks the same question",
    proves("K19", "I7", "C7"),
    async (c) => {
      const l = await fresh(kind);
      const { wf, bank } = begin(c, "cancel");
      const a = await l.engine([wf], { lease: "1s" });
      const h = await a.engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepStarted charge");
      await stop(a, h.runId, "cancel");
      await l.advanceUntilLine(h.runId, "pawl.CancelRequested");
      a.kill();
      const b = await l.engine([wf], { lease: "1s" });
      expect(await seen(l, b, h.runId, c, bank)).toEqual(wanted(c, "cancel"));
    },
  );

  it("a person who says that it happened has it undone, one who says that it did not has nothing undone", proves("K19", "I7"), async () => {
    for (const happened of [true, false]) {
      const l = await fresh(kind);
      const c = cases.find((x) => x.name === "AT-MOST-ONCE, to be undone")!;
      const { wf, bank } = begin(c, "cancel");
      const e = await l.engine([wf]);
      const h = await e.engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepStarted charge");
      await stop(e, h.runId, "cancel");
      await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
      await l.platform.advance(20_000); // the request can no longer arrive
      const [d] = await e.client.decisions();
      expect(d!.answers.map((a) => a.consequence)).toEqual([
        "the step completes with the result you give; the run is ending, so its compensation is sent if it has one",
        "the step is closed as cancelled, since the run is ending; nothing is sent or undone for it",
        "the step fails as INDETERMINATE, and the run ends; nothing is sent or undone for it",
      ]);
      const answer = happened ? { happened, result: "c-9" } : { happened };
      await l.advanceUntil(e.client.resolve(d!.decisionId, { by: "ann", reason: "I looked", ...answer }));
      expect((await l.advanceUntil(e.client.waitForEnd(h.runId))).status).toBe("CANCELLED");
      expect(bank.refunded).toEqual(happened ? ["c-9"] : []);
      expect((await e.client.proof(h.runId)).effects[0]?.verdict).toBe(happened ? "once" : "not-at-all");
    }
  });

  it("an effect that was cancelled and then passed its own time limit is indeterminate, as any other", proves("K19", "W-031"), async () => {
    for (const more of [{ once: true }, { key: "k", dedup: "1d" }]) {
      const l = await fresh(kind);
      const wf = workflow({ name: "wf" }, async (ctx) =>
        ctx.step<string>("charge", () => new Promise(() => {}), { timeout: "10s", ...more } as never).catch(() => {}),
      );
      const e = await l.engine([wf]);
      const h = await e.engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepStarted charge");
      await e.client.control(h.runId, "cancel", posted);
      expect((await l.advanceUntil(e.client.waitForEnd(h.runId))).status).toBe("CANCELLED");
      expect((await e.client.effects({ status: "indeterminate" })).effects).toMatchObject([
        { stepId: "charge", phase: "settled", error: { category: "CANCELLED" } },
      ]);
      expect((await e.client.proof(h.runId)).effects[0]?.verdict).toBe("at-most-once");
    }
  });

  it(
    "a request that arrives after the cancel is found: not-completed counts only when nothing can arrive any more",
    proves("K19", "K25", "I7"),
    async () => {
      const l = await fresh(kind);
      const refunded: string[] = [];
      let charged = 0;
      const wf = workflow({ name: "wf" }, async (ctx) =>
        ctx.step<string>(
          "charge",
          (s) => {
            l.platform.timer(12_000, () => void charged++); // on its way for longer than the time limit, within settle
            return new Promise((_, reject) => s.signal.addEventListener("abort", () => reject(s.signal.reason as Error)));
          },
          {
            key: "k",
            dedup: "1d",
            timeout: "10s",
            verify: async () => (charged > 0 ? { state: "completed-with-result", result: "c-1" } : { state: "not-completed" }),
            compensate: (r) => void refunded.push(r),
          },
        ),
      );
      const e = await l.engine([wf]);
      const h = await e.engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepStarted charge");
      await e.client.control(h.runId, "cancel", posted);
      expect((await l.advanceUntil(e.client.waitForEnd(h.runId))).status).toBe("CANCELLED");
      await l.platform.advance(30_000);
      expect({ charged, refunded }).toEqual({ charged: 1, refunded: ["c-1"] });
    },
  );

  it("a cancel between two attempts asks what became of the first, and sends no second", proves("K19", "I7", "W-034"), async () => {
    const l = await fresh(kind);
    const refunded: string[] = [];
    let charged = 0;
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx.step(
        "charge",
        (): string => {
          charged++;
          throw new Error("the reply was lost");
        },
        {
          verify: async () => ({ state: "completed-with-result", result: "c-1" }),
          compensate: (r) => void refunded.push(r),
          retry: { attempts: 5, initial: "1h" },
        },
      ),
    );
    const e = await l.engine([wf]);
    const h = await e.engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepFailed charge");
    await e.client.control(h.runId, "cancel", posted);
    expect((await l.advanceUntil(e.client.waitForEnd(h.runId))).status).toBe("CANCELLED");
    expect({ charged, refunded }).toEqual({ charged: 1, refunded: ["c-1"] });
    expect((await e.client.proof(h.runId)).effects[0]).toMatchObject({ verdict: "once", sends: 1 });
  });

  it("an effect that waits for its place when the run ends is never sent, and its record says so", proves("K19", "W-030"), async () => {
    const l = await fresh(kind);
    const hold = deferred();
    const sent: string[] = [];
    const busy = workflow({ name: "busy" }, async (ctx) => ctx.step("hold", () => hold.promise, { repeatable: true }));
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("charge", () => void sent.push("charge"), { once: true }));
    const e = await l.engine([busy, wf], { effectsMax: 1 });
    await e.engine.start(busy);
    await l.platform.settle();
    const h = await e.engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepStarted charge");
    await e.client.control(h.runId, "cancel", posted);
    await l.advanceUntilLine(h.runId, "pawl.CancelRequested");
    hold.open();
    expect((await l.advanceUntil(e.client.waitForEnd(h.runId))).status).toBe("CANCELLED");
    expect(sent).toEqual([]);
    expect((await e.client.proof(h.runId)).effects[0]?.verdict).toBe("not-at-all");
    expect((await e.client.effects({ runId: h.runId })).effects).toMatchObject([{ status: "failed", phase: "settled" }]);
  });

  it(
    "no proof says that an effect of an ended run is under way: given up between attempts, or terminated there",
    proves("K19", "W-031"),
    async () => {
      for (const how of ["cancel", "terminate"] as const) {
        const l = await fresh(kind);
        const wf = workflow({ name: "wf" }, async (ctx) =>
          ctx.step("charge", () => Promise.reject(new Error("no")), { key: "k", dedup: "1d", retry: { attempts: 5, initial: "1h" } }),
        );
        const e = await l.engine([wf]);
        const h = await e.engine.start(wf);
        await l.advanceUntilLine(h.runId, "StepFailed charge");
        await e.client.control(h.runId, how, posted);
        expect((await l.advanceUntil(e.client.waitForEnd(h.runId))).status).toBe("CANCELLED");
        expect((await e.client.effects({ runId: h.runId })).effects).toMatchObject([{ status: "indeterminate", phase: "settled" }]);
        const [charge] = (await e.client.proof(h.runId)).effects;
        expect(charge).toMatchObject({ verdict: "at-most-once", sends: 1 });
        expect(charge?.sentence).not.toContain("under way");
      }
    },
  );
});
