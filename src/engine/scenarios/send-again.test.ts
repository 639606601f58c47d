// The table of sending again as runs obey it: retry, retry from a step, restart, a retry of a retry. Guards that what the line let
// leave is neither sent a second time nor under a new key without a person's word (I6, I7, K19), through crashes of the new owner too.
import { describe, expect, it } from "vitest";
import type { Handle } from "../../client/engine-types.ts";
import { workflow } from "../../workflow/define.ts";
import type { FullStore } from "../../store/full-store.ts";
import { anySchema, testClusters, payloadOf, storeKinds, type TestCluster } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";
import { posted } from "../../../test/support/posted.ts";

const fresh = testClusters();
type Declared = "keyed" | "verified" | "once" | "plain";
interface Bank {
  readonly sent: string[];
  readonly asked: string[];
  /** What verify answers; null: not-completed. */
  found: unknown;
}
const bank = (): Bank => ({ sent: [], asked: [], found: null });

function options(b: Bank, declared: Declared, key = "k"): object {
  const verify = (s: { key: string }): Promise<unknown> => {
    b.asked.push(s.key);
    return Promise.resolve(b.found === null ? { state: "not-completed" } : { state: "completed-with-result", result: b.found });
  };
  switch (declared) {
    case "keyed":
      return { key, dedup: "1h" };
    case "verified":
      return { verify, timeout: "1s" };
    case "once":
      return { once: true };
    case "plain":
      return {};
  }
}
const startedOf = async (l: TestCluster, runId: string, stepId: string): Promise<Record<string, unknown>> =>
  payloadOf((await l.log(runId)).find((e) => e.eventType === "StepStarted" && e.stepId === stepId));

