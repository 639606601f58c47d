// Nothing that a workflow does not take is ever accepted, on every store and from every sender: handle, client beside an engine,
// client without one, a transaction of the caller's own, workflow code that signals a child. Where nobody can check, the answer
// says so. What decides is the version that the run is pinned to.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openEngine } from "../../src/client/engine.ts";
import { workflow } from "../../src/index.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { databases } from "../own/databases.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";

const approved = z.object({ by: z.string().min(1), cents: z.int().optional() });
const order = workflow(
  {
    name: "order",
    signals: { approved, hint: z.any() },
    updates: { address: { input: z.object({ city: z.string() }), output: z.string() } },
  },
  async (ctx) => {
    ctx.onUpdate("address", (a) => `to ${a.city}`);
    return ctx.receive("approved");
  },
);
const bad: readonly (readonly [string, unknown, string])[] = [
  ["aproved", { by: "ann" }, "PAWL1016"],
  ["approved", { by: 7 }, "PAWL1008"],
  ["approved", { by: "" }, "PAWL1008"],
  ["approved", {}, "PAWL1008"],
  ["approved", undefined, "PAWL1008"],
  ["approved", "ann", "PAWL1008"],
  ["approved", { by: "ann", cents: 1.5 }, "PAWL1008"],
];

describe.each(testStores)("checked on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());
  const rows = async (runId: string): Promise<number> => (await b.store.inbox({ runId, all: true })).length;

  it("an unknown name or a wrong payload is refused by every sender, and nothing is stored", proves("I9", "W-048"), async () => {
    const { engine, client } = await b.engine({ workflows: [order] });
    const h = await engine.start(order, undefined, { id: "w" });
    const apart = b.client(await b.reopen()); // another process, without the code
    const senders = { handle: h.signal as never as typeof client.signal, client: client.signal, apart: apart.signal };
    for (const [who, send] of Object.entries(senders))
      for (const [name, payload, code] of bad) {
        const to = who === "handle" ? [name, payload] : ["w", name, payload];
        const refused = (send as (...a: unknown[]) => Promise<unknown>)(...to);
        await expect(refused, `${who} ${name} ${JSON.stringify(payload)}`).rejects.toMatchObject({ code, outcome: "none" });
      }
    await expect(apart.signal("w", "approved", { by: 7 })).rejects.toThrow("signal approved.by: expected string");
    await expect(apart.signal("w", "aproved", 1)).rejects.toThrow("it takes approved, hint");
    for (const c of [client, apart]) {
      await expect(c.update("w", "adress", { city: "Ulm" })).rejects.toMatchObject({ code: "PAWL1016" });
      await expect(c.update("w", "address", { town: "Ulm" })).rejects.toMatchObject({ code: "PAWL4007", data: { refused: true } });
    }
    expect(await rows(h.runId)).toBe(0);
    expect(await apart.update("w", "address", { city: "Ulm" })).toBe("to Ulm");
    const sent = await apart.signal("w", "approved", { by: "ann" });
    expect([sent.replayed, sent.unchecked]).toEqual([false, undefined]);
    expect(await h.result()).toEqual({ by: "ann" });
  });

  it("what no engine has published is accepted, and the answer says that nobody checked it", proves("I9"), async () => {
    const client = b.client();
    const { runId } = await client.start({ workflow: "order", allowUnknown: true, id: "w" });
    const sent = await client.signal("w", "anything", 1);
    expect(sent.unchecked).toBe("no engine has said yet what version 1 of workflow order takes");
    expect(await rows(runId)).toBe(1);
    await b.engine({ workflows: [order] });
    // What was read before is not believed for ever: the same client refuses now.
    await expect(client.signal("w", "anything", 1)).rejects.toMatchObject({ code: "PAWL1016" });
    const half = workflow({ name: "half", signals: { even: z.number().refine((n) => n % 2 === 0) } }, (ctx) => ctx.receive("even"));
    const e = await b.engine({ workflows: [half] });
    await e.engine.start(half, undefined, { id: "h" });
    await expect(client.signal("h", "even", "x")).rejects.toMatchObject({ code: "PAWL1008" });
    expect((await client.signal("h", "even", 2)).unchecked).toBe("parts of signal even: only the workflow's code can check them");
  });

  it("a run takes what its own version takes, whichever versions are published beside it", proves("I9", "K20"), async () => {
    const v = (version: string, approved: z.ZodType): typeof order =>
      workflow({ name: "order", version, signals: { approved } }, (ctx) => ctx.receive("approved")) as never;
    const [one, two] = [v("1", z.number()), v("2", z.string())];
    const old = await b.engine({ workflows: [one] });
    const a = await old.engine.start(one, undefined, { id: "a" });
    const now = await b.engine({ workflows: [two] });
    const z2 = await now.engine.start(two, undefined, { id: "z" });
    const apart = b.client(await b.reopen());
    for (const client of [old.client, now.client, apart]) {
      await expect(client.signal("a", "approved", "text")).rejects.toMatchObject({ code: "PAWL1008" });
      await expect(client.signal("z", "approved", 1)).rejects.toMatchObject({ code: "PAWL1008" });
    }
    await expect((await now.engine.get(two, "a"))!.signal("approved", "text" as never)).rejects.toMatchObject({ code: "PAWL1008" });
    await apart.signal("a", "approved", 1);
    await apart.signal("z", "approved", "text");
    expect(await Promise.all([a.result(), z2.result()])).toEqual([1, "text"]);
  });

  it(
    "what was accepted before is answered with that first answer, though the payload would be refused today",
    proves("I9", "W-080"),
    async () => {
      const early = b.client(); // no engine has published anything yet
      const { runId } = await early.start({ workflow: "order", allowUnknown: true, id: "w" });
      const first = await early.signal("w", "approved", { by: "ann" }, { signalId: "s1" });
      const unnamed = await early.signal("w", "gone", 1, { signalId: "s2" });
      const { client } = await b.engine({ workflows: [order] });
      const apart = b.client(await b.reopen());
      await client.waitForEnd("w"); // an ended run is not checked: the second run of that id is
      const next = await early.start({ workflow: "order", allowUnknown: true, id: "w", onConflict: "restart" });
      expect(next.runId).not.toBe(runId);
      await client.update("w", "address", { city: "Ulm" }, { updateId: "u1" });
      for (const c of [client, apart]) {
        expect(await c.signal("w", "approved", { by: 7 }, { signalId: "s1" })).toMatchObject({ result: first.result, replayed: true });
        expect(await c.signal("w", "gone", 2, { signalId: "s2" })).toMatchObject({ result: unnamed.result, replayed: true });
        expect(await c.update("w", "address", { town: 7 }, { updateId: "u1" })).toBe("to Ulm");
        await expect(c.signal("w", "approved", { by: 7 }, { signalId: "s3" })).rejects.toMatchObject({ code: "PAWL1008" });
        await expect(c.signal("w", "gone", 2, { signalId: "s3" })).rejects.toMatchObject({ code: "PAWL1016" });
        await expect(c.update("w", "address", { town: 7 }, { updateId: "u2" })).rejects.toMatchObject({ code: "PAWL4007" });
      }
      expect(await rows(next.runId)).toBe(1); // the update, and nothing that was refused
    },
  );

  it("workflow code cannot send a child what it does not take: the call fails, nothing is recorded", proves("I9"), async () => {
    const child = workflow({ name: "child", signals: { go: z.number() } }, (ctx) => ctx.receive("go"));
    const parent = workflow({ name: "parent" }, async (ctx) => {
      const c = await ctx.start(child, undefined, { id: "c" });
      const codes: string[] = [];
      const failed = (e: { code: string }): void => void codes.push(e.code);
      await c.signal("gone" as never, 1 as never).catch(failed);
      await c.signal("go", "x" as never).catch(failed);
      await ctx.sleep("a moment", 1);
      await c.signal("go", 7);
      return [codes, await c.result()];
    });
    const { engine, client } = await b.engine({ workflows: [parent, child] });
    const h = await engine.start(parent, undefined, { id: "p" });
    expect(await h.result()).toEqual([["PAWL1016", "PAWL1008"], 7]);
    expect(await rows((await client.get("c"))!.runId)).toBe(1);
    expect((await h.steps()).map((s) => s.stepId)).toEqual(["child", "a%20moment", "go", "result"]);
  });
});

it.each(databases.filter((d) => !d.missing))("$name: a signal in the caller's own transaction is checked as any other", proves("I9"), async (database) => {
  const place = await database.make();
  const platform = systemPlatform();
  const around = { platform, log: () => {}, open: (url: string | undefined) => openStore(url, platform) };
  const { engine, client } = await openEngine(around, { store: place.url, workflows: [order] });
  const mine = await place.mine();
  try {
    const h = await engine.start(order, undefined, { id: "w" });
    await mine.begin();
    for (const [name, payload, code] of bad)
      await expect(client.signal("w", name, payload, { tx: mine.tx }), name).rejects.toMatchObject({ code });
    await mine.sql("insert into orders values ('o-1')");
    expect((await client.signal("w", "approved", { by: "ann" }, { tx: mine.tx })).unchecked).toBeUndefined();
    await mine.sql("commit");
    expect(await h.result()).toEqual({ by: "ann" });
  } finally {
    await mine.end();
    await engine.stop();
    await place.remove();
  }
}); // prettier-ignore
