// Confirmation on replay, on every store: an engine takes a run over from its log and asks whether what a task did still stands.
// The three modes with their consequences, a person's three answers, a run parked across restarts, and the placeholder that
// production refuses. The world is outside: a map that a test changes while no engine looks.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { task, workflow, type DecisionNotice, type EngineOpts, type Json, type ResourceVerifier } from "../../src/index.ts";
import { placeholderVerifier } from "../../src/verifiers.ts";
import { testStores } from "../support/test-store.ts";
import { effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";

const ann = { by: "ann", reason: "looked at the page" } as const;
type Mode = "strict" | "warn" | "human";

describe.each(testStores)("confirmation on %s", (_, open) => {
  const p = effectTest(open);
  type Engine = Awaited<ReturnType<typeof p.engine>>;

  /** A run that published a page and waits; its world, its verifier's calls, and an engine that dies on request. */
  const published = async (mode: Mode | undefined, o: EngineOpts = {}) => {
    const world = new Map<string, string>();
    let asked = 0;
    const verifier: ResourceVerifier<{ id: string }, { version: string }> = {
      name: "page",
      check: async (i, recorded) => {
        asked++;
        const found = world.get(i.id);
        return found === recorded.version ? { matches: true } : { matches: false, reason: `it is ${found ?? "gone"}` };
      },
    };
    const publish = task(
      { name: "publish", input: z.object({ id: z.string() }) },
      (i) => {
        p.send("publish");
        world.set(i.id, "v1");
        return { version: "v1" };
      },
      {
        key: (i) => i.id,
        dedup: "24h",
        compensate: (_r, i) => void (p.send("undo"), world.delete(i.id)),
        confirm: mode === undefined ? { verifier } : { mode, verifier },
      },
    );
    const wf = workflow({ name: "site", signals: { go: z.any() } }, async (ctx) => {
      const page = await ctx.do(publish, { id: "home" });
      const first = (await ctx.receive("go")) as unknown;
      await ctx.step("announce", () => p.send("announce"));
      const second = (await ctx.receive("go")) as unknown;
      return { page, first, second } as Json;
    });
    const opts: EngineOpts = { workflows: [wf], ...o };
    const a = await p.engine(opts);
    await a.engine.start(wf, undefined, { id: "r" });
    await p.until(async () => (await a.client.get("r"))?.waiting === "signal");
    expect(asked).toBe(0); // the live path asks nobody
    const next = async (e: Engine): Promise<Engine> => p.takeOver(e, opts);
    return { a, next, world, asked: () => asked, runId: (await a.client.get("r"))!.runId };
  };
  const said = async (e: Engine, type: string): Promise<unknown[]> =>
    (await e.client.events("r")).filter((x) => x.eventType === type).map((x) => x.payload);
  const announced = async (e: Engine): Promise<void> => {
    await e.client.signal("r", "go", 1);
    await p.until(() => p.sent.get("announce") === 1);
  };

  it(
    "strict is the default: the run fails for good as UNCONFIRMED, nothing new begins, what was done is undone",
    proves("A-31", "A-32", "C18"),
    async () => {
      const t = await published(undefined);
      t.world.set("home", "v2");
      const b = await t.next(t.a);
      await b.client.signal("r", "go", 1);
      const end = await b.client.waitForEnd("r");
      expect(end).toMatchObject({ status: "FAILED", error: { code: "PAWL2006", message: "publish is not confirmed by page: it is v2" } });
      expect(await said(b, "RunFailed")).toMatchObject([{ category: "UNCONFIRMED" }]);
      const failed = { stepId: "publish", mode: "strict", verifier: "page", reason: "it is v2" };
      expect(await said(b, "pawl.ConfirmationFailed")).toMatchObject([failed]);
      expect([p.sent.get("announce"), p.sent.get("publish"), p.sent.get("undo")]).toEqual([undefined, 1, 1]);
    },
  );

  it("what still matches is confirmed by every owner, and leaves nothing in the log", proves("A-31"), async () => {
    const t = await published("strict");
    const b = await t.next(t.a);
    await announced(b);
    expect(t.asked()).toBe(1);
    const c = await t.next(b);
    await c.client.signal("r", "go", 2);
    expect((await c.client.waitForEnd("r")).result).toEqual({ page: { version: "v1" }, first: 1, second: 2 });
    expect(t.asked()).toBe(2);
    expect(await said(c, "pawl.ConfirmationFailed")).toEqual([]);
  });

  it("warn counts, records and continues with the recorded result", proves("A-33", "C18"), async () => {
    const t = await published("warn");
    t.world.delete("home");
    const b = await t.next(t.a);
    await b.client.signal("r", "go", 1);
    await b.client.signal("r", "go", 2);
    expect((await b.client.waitForEnd("r")).result).toEqual({ page: { version: "v1" }, first: 1, second: 2 });
    expect(b.engine.metrics()).toContain("\npawl_confirmation_replay_warn_total 1\n");
    expect(await said(b, "pawl.ConfirmationFailed")).toMatchObject([{ mode: "warn", reason: "it is gone" }]);
    expect([p.sent.get("publish"), p.sent.get("undo")]).toEqual([1, undefined]);
    // The proof says so: in its sentence, in its evidence, and in what it rests on.
    const proof = await b.client.proof("r");
    const effect = proof.effects.find((x) => x.stepId === "publish")!;
    expect(effect.sentence).toContain("; read back later, page did not confirm it: it is gone (");
    const { runSeq } = (await b.client.events("r")).find((x) => x.eventType === "pawl.ConfirmationFailed")!;
    expect(effect.events).toContain(runSeq);
    const why = `publish took effect as recorded, although page did not confirm it at event ${runSeq}: it is gone`;
    expect(effect.assumptions.map((n) => proof.assumptions[n - 1])).toContain(why);
  });

  it(
    "human lets the run wait, reports it with its code, survives every engine, and the answer resumes the same plan",
    proves("A-34", "A-35", "C17", "C18"),
    async () => {
      const told: DecisionNotice[] = [];
      const t = await published("human", { onDecision: (n) => void told.push(n) });
      t.world.set("home", "v2");
      let e = await t.next(t.a);
      await e.client.signal("r", "go", 1);
      // The store shows it before its engine has heard the answer to the Commit, and tells.
      await p.until(async () => (await e.engine.decisions()).length === 1 && told.length === 1);
      for (let n = 0; n < 3; n++) {
        p.testStore().advanceClock(3 * 24 * 3_600_000);
        e = await t.next(e);
      }
      expect((await e.client.get("r"))?.waiting).toBe("decision");
      const [d] = await e.engine.decisions();
      expect(d).toMatchObject({
        kind: "confirmation",
        code: "PAWL2007",
        reason: "publish is not confirmed by page: it is v2",
        unconfirmed: [{ stepId: "publish", verifier: "page", reason: "it is v2" }],
        answers: [{ answer: "accept" }, { answer: "retry" }, { answer: "fail" }],
      });
      expect(d!.evidence).toHaveLength(2);
      const { decisionId, runId } = d!;
      expect(told).toMatchObject([{ decisionId, runId, kind: "confirmation", code: "PAWL2007", workflowId: "r", workflow: "site" }]);
      expect([t.asked(), p.sent.get("announce")]).toEqual([1, undefined]);

      await expect(e.engine.resolve(decisionId, { ...ann, happened: true })).rejects.toMatchObject({ code: "PAWL4011" });
      expect(await e.engine.resolve(decisionId, { ...ann, accept: true })).toEqual({ state: "applied" });
      await p.until(() => p.sent.get("announce") === 1);
      expect(await said(e, "pawl.DecisionAnswered")).toEqual([{ decisionId, answer: "accept", ...ann }]);
      // Accepted is for good: the next owner does not ask again, although it still does not match.
      const last = await t.next(e);
      await last.client.signal("r", "go", 2);
      expect((await last.client.waitForEnd("r")).result).toEqual({ page: { version: "v1" }, first: 1, second: 2 });
      expect([t.asked(), p.sent.get("publish"), told.length]).toEqual([1, 1, 1]);
      expect((await last.client.proof("r")).assumptions).toContain(`ann was right to answer accept to that: ${ann.reason}`);
    },
  );

  it("asked again after the world was mended the run goes on; answered with fail it ends as strict would", proves("A-35"), async () => {
    const t = await published("human");
    t.world.set("home", "v2");
    const b = await t.next(t.a);
    await b.client.signal("r", "go", 1);
    const only = async (): Promise<string> => {
      await p.until(async () => (await b.engine.decisions()).length === 1);
      return (await b.engine.decisions())[0]!.decisionId;
    };
    const first = await only();
    await b.engine.resolve(first, { ...ann, retry: true });
    await p.until(async () => (await b.engine.decisions()).some((d) => d.decisionId !== first));
    const second = await only();
    t.world.set("home", "v1");
    await b.engine.resolve(second, { ...ann, retry: true });
    await p.until(() => p.sent.get("announce") === 1);
    expect(t.asked()).toBe(3);
    t.world.set("home", "v3");
    const c = await t.next(b);
    await c.client.signal("r", "go", 2);
    await p.until(async () => (await c.engine.decisions()).length === 1);
    const [third] = await c.engine.decisions();
    await c.engine.resolve(third!.decisionId, { ...ann, fail: true });
    const message = "publish is not confirmed by page: it is v3; ann decided: looked at the page";
    expect(await c.client.waitForEnd("r")).toMatchObject({ status: "FAILED", error: { code: "PAWL2006", message } });
    expect([p.sent.get("announce"), p.sent.get("undo")]).toEqual([1, 1]);
  });

  it(
    "without a verifier nothing is checked; the placeholder passes everything, and production refuses it",
    proves("A-36", "A-37"),
    async () => {
      const done = task({ name: "plain", input: z.number() }, (i) => p.send(`plain-${i}`));
      const held = task({ name: "held", input: z.number() }, (i) => p.send(`held-${i}`), { confirm: { verifier: placeholderVerifier() } });
      const wf = workflow({ name: "wf", signals: { go: z.any() } }, async (ctx) => {
        await ctx.do(done, 1);
        await ctx.do(held, 1);
        return (await ctx.receive("go")) as Json;
      });
      const a = await p.engine({ workflows: [wf], production: false });
      await a.engine.start(wf, undefined, { id: "r" });
      await p.until(async () => (await a.client.get("r"))?.waiting === "signal");
      const b = await p.takeOver(a, { workflows: [wf], production: false });
      await b.client.signal("r", "go", 1);
      expect((await b.client.waitForEnd("r")).result).toBe(1);
      expect(await said(b, "pawl.ConfirmationFailed")).toEqual([]);
      const c = await p.engine({ workflows: [wf], production: true });
      await b.stop();
      await c.engine.start(wf, undefined, { id: "q" });
      expect(await c.client.waitForEnd("q")).toMatchObject({ status: "FAILED", error: { code: "PAWL5009" } });
      expect((await c.client.events("q")).map((e) => e.stepId)).not.toContain("held");
      expect([p.sent.get("plain-1"), p.sent.get("held-1")]).toEqual([2, 1]);
    },
  );
});
