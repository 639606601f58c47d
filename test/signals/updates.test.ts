// Updates by updateId: handled once, answered with the same answer ever after, whatever happens to the engine, the run or
// the record in between. A refused update is a refusal for good; a pending update of a run that ends is refused (K18).
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";

let handled: number[] = [];
const counter = workflow(
  {
    name: "counter",
    signals: { end: z.any() },
    updates: { add: { input: z.number(), output: z.number() }, slow: { input: z.number(), output: z.number() } },
  },
  async (ctx) => {
    let sum = 0;
    ctx.onUpdate(
      "add",
      (n) => {
        handled.push(n);
        return (sum += n);
      },
      {
        validate: (n) => {
          if (n < 0) throw new Error("only upwards");
        },
      },
    );
    ctx.onUpdate("slow", async (n) => {
      handled.push(n);
      await ctx.sleep(`pause ${n}`, 300);
      return n;
    });
    await ctx.receive("end");
    return sum;
  },
);
/** Answers only after it has gone on as another run. */
const hop = workflow(
  { name: "hop", input: z.number(), signals: { go: z.any() }, updates: { ask: { input: z.number(), output: z.string() } } },
  async (ctx, round) => {
    if (round === 0) {
      await ctx.receive("go");
      return ctx.continueAsNew(1);
    }
    ctx.onUpdate("ask", (n) => `${n} in round ${round}`);
    return ctx.receive("go");
  },
);

describe.each(testStores)("updates on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    handled = [];
    b = await open();
  });
  afterEach(() => b.close());

  it("the same updateId is handled once and answered alike: at once, together, by another store, after the run has ended", async () => {
    const { engine, client } = await b.engine({ workflows: [counter] });
    const h = await engine.start(counter, undefined, { id: "c" });
    expect(await h.update("add", 5, { updateId: "u" })).toBe(5);
    expect(await h.update("add", 100, { updateId: "u" })).toBe(5);
    const other = b.client(await b.reopen());
    expect(
      await Promise.all([
        h.update("add", 7, { updateId: "v" }),
        client.update("c", "add", 7, { updateId: "v" }),
        other.update("c", "add", 7, { updateId: "v" }),
      ]),
    ).toEqual([12, 12, 12]);
    expect(await h.update("add", 1)).toBe(13);
    expect(await h.update("add", 1)).toBe(14);
    await h.signal("end", null);
    expect(await h.result()).toBe(14);
    expect(await h.update("add", 9, { updateId: "u" })).toBe(5);
    await expect(h.update("add", 9, { updateId: "w" })).rejects.toMatchObject({ code: "PAWL4003" });
    expect(handled).toEqual([5, 7, 1, 1]);
  });

  it("a refused update enters no log, and its duplicate is refused alike", async () => {
    const { engine, client } = await b.engine({ workflows: [counter] });
    const h = await engine.start(counter, undefined, { id: "c" });
    for (let i = 0; i < 2; i++)
      await expect(h.update("add", -1, { updateId: "u" })).rejects.toMatchObject({
        code: "PAWL4007",
        message: "update add: only upwards",
        data: { updateId: "u", refused: true },
      });
    expect((await client.events("c")).some((e) => e.eventType === "pawl.UpdateAccepted")).toBe(false);
    expect(handled).toEqual([]);
    for (const updateId of ["", "x".repeat(129), 5 as never])
      await expect(h.update("add", 1, { updateId })).rejects.toMatchObject({ code: "PAWL4005" });
    await expect(h.update("nope" as "add", 1)).rejects.toMatchObject({ code: "PAWL1016" });
  });

  it("an update whose engine stopped before it answered is answered by the next, and handled from the log", proves("K13"), async () => {
    const first = await b.engine({ workflows: [counter], idle: "50ms" });
    await first.engine.start(counter, undefined, { id: "c" });
    const asked = b.client().update("c", "slow", 3, { updateId: "u" });
    await expect
      .poll(async () => (await b.client().events("c")).some((e) => e.eventType === "pawl.UpdateAccepted"), { timeout: 20_000 })
      .toBe(true);
    await first.engine.stop({ grace: 1 });
    const second = await b.engine({ store: await b.reopen(), workflows: [counter] });
    expect(await asked).toBe(3);
    expect(await second.client.update("c", "slow", 9, { updateId: "u" })).toBe(3);
    const events = (await second.client.events("c")).map((e) => e.eventType);
    expect(events.filter((t) => t.startsWith("pawl.Update"))).toEqual(["pawl.UpdateAccepted", "pawl.UpdateCompleted"]);
  });

  it("an update that outlives its record's retention is neither enqueued again nor lost", proves("W-081"), async () => {
    const { engine } = await b.engine({ workflows: [counter], signalRetention: "1s" });
    const h = await engine.start(counter, undefined, { id: "c" });
    const asked = h.update("slow", 4, { updateId: "u" });
    await expect.poll(() => handled, { timeout: 20_000 }).toEqual([4]);
    b.advanceClock(2_000);
    expect(await asked).toBe(4);
    expect(await b.store.inbox({ runId: h.runId, all: true })).toHaveLength(1);
    expect(handled).toEqual([4]);
  });

  it("an update that nobody answered goes on with the run that continues its run, and is answered there", proves("K18"), async () => {
    const { engine } = await b.engine({ workflows: [hop] });
    const h = await engine.start(hop, 0, { id: "h" });
    const asked = h.update("ask", 7, { updateId: "u" });
    await expect.poll(async () => (await b.store.inbox({ runId: h.runId, all: true })).length, { timeout: 20_000 }).toBe(1);
    await h.signal("go", null);
    expect(await asked).toBe("7 in round 1");
    expect(await h.update("ask", 8, { updateId: "u" })).toBe("7 in round 1");
  });

  it("a pending update of a run that ends is refused", proves("K18"), async () => {
    const { engine } = await b.engine({ workflows: [hop] });
    const h = await engine.start(hop, 0, { id: "h" });
    const asked = h.update("ask", 7).catch((e: { code: string }) => e);
    await expect.poll(async () => (await b.store.inbox({ runId: h.runId, all: true })).length, { timeout: 20_000 }).toBe(1);
    await h.cancel("enough");
    expect(await asked).toMatchObject({ code: "PAWL4007", data: { refused: true } });
  });
});
