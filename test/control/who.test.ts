// Who asked: a client that acts for a principal records it with whatever it asks for, in the event that the run's owner writes. Nobody signs for
// another. Evidence of such a run is verified as any other.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { localClient } from "../../src/client/local-client.ts";
import { runDetails } from "../../src/client/run-details.ts";
import { SharedParts } from "../../src/client/shared-parts.ts";
import type { Client } from "../../src/client/types.ts";
import { checkLimits } from "../../src/core/limits.ts";
import type { Principal } from "../../src/core/principal.ts";
import { task, workflow } from "../../src/index.ts";
import { verify } from "../../src/verify.ts";
import { proves } from "../support/proves.ts";
import { anySchema } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const ann: Principal = { kind: "person", subject: "ann" };
const desk: Principal = { kind: "service", subject: "desk", onBehalfOf: "bob" };

const talks = workflow(
  {
    name: "talks",
    signals: { go: z.number().refine((n) => n > 0, "must be positive"), never: anySchema<number>() },
    updates: { add: { input: z.number(), output: z.number() } },
  },
  async (ctx) => {
    ctx.onUpdate("add", (n: number) => n + 1);
    await ctx.receive("go");
    await ctx.receive("never");
  },
);
const pay = task({ name: "pay", input: z.number() }, () => "paid", { approve: () => true });
const asks = workflow({ name: "asks" }, async (ctx) => ctx.do(pay, 1));

describe.each(testStores)("who asked, on %s", (_, open) => {
  let b: TestStore;
  let parts: SharedParts;
  const as = (by: Principal): Client => {
    const { store, platform } = b;
    return localClient({ store, platform, parts, by, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null });
  };
  beforeEach(async () => {
    b = await open();
    parts = new SharedParts({ store: b.store, platform: b.platform, scope: defaultScope });
  });
  afterEach(async () => {
    await parts.close();
    await b.close();
  });

  it("start, signal, update, control and retry name their principal in the log", proves("I8"), async () => {
    const e = await b.engine({ workflows: [talks] });
    const client = as(ann);
    const { runId } = await client.start({ workflow: "talks", id: "w" });
    await client.signal("w", "go", -1, { signalId: "bad" });
    await as(desk).signal("w", "go", 1, { signalId: "good" });
    expect(await client.update("w", "add", 1)).toBe(2);
    await client.control("w", "pause", { timeoutMs: 30_000 });
    await as(desk).control("w", "resume", { timeoutMs: 30_000 });
    await client.control("w", "pause", { timeoutMs: 30_000 });
    await client.control("w", "terminate", { timeoutMs: 30_000, reason: "enough" });
    const again = await as(desk).retry("w", { requestId: randomUUID() });
    const events = await e.client.events(runId);
    const named = events.flatMap((x) => {
      const { principal } = (x.payload ?? {}) as { principal?: unknown };
      return principal === undefined ? [] : [[x.eventType, principal]];
    });
    expect(named).toEqual(
      expect.arrayContaining([
        ["RunQueued", ann],
        ["pawl.SignalRejected", ann],
        ["StepCompleted", desk],
        ["pawl.UpdateAccepted", ann],
        ["RunPaused", ann],
        ["RunResumed", desk],
        ["RunCancelled", ann],
      ]),
    );
    const [first] = await e.client.events(again.runId);
    expect(first?.payload).toMatchObject({ retryOf: runId, principal: desk });
    expect(runDetails(events)).toMatchObject({ startedBy: "ann", pausedBy: "ann", endedBy: "ann", reason: "enough" });
    expect(runDetails(await e.client.events(again.runId)).startedBy).toBe("bob (by service desk)");
    expect((await b.store.inbox({ runId, all: true })).every((r) => r.by !== null)).toBe(true);
    expect(verify(await e.client.evidence(runId)).checks.filter((x) => x.state === "fail")).toEqual([]);
    await as(desk).control("w", "terminate", { timeoutMs: 30_000 });
  });

  it("a start where the workflow's engine is names it as well, and nobody is named without a principal", proves("I8"), async () => {
    const e = await b.engine({ workflows: [talks] });
    const plain = await e.engine.start(talks, undefined, { id: "plain" });
    const [first] = await e.client.events(plain.runId);
    expect(first?.payload).not.toHaveProperty("principal");
    await plain.signal("go", 1);
    expect((await b.store.inbox({ runId: plain.runId, all: true })).map((r) => r.by)).toEqual([null]);
    const { store, platform } = b;
    const beside = localClient({
      store,
      platform,
      parts,
      by: ann,
      engine: e.core,
      scope: defaultScope,
      limits: checkLimits(),
      retainMs: null,
    });
    const { runId } = await beside.start({ workflow: "talks", id: "here" });
    const [started] = await e.client.events(runId);
    expect(started).toMatchObject({ eventType: "RunStarted", payload: { principal: ann } });
  });

  it("an answer is signed by the principal; another name is refused", proves("K27"), async () => {
    const e = await b.engine({ workflows: [asks] });
    const { runId } = await e.engine.start(asks, undefined, { id: "w" });
    await expect.poll(async () => (await e.engine.decisions()).length, { timeout: 20_000 }).toBe(1);
    const { decisionId } = (await e.engine.decisions())[0]!;
    const answer = { approve: true, reason: "fine" } as const;
    await expect(as(ann).resolve(decisionId, { ...answer, by: "bob" })).rejects.toMatchObject({ page: "PAWL4081" });
    expect(await b.store.inbox({ runId, all: true })).toEqual([]);
    expect(await as(desk).resolve(decisionId, answer as never, { timeoutMs: 30_000 })).toEqual({ state: "applied" });
    await e.client.waitForEnd(runId);
    const answered = (await e.client.events(runId)).find((x) => x.eventType === "pawl.DecisionAnswered");
    expect(answered?.payload).toMatchObject({ by: "bob", principal: desk, reason: "fine" });
  });
});
