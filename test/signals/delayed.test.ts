// Messages to a run: by channel, later, and timers, through a graph and the client. A delayed message is durable at once, survives its owner, comes once, never early, and
// holds up nobody. On a virtual clock with killed engines, then on every store and over HTTP.
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { graph, append } from "../../src/graph.ts";
import { workflow } from "../../src/index.ts";
import { serve, type Served } from "../server/serve.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const fresh = testClusters();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const s of open.splice(0).reverse()) await s.close();
});

const inbox = graph({ name: "inbox", state: { got: append<string>() }, signals: { mail: z.string(), stop: z.string() } })
  .nodes({
    read: async (_s, ctx) => ({ got: await ctx.receive("mail") }),
    last: async (_s, ctx) => {
      await ctx.sleep("nap", "1s");
      return { got: await ctx.receive("stop") };
    },
  })
  .edges({ start: "read", read: (s) => (s.got.length < 2 ? "read" : "last"), last: "end" });

describe.each(storeKinds)("%s", (kind) => {
  it("a delayed message comes when it is due, over killed owners, and holds up no other", proves("AX-26"), async () => {
    const l = await fresh(kind);
    const opts = { lease: "1s", idle: "1s" } as const;
    let e = await l.engine([inbox], opts);
    const h = await e.engine.start(inbox, {}, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepStarted 1/read/mail");
    const start = l.platform.wallMs();
    const later = () => e.client.signal("r", "mail", "later", { signalId: "a", delay: "4m" });
    expect(await later()).toMatchObject({ replayed: false });
    expect(await later(), "the same request again").toMatchObject({ replayed: true });
    await e.client.signal("r", "stop", "stop", { signalId: "s" });
    await e.client.signal("r", "mail", "now", { signalId: "b" });
    await l.advanceUntilLine(h.runId, "StepStarted 2/read/mail");
    for (let i = 0; i < 3; i++) {
      await l.platform.advance(60_000);
      e.kill();
      e = await l.engine([inbox], opts);
    }
    await l.platform.advance(50_000);
    expect(
      (await l.lines(h.runId)).filter((x) => x === "StepCompleted 2/read/mail"),
      "not before it is due",
    ).toEqual([]);
    await l.platform.advance(8_000);
    await l.advanceUntilLine(h.runId, "StepCompleted 2/read/mail");
    const took = l.platform.wallMs() - start;
    expect([took >= 240_000, took < 260_000]).toEqual([true, true]);
    const out = await l.advanceUntil((await e.engine.get(inbox, "r"))!.state());
    expect(out!.values.got.slice(0, 2)).toEqual(["now", "later"]);
    await l.advanceUntil((await e.engine.get(inbox, "r"))!.result());
    expect(await e.engine.get(inbox, "r").then(async (x) => (await x!.state())!.values.got)).toEqual(["now", "later", "stop"]);
  });

  it(
    "one that is due before anybody waits for it is kept; a run that does not wait is not woken again and again",
    proves("AX-26"),
    async () => {
      const l = await fresh(kind);
      const wf = workflow({ name: "late", signals: { mail: z.string() } }, async (ctx) => {
        await ctx.sleep("nap", "4m");
        return ctx.receive("mail");
      });
      const e = await l.engine([wf], { lease: "1s", idle: "1s" });
      const h = await e.engine.start(wf);
      await e.client.signal(h.runId, "mail", "early", { delay: "1m" });
      await l.platform.advance(120_000);
      const before = (await l.row(h.runId)).fence.epoch;
      await l.platform.advance(60_000);
      expect((await l.row(h.runId)).fence.epoch).toBe(before);
      expect(await l.advanceUntil(h.result())).toBe("early");
    },
  );

  it("a payload that looks like a delayed one is a payload", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "plain", signals: { mail: z.any() } }, async (ctx) => ctx.receive("mail"));
    const { engine, client } = await l.engine([wf]);
    const h = await engine.start(wf);
    const odd = { $pawl: ["after", 1, "x"] };
    await client.signal(h.runId, "mail", odd);
    expect(await l.advanceUntil(h.result())).toEqual(odd);
    const none = await engine.start(wf);
    await client.signal(none.runId, "mail", undefined, { delay: 5_000 });
    expect(await l.advanceUntil(none.result())).toBe(undefined);
  });
});

describe.each(testStores)("on %s, over HTTP", (_name, make) => {
  it("a message by channel, and one that comes two seconds later", proves("AX-26"), async () => {
    const s: TestStore = await make();
    open.push(s);
    const at: Served = await serve({ on: s.store, workflows: [inbox] });
    open.push(at);
    await at.app.start(inbox, {}, { id: "o-1" });
    const send = (body: object) => at.post("/v1/runs/o-1/signals", body);
    const sentAt = Date.now();
    expect((await send({ name: "mail", payload: "later", delay: "2s", signalId: "x" })).status).toBeLessThan(300);
    expect((await send({ name: "mail", payload: "now", signalId: "y" })).status).toBeLessThan(300);
    expect(await send({ name: "mail", payload: "never", delay: "soon", signalId: "z" })).toMatchObject({ status: 422 });
    const got = async (): Promise<readonly string[]> => (await at.app.get(inbox, "o-1").then((h) => h!.state()))!.values.got;
    await vi.waitFor(async () => expect(await got()).toEqual(["now", "later"]), { timeout: 30_000 });
    expect(Date.now() - sentAt).toBeGreaterThanOrEqual(1_900);
  });
});
