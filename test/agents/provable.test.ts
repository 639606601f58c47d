// The provable semantics of a tool step, through tool() and agent(), on every store: the exact order of what is written, both keys by an implementation of their own,
// and the three modes of confirmation with parking, notice and resumption. The crash windows with real processes are in windows.test.ts.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, scripted, tool, type StreamScope } from "../../src/agents.ts";
import { fileEffectStore, type DecisionNotice, type EffectStore, type EngineOpts, type ResourceVerifier } from "../../src/index.ts";
import { placeholderVerifier } from "../../src/verifiers.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { effectTest } from "../effects/effect-test.ts";
import { proves } from "../support/proves.ts";
import { testStores } from "../support/test-store.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const input = z.object({ to: z.string(), cents: z.number() });
const pay = { name: "pay", description: "Pay", input };
const ann = { by: "ann", reason: "looked" } as const;

describe.each(testStores)("on %s", (_, open) => {
  const p = effectTest(open);
  const folders: string[] = [];
  afterEach(() => {
    for (const f of folders.splice(0)) rmSync(f, { recursive: true, force: true });
  });
  const effectStore = (): EffectStore => {
    const dir = mkdtempSync(join(tmpdir(), "pawl-kept-"));
    folders.push(dir);
    return fileEffectStore(dir);
  };

  it(
    "start, tool, kept result, outcome with the ledger, superstep: in this order; both keys as the formulas say, the arguments always in",
    proves("A-03", "A-15", "A-16", "A-17", "A-18", "A-19", "A-20", "A-21", "A-22", "A-23", "A-24", "A-27", "A-28", "A-29"),
    async () => {
      const order: string[] = [];
      const given: string[] = [];
      const real = effectStore();
      const act = (i: { to: string }, s: StreamScope): string => (
        order.push(`tool ${i.to}`),
        given.push(s.aetherisTraceKey),
        `paid ${i.to}`
      );
      // One with a key of its author's: the arguments are in the internal key all the same.
      const tools = [
        tool(pay, act, { once: true }),
        tool({ ...pay, name: "keyed" }, act, { key: () => "one-key-for-all", dedup: "1d", onRepeat: "allow" }),
      ];
      const calls = [
        { tool: "pay", input: { to: "a", cents: 5 } },
        { tool: "keyed", input: { cents: 7, to: "b" } },
      ];
      const a = agent({
        name: "payer",
        model: scripted([{ calls: [calls[0]!] }, { calls: [calls[1]!] }, "done"], { by: "conversation" }),
        tools,
      });
      const ofStep = new Set(["3/tools/pay", "5/tools/keyed"]);
      const watch = (s: FullStore): FullStore => ({
        ...s,
        commit: async (batch, renew) => {
          const answer = await s.commit(batch, renew);
          for (const c of batch)
            for (const e of c.events)
              if (ofStep.has(e.stepId ?? "")) order.push(`${e.eventType}${(c.effects ?? []).map((x) => ` ${x.status}`).join("")}`);
              else if (e.eventType === ("pawl.Superstep" as never)) order.push("superstep");
          return answer;
        },
      });
      const kept: EffectStore = { ...real, put: async (e) => (await real.put(e), void (ofStep.has(e.stepId) && order.push("kept"))) };
      const e = await p.engine({ workflows: [a], effectStore: kept }, { wrap: watch });
      const h = await e.engine.start(a, { prompt: "x" }, { id: "r" });
      await h.result();
      const [first, second] = [order.indexOf("tool a"), order.indexOf("tool b")];
      for (const at of [first, second]) {
        expect(order.slice(at - 1, at + 4)).toEqual([
          expect.stringMatching(/^StepStarted.* indeterminate/),
          order[at],
          "kept",
          expect.stringMatching(/^StepCompleted.* completed/),
          "superstep",
        ]);
      }
      const events = await e.client.events(h.runId, { limit: 1000 } as never);
      const of = (type: string, stepId: string) =>
        events.find((x) => x.eventType === type && x.stepId === stepId)!.payload as { invocation?: string };
      for (const [n, [stepId, name]] of (
        [
          ["3/tools/pay", "pay"],
          ["5/tools/keyed", "keyed"],
        ] as const
      ).entries()) {
        // Canonical: members in order, no spaces.
        const { to, cents } = calls[n]!.input;
        const key = sha256([h.runId, stepId, name, `{"cents":${cents},"to":"${to}"}`].join("\0"));
        expect(of("StepStarted", stepId).invocation).toBe(key);
        expect(of("StepCompleted", stepId).invocation).toBe(key);
        expect(await real.get(h.runId, key)).toMatchObject({ stepId, result: JSON.stringify(`paid ${to}`) });
        expect(await real.get(h.runId, sha256([h.runId, stepId, name, ""].join("\0")))).toBeUndefined();
        expect(given[n]).toBe(`aetheris:${h.runId}:${stepId}:1`);
      }
    },
  );

  it("after a take-over the external key has another attempt, the internal one is the same", proves("A-26", "A-30"), async () => {
    const given: string[] = [];
    const t = tool(pay, (_i, s) => (given.push(s.aetherisTraceKey), given.length === 1 ? new Promise<never>(() => {}) : "paid"), {
      key: (i) => i.to,
      dedup: "1d",
    });
    const call = { calls: [{ tool: "pay", input: { to: "a", cents: 5 } }] };
    const a = agent({ name: "payer", model: scripted([call, "done"], { by: "conversation" }), tools: [t] });
    const kept = effectStore();
    const e = await p.engine({ workflows: [a], effectStore: kept });
    const { runId } = await e.engine.start(a, { prompt: "x" }, { id: "r" });
    await p.until(() => given.length === 1);
    const b = await p.takeOver(e, { workflows: [a], effectStore: kept });
    await b.client.waitForEnd("r");
    expect(given).toEqual([1, 2].map((n) => `aetheris:${runId}:3/tools/pay:${n}`));
    const keys = (await b.client.events(runId))
      .filter((x) => x.stepId === "3/tools/pay")
      .flatMap((x) => (x.payload as { invocation?: string }).invocation ?? []);
    expect(new Set(keys)).toEqual(new Set([sha256([runId, "3/tools/pay", "pay", '{"cents":5,"to":"a"}'].join("\0"))]));
  });

  /** An agent that published a page with a tool and now waits for the approval of the next one; then its engine dies, and the page is another one. */
  const published = async (mode: "strict" | "warn" | "human" | undefined, o: EngineOpts = {}) => {
    const world = { page: "v1" };
    const verifier: ResourceVerifier<{ to: string }, { page: string }> = {
      name: "page",
      check: async (_i, recorded) => (world.page === recorded.page ? { matches: true } : { matches: false, reason: `it is ${world.page}` }),
    };
    const publish = tool({ ...pay, name: "publish" }, () => (p.send("publish"), { page: "v1" }), {
      once: true,
      compensate: () => void p.send("undo"),
      confirm: mode === undefined ? { verifier } : { mode, verifier },
    });
    const tell = tool({ ...pay, name: "tell" }, () => p.send("tell"), { once: true, approve: true });
    const call = (name: string) => ({ calls: [{ tool: name, input: { to: "a", cents: 5 } }] });
    const a = agent({
      name: "site",
      model: scripted([call("publish"), call("tell"), "done"], { by: "conversation" }),
      tools: [publish, tell],
    });
    const opts: EngineOpts = { workflows: [a], ...o };
    const dead = await p.engine(opts);
    await dead.engine.start(a, { prompt: "x" }, { id: "r" });
    await p.until(async () => (await dead.engine.decisions()).length === 1);
    world.page = "v2";
    const e = await p.takeOver(dead, opts);
    const approve = async (): Promise<void> => {
      const of = async () => (await e.engine.decisions()).find((d) => d.kind === "approval");
      await p.until(async () => (await of()) !== undefined);
      await e.engine.resolve((await of())!.decisionId, { ...ann, approve: true });
    };
    return { e, world, approve };
  };

  it("strict, the default: the run fails for good, and the tool's effect is undone", proves("A-31", "A-32"), async () => {
    const { e } = await published(undefined);
    // An approval that comes now finds a run that is ending.
    const [d] = await e.engine.decisions();
    if (d !== undefined) await e.engine.resolve(d.decisionId, { ...ann, approve: true }).catch(() => {});
    expect(await e.client.waitForEnd("r")).toMatchObject({ status: "FAILED", error: { code: "PAWL2006" } });
    expect([p.sent.get("publish"), p.sent.get("undo"), p.sent.get("tell")]).toEqual([1, 1, undefined]);
  });

  it("warn: it is counted, and the recorded result is used", proves("A-33"), async () => {
    const { e, approve } = await published("warn");
    await approve();
    expect((await e.client.waitForEnd("r")).status).toBe("COMPLETED");
    expect(e.engine.metrics()).toContain("\npawl_confirmation_replay_warn_total 1\n");
    expect([p.sent.get("publish"), p.sent.get("undo"), p.sent.get("tell")]).toEqual([1, undefined, 1]);
  });

  it("human: parked with a code of its own, somebody is told, an answer resumes it", proves("A-34", "A-35"), async () => {
    const told: DecisionNotice[] = [];
    const { e, approve } = await published("human", { onDecision: (n) => void told.push(n) });
    // An approval would begin the next call: the world is looked at first, the run is parked, and the approval is refused until somebody has looked.
    const [approval] = await e.engine.decisions();
    await e.client.resolve(approval!.decisionId, { ...ann, approve: true }, { timeoutMs: 0 }).catch(() => {});
    const asked = async () => (await e.engine.decisions()).find((d) => d.kind === "confirmation");
    await p.until(async () => (await asked()) !== undefined && told.some((n) => n.kind === "confirmation"));
    expect(await asked()).toMatchObject({ code: "PAWL2007", unconfirmed: [{ verifier: "page", reason: "it is v2" }] });
    expect([(await e.client.get("r"))?.waiting, p.sent.get("tell")]).toEqual(["decision", undefined]);
    await e.engine.resolve((await asked())!.decisionId, { ...ann, accept: true });
    await approve();
    expect((await e.client.waitForEnd("r")).status).toBe("COMPLETED");
    expect([p.sent.get("publish"), p.sent.get("undo"), p.sent.get("tell")]).toEqual([1, undefined, 1]);
  });

  it("a verifier must be real: the placeholder is refused in production", proves("A-36", "A-37"), async () => {
    const t = tool(pay, () => p.send("pay"), { once: true, confirm: { verifier: placeholderVerifier() } });
    const a = agent({
      name: "held",
      model: scripted([{ calls: [{ tool: "pay", input: { to: "a", cents: 1 } }] }, "done"], { by: "conversation" }),
      tools: [t],
    });
    const e = await p.engine({ workflows: [a], production: true });
    await e.engine.start(a, { prompt: "x" }, { id: "r" });
    expect(await e.client.waitForEnd("r")).toMatchObject({ status: "FAILED", error: { code: "PAWL5009" } });
    expect(p.sent.get("pay")).toBeUndefined();
  });
});
