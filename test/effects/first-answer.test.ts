// The first answer to a decision counts, on every store: whoever races, from however many processes, with or without an engine
// that takes it. The same answer again is a replay; another one is refused, and says who answered what and when.
import { describe, expect, it } from "vitest";
import { workflow } from "../../src/index.ts";
import type { DecisionAnswer } from "../../src/index.ts";
import type { Client } from "../../src/client/types.ts";
import { testStores } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";
import { never, effectTest } from "./effect-test.ts";

const people = ["ann", "bob", "cay", "dan"];
const failed = (by: string): DecisionAnswer => ({ by, reason: "looked", fail: true });
const happened = (by: string, result: unknown = by): DecisionAnswer => ({ by, reason: "looked", happened: true, result });

describe.each(testStores)("the first answer on %s", (_, open) => {
  const p = effectTest(open);
  const payout = workflow({ name: "payout" }, async (ctx) =>
    ctx
      .step<unknown>("pay", () => (p.send(ctx.run.workflowId), never()), { key: "k", timeout: "30s" })
      .catch((e: { category: string }) => e.category),
  );
  type Engine = Awaited<ReturnType<typeof p.engine>>;
  const inDoubt = async (): Promise<{ e: Engine; id: string; runId: string }> => {
    const a = await p.engine({ workflows: [payout] });
    const { runId } = await a.engine.start(payout, undefined, { id: "w" });
    await p.until(() => p.sent.get("w") === 1);
    const e = await p.takeOver(a, { workflows: [payout] });
    await p.until(async () => (await e.engine.decisions()).length === 1);
    return { e, id: (await e.engine.decisions())[0]!.decisionId, runId };
  };
  const answers = async (e: { client: Client }, runId: string): Promise<unknown[]> =>
    (await e.client.events(runId)).filter((x) => x.eventType === "pawl.DecisionAnswered").map((x) => x.payload);
  const others = async (n: number): Promise<Client[]> =>
    Promise.all(Array.from({ length: n }, async () => p.testStore().client(await p.testStore().reopen())));

  it("one of many racing answers is taken; every other is refused with who answered what, and when", proves("K27", "I2"), async () => {
    const { e, id, runId } = await inDoubt();
    const clients = await others(people.length);
    const told = await Promise.all(
      people.map((by, i) => clients[i]!.resolve(id, happened(by), { timeoutMs: 30_000 }).catch((x: unknown) => x as { code: string })),
    );
    const winners = people.filter((_, i) => "state" in (told[i] as object));
    expect(winners).toHaveLength(1);
    const [by] = winners as [string];
    for (const t of told.filter((x) => "code" in (x as object)))
      expect(t).toMatchObject({ code: "PAWL4070", outcome: "none", data: { decisionId: id, by, answer: "happened", reason: "looked" } });
    expect((await e.client.waitForEnd("w", { timeoutMs: 30_000 })).result).toBe(by);
    expect(await answers(e, runId)).toMatchObject([{ by, answer: "happened", result: by }]);
    // The run has ended: the same answer is a replay for ever, another one is refused for ever.
    for (const c of clients) {
      expect(await c.resolve(id, happened("eve", by))).toEqual({ state: "applied", replayed: true });
      await expect(c.resolve(id, failed(by))).rejects.toMatchObject({ code: "PAWL4070", data: { by, answer: "happened" } });
    }
  });

  it("without an engine the first answer has its place in the inbox, and no other is accepted beside it", proves("K8", "K27"), async () => {
    const { e, id, runId } = await inDoubt();
    await e.stop();
    const [a, b] = (await others(2)) as [Client, Client];
    const told = await Promise.all(
      [a.resolve(id, failed("ann"), { timeoutMs: 0 }), b.resolve(id, happened("bob"), { timeoutMs: 0 })].map((x) =>
        x.catch((y: unknown) => y as { code: string }),
      ),
    );
    expect(told.filter((x) => "state" in x)).toEqual([{ state: "posted" }]);
    expect(told.filter((x) => "code" in x)).toMatchObject([{ code: "PAWL4070" }]);
    expect(await p.testStore().store.inbox({ runId, all: true })).toHaveLength(1);
    const mine = "state" in told[0]! ? failed("ann") : happened("bob");
    expect(await a.resolve(id, mine, { timeoutMs: 0 })).toEqual({ state: "posted", replayed: true });
    const next = await p.engine({ workflows: [payout] });
    expect((await next.client.waitForEnd("w", { timeoutMs: 30_000 })).result).toBe("state" in told[0]! ? "INDETERMINATE" : "bob");
    expect(await answers(next, runId)).toHaveLength(1);
    expect(await b.resolve(id, mine)).toEqual({ state: "applied", replayed: true });
  });

  it(
    "an answer that the owner refuses takes no place: the same person may give it again when it is legal",
    proves("K25", "K27"),
    async () => {
      const { e, id, runId } = await inDoubt();
      const denied: DecisionAnswer = { by: "ann", reason: "looked", happened: false };
      const payload = JSON.stringify({ decisionId: id, answer: "did-not-happen", by: "ann", reason: "looked" });
      const { scope } = (await p.testStore().store.run({ runId }))!;
      await p
        .testStore()
        .store.post({ scope, target: { runId }, kind: "control", name: "resolve", id: `answer/${id}/1`, payload, retainMs: null });
      await p.until(async () => ((await p.testStore().store.inbox({ runId, all: true }))[0]?.reply ?? null) !== null);
      p.testStore().advanceClock(40_000);
      expect(await e.client.resolve(id, denied, { timeoutMs: 30_000 })).toEqual({ state: "applied" });
      await p.until(() => p.sent.get("w") === 2);
    },
  );

  it("a divergence is answered once: after a retry nobody's fail ends the run that goes on", proves("K20", "K27"), async () => {
    let fixed = false;
    const wf = workflow({ name: "wf", signals: { go: anything } }, async (ctx) => {
      if (!fixed) await new Promise((r) => setTimeout(r, 1));
      return ctx.receive("go");
    });
    const e = await p.engine({ workflows: [wf] });
    const { runId } = await e.engine.start(wf, undefined, { id: "w" });
    await p.until(async () => (await e.engine.decisions()).length === 1);
    fixed = true;
    const { decisionId: id, kind } = (await e.engine.decisions())[0]!;
    expect(kind).toBe("diverged");
    expect(await e.client.resolve(id, { by: "ann", reason: "fixed", retry: true }, { timeoutMs: 30_000 })).toEqual({ state: "applied" });
    await expect(e.client.resolve(id, failed("bob"))).rejects.toMatchObject({ code: "PAWL4070", data: { by: "ann", answer: "retry" } });
    // As if it had raced: the row is there, and the owner refuses it.
    const payload = JSON.stringify({ decisionId: id, by: "bob", reason: "late" });
    const { scope } = (await p.testStore().store.run({ runId }))!;
    await p.testStore().store.post({ scope, target: { runId }, kind: "control", name: "terminate", id: "late", payload, retainMs: null });
    await p.until(async () => (await p.testStore().store.inbox({ runId, all: true })).some((r) => r.id === "late" && r.reply !== null));
    expect((await e.client.get("w"))?.status).toBe("RUNNING");
    await e.client.signal("w", "go", 7);
    expect((await e.client.waitForEnd("w", { timeoutMs: 30_000 })).result).toBe(7);
    expect(await answers(e, runId)).toMatchObject([{ decisionId: id, answer: "retry", by: "ann" }]);
  });

  it("a divergence that is given up ends the run, and its log says who decided", proves("K20", "K27"), async () => {
    const wf = workflow({ name: "wf" }, async () => {
      await new Promise((r) => setTimeout(r, 1));
    });
    const e = await p.engine({ workflows: [wf] });
    const { runId } = await e.engine.start(wf, undefined, { id: "w" });
    await p.until(async () => (await e.engine.decisions()).length === 1);
    const { decisionId: id } = (await e.engine.decisions())[0]!;
    expect(await e.client.resolve(id, failed("bob"), { timeoutMs: 30_000 })).toEqual({ state: "applied" });
    expect((await e.client.get("w"))?.status).toBe("CANCELLED");
    expect(await answers(e, runId)).toMatchObject([{ decisionId: id, answer: "fail", by: "bob" }]);
    expect(await e.client.resolve(id, failed("eve"))).toEqual({ state: "applied", replayed: true });
  });
});

const anything = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } } as const;
