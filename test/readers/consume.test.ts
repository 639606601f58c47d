// The consumer's loop on every store: order, watermarks, failures, dead letters, two processes of one consumer, restarts.
// Everything is awaited by what it leaves behind; nothing here may depend on how fast the loop turns.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { consume } from "../../src/readers/consume.ts";
import { Watermarks } from "../../src/readers/watermarks.ts";
import type { ConsumeOptions, RunningConsumer, Page } from "../../src/readers/consume-types.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { forge } from "./forged-run.ts";
import { proves } from "../support/proves.ts";

const consumer = { scope: defaultScope, name: "billing" };
const long = { timeout: 20_000, interval: 5 };

describe.each(testStores)("a consumer on %s", (_, open) => {
  let b: TestStore;
  const running: RunningConsumer[] = [];
  beforeEach(async () => {
    b = await open();
    b.skipVerification();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((c) => c.stop().catch(() => {})));
    await b.close();
  });

  const begin = async (handle: ConsumeOptions["handle"], o: Partial<ConsumeOptions> = {}): Promise<RunningConsumer> => {
    const c = await consume({ store: b.store, platform: b.platform, consumer, from: "start", handle, ...o });
    running.push(c);
    return c;
  };
  const seqs = (pages: readonly Page[], runId: string): number[] =>
    pages.filter((p) => p.run.runId === runId).flatMap((p) => p.events.map((e) => e.runSeq));
  const mark = async (runId: string): Promise<number | undefined> =>
    (await new Watermarks(b.store, consumer).read([runId])).get(runId)?.seq;
  const waiting = async (): Promise<number | undefined> => (await b.store.feed.consumers(defaultScope))[0]?.waiting;

  it("gets each run's events once, in runSeq order, page by page, whatever their types", proves("D-019", "D-020", "P-37"), async () => {
    const one = forge(b.store, b.platform, "one");
    const two = forge(b.store, b.platform, "two");
    await one.add(["RunStarted"], ["acme.Strange"]);
    const pages: Page[] = [];
    await begin(async (p) => void pages.push(p), { batch: 2, concurrency: 4 });
    await two.add(["RunStarted"], ["StepStarted", "a"], ["StepCompleted", "a"]);
    await one.add(["StepStarted", "a"], ["constructor"], ["StepFailed", "a"]);
    await expect.poll(() => mark("one"), long).toBe(5);
    await expect.poll(() => mark("two"), long).toBe(3);
    expect(seqs(pages, "one")).toEqual([1, 2, 3, 4, 5]);
    expect(seqs(pages, "two")).toEqual([1, 2, 3]);
    expect(pages.every((p) => p.events.length <= 2 && p.events[0]!.runSeq === p.after + 1)).toBe(true);
    await expect.poll(waiting, long).toBe(0);
  });

  it("goes on after a restart where it stood, and hands nothing over that was acknowledged", proves("P-37"), async () => {
    const run = forge(b.store, b.platform, "r");
    await run.add(["RunStarted"], ["a"], ["b"], ["c"]);
    const first = await begin(async (p) => {
      if (p.after === 0) return { upTo: 2 };
      await new Promise((resolve) => p.signal.addEventListener("abort", resolve, { once: true }));
      return { upTo: p.after };
    });
    await expect.poll(() => mark("r"), long).toBe(2);
    await first.stop();
    const pages: Page[] = [];
    await (
      await begin(async (p) => void pages.push(p), { once: true })
    ).done;
    expect(seqs(pages, "r")).toEqual([3, 4]);
    expect(pages[0]).toMatchObject({ after: 2 });
    await run.add(["d"]);
    await (
      await begin(async (p) => void pages.push(p), { once: true })
    ).done;
    expect(seqs(pages, "r")).toEqual([3, 4, 5]);
  });

  it("what a handler gave back unhandled because it had to stop is handed over again", proves("P-37"), async () => {
    await forge(b.store, b.platform, "r").add(["RunStarted"], ["a"]);
    let begun = 0;
    const first = await begin(async (p) => {
      begun++;
      await new Promise((resolve) => p.signal.addEventListener("abort", resolve, { once: true }));
      return { upTo: p.after };
    });
    await expect.poll(() => begun, long).toBe(1);
    await first.stop();
    expect(await mark("r")).toBeUndefined();
    expect(await new Watermarks(b.store, consumer).heldRuns(10)).toEqual([]);
    const pages: Page[] = [];
    await (
      await begin(async (p) => void pages.push(p), { once: true })
    ).done;
    expect(seqs(pages, "r")).toEqual([1, 2]);
  });

  it(
    "a consumer that is stopped lets its handler end, and keeps account of what that one acknowledged",
    proves("P-37", "D-019"),
    async () => {
      await forge(b.store, b.platform, "r").add(["RunStarted"], ["a"]);
      let [begun, end] = [false, (): void => {}];
      const ending = new Promise<void>((resolve) => (end = resolve));
      const c = await begin(async () => {
        begun = true;
        await ending;
      });
      await expect.poll(() => begun, long).toBe(true);
      let stopped = false;
      const stop = c.stop().then(() => (stopped = true));
      await forge(b.store, b.platform, "s").add(["RunStarted"]); // however much happens meanwhile
      expect(stopped).toBe(false);
      end();
      await stop;
      expect([await mark("r"), await mark("s")]).toEqual([2, undefined]);
    },
  );

  it(
    "the news of a run that is under way leaves room for others, and none of it is lost when nothing was acknowledged",
    proves("P-37"),
    async () => {
      const slow = forge(b.store, b.platform, "slow");
      await slow.add(["RunStarted"]);
      const seen: number[] = [];
      let begun = false;
      const c = await begin(
        async (p) => {
          if (p.run.runId !== "slow") return {};
          begun = true;
          await new Promise((resolve) => p.signal.addEventListener("abort", resolve, { once: true }));
          return { upTo: p.after };
        },
        { from: "now", concurrency: 2 },
      );
      await slow.add(["a"], ["b"]);
      await expect.poll(() => begun, long).toBe(true);
      for (const type of ["c", "d", "e", "f"]) await slow.add([type]);
      await forge(b.store, b.platform, "quick").add(["RunStarted"]);
      await expect.poll(() => mark("quick"), long).toBe(1);
      await expect.poll(waiting, long).toBe(2);
      await c.stop();
      await (
        await begin(async (p) => void seen.push(...p.events.map((e) => e.runSeq)), { once: true })
      ).done;
      expect(seen).toEqual([2, 3, 4, 5, 6, 7]);
    },
  );

  it("a run whose event fails is held back and tried again in order, while others go on", proves("P-37"), async () => {
    const bad = forge(b.store, b.platform, "bad");
    const good = forge(b.store, b.platform, "good");
    await bad.add(["RunStarted"], ["x"], ["y"]);
    const seen: string[] = [];
    let broken = true;
    await begin(
      async (p) => {
        for (const e of p.events) {
          seen.push(`${p.run.runId} ${e.runSeq}`);
          if (broken && p.run.runId === "bad" && e.runSeq === 2)
            return { upTo: e.runSeq - 1, failed: { error: new Error("the ledger is closed") } };
        }
        return {};
      },
      { retry: () => 3_600_000 },
    );
    await expect.poll(() => mark("bad"), long).toBe(1);
    await good.add(["RunStarted"], ["RunCompleted"]);
    await bad.add(["z"]);
    await expect.poll(() => mark("good"), long).toBe(2);
    await expect.poll(waiting, long).toBe(0);
    const [held] = await new Watermarks(b.store, consumer).heldRuns(10);
    expect(held).toMatchObject({ runId: "bad", seq: 1, failures: 1, error: "the ledger is closed" });
    expect(seen.filter((s) => s.startsWith("bad"))).toEqual(["bad 1", "bad 2"]);
    await running.splice(0)[0]?.stop();
    broken = false;
    b.advanceClock(3_600_001);
    await begin(async (p) => void seen.push(...p.events.map((e) => `${p.run.runId} ${e.runSeq}`)), { once: true });
    await expect.poll(() => mark("bad"), long).toBe(4);
    expect(seen.slice(2).filter((s) => s.startsWith("bad"))).toEqual(["bad 2", "bad 3", "bad 4"]);
    expect(await new Watermarks(b.store, consumer).heldRuns(10)).toEqual([]);
  });

  it("a run that was held back goes on to its end, however many pages it has left", proves("P-37"), async () => {
    await forge(b.store, b.platform, "r").add(["RunStarted"], ["a"], ["b"], ["c"], ["d"]);
    const pages: Page[] = [];
    let tries = 0;
    await begin(
      async (p) => {
        if (tries++ === 0) throw new Error("not yet");
        pages.push(p);
      },
      { batch: 2, retry: () => 1 },
    );
    await expect.poll(() => mark("r"), long).toBe(5);
    expect(seqs(pages, "r")).toEqual([1, 2, 3, 4, 5]);
    await expect.poll(() => new Watermarks(b.store, consumer).heldRuns(10), long).toEqual([]);
  });

  it("a run that is due again before anybody saw that it had been held back is not forgotten", proves("P-37"), async () => {
    await forge(b.store, b.platform, "r").add(["RunStarted"]);
    let [attempts, looks] = [0, 0];
    let fail = (): void => {};
    const failing = new Promise<void>((resolve) => (fail = resolve));
    const due = async (): Promise<boolean> => {
      const [m] = await new Watermarks(b.store, consumer).heldRuns(1);
      return (m?.heldUntil ?? Number.POSITIVE_INFINITY) < (await b.store.info()).nowMs;
    };
    const feed: typeof b.store.feed = {
      ...b.store.feed,
      // A look that takes longer than the run is held back, and began while it was under way.
      next: async (q) => {
        if (attempts === 1 && looks++ === 0) {
          fail();
          await expect.poll(due, long).toBe(true);
        }
        return b.store.feed.next(q);
      },
    };
    const store = new Proxy(b.store, {
      get: (t, k) => {
        const value: unknown = k === "feed" ? feed : Reflect.get(t, k, t);
        return typeof value === "function" ? (value.bind(t) as unknown) : value;
      },
    });
    const handle = async (): Promise<void> => {
      if (++attempts > 1) return;
      await failing;
      throw new Error("no");
    };
    await begin(handle, { store, concurrency: 2, retry: () => 1 });
    await expect.poll(() => mark("r"), long).toBe(1);
    expect(attempts).toBe(2);
  });

  it("after N failures the event is a dead letter, and its run goes on after it", proves("P-37"), async () => {
    await forge(b.store, b.platform, "r").add(["RunStarted"], ["poison"], ["RunCompleted"]);
    const failures: number[] = [];
    const seen: number[] = [];
    const c = await begin(
      async (p) => {
        if (p.events[0]!.eventType === "poison") {
          failures.push(p.failures);
          throw new Error("cannot swallow");
        }
        seen.push(p.events[0]!.runSeq);
        return { upTo: p.events[0]!.runSeq };
      },
      { retry: (f) => (f.failures < 3 ? 1 : "give up") },
    );
    await expect.poll(() => mark("r"), long).toBe(3);
    await c.stop();
    expect(failures).toEqual([0, 1, 2]);
    expect(seen).toEqual([1, 3]);
    const dead = await new Watermarks(b.store, consumer).deadLetters({ limit: 10 });
    expect(dead).toMatchObject([{ runId: "r", runSeq: 2, eventType: "poison", failures: 3, error: "cannot swallow" }]);
    expect(await new Watermarks(b.store, consumer).deadLetters({ runId: "other", limit: 10 })).toEqual([]);
  });

  it("failures are counted for one event: a later one that fails in the same page has failed once", proves("P-37"), async () => {
    await forge(b.store, b.platform, "r").add(["RunStarted"], ["x"], ["y"]);
    const counted: string[] = [];
    let refused = 2;
    const c = await begin(
      async (p) => {
        for (const e of p.events)
          if (e.runSeq > 1 && refused === e.runSeq) return { upTo: e.runSeq - 1, failed: { error: new Error("no") } };
        return {};
      },
      {
        retry: (f) => {
          counted.push(`${f.event.runSeq} ${f.failures}`);
          if (f.failures === 2) refused++;
          return 1;
        },
      },
    );
    await expect.poll(() => mark("r"), long).toBe(3);
    await c.stop();
    expect(counted).toEqual(["2 1", "2 2", "3 1", "3 2"]);
    expect(await new Watermarks(b.store, consumer).heldRuns(10)).toEqual([]);
  });

  it("the watermark moves over what was handed over and nothing else, whatever a handler acknowledges", proves("D-020"), async () => {
    const run = forge(b.store, b.platform, "r");
    await run.add(["RunStarted"], ["a"], ["b"], ["c"]);
    const pages: Page[] = [];
    const c = await begin(
      async (p) => {
        pages.push(p);
        return pages.length === 2 ? { upTo: 0, failed: { error: new Error("no") } } : { upTo: 99 };
      },
      { batch: 2, retry: () => 1 },
    );
    await expect.poll(() => mark("r"), long).toBe(4);
    await run.add(["d"]);
    await expect.poll(() => mark("r"), long).toBe(5);
    await c.stop();
    expect(pages.map((p) => p.events.map((e) => e.runSeq))).toEqual([[1, 2], [3, 4], [3, 4], [5]]);
  });

  it("a run that was removed while it was held back is forgotten, with its watermark", proves("P-37"), async () => {
    await forge(b.store, b.platform, "r", { status: "COMPLETED" }).add(["RunStarted"], ["RunCompleted"]);
    const handle = async (): Promise<void> => {
      throw new Error("no");
    };
    await (
      await begin(handle, { once: true })
    ).done;
    expect(await mark("r")).toBe(0);
    b.advanceClock(60_000);
    const { nowMs } = await b.store.info();
    for (const stage of ["purge", "forget"] as const)
      expect(
        await b.store.archive.prune({ runId: "r", stage, endedBefore: nowMs, unlessHeld: { collection: "hold", keys: ["r"] }, limit: 10 }),
      ).toMatchObject({ kind: "pruned" });
    await (
      await begin(handle, { once: true })
    ).done;
    expect([await mark("r"), await new Watermarks(b.store, consumer).heldRuns(10)]).toEqual([undefined, []]);
  });

  it("a page has a hundred events at most unless more are asked for: so many come again after a crash", proves("P-37"), async () => {
    await forge(b.store, b.platform, "r").add(["RunStarted"], ...Array.from({ length: 129 }, (): [string] => ["a"]));
    const pages: Page[] = [];
    await (
      await begin(async (p) => void pages.push(p), { once: true })
    ).done;
    expect(pages.map((p) => p.events.length)).toEqual([100, 30]);
  });

  it(
    "two processes of one consumer: one works, the other takes over when its lease has run out, and nothing is skipped",
    proves("D-020"),
    async () => {
      const run = forge(b.store, b.platform, "r");
      await run.add(["RunStarted"]);
      const by: string[] = [];
      let stuck = (): void => {};
      // The first one hangs in its handler, with a lease that runs out at once: its acknowledgement comes too late.
      const first = await begin(
        async (p) => {
          by.push(`first ${p.events[0]!.runSeq}`);
          await new Promise<void>((resolve) => (stuck = resolve));
        },
        { leaseMs: 100_000 },
      );
      await expect.poll(() => by.length, long).toBe(1);
      const second = await begin(async (p) => void by.push(...p.events.map((e) => `second ${e.runSeq}`)), { store: await b.reopen() });
      await run.add(["a"]);
      b.advanceClock(100_001);
      await expect.poll(() => mark("r"), long).toBe(2);
      stuck();
      await run.add(["b"]);
      await expect.poll(() => mark("r"), long).toBe(3);
      expect(by.slice(0, 3)).toEqual(["first 1", "second 1", "second 2"]);
      expect(by.filter((x) => x.endsWith(" 3"))).toHaveLength(1);
      await second.stop();
      await first.stop();
    },
  );

  it("a consumer sees its own scope only", proves("I11"), async () => {
    const elsewhere = { ...defaultScope, tenantId: "else" };
    await forge(b.store, b.platform, "theirs", { scope: elsewhere }).add(["RunStarted"]);
    await forge(b.store, b.platform, "ours").add(["RunStarted"]);
    const pages: Page[] = [];
    await (
      await begin(async (p) => void pages.push(p), { once: true })
    ).done;
    expect(pages.map((p) => p.run.runId)).toEqual(["ours"]);
  });

  it("a consumer from now gets the Commits after it joined, whole, and keeps to what it first asked for", proves("D-020"), async () => {
    const old = forge(b.store, b.platform, "old");
    await old.add(["RunStarted"], ["a"]);
    await old.add(["b"]);
    const pages: Page[] = [];
    await (
      await begin(async () => {}, { from: "now", once: true })
    ).done;
    await old.add(["c"], ["d"], ["e"]);
    await old.add(["f"]);
    await forge(b.store, b.platform, "new").add(["RunStarted"], ["a"]);
    await (
      await begin(async (p) => void pages.push(p), { from: "start", once: true })
    ).done;
    expect(seqs(pages, "old")).toEqual([4, 5, 6, 7]);
    expect(seqs(pages, "new")).toEqual([1, 2]);
  });

  it("what a handler writes goes in with the watermark, or not at all", proves("P-37"), async () => {
    await forge(b.store, b.platform, "r").add(["RunStarted"]);
    await b.store.kv.put([{ collection: "mine", key: "n", value: "0" }]);
    let tries = 0;
    const c = await begin(async () => ({ writes: [{ collection: "mine", key: "n", value: "1", expect: ++tries === 1 ? 7 : 1 }] }));
    await expect.poll(() => mark("r"), long).toBe(1);
    await c.stop();
    expect(tries).toBe(2);
    expect(await b.store.kv.get("mine", ["n"])).toMatchObject([{ value: "1", version: 2 }]);
  });

  it("a handler whose rows never fit holds up its own run and nobody else", proves("P-37"), async () => {
    for (const id of ["stuck", "fine"]) await forge(b.store, b.platform, id).add(["RunStarted"]);
    const writes = [{ collection: "mine", key: "never", value: "x", expect: 7 }];
    await (
      await begin(async (p) => (p.run.runId === "stuck" ? { writes } : {}), { once: true, concurrency: 2 })
    ).done;
    expect([await mark("fine"), await mark("stuck")]).toEqual([1, 0]);
    const held = await new Watermarks(b.store, consumer).heldRuns(10);
    expect(held).toMatchObject([{ runId: "stuck", failures: 1, error: "a row that the handler expected was changed by somebody else" }]);
    expect(await b.store.kv.get("mine", ["never"])).toEqual([]);
  });

  it("PAWL4030 a single pass does not push aside a process that is at work", async () => {
    await forge(b.store, b.platform, "r").add(["RunStarted"]);
    await begin(async () => {}, { leaseMs: 400 });
    await expect.poll(() => mark("r"), long).toBe(1);
    const pass = await begin(async () => {}, { store: await b.reopen(), once: true });
    await expect(pass.done).rejects.toMatchObject({ code: "PAWL4030" });
  });
});
