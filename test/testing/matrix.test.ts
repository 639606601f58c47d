// The crash matrix: every window of every step is reached, each class keeps its promise where it is counted, and what breaks a
// promise is found, with the line to change. A world that counts wrongly, or a class that is judged too kindly, turns it red.
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { workflow, type Compensation, type StepOpts } from "../../src/index.ts";
import { matrixTable } from "../../src/testing/matrix-table.ts";
import { crashMatrix, world, type CrashCell, type CrashMatrix } from "../../src/testing.ts";
import { proves } from "../support/proves.ts";

vi.setConfig({ testTimeout: 90_000 }); // many lives, on machines that are busy

const at = (m: CrashMatrix, step: string): Record<string, [number, boolean, string]> =>
  Object.fromEntries(m.cells.filter((c) => c.step === step).map((c) => [c.window, [c.count, c.ok, c.end]]));
const all = (cell: [number, boolean, string]): object => ({ A: cell, B: cell, C: cell, D: cell, E: cell });
const once: [number, boolean, string] = [1, true, "COMPLETED"];

/** One step of a class, counted in a world; `sent` is what the receiver is asked to do. */
async function classMatrix(options: StepOpts<string>, keyed = false): Promise<CrashMatrix> {
  const w = world();
  const wf = workflow({ name: "one" }, async (ctx) => {
    await ctx.step("before", () => 1, { repeatable: true });
    const paid = await ctx.step<string>(
      "pay",
      async (s) => {
        w.record("payment", keyed ? s.key : undefined);
        await Promise.resolve();
        return "paid";
      },
      options,
    );
    await ctx.step("after", () => 1, { repeatable: true });
    return paid;
  });
  const verify = options.verify === undefined ? {} : { verify: async () => honest(w.count("payment")) };
  Object.assign(options, verify);
  return crashMatrix(wf, undefined, { world: w });
}
const honest = (n: number): { state: "not-completed" } | { state: "completed-with-result"; result: string } =>
  n > 0 ? { state: "completed-with-result", result: "paid" } : { state: "not-completed" };
const unsaid = async (): Promise<{ state: "indeterminate" }> => ({ state: "indeterminate" });

