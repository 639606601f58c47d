// The authoring API, call by call, on a live engine: what each gives back, what it records, and that a second owner sees
// the same. Guards that nothing a workflow can write behaves differently on another store. Virtual clock; no sleeps.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { StepError } from "../errors/step-errors.ts";
import { testClusters, storeKinds } from "../../test/support/test-cluster.ts";
import { runAndReplay } from "../../test/support/run-and-replay.ts";
import { task, workflow } from "./define.ts";
import { proves } from "../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("step gives back what its function returned, once, and a second owner reads it from the log", proves("K13", "I2"), async () => {
    let calls = 0;
    const { result, lines } = await runAndReplay(await fresh(kind), async (ctx) =>
      ctx.step("pay", () => ({ n: ++calls, at: new Date(5) })),
    );
    expect(result).toEqual({ n: 1, at: new Date(5) });
    expect(calls).toBe(1);
    expect(lines.slice(0, 3)).toEqual(["RunStarted", "StepStarted pay", "StepCompleted pay"]);
  });

  it("do runs a task under its name or another, with its input parsed by its schema", async () => {
    const got: unknown[] = [];
    const add = task({ name: "add", input: z.object({ a: z.coerce.number(), b: z.number().default(2) }) }, (i) => {
      got.push(i);
      return i.a + i.b;
    });
    const { result, lines } = await runAndReplay(await fresh(kind), async (ctx) => [
      await ctx.do(add, { a: "1" }),
      await ctx.do(add, { a: 5, b: 5 }, { name: "again" }),
    ]);
    expect(result).toEqual([3, 10]);
    expect(got).toEqual([
      { a: 1, b: 2 },
      { a: 5, b: 5 },
    ]);
    expect(lines.filter((x) => x.startsWith("StepStarted")).slice(0, 2)).toEqual(["StepStarted add", "StepStarted again"]);
  });

  it("a task's key is made of its parsed input; an input that is refused has no key, and nothing is recorded", async () => {
    const input = z.object({ id: z.string().trim(), n: z.number().default(1) });
    const pay = task({ name: "pay", input }, (_, s) => s.key, { key: (i) => `${i.id}/${i.n}`, dedup: "1h" });
    const { result, lines } = await runAndReplay(await fresh(kind), async (ctx) => [
      await ctx.do(pay, { id: " a " }),
      await ctx.do(pay, { id: 5 } as never).catch((e: { code?: string }) => e.code),
    ]);
    expect(result).toEqual(["a/1", "PAWL1008"]);
    expect(lines.filter((x) => x.startsWith("StepStarted pay"))).toEqual(["StepStarted pay"]);
  });

  it("a key, and a view, need a schema that answers at once", async () => {
    const slow = z.string().refine(async () => true);
    const pay = task({ name: "pay", input: slow }, () => 1, { key: (i) => i, dedup: "1h" });
    const wf = workflow({ name: "wf", views: { v: slow } }, async (ctx) => {
      const codes = [await ctx.do(pay, "a").catch((e: { code?: string }) => e.code)];
      try {
        ctx.publish("v", "a");
      } catch (e) {
        codes.push((e as { code?: string }).code);
      }
      return codes;
    });
    const l = await fresh(kind);
    expect(await l.advanceUntil((await l.engine([wf])).engine.run(wf))).toEqual(["PAWL1018", "PAWL1018"]);
  });

  it("do refuses an input that the task's schema refuses, as a failure of the step", async () => {
    const add = task({ name: "add", input: z.object({ a: z.number() }) }, (i) => i.a);
    const { result } = await runAndReplay(await fresh(kind), async (ctx) =>
      ctx.do(add, { a: "no" } as never).then(
        () => "taken",
        (e: StepError) => [e.category, (e.cause as { code?: string }).code],
      ),
    );
    expect(result).toEqual(["FAILED", "PAWL1008"]);
  });

  it("sleep lasts its time by the store's clock, across owners, and no longer", proves("K13"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const from = ctx.now().getTime();
      await ctx.sleep("nap", "90s");
      return ctx.now().getTime() - from;
    });
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.advance(30_000);
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    await l.platform.advance(59_000);
    expect((await l.row(h.runId)).status).toBe("RUNNING");
    await l.platform.advance(3_000);
    expect((await l.row(h.runId)).status).toBe("COMPLETED");
    const result = await l.advanceUntil(b.client.waitForEnd(h.runId));
    expect(result.result).toBeGreaterThanOrEqual(90_000);
    expect(result.result).toBeLessThan(91_000);
  });

  it("sleepUntil ends at its time; a time that has passed ends at once", proves("I10"), async () => {
    const l = await fresh(kind);
    const at = new Date(l.platform.wallMs() + 5_000);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.sleepUntil("past", new Date(0));
      await ctx.sleepUntil("then", at);
      return ctx.now().getTime();
    });
    const { engine } = await l.engine([wf]);
    const result = await l.advanceUntil(engine.run(wf));
    expect(result).toBeGreaterThanOrEqual(at.getTime());
    expect(result).toBeLessThan(at.getTime() + 1_000);
  });

  it("map keeps order, bounds what runs at once, names each item's steps by its key", async () => {
    let inside = 0;
    let most = 0;
    const { result, lines } = await runAndReplay(await fresh(kind), async (ctx) =>
      ctx.map("ship", ["x", "y", "z/1", "w"], { key: (e) => e, concurrency: 2 }, async (e, c) => {
        const one = await c.step("pack", async () => {
          most = Math.max(most, ++inside);
          await Promise.resolve();
          inside--;
          return e;
        });
        return `${one}${await c.step("send", () => "!")}`;
      }),
    );
    expect(result).toEqual(["x!", "y!", "z/1!", "w!"]);
    expect(most).toBe(2);
    expect(lines).toContain("StepStarted ship/z%2F1/pack");
    expect(lines).toContain("StepCompleted ship/w/send");
  });

  it("map starts nothing more after a failure, lets what runs settle, then throws the first failure", proves("R-26"), async () => {
    const begun: string[] = [];
    const { result } = await runAndReplay(await fresh(kind), async (ctx) =>
      ctx
        .map("all", ["a", "b", "c", "d"], { key: (e) => e, concurrency: 2 }, async (e, c) =>
          c.step("s", async () => {
            begun.push(e);
            if (e === "a") throw new Error("a failed");
            await Promise.resolve();
            return e;
          }),
        )
        .then(
          () => "all went well",
          (e: Error) => e.message,
        ),
    );
    expect(result).toBe("a failed");
    expect(begun).toEqual(["a", "b"]);
  });

  it("map refuses two items with one key, and a concurrency that is none", async () => {
    const { result } = await runAndReplay(await fresh(kind), async (ctx) => {
      const code = (e: { code: string }): string => e.code;
      return [
        await ctx.map("m", [1, 1], { key: String }, async (n) => n).catch(code),
        await ctx.map("m", [1, 2], { key: String, concurrency: 0 }, async (n) => n).catch(code),
      ];
    });
    expect(result).toEqual(["PAWL1009", "PAWL4011"]);
  });

  it("now, uuid and random are the same on replay, and differ between runs", proves("K13", "D-056"), async () => {
    const { result } = await runAndReplay(await fresh(kind), async (ctx) => {
      const before = ctx.now().getTime();
      const drawn = [ctx.uuid(), ctx.uuid(), ctx.random(), ctx.random()];
      await ctx.sleep("nap", "1s");
      return [before, ctx.now().getTime(), ...drawn, ctx.uuid()];
    });
    expect(new Set(result).size).toBe(7);
    const other = await runAndReplay(await fresh(kind), async (ctx) => [ctx.uuid(), ctx.random()]);
    expect(other.result[0]).not.toBe(result[2]);
    expect(result[2]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(result[1] as number).toBeGreaterThanOrEqual((result[0] as number) + 1_000);
  });

  it("patched is true for runs that begin with the new code, false for those that were past it, and stays so", proves("K20"), async () => {
    const l = await fresh(kind);
    const v1 = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("old", () => 1);
      await ctx.sleep("nap", "10s");
      return "old way";
    });
    const v2 = workflow({ name: "wf" }, async (ctx) => {
      const fresh = ctx.patched("new-way");
      await ctx.step(fresh ? "new" : "old", () => 2);
      await ctx.sleep("nap", "10s");
      return `${fresh ? "new" : "old"} way, ${ctx.patched("new-way")}`;
    });
    const a = await l.engine([v1], { lease: "1s" });
    const old = await a.engine.start(v1);
    await l.platform.settle();
    a.kill();
    const b = await l.engine([v2], { lease: "1s" });
    const recent = await b.engine.start(v2);
    await l.platform.settle();
    b.kill();
    const c = await l.engine([v2], { lease: "1s" });
    expect((await l.advanceUntil(c.client.waitForEnd(old.runId))).result).toBe("old way, false");
    expect((await l.advanceUntil(c.client.waitForEnd(recent.runId))).result).toBe("new way, true");
  });

  it("fail ends the run as FAILED with its reason and data, after compensations", proves("K19", "D-058", "D-096"), async () => {
    const l = await fresh(kind);
    const undone: unknown[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("a", () => "A", { compensate: (r) => void undone.push(r) });
      ctx.fail("no stock", { sku: 7 });
    });
    const { engine, client } = await l.engine([wf]);
    const h = await engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1013", message: "no stock", data: { category: "FAILED" } });
    expect(undone).toEqual(["A"]);
    expect(await client.waitForEnd(h.runId)).toMatchObject({ status: "FAILED", error: { message: "no stock", data: { sku: 7 } } });
  });

  it("an argument that cannot be used rejects its call and records nothing; the run goes on", async () => {
    const wf = workflow({ name: "other" }, async () => 1);
    const { result, lines } = await runAndReplay(await fresh(kind), async (ctx) => {
      const code = (e: { code?: string }): string | undefined => e.code;
      return [
        await ctx.step("a|b", () => 1).catch(code),
        await ctx.sleep("x", "soon" as never).catch(code),
        await ctx.sleepUntil("x", new Date(Number.NaN)).catch(code),
        await ctx.step("x", () => 1, { once: true, repeatable: true } as never).catch(code),
        await ctx.step("x", () => 1, { onec: true } as never).catch(code), // it would run without the guarantee that was meant
        await ctx.step("x", () => 1, { compensate: { undo: () => {}, idempotencyKey: () => "k" } as never }).catch(code),
        await ctx.step("x", () => 1, { retry: { attempts: 0 } }).catch(code),
        await ctx.receive("undeclared" as never).catch(code),
        await ctx.do({ name: "none" } as never, 1).catch(code),
        await ctx.step("x", "no function" as never).catch(code),
        await ctx.tx("x", undefined as never).catch(code),
        await ctx.step("pay", () => 1, { onec: true } as never).catch((e: Error) => e.message),
        await ctx.step("pay", () => 1, { retry: { attempt: 3 } as never }).catch((e: Error) => e.message),
        await ctx.map("all", [1], { key: String, concurency: 1 } as never, async (x) => x).catch((e: Error) => e.message),
        await ctx.call(wf, undefined, { timout: "1s" } as never).catch((e: Error) => e.message),
        await ctx.start(wf, undefined, { timeout: "1s" } as never).catch((e: Error) => e.message),
        await ctx.receive("go", { timout: "1s" } as never).catch((e: Error) => e.message),
        await ctx.sleep("2s" as never, undefined as never).catch((e: Error) => e.message),
        await ctx.step("pay", undefined as never).catch((e: Error) => e.message),
      ];
    });
    expect(result).toEqual([
      "PAWL1001",
      "PAWL1002",
      "PAWL1002",
      "PAWL1005",
      "PAWL5001",
      "PAWL5001",
      "PAWL1011",
      "PAWL1016",
      "PAWL4011",
      "PAWL4011",
      "PAWL4011",
      'step pay has no option "onec"; did you mean "once"?',
      'retry has no option "attempt"; did you mean "attempts"?',
      'ctx.map("all") has no option "concurency"; did you mean "concurrency"?',
      'the call of workflow other has no option "timout"; did you mean "timeout"?',
      'the call of workflow other has no option "timeout"; there are id',
      'ctx.receive("go") has no option "timout"; did you mean "timeout"?',
      'ctx.sleep needs a name and a duration, such as ctx.sleep("pause", "2s")',
      "step pay needs a function",
    ]);
    const misspelt = { idempotencyKey: () => "k" } as never;
    expect(() => task({ name: "t", input: z.number() }, () => 1, misspelt)).toThrow('task t has no option "idempotencyKey"');
    const signal = { name: "w", signal: {} };
    expect(() => workflow(signal, async () => 1)).toThrow('workflow w has no option "signal"');
    expect(lines.slice(0, 2)).toEqual(["RunStarted", "StepStarted last"]);
  });

  it("Promise.all, allSettled, race and any, loops, try/catch and detached promises replay as they ran", proves("K13"), async () => {
    const { result } = await runAndReplay(await fresh(kind), async (ctx) => {
      const log: string[] = [];
      const s = (name: string, ms: number, fails = false): Promise<string> =>
        (async () => {
          await ctx.sleep(`wait ${name}`, ms);
          return ctx.step(name, () => {
            if (fails) throw new Error(`${name} fails`);
            return name;
          });
        })();
      log.push(`all ${(await Promise.all([s("a", 300), s("b", 100), s("c", 200)])).join()}`);
      log.push(`settled ${(await Promise.allSettled([s("d", 50), s("e", 20, true)])).map((r) => r.status).join()}`);
      log.push(`race ${await Promise.race([s("f", 500), s("g", 100)])}`);
      log.push(`any ${await Promise.any([s("h", 50, true), s("i", 400), s("j", 100)])}`);
      void s("detached", 10).then((x) => log.push(x));
      void s("detached and failing", 10, true);
      for (let i = 0; i < 3; i++) {
        try {
          log.push(
            await ctx.step("loop", () => {
              if (i === 1) throw new Error("one");
              return `loop ${i}`;
            }),
          );
        } catch (e) {
          log.push(`caught ${(e as Error).message}`);
        } finally {
          log.push("finally");
        }
      }
      await ctx.sleep("let them end", 1_000);
      return log;
    });
    expect(result.slice(0, 4)).toEqual(["all a,b,c", "settled fulfilled,rejected", "race g", "any j"]);
    expect(result).toContain("detached");
    expect(result.filter((x) => x.startsWith("loop") || x.startsWith("caught") || x === "finally")).toEqual([
      "loop 0",
      "finally",
      "caught one",
      "finally",
      "loop 2",
      "finally",
    ]);
  });
});
