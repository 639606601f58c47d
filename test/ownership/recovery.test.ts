// Several engines on one store, of which some die: whoever is left goes on from what is recorded, whoever owned it, without
// anybody's help. Engines die in this process (test/support/killable-engines.ts), on every store; real processes are killed in test/crash.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { PawlError, task, workflow } from "../../src/index.ts";
import { EventMaker } from "../../src/events/event-maker.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit, EventWrite } from "../../src/store/port.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { killableEngines } from "../support/killable-engines.ts";
import { proves } from "../support/proves.ts";

// A take-over waits for a lease or for two seconds of being well, several times in some of these.
vi.setConfig({ testTimeout: 60_000 });

describe.each(testStores)("on %s", (_, open) => {
  const { testStore: bench, startEngine: mortal } = killableEngines(open);
  let b: TestStore;
  beforeEach(() => void (b = bench()));
  const dyingAfter =
    (which: (c: Commit) => boolean) =>
    (s: FullStore, die: () => void): FullStore => ({
      ...s,
      async commit(batch, renewal) {
        const answer = await s.commit(batch, renewal);
        if (batch.some(which)) die();
        return answer;
      },
    });
  const completes =
    (stepId: string) =>
    (c: Commit): boolean =>
      c.events.some((e) => e.eventType === "StepCompleted" && e.stepId === stepId);

  it(
    "an engine that dies when a step's completion was just written: the step is done, the run goes on by itself",
    proves("T-47", "T-67", "T-68", "C10", "L-78", "AX-35", "AX-36"),
    async () => {
      const ran: string[] = [];
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const one = await ctx.step("one", () => ran.push("one"));
        const two = await ctx.step("two", () => ran.push("two") && "second", { repeatable: true });
        return [one, two];
      });
      const client = b.client();
      await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
      const first = await mortal([wf], dyingAfter(completes("one")));
      await expect.poll(() => first.alive, { timeout: 20_000 }).toBe(false);
      await b.engine({ store: await b.reopen(), workflows: [wf], lease: "1s" });
      expect(await client.waitForEnd("w")).toMatchObject({ status: "COMPLETED", result: [1, "second"] });
      expect(ran.filter((x) => x === "one")).toEqual(["one"]);
      const lines = (await client.events("w")).map((e) => `${e.eventType} ${e.stepId ?? ""}`.trim());
      expect(lines.filter((l) => l === "StepCompleted one")).toHaveLength(1);
    },
  );

  it("a signal that was stored and completed no wait yet completes one, whoever comes, and no other", proves("C16", "I9"), async () => {
    const wf = workflow({ name: "wf", signals: { go: z.number() } }, async (ctx) => [await ctx.receive("go"), await ctx.receive("go")]);
    const client = b.client();
    await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
    const completed = (c: Commit): boolean => c.events.some((e) => e.eventType === "StepCompleted");
    // It dies with the Commit that would complete the wait: the signal is stored, and no more.
    const first = await mortal([wf], (s, die) => ({
      ...s,
      commit: (batch, renewal) => (batch.some(completed) ? (die(), new Promise<never>(() => {})) : s.commit(batch, renewal)),
    }));
    await expect.poll(async () => (await client.get("w"))?.waiting, { timeout: 20_000 }).toBe("signal");
    await client.signal("w", "go", 1, { signalId: "s1" });
    await expect.poll(() => first.alive, { timeout: 20_000 }).toBe(false);
    const completions = async (): Promise<number> => (await client.events("w")).filter((e) => e.eventType === "StepCompleted").length;
    expect(await completions()).toBe(0);
    await b.engine({ store: await b.reopen(), workflows: [wf], lease: "1s" });
    await expect.poll(completions, { timeout: 20_000 }).toBe(1);
    await expect.poll(async () => (await client.get("w"))?.waiting, { timeout: 20_000 }).toBe("signal");
    expect((await client.signal("w", "go", 1, { signalId: "s1" })).replayed).toBe(true);
    await client.signal("w", "go", 2, { signalId: "s2" });
    expect(await client.waitForEnd("w")).toMatchObject({ status: "COMPLETED", result: [1, 2] });
    expect(await completions()).toBe(2);
  });

  it(
    "a signal stored while no engine lives completes exactly one of the waits that are open for it, when the next engine looks",
    proves("C16", "I9", "AX-23", "AX-36"),
    async () => {
      const wf = workflow({ name: "wf", signals: { go: z.string() } }, async (ctx) => Promise.all([ctx.receive("go"), ctx.receive("go")]));
      const client = b.client();
      for (const id of ["w", "beside"]) await client.start({ workflow: "wf", allowUnknown: true, id });
      const completions = async (id: string): Promise<unknown[]> =>
        (await client.events(id)).filter((e) => e.eventType === "StepCompleted").map((e) => e.payload?.["result"]);
      const first = await mortal([wf]);
      const waits = async (id: string): Promise<number> => (await client.steps(id)).filter((s) => s.status === "RUNNING").length;
      await expect.poll(() => waits("w"), { timeout: 20_000 }).toBe(2);
      await expect.poll(() => waits("beside"), { timeout: 20_000 }).toBe(2);
      first.kill();
      expect((await client.signal("w", "go", "one", { signalId: "s1" })).replayed).toBe(false);
      expect(await completions("w")).toEqual([]);
      await b.engine({ store: await b.reopen(), workflows: [wf], lease: "1s" });
      await expect.poll(() => completions("w"), { timeout: 20_000 }).toEqual(["one"]);
      // Two of the same name for the other run: had the first completed more than one wait, its run would have ended with it twice.
      for (const n of ["1", "2"]) await client.signal("beside", "go", n);
      expect(await client.waitForEnd("beside")).toMatchObject({ status: "COMPLETED", result: ["1", "2"] });
      expect([await completions("w"), (await client.get("w"))?.status]).toEqual([["one"], "RUNNING"]);
      await client.signal("w", "go", "two", { signalId: "s2" });
      expect(await client.waitForEnd("w")).toMatchObject({ status: "COMPLETED", result: ["one", "two"] });
    },
  );

  it(
    "whoever serves the workflow processes a result, whoever brought it: a step's, a child's, a signal that another engine took in",
    proves("T-47"),
    async () => {
      const ran: string[] = [];
      const child = workflow({ name: "child", input: z.number() }, async (ctx, n) =>
        ctx.step("double", () => (ran.push("double"), n * 2), { repeatable: true }),
      );
      const parent = (who: string): ReturnType<typeof workflow> =>
        workflow({ name: "parent", signals: { go: z.number(), more: z.number() } }, async (ctx) => {
          const one = await ctx.step("one", () => (ran.push(`one by ${who}`), 1));
          const two = await ctx.call(child, 10);
          const three = await ctx.receive("more");
          const four = await ctx.receive("go");
          return ctx.step("sum", () => (ran.push(`sum by ${who}`), [one, two, three, four]));
        }) as never;
      const client = b.client();
      const { runId } = await client.start({ workflow: "parent", allowUnknown: true, id: "p" });
      await client.signal("p", "go", 5);
      // The first does the step, begins the child and dies with that.
      const first = await mortal(
        [parent("first")],
        dyingAfter((c) => c.children.length > 0),
      );
      await expect.poll(() => first.alive, { timeout: 20_000 }).toBe(false);
      // The second serves nothing but the child: its result is there before anybody serves the parent again.
      const second = await mortal([child]);
      await expect.poll(async () => (await client.list({ workflow: "child" })).runs[0]?.status, { timeout: 20_000 }).toBe("COMPLETED");
      second.kill();
      // The third processes both results, takes the signal in that is not awaited yet, and dies.
      const third = await mortal([parent("third")]);
      await expect.poll(async () => (await client.get("p"))?.waiting, { timeout: 20_000 }).toBe("signal");
      third.kill();
      expect((await b.store.inbox({ runId })).map((r) => [r.name, r.taken, r.consumed])).toEqual([["go", true, false]]);
      await client.signal("p", "more", 4);
      await b.engine({ store: await b.reopen(), workflows: [parent("fourth")], lease: "1s" });
      expect(await client.waitForEnd("p")).toMatchObject({ status: "COMPLETED", result: [1, 20, 4, 5] });
      expect(ran).toEqual(["one by first", "double", "sum by fourth"]);
    },
  );

  it(
    "an engine that dies when it has just claimed a run: another begins it, whoever owned it",
    proves("T-49", "T-65", "T-68", "C3"),
    async () => {
      const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("one", (s) => s.fence));
      const client = b.client();
      const first = await mortal([wf], (s, die) => ({
        ...s,
        async claim(q) {
          const rows = await s.claim(q);
          if (rows.length > 0) die();
          return rows;
        },
      }));
      const { runId } = await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
      await expect.poll(() => first.alive, { timeout: 20_000 }).toBe(false);
      const row = await b.store.run({ runId });
      expect([row?.status, row?.owner === null, row?.fence.epoch]).toEqual(["PENDING", false, 1]);
      await b.engine({ store: await b.reopen(), workflows: [wf], lease: "1s" });
      expect(await client.waitForEnd("w")).toMatchObject({ status: "COMPLETED", result: "2" });
    },
  );

  it(
    "many runs on engines of which one after the other dies: each ends once, none is lost, and nobody helps",
    proves("T-01", "T-03", "T-62", "T-96", "AX-35", "AX-36"),
    async () => {
      const done: string[] = [];
      const wf = workflow({ name: "wf", input: z.number() }, async (ctx, n) => {
        const a = await ctx.step("a", () => n, { repeatable: true });
        return ctx.step("b", () => a * 2, { repeatable: true });
      });
      const client = b.client();
      const ids = Array.from({ length: 24 }, (_unused, i) => `r${i}`);
      for (const [i, id] of ids.entries()) await client.start({ workflow: "wf", allowUnknown: true, input: i, id });
      let left = 3;
      // Each dies at its fourth Commit that completes a step.
      const dying = (s: FullStore, die: () => void): FullStore => {
        let seen = 0;
        return dyingAfter((c) => c.events.some((e) => e.eventType === "StepCompleted") && ++seen > 3)(s, die);
      };
      await Promise.all(Array.from({ length: left }, () => mortal([wf], dying).catch(() => void left--)));
      await Promise.all([1, 2].map(async () => b.engine({ store: await b.reopen(), workflows: [wf], lease: "1s" })));
      for (const [i, id] of ids.entries()) {
        expect(await client.waitForEnd(id)).toMatchObject({ status: "COMPLETED", result: i * 2 });
        const types = (await client.events(id)).map((e) => e.eventType);
        expect(
          types.filter((t) => t === "RunCompleted"),
          id,
        ).toHaveLength(1);
        expect(
          types.filter((t) => t === "StepCompleted"),
          id,
        ).toHaveLength(2);
        done.push(id);
      }
      expect(done).toEqual(ids);
    },
  );

  it("a run ends only when nothing that it began is still open", proves("T-18"), async () => {
    const gates: (() => void)[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      void ctx.step("slow", () => new Promise<void>((resolve) => gates.push(resolve)));
      await ctx.step("quick", () => 1);
      return "over";
    });
    const e = await b.engine({ store: await b.reopen(), workflows: [wf] });
    const h = await e.engine.start(wf, undefined, { id: "w" });
    await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(1);
    await expect.poll(async () => (await e.client.steps("w")).find((s) => s.name === "quick")?.status, { timeout: 20_000 }).toBe("SUCCESS");
    expect((await e.client.get("w"))?.status).toBe("RUNNING");
    gates[0]?.();
    expect(await h.result()).toBe("over");
    const lines = (await e.client.events("w")).map((x) => `${x.eventType} ${x.stepId ?? ""}`.trim());
    expect(lines.indexOf("RunCompleted")).toBe(lines.length - 1);
    expect(lines.some((l) => /^Step(Completed|Failed) slow$/.test(l))).toBe(true);
  });

  it(
    "a run is owned before any of its code or effects begin, and an owner that was not granted it runs nothing",
    proves("W-100"),
    async () => {
      const order: string[] = [];
      const wf = workflow({ name: "wf" }, async (ctx) => {
        order.push("code");
        return ctx.step("one", (s) => order.push(`effect ${s.fence}`));
      });
      const client = b.client();
      const { runId } = await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
      const watched = (s: FullStore): FullStore => ({
        ...s,
        async claim(q) {
          const rows = await s.claim(q);
          for (const r of rows) order.push(`claimed ${r.fence.epoch} ${(await s.run({ runId: r.runId }))?.owner === q.engineId}`);
          return rows;
        },
      });
      const refused = await mortal([wf], (s) => ({ ...s, claim: async () => [] }));
      await mortal([wf], watched);
      expect(await client.waitForEnd("w")).toMatchObject({ status: "COMPLETED" });
      expect(order).toEqual(["claimed 1 true", "code", "effect 1"]);
      expect(refused.core.isLive(runId)).toBe(false);
    },
  );

  it(
    "a store that goes away in mid-run and comes back: nothing is lost, nothing is doubled, and the runs go on",
    proves("C19", "AX-35", "AX-36"),
    async () => {
      const done = new Map<string, number>();
      const wf = workflow({ name: "wf", input: z.number() }, async (ctx, run) => {
        for (let i = 1; i <= 6; i++)
          await ctx.step(`s${i}`, () => void done.set(`${run}/${i}`, (done.get(`${run}/${i}`) ?? 0) + 1), { repeatable: true });
        return run;
      });
      let away = false;
      let unknown = 0;
      const gone = (outcome: "none" | "unknown"): never => {
        throw new PawlError("PAWL3002", "the store is away", { outcome });
      };
      const real = await b.reopen();
      const store: FullStore = new Proxy(real, {
        get: (target, name: keyof FullStore) => {
          const verb = target[name];
          if (typeof verb !== "function" || name === "capabilities" || name === "watch" || name === "close") return verb;
          return async (...args: unknown[]) => {
            // The first Commit of an outage is written and its answer lost; whatever follows does not arrive.
            if (away && name === "commit" && unknown++ === 0)
              await (verb as FullStore["commit"])(...(args as Parameters<FullStore["commit"]>));
            return away ? gone(name === "commit" ? "unknown" : "none") : (verb as (...a: unknown[]) => unknown)(...args);
          };
        },
      });
      const e = await b.engine({ store, workflows: [wf] });
      const handles = await Promise.all([0, 1, 2, 3].map((i) => e.engine.start(wf, i, { id: `r${i}` })));
      for (const outage of [1, 2]) {
        const before = done.size;
        await expect.poll(() => done.size > before || done.size === 24, { timeout: 20_000, interval: 1 }).toBe(true);
        [away, unknown] = [true, 0];
        await new Promise((resolve) => setTimeout(resolve, 50 * outage));
        away = false;
      }
      expect(await Promise.all(handles.map((h) => h.result()))).toEqual([0, 1, 2, 3]);
      expect([done.size, new Set(done.values())], "each effect once").toEqual([24, new Set([1])]);
      for (const h of handles) {
        const types = (await e.client.events(h.runId)).map((x) => x.eventType);
        expect(types.filter((x) => x === "StepCompleted")).toHaveLength(6);
        expect(types.filter((x) => x === "RunCompleted")).toHaveLength(1);
      }
    },
  );

  it(
    "two executions of one step make one key, whenever and wherever, and the second is refused by it",
    proves("L-03", "L-66"),
    async () => {
      b.skipVerification();
      const client = b.client();
      const { runId } = await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
      const row = await b.store.run({ runId });
      if (row === undefined) throw new Error("no run");
      const head = { seq: row.headSeq, link: row.headLink, sealedAt: row.persistedAt };
      const identity = { runId, scope: row.scope, planId: row.workflow, planVersion: row.version };
      const made = (wallMs: number): EventWrite => {
        const platform = { ...b.platform, wallMs: () => wallMs };
        const draft = {
          eventType: "StepStarted",
          stepId: "pay",
          logicalAttemptId: 1,
          engineAttemptId: 1,
          emittedAt: wallMs,
          payload: `{"at":${wallMs}}`,
        } as const;
        return new EventMaker(identity, platform, head).make(draft, row.stateVersion + 1);
      };
      const [now, later] = [made(1_000), made(9_999_999)];
      expect(later.idempotencyKey).toBe(now.idempotencyKey);
      expect([later.eventId === now.eventId, later.emittedAt === now.emittedAt]).toEqual([false, false]);
      const commit = (commitId: string, e: EventWrite, stateVersion: number): Commit => ({
        commitId,
        runId,
        expect: { fence: row.fence, stateVersion },
        events: [e],
        status: "RUNNING",
        waiting: null,
        due: { at: null, inMs: null },
        release: false,
        notBefore: null,
        taken: [],
        consumed: [],
        replies: [],
        views: [],
        children: [],
        notices: [],
        moveInboxTo: null,
      });
      const first = commit("first", now, row.stateVersion);
      expect((await b.store.commit([first])).answers).toMatchObject([{ kind: "committed" }]);
      expect((await b.store.commit([first])).answers).toMatchObject([{ kind: "duplicate" }]);
      // Even under the right fence and version the key alone refuses it.
      const second = commit("second", { ...later, runSeq: later.runSeq + 1 }, row.stateVersion + 1);
      expect((await b.store.commit([second])).answers).toMatchObject([{ kind: "refused" }]);
      expect((await b.store.events({ runId, after: row.headSeq, limit: 9 })).map((e) => e.eventId)).toEqual([now.eventId]);
    },
  );

  it(
    "the four that must not be repeated can be said, and are not repeated when their engine dies after doing them",
    proves("L-02"),
    async () => {
      const did: string[] = [];
      const keys: string[] = [];
      const ship = workflow({ name: "ship" }, async (ctx) => ctx.step("pack", () => did.push("shipped"), { repeatable: true }));
      const charge = task({ name: "charge", input: z.number() }, (n, s) => void (keys.push(`${s.key} ${n}`), did.push("charged")), {
        key: (n) => `order-${n}`,
        verify: async () => ({ state: "completed-with-result", result: undefined }),
      });
      const order = workflow({ name: "order" }, async (ctx) => {
        await ctx.do(charge, 7);
        const rows = b.store.capabilities().sql
          ? await ctx.tx("record", async (db) => (await db.sql`insert into orders (id) values (${7})`).changes)
          : 1;
        await ctx.start(ship, undefined, { id: "ship-7" });
        await ctx.step("notify", () => did.push("notified"), { once: true });
        return rows;
      });
      if (b.store.capabilities().sql) await b.createTable("create table orders (id integer)");
      const client = b.client();
      await client.start({ workflow: "order", allowUnknown: true, id: "o" });
      /** Dies when this was done and before anything more is written. */
      const dyingOnce =
        (what: string) =>
        (s: FullStore, die: () => void): FullStore => ({
          ...s,
          commit: (batch, renewal) => {
            if (!did.includes(what)) return s.commit(batch, renewal);
            die();
            return new Promise(() => {});
          },
        });
      const first = await mortal([order, ship], dyingOnce("charged"));
      await expect.poll(() => first.alive, { timeout: 20_000 }).toBe(false);
      // The payment is verified, not made again.
      const second = await mortal([order, ship], dyingOnce("notified"));
      await expect.poll(() => second.alive, { timeout: 20_000 }).toBe(false);
      await b.engine({ store: await b.reopen(), workflows: [order, ship], lease: "1s" });
      await expect.poll(async () => (await client.get("o"))?.waiting, { timeout: 20_000 }).toBe("decision");
      expect(await client.waitForEnd("ship-7")).toMatchObject({ status: "COMPLETED" });
      expect(
        did.filter((x) => x === "charged"),
        "a payment",
      ).toHaveLength(1);
      expect(
        did.filter((x) => x === "notified"),
        "a notification",
      ).toHaveLength(1);
      expect(await b.countRows("orders"), "a business record").toBe(b.store.capabilities().sql ? 1 : 0);
      expect((await client.list({ workflowId: "ship-7" })).runs, "another workflow").toHaveLength(1);
      expect(keys).toEqual(["order-7 7"]);
    },
  );
});