describe("a class per row, counted in the world", () => {
  it("REPEATABLE runs again in B, C and D, and that is what was asked for", proves("C6", "C7", "C10"), async () => {
    const m = await classMatrix({ repeatable: true });
    const twice: [number, boolean, string] = [2, true, "COMPLETED"];
    expect(at(m, "pay")).toEqual({ A: once, B: once, C: twice, D: twice, E: once });
    expect(m.ok).toBe(true);
  });

  it("KEYED is sent again and happens once, at a receiver that deduplicates", proves("C6", "C7", "C10"), async () => {
    const m = await classMatrix({ key: "order-1", dedup: "1d" }, true);
    expect(at(m, "pay")).toEqual(all(once));
    expect(m.ok).toBe(true);
  });

  it("a step that needs approval is approved in every life, and happens as its class says", proves("C6", "C7"), async () => {
    const m = await classMatrix({ key: "order-1", dedup: "1d", approve: "may it?" }, true);
    expect(at(m, "pay")).toEqual(all(once));
    expect(m.ok).toBe(true);
    const wf = workflow({ name: "asks" }, async (ctx) => ctx.step("pay", () => 1, { repeatable: true, approve: true }));
    const refused = await crashMatrix(wf, undefined, {
      expectEnd: "FAILED",
      approve: false,
      drive: async (h, t) => {
        await t.until(h, { waiting: "decision" });
        const [d] = await t.decisions();
        await t.resolve(d!.decisionId, { by: "ann", reason: "no", refuse: true });
      },
    });
    const never: [number, boolean, string] = [0, true, "FAILED"];
    expect(at(refused, "pay")).toEqual({ A: never, E: never });
  });

  it("KEYED happens twice at a receiver that breaks its word, and the matrix says so", async () => {
    const m = await classMatrix({ key: "order-1", dedup: "1d" });
    expect(m.ok).toBe(false);
    // The outcome of a step and the start of the next are one commit: window A of the next is one more way to lose the outcome.
    expect(m.cells.filter((c) => !c.ok).map((c) => [c.step, c.window, c.effect, c.cause, c.count, c.allowed, c.fix])).toEqual(
      ["pay:C", "pay:D", "after:A"].map((p) => [
        ...p.split(":"),
        "payment",
        "pay",
        2,
        "1",
        "the receiver did not deduplicate: pass it s.key",
      ]),
    );
  });

  it("VERIFIED happens once: it is asked before anything is sent again", proves("C6", "C7", "C10", "I7"), async () => {
    const m = await classMatrix({ verify: unsaid });
    expect(at(m, "pay")).toEqual(all(once));
    expect(m.ok).toBe(true);
  });

  it("AT-MOST-ONCE never happens twice: a person is asked in B, C and D", proves("C6", "C7", "I6", "I7", "K27"), async () => {
    const m = await classMatrix({ once: true });
    expect(at(m, "pay")).toEqual({ A: once, B: [0, true, "decision"], C: [1, true, "decision"], D: [1, true, "decision"], E: once });
    expect(m.ok).toBe(true);
    expect(m.table()).toContain("? once, asks");
  });

  it("UNDECLARED that happens twice is a finding, with the line of the step and what to say of it", proves("C7"), async () => {
    const m = await classMatrix({});
    const twice: [number, boolean, string] = [2, false, "COMPLETED"];
    expect(at(m, "pay")).toEqual({ A: once, B: once, C: twice, D: twice, E: once });
    const [found] = m.cells.filter((c) => !c.ok) as [CrashCell];
    expect(found).toMatchObject({ class: "UNDECLARED", effect: "payment", why: "payment happened twice instead of once" });
    const [file = "", line = ""] = found.line?.split(":") ?? [];
    expect(readFileSync(file, "utf8").split("\n")[Number(line) - 1]).toContain("const paid = await ctx.step<string>(");
    expect(found.fix).toContain("{ key, dedup }");
    expect(m.table()).toContain(
      `✘ payment happened twice instead of once\n  killed in  pay (C, D), after (A)\n  step at    ${found.line}\n  change     say what is true of it`,
    );
  });

  it("ATOMIC: rows and outcome are there once, whatever the window", proves("C7", "I5"), async () => {
    const wf = workflow({ name: "rows" }, async (ctx) => {
      await ctx.tx("table", async (db) => void (await db.sql`create table if not exists t (n integer)`));
      await ctx.tx("insert", async (db) => void (await db.sql`insert into t values (1)`));
      return ctx.tx("read", async (db) => (await db.sql`select n from t`).rows.length);
    });
    const ends: unknown[] = [];
    const m = await crashMatrix(wf, undefined, { store: "sqlite:", steps: ["insert"], check: (e) => ends.push(e.result) });
    expect(at(m, "insert")).toEqual(all(once));
    expect(ends).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe("what undoes a step, by its class", () => {
  const undone = async (more: object, keyed = false): Promise<CrashMatrix> => {
    const w = world();
    const wf = workflow({ name: "undone" }, async (ctx) => {
      await ctx.step("pay", () => "c1", {
        repeatable: true,
        compensate: { undo: (c, s) => w.record(`refund ${c}`, keyed ? s.key : undefined), ...more } as Compensation<[result: string]>,
      });
      ctx.fail("no");
    });
    return crashMatrix(wf, undefined, { world: w, expectEnd: "FAILED", steps: ["pay/~compensate"] });
  };
  const failed: [number, boolean, string] = [1, true, "FAILED"];

  it(
    "KEYED happens once, AT-MOST-ONCE asks a person, a function alone is a finding with what to write",
    proves("C6", "C7", "C10", "I6", "K27"),
    async () => {
      const kept = await undone({ key: (c: string) => `refund-${c}`, dedup: "1d" }, true);
      expect(at(kept, "pay/~compensate")).toEqual(all(failed));
      const asks = await undone({ once: true });
      expect(at(asks, "pay/~compensate")).toEqual({
        A: failed,
        B: [0, true, "decision"],
        C: [1, true, "decision"],
        D: [1, true, "decision"],
        E: failed,
      });
      expect([kept.ok, asks.ok]).toEqual([true, true]);
      const plain = await undone({});
      const [found] = plain.cells.filter((c) => !c.ok);
      expect(found).toMatchObject({ step: "pay/~compensate", class: "UNDECLARED", why: "refund c1 happened twice instead of once" });
      // Worded and coloured by what it means: what broke a promise is red, what asks is not.
      const tinted = (m: CrashMatrix): string => matrixTable(m.cells, (text, kind) => `<${kind}>${text}`);
      expect(tinted(plain)).toMatch(
        /^pay\/~compensate +UNDECLARED +<good>✔ once +<good>✔ once +<bad>✘ twice +<bad>✘ twice +<good>✔ once$/m,
      );
      expect(tinted(plain)).toContain("\n<bad>✘ refund c1 happened twice instead of once\n");
      expect(tinted(asks)).toMatch(/<asks>\? once, asks/);
      expect(found?.fix).toMatch(/^compensate with \{ undo \} and say what is true of it: /);
    },
  );
});

describe("shapes of workflows", () => {
  it("every step is killed in every window it has: branches, maps, waits, children, retries, compensations", async () => {
    const w = world();
    const note = (effect: string) => (s: { key: string }) => w.record(effect, s.key);
    const child = workflow({ name: "child" }, async (ctx) => ctx.step("inner", (s) => note("inner")(s), { repeatable: true }));
    let failures = 0;
    const wf = workflow({ name: "wide", signals: { go: z.number() } }, async (ctx) => {
      await Promise.all([
        ctx.step("left", note("left"), { repeatable: true, compensate: (_, s) => note("undo left")(s) }),
        ctx.step("right", note("right"), { key: "r", dedup: "1d" }),
      ]);
      await ctx.map("ship", ["a", "b"], { key: String }, async (x, c) => c.step("label", note(`label ${x}`), { repeatable: true }));
      await ctx.sleep("night", "8h");
      await ctx.receive("go");
      await ctx.step("flaky", (s) => (failures++ % 2 === 0 ? Promise.reject(new Error("no")) : note("flaky")(s)), {
        repeatable: true,
        retry: { attempts: 5, initial: "1m" },
      });
      await ctx.call(child);
      ctx.fail("and back");
    });
    const m = await crashMatrix(wf, undefined, { world: w, expectEnd: "FAILED", drive: (h) => h.signal("go", 1, { signalId: "s" }) });
    const reached = (step: string): string => [...new Set(m.cells.filter((c) => c.step === step).map((c) => c.window))].join("");
    const effects = ["left", "right", "ship/a/label", "ship/b/label", "inner", "left/~compensate"];
    expect(Object.fromEntries(effects.map((s) => [s, reached(s)]))).toEqual(Object.fromEntries(effects.map((s) => [s, "ABCDE"])));
    expect([reached("night"), reached("go"), reached("child"), reached("flaky")]).toEqual(["AE", "AE", "AE", "ABCDE"]);
    expect(m.cells.filter((c) => !c.ok)).toEqual([]);
    expect(m.cells.every((c) => c.end === "FAILED")).toBe(true);
  });

  it(
    "a step that fails for good is killed around its failure, too, and the run ends as it would have",
    proves("C7", "C9", "C10"),
    async () => {
      const wf = workflow({ name: "sad" }, async (ctx) =>
        ctx.step("no", () => Promise.reject(new Error("no")), { repeatable: true, retry: { attempts: 1 } }).catch((e: Error) => e.message),
      );
      const ends: unknown[] = [];
      const m = await crashMatrix(wf, undefined, { check: (e) => ends.push(e.result) });
      expect(at(m, "no")).toEqual({ A: once, B: once, C: [2, true, "COMPLETED"], D: [2, true, "COMPLETED"], E: once });
      expect(new Set(ends)).toEqual(new Set(["no"]));
    },
  );

  it("steps of one name in two runs are killed one after the other", async () => {
    const w = world();
    const child = workflow({ name: "child" }, async (ctx) => ctx.step("same", () => w.record("child"), { repeatable: true }));
    const wf = workflow({ name: "parent" }, async (ctx) => {
      await ctx.step("same", () => w.record("parent"), { repeatable: true });
      await ctx.call(child);
    });
    const m = await crashMatrix(wf, undefined, { world: w, steps: ["same"], windows: ["D"] });
    expect(m.cells.map((c) => [c.effect, c.count])).toEqual([
      ["parent", 2],
      ["child", 1],
      ["parent", 1],
      ["child", 2],
    ]);
  });

  it(
    "a person who looks, and answers what is true, makes an AT-MOST-ONCE effect happen once in every window",
    proves("C6", "C7", "K27"),
    async () => {
      const w = world();
      const wf = workflow({ name: "payout" }, async (ctx) => ctx.step("pay", () => w.record("payout"), { once: true }));
      const m = await crashMatrix(wf, undefined, {
        world: w,
        drive: async (h, t) => {
          await t.until(h, { waiting: "decision" });
          await t.advance("5m"); // "it did not happen" can be known only when no request can arrive any more
          const [decision] = await t.decisions();
          const found = w.count("payout") > 0 ? { happened: true, result: null } : { happened: false };
          await t.resolve(decision!.decisionId, { by: "ann", reason: "looked at the bank's book", ...(found as { happened: false }) });
        },
      });
      expect(at(m, "pay")).toEqual(all(once));
    },
  );

  it("what the function of a killed engine still does is not done: its process would be gone", async () => {
    const w = world();
    const wf = workflow({ name: "late" }, async (ctx) =>
      ctx.step(
        "slow",
        async () => {
          w.record("sent");
          await new Promise((resolve) => setTimeout(resolve, 5));
          w.record("done");
        },
        { repeatable: true },
      ),
    );
    const m = await crashMatrix(wf, undefined, { world: w, windows: ["C"] });
    expect(m.cells.map((c) => [c.effect, c.count])).toEqual([
      ["sent", 2],
      ["done", 1],
    ]);
  });

  it("without a world the calls of each step's function are counted", async () => {
    const wf = workflow({ name: "bare" }, async (ctx) => {
      await ctx.step("plain", () => 1);
      await ctx.step("keyed", () => 1, { key: "k", dedup: "1d" });
    });
    const m = await crashMatrix(wf, undefined);
    expect(m.cells.filter((c) => !c.ok).map((c) => `${c.step}:${c.window} ${c.why}`)).toEqual([
      "plain:C plain ran twice instead of once",
      "plain:D plain ran twice instead of once",
      "keyed:A plain ran twice instead of once",
    ]);
    expect(at(m, "keyed")["D"]).toEqual([2, true, "COMPLETED"]);
  });
});

describe("what a matrix finds", () => {
  it("a plain world's counts are compared by the names that are expected, and an expectation replaces the class's", async () => {
    let charges = 0;
    const w = { record: () => void charges++, count: (effect: string) => (effect === "charge" ? charges : 0) };
    const wf = workflow({ name: "plain" }, async (ctx) => ctx.step("charge", () => w.record()));
    const strict = await crashMatrix(wf, undefined, { world: w, expect: { charge: "once" } });
    expect(strict.cells.filter((c) => !c.ok).map((c) => c.window)).toEqual(["C", "D"]);
    expect((await crashMatrix(wf, undefined, { world: w, expect: { charge: "at-least-once" } })).ok).toBe(true);
    expect((await crashMatrix(wf, undefined, { expect: { charge: "at-least-once" } })).ok).toBe(true);
  });

  it("code that does not do the same on every replay is found: the run stops, or its end is another", async () => {
    let life = 0;
    const wf = workflow({ name: "moody" }, async (ctx) => {
      life++;
      await ctx.step(life % 2 === 1 ? "a" : "b", () => 1, { repeatable: true });
    });
    const m = await crashMatrix(wf, undefined, { windows: ["D"] });
    expect(m.cells).toMatchObject([{ ok: false }]);
  });

  it("what check throws is a finding; a first run that cannot end is an error", async () => {
    const wf = workflow({ name: "checked" }, async (ctx) => ctx.step("a", (s) => s.attempt.engine, { repeatable: true }));
    const m = await crashMatrix(wf, undefined, {
      check: ({ result }) => {
        if (result !== 1) throw new Error(`it was engine attempt ${result}`);
      },
    });
    expect(m.cells.filter((c) => !c.ok).map((c) => [c.window, c.why])).toEqual(
      ["B", "C", "D"].map((window) => [window, "it was engine attempt 2"]),
    );
    const waits = workflow({ name: "waits", signals: { go: z.null() } }, async (ctx) => ctx.receive("go"));
    await expect(crashMatrix(waits, undefined)).rejects.toMatchObject({ code: "PAWL5033" });
    await expect(crashMatrix(wf, undefined, { steps: ["z"] })).rejects.toMatchObject({ code: "PAWL4011" });
  });
});

describe("the run that nothing interrupted", () => {
  it("a run that fails by itself is no success, and nothing is killed: the report says how it ended", async () => {
    const wf = workflow({ name: "broken" }, async (ctx) => {
      await ctx.step("look", () => 1, { repeatable: true });
      await ctx.step("charge", () => Promise.reject(new Error("no such table: stock")), { once: true });
    });
    const m = await crashMatrix(wf, undefined);
    expect([m.ok, m.cells, m.plain.end, m.plain.asExpected]).toEqual([false, [], "FAILED", false]);
    expect(m.table()).toContain("✘ without a kill the run is FAILED: ");
    expect(m.table()).toContain("no such table: stock");
    expect(m.table()).toContain('expectEnd: "FAILED"');
    const expected = await crashMatrix(wf, undefined, { expectEnd: "FAILED", steps: ["look"] });
    expect([expected.ok, expected.cells.length]).toEqual([true, 5]);
    const other = await crashMatrix(
      workflow({ name: "fine" }, async (ctx) => ctx.step("a", () => 1)),
      undefined,
      { expectEnd: "FAILED" },
    );
    expect([other.ok, other.plain.end]).toEqual([false, "COMPLETED"]);
  });

  it("a run with nothing to kill shows nothing, and is no success", async () => {
    const m = await crashMatrix(
      workflow({ name: "empty" }, async () => 1),
      undefined,
    );
    expect([m.ok, m.cells.length, m.plain.end]).toEqual([false, 0, "COMPLETED"]);
    expect(m.table()).toContain("nothing was killed");
  });
});