describe.each(storeKinds)("%s", (kind) => {
  it.each([
    ["keyed", 1],
    ["verified", 1],
    ["once", 1],
    ["plain", 2],
  ] as const)("a retry from a completed step, %s, sends it %i time(s) in all", proves("K19", "I6", "I7"), async (declared, times) => {
    const l = await fresh(kind);
    const b = bank();
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const paid = await ctx.step("charge", () => b.sent.push("charge"), options(b, declared));
      await ctx.step("after", () => b.sent.push("after"));
      return paid;
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntil(h.result());
    const again = await h.retry({ fromStep: "charge" });
    await l.advanceUntil(again.result());
    expect(b.sent.filter((x) => x === "charge")).toHaveLength(times);
    expect(b.sent.filter((x) => x === "after")).toHaveLength(2);
    expect(b.asked).toEqual([]);
  });

  it("a transaction that completed is kept from the step on, always", proves("K19", "I5"), async () => {
    if (kind === "memory") return;
    const l = await fresh(kind);
    let ran = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.tx("book", async () => Promise.resolve(++ran)));
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntil(h.result());
    expect(await l.advanceUntil((await h.retry({ fromStep: "book" })).result())).toBe(1);
    expect(ran).toBe(1);
  });

  it.each(["keyed", "verified", "once"] as const)(
    "what completed with another input is a person's to decide: %s",
    proves("K19", "I7"),
    async (declared) => {
      const l = await fresh(kind);
      const b = bank();
      let cents = 100;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("charge", () => b.sent.push("charge"), { ...options(b, declared), input: { cents } });
        if (cents === 100) ctx.fail("wrong amount");
      });
      const { engine, client } = await l.engine([wf]);
      const h = await engine.start(wf);
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "wrong amount" });
      cents = 200;
      const again = await h.retry();
      await l.advanceUntilLine(again.runId, "pawl.StepInDoubt");
      expect([b.sent, b.asked]).toEqual([["charge"], []]);
      const [d] = await client.decisions();
      expect(d).toMatchObject({ code: "PAWL4050", kind: "effect" });
      expect(await startedOf(l, again.runId, "charge")).toMatchObject({ line: { runId: h.runId, was: "completed", then: "decision" } });
      await l.advanceUntil(client.resolve(d!.decisionId, { by: "ann", reason: "the first charge is enough", happened: true, result: 7 }));
      await l.advanceUntil(again.result());
      expect(b.sent).toEqual(["charge"]);
    },
  );

  it("another key is another effect, and runs; a step that was renamed is the same effect under its key", proves("K19"), async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    let turn = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const [name, key] = [
        ["charge", "k1"],
        ["charge", "k2"],
        ["pay", "k2"],
      ][turn] as [string, string];
      await ctx.step(name, (s) => sent.push(s.key), { key, dedup: "1h" });
      if (turn < 2) ctx.fail("again");
    });
    const { engine } = await l.engine([wf]);
    let h: Handle<typeof wf> = await engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "again" });
    turn = 1;
    h = await h.retry();
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "again" });
    expect(sent).toEqual(["k1", "k2"]);
    turn = 2;
    h = await h.retry();
    await l.advanceUntil(h.result());
    expect(sent).toEqual(["k1", "k2"]);
  });

  it.each(["keyed", "verified", "once"] as const)(
    "what was in flight is never sent under another call without a person: %s",
    proves("K19", "I7"),
    async (declared) => {
      const l = await fresh(kind);
      const b = bank();
      let turn = 1;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("charge", () => b.sent.push("charge") && new Promise(() => {}), {
          ...options(b, declared, `k${turn}`),
          input: turn,
        });
      });
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepStarted charge");
      await h.terminate("stuck");
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
      turn = 2;
      const again = await h.retry();
      await l.advanceUntilLine(again.runId, "pawl.StepInDoubt");
      expect([b.sent, b.asked]).toEqual([["charge"], []]);
    },
  );

  it.each([
    ["keyed", { sent: ["k", "k"], asked: 0, doubt: false }],
    ["verified", { sent: ["", ""], asked: 1, doubt: false }],
    ["once", { sent: [""], asked: 0, doubt: true }],
  ] as const)(
    "a restart carries what the terminated run had in flight, under the same key: %s",
    proves("K19", "I6", "I7", "K24"),
    async (declared, expected) => {
      const l = await fresh(kind);
      const b = bank();
      let stuck = true;
      const keys: string[] = [];
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("charge", (s) => (keys.push(s.key), stuck ? new Promise(() => {}) : 1), options(b, declared));
      });
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf, undefined, { id: "order" });
      await l.advanceUntilLine(h.runId, "StepStarted charge");
      await l.platform.settle();
      stuck = false;
      const next = await l.advanceUntil(engine.start(wf, undefined, { id: "order", onConflict: "restart" }));
      if (expected.doubt) await l.advanceUntilLine(next.runId, "pawl.StepInDoubt");
      else await l.advanceUntil(next.result());
      expect(keys).toHaveLength(expected.sent.length);
      expect(new Set(keys).size).toBe(1);
      if (expected.asked > 0) expect(new Set(b.asked)).toEqual(new Set(keys));
      expect(await l.row(next.runId)).toMatchObject({ rootRunId: h.runId, originalRunId: h.runId });
    },
  );

  it("a restart keeps what completed under a guarantee, and begins everything else anew", proves("K19", "I6"), async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    const wf = workflow({ name: "wf", input: anySchema<number>(), signals: { go: anySchema() } }, async (ctx) => {
      await ctx.step("look", () => sent.push("look"));
      await ctx.step("charge", () => sent.push("charge"), { once: true });
      await ctx.receive("go");
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, 1, { id: "order" });
    await l.advanceUntilLine(h.runId, "StepCompleted charge");
    const next = await l.advanceUntil(engine.start(wf, 1, { id: "order", onConflict: "restart" }));
    await next.signal("go", 0);
    await l.advanceUntil(next.result());
    expect(sent).toEqual(["look", "charge", "look"]);
    // With another input of the run nobody can tell whether it is the same charge.
    const third = await l.advanceUntil(engine.start(wf, 2, { id: "order", onConflict: "restart" }));
    await l.advanceUntilLine(third.runId, "pawl.StepInDoubt");
    expect(sent).toEqual(["look", "charge", "look", "look"]);
  });

  it("an order to send a completed effect again says who and why, in the run and at the step", proves("K19", "I7"), async () => {
    const l = await fresh(kind);
    const b = bank();
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("a", () => b.sent.push("a"), options(b, "keyed", "ka"));
      await ctx.step("b", () => b.sent.push("b"), options(b, "keyed", "kb"));
      await ctx.step("v", () => b.sent.push("v"), options(b, "verified"));
      await ctx.step("o", () => b.sent.push("o"), options(b, "once"));
      await ctx.step("p", () => b.sent.push("p"));
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntil(h.result());
    const who = { by: "ann", reason: "the bank lost it" };
    await expect(h.retry({ rerun: ["o"], ...who })).rejects.toMatchObject({ code: "PAWL4052", data: { stepId: "o" } });
    await expect(h.retry({ rerun: ["nobody"], ...who })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(h.retry({ rerun: ["a"], reason: "no name" })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(h.retry({ rerun: ["a"], by: "ann" })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(h.retry({ rerun: [], ...who })).rejects.toMatchObject({ code: "PAWL4011" });
    const again = await h.retry({ rerun: ["a", "v", "p"], ...who });
    await l.advanceUntil(again.result());
    expect(b.sent).toEqual(["a", "b", "v", "o", "p", "a", "v", "p"]);
    expect(b.asked.length).toBeGreaterThan(0);
    expect(payloadOf((await l.log(again.runId))[0])).toMatchObject({ rerun: { steps: ["a", "v", "p"], ...who } });
    expect(await startedOf(l, again.runId, "a")).toMatchObject({ key: "ka", rerun: who, line: { then: "sendSameKey", was: "completed" } });
    expect(await startedOf(l, again.runId, "v")).toMatchObject({ rerun: who, line: { then: "verifyFirst" } });
    expect(await startedOf(l, again.runId, "b")).not.toHaveProperty("rerun");
    expect((await l.lines(again.runId)).filter((x) => x === "pawl.StepRedispatched")).toHaveLength(2);
    // Completed again, it is kept again.
    await l.advanceUntil((await again.retry({ fromStep: "a" })).result());
    expect(b.sent.filter((x) => x === "a")).toHaveLength(2);
  });

  it(
    "past the receiver's window nobody sends a key again, not even on an order; the window counts from the run chain's first send",
    proves("K25", "I7"),
    async () => {
      const l = await fresh(kind);
      const sent: string[] = [];
      let broken = true;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step(
          "charge",
          () => {
            sent.push("charge");
            if (broken) throw new Error("no answer");
          },
          { key: "k", dedup: "1m", timeout: "1s" },
        );
      });
      const { engine } = await l.engine([wf]);
      let h: Handle<typeof wf> = await engine.start(wf);
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no answer" });
      await l.platform.advance(30_000);
      h = await h.retry();
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no answer" });
      await l.platform.advance(31_000);
      broken = false;
      h = await h.retry();
      await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
      expect(sent).toEqual(["charge", "charge"]);
    },
  );

  it(
    "what was undone is sent again under a key that says so, or asked for; a verifier that still finds it is not believed",
    proves("K19", "I7", "K24"),
    async () => {
      for (const declared of ["keyed", "verified"] as const) {
        const l = await fresh(kind);
        const b = bank();
        const keys: string[] = [];
        let mended = false;
        const wf = workflow({ name: "wf" }, async (ctx) => {
          await ctx.step("paid", (s) => keys.push(s.key), { ...options(b, declared), compensate: () => void keys.push("undone") });
          if (!mended) ctx.fail("no");
        });
        const { engine } = await l.engine([wf]);
        const h = await engine.start(wf);
        await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no" });
        const second = await h.retry();
        if (declared === "keyed") {
          await expect(l.advanceUntil(second.result())).rejects.toMatchObject({ message: "no" });
          mended = true;
          const third = await second.retry();
          await l.advanceUntil(third.result());
          expect(keys).toEqual(["k", "undone", "k~2", "undone", "k~3"]);
          expect(await startedOf(l, third.runId, "paid")).toMatchObject({
            key: "k~3",
            attemptOf: "k",
            line: { was: "undone", then: "newKey" },
          });
          continue;
        }
        await expect(l.advanceUntil(second.result())).rejects.toMatchObject({ message: "no" });
        expect([b.asked.length > 0, keys.filter((k) => k !== "undone").length]).toEqual([true, 2]);
        b.found = "ch-1";
        mended = true;
        const third = await second.retry();
        await l.advanceUntilLine(third.runId, "pawl.StepInDoubt");
        expect(keys.filter((k) => k !== "undone")).toHaveLength(2);
      }
    },
  );

  it("what was sent under a new key and may have happened keeps that key in every later retry", proves("K19", "I7"), async () => {
    const l = await fresh(kind);
    const keys: string[] = [];
    let then: "undo" | "lose the answer" | "end" = "undo";
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step(
        "paid",
        (s) => {
          keys.push(s.key);
          if (then === "lose the answer") throw new Error("no answer");
        },
        { key: "k", dedup: "1h", compensate: () => void keys.push("undone") },
      );
      if (then === "undo") ctx.fail("no");
    });
    const { engine } = await l.engine([wf]);
    let h: Handle<typeof wf> = await engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no" });
    then = "lose the answer";
    for (const _ of [1, 2]) {
      h = await h.retry();
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no answer" });
    }
    then = "end";
    h = await h.retry();
    await l.advanceUntil(h.result());
    // "k" is the effect that was undone, and "k~3" would be a third one.
    expect(keys).toEqual(["k", "undone", "k~2", "k~2", "k~2"]);
    expect(await startedOf(l, h.runId, "paid")).toMatchObject({ key: "k~2", attemptOf: "k", line: { was: "unknown", then: "recover" } });
  });

  it("an owner that dies between the start and the question leaves the question to the next", proves("K19", "I7"), async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    let cents = 100;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await Promise.all([
        ctx.step("charge", () => sent.push("charge"), { key: "k", dedup: "1h", input: cents }),
        ...(cents === 100 ? [] : [ctx.step("other", () => 1)]),
      ]);
      if (cents === 100) ctx.fail("wrong amount");
    });
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "wrong amount" });
    a.kill();
    cents = 200;
    // One start to a Commit: the question comes with the next, which this owner does not live to make.
    const dies = (store: FullStore): FullStore =>
      new Proxy(store, {
        get: (target, name) =>
          name !== "commit"
            ? (Reflect.get(target, name) as unknown)
            : async (...args: Parameters<FullStore["commit"]>) => {
                const answered = await target.commit(...args);
                if (args[0].some((c) => c.events.some((e) => e.stepId === "charge"))) b.kill();
                return answered;
              },
      });
    const b = await l.engine([wf], { lease: "1s", limits: { startsPerCommitMax: 1 }, wrap: dies });
    const again = await b.client.retry(h.runId);
    await l.platform.advance(5_000);
    expect([b.alive, (await l.lines(again.runId)).at(-1)]).toEqual([false, "StepStarted charge"]);
    await l.engine([wf], { lease: "1s" });
    await l.advanceUntilLine(again.runId, "pawl.StepInDoubt");
    expect(sent).toEqual(["charge"]);
  });

  it("a line that has lost a log waits for a person, and goes on with what is known when one says so", proves("K19", "I7"), async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    let shut = true;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("a", () => sent.push("a"), { once: true });
      if (shut) ctx.fail("shut");
    });
    const { engine, client } = await l.engine([wf]);
    const first = await engine.start(wf, undefined, { id: "w" });
    await expect(l.advanceUntil(first.result())).rejects.toMatchObject({ message: "shut" });
    const second = await first.retry();
    await expect(l.advanceUntil(second.result())).rejects.toMatchObject({ message: "shut" });
    const pruned = { runId: first.runId, stage: "expire", endedBefore: Number.MAX_SAFE_INTEGER, limit: 100 } as const;
    expect(await l.store.archive.prune({ ...pruned, unlessHeld: { collection: "none", keys: [] } })).toMatchObject({ kind: "pruned" });
    shut = false;
    expect(await second.retry({ dryRun: true })).toMatchObject({ lost: first.runId, steps: [{ stepId: "a", outlook: "kept" }] });
    const third = await second.retry();
    await l.advanceUntilLine(third.runId, "pawl.DecisionNeeded");
    expect(sent).toEqual(["a"]);
    const [d] = await client.decisions();
    await l.advanceUntil(client.resolve(d!.decisionId, { by: "ann", reason: "the second run knows it all", retry: true }));
    await l.advanceUntil(third.result());
    expect(sent).toEqual(["a"]);
  });

  it("what was only half undone is a person's to decide, under no key at all", proves("K19", "I7"), async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    let shut = true;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("paid", (s) => sent.push(s.key), {
        key: "k",
        dedup: "1h",
        compensate: () => {
          throw new Error("the bank did not answer");
        },
      });
      if (shut) ctx.fail("shut");
    });
    const { engine, client } = await l.engine([wf]);
    const first = await engine.start(wf);
    await expect(l.advanceUntil(first.result())).rejects.toMatchObject({ message: "shut" });
    shut = false;
    const second = await first.retry();
    await l.advanceUntilLine(second.runId, "pawl.StepInDoubt");
    expect([sent, (await client.decisions())[0]?.code]).toEqual([["k"], "PAWL4051"]);
  });

  it("a dry run says of each step what the table says, and makes nothing", proves("K19"), async () => {
    const l = await fresh(kind);
    const b = bank();
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("free", () => 1);
      await ctx.step("keyed", () => 1, { key: "k", dedup: "1m", timeout: "1s" });
      await ctx.step("once", () => 1, options(b, "once"));
      await Promise.all([
        ctx.step("asked", () => new Promise(() => {}), { ...options(b, "verified"), timeout: "1d" } as object),
        ctx.step("paid", () => new Promise(() => {}), { once: true, timeout: "1d" }),
        ctx.step("open", () => new Promise(() => {})),
      ]);
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepStarted open");
    await l.platform.settle();
    await expect(h.retry({ dryRun: true })).rejects.toMatchObject({ code: "PAWL4010" });
    await h.terminate("stuck");
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
    const told = async (o: object): Promise<Record<string, string>> => {
      const plan = await h.retry({ ...o, dryRun: true });
      return Object.fromEntries(plan.steps.map((s) => [s.stepId, s.outlook]));
    };
    const rest = { asked: "runs again", paid: "needs a decision", open: "may repeat" };
    expect(await told({})).toEqual({ free: "kept", keyed: "kept", once: "kept", ...rest });
    expect(await told({ fromStep: "free" })).toEqual({ free: "may repeat", keyed: "kept", once: "kept", ...rest });
    expect(await told({ rerun: ["keyed"], by: "ann", reason: "why" })).toEqual({
      free: "kept",
      keyed: "runs again",
      once: "kept",
      ...rest,
    });
    await l.platform.advance(61_000);
    expect(await told({ rerun: ["keyed"], by: "ann", reason: "why" })).toMatchObject({ keyed: "needs a decision" });
    expect((await engine.list()).runs).toHaveLength(1);
  });
});

describe.each(storeKinds)("%s, continue-as-new", (kind) => {
  it("a step without a key is another effect in every generation; a key names the same one", proves("K19", "K24", "I6"), async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => {
      await ctx.step("rent", () => sent.push(`rent ${n}`), { once: true, input: n });
      await ctx.step("month", () => sent.push(`month ${n}`), { key: `month-${n}`, dedup: "1h" });
      const account = await ctx.step("account", () => sent.push(`account ${n}`), { key: "account" });
      if (n < 3) ctx.continueAsNew(n + 1);
      return account;
    });
    const { engine } = await l.engine([wf]);
    expect(await l.advanceUntil(engine.run(wf, 1, { id: "loop" }))).toBe(3);
    expect(sent).toEqual(["rent 1", "month 1", "account 1", "rent 2", "month 2", "rent 3", "month 3"]);
  });

  it(
    "a key that an earlier generation may have sent is recovered by its class, also by a retry of the later one",
    proves("K19", "I6", "I7"),
    async () => {
      const l = await fresh(kind);
      const sent: string[] = [];
      const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => {
        if (n === 1) {
          await ctx.step("pay", () => sent.push("pay") && Promise.reject(new Error("no answer")), { key: "k" }).catch(() => {});
          ctx.continueAsNew(2);
        }
        await ctx.step("pay", () => sent.push("pay"), { key: "k" });
      });
      const { engine, client } = await l.engine([wf]);
      await engine.start(wf, 1, { id: "loop" });
      const second = async (): Promise<string> => (await l.byWorkflowId("loop")).runId;
      for (let t = 0; (await l.byWorkflowId("loop")).generation < 2 && t < 100; t++) await l.platform.advance(100);
      await l.advanceUntilLine(await second(), "pawl.StepInDoubt");
      await client.control(await second(), "terminate", posted);
      await l.advanceUntil(client.waitForEnd(await second()).catch(() => {}));
      const again = await client.retry("loop");
      await l.advanceUntilLine(again.runId, "pawl.StepInDoubt");
      expect(sent).toEqual(["pay"]);
    },
  );

  it("another input under the key of an earlier generation is a person's to decide", proves("K19", "I7"), async () => {
    const l = await fresh(kind);
    const sent: number[] = [];
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => {
      await ctx.step("pay", () => sent.push(n), { key: "k", dedup: "1h", input: n });
      if (n < 2) ctx.continueAsNew(n + 1);
    });
    const { engine, client } = await l.engine([wf]);
    await engine.start(wf, 1, { id: "loop" });
    for (let t = 0; (await client.decisions()).length === 0 && t < 100; t++) await l.platform.advance(100);
    expect([sent, (await client.decisions())[0]?.code]).toEqual([[1], "PAWL4050"]);
  });

  it("a retry of a later generation that never came to the step still asks the earlier ones", proves("I6"), async () => {
    const l = await fresh(kind);
    const sent: number[] = [];
    let shut = true;
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => {
      if (n === 2 && shut) ctx.fail("shut");
      const got = await ctx.step("open", () => sent.push(n), { key: "account" });
      return n === 1 ? ctx.continueAsNew(2) : got;
    });
    const { engine, client } = await l.engine([wf]);
    await expect(l.advanceUntil(engine.run(wf, 1, { id: "loop" }))).rejects.toMatchObject({ message: "shut" });
    shut = false;
    const again = await client.retry("loop");
    expect((await l.advanceUntil(client.waitForEnd(again.runId))).result).toBe(1);
    expect(sent).toEqual([1]);
  });
});
