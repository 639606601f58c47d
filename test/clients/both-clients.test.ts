// One suite for both clients: what a client on the store answers, a client over HTTP answers too, verb by verb, with the same values and the same errors. Reads are
// compared as they are. Writes are made on a run of each client's own, and compared without ids and times.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client, HttpClient, RunEventWrite } from "../../src/client.ts";
import type { Code } from "../../src/errors/catalogue.ts";
import { killChildren } from "../support/child-process.ts";
import { write } from "../log/producer-events.ts";
import { alike, type ClientBench, clientBenches, outcomeOf } from "./two-clients.ts";

type Both = Client | HttpClient;
/** What of a control's answer does not depend on how far the run's engine is. */
const controlled = async (p: ReturnType<Both["control"]>): Promise<unknown> => {
  const { state, replayed, requestId, run } = await p;
  return { state, replayed, requestId, runId: run.runId, workflowId: run.workflowId };
};
/** Two clients that both refuse what was to be done are alike, and show nothing. */
const refusalOf = (outcome: unknown): string | undefined => (outcome as { readonly error?: { readonly page: string } }).error?.page;
const exotic = {
  big: 2n ** 70n,
  at: new Date(5),
  bytes: new Uint8Array([0, 1, 255]),
  map: new Map<unknown, unknown>([[{ k: 1 }, new Set([undefined, -0])]]),
  none: undefined,
  nan: Number.NaN,
  text: "\ud800 is half a letter",
  tag: { $pawl: "NaN" },
};

describe.each(clientBenches)("both clients on %s", (_, make) => {
  let b: ClientBench;
  let who: readonly (readonly [name: string, client: Both])[];
  beforeAll(async () => {
    b = await make();
    who = [
      ["local", b.local],
      ["http", b.http],
    ];
    await b.local.webhooks.add({ id: "hooks", url: "https://example.org/hooks" });
    await b.local.start({ workflow: "order", input: { id: "read" }, id: "read", tags: { shop: "bern", "a.b": "1/2" } });
    await b.local.start({ workflow: "fails", input: 1, id: "failed" });
    await b.local.start({ workflow: "gated", input: "read", id: "gated" });
    await b.local.start({ workflow: "echo", input: exotic, id: "order/42 ü" });
    await b.local.waitForEnd("failed");
    await b.local.waitForEnd("order/42 ü");
    await until(async () => (await b.local.view("read", "status")) === "waiting");
    await until(async () => (await b.local.decisions()).length === 1);
  });
  afterAll(async () => {
    await b.close();
    await killChildren();
  });

  const until = async (fact: () => Promise<boolean>): Promise<void> => {
    while (!(await fact())) await b.local.waitForChange(undefined, { timeoutMs: 50 });
  };

  const reads: readonly (readonly [name: string, read: (c: Both) => unknown, refusedWith?: Code])[] = [
    ["get", (c) => c.get("read")],
    ["get of an id that paths cannot carry", (c) => c.get("order/42 ü")],
    ["get of nobody", (c) => c.get("nobody")],
    ["list", (c) => c.list()],
    ["list by status and workflow", (c) => c.list({ status: ["FAILED", "COMPLETED"], workflow: "fails" })],
    ["list by tags", (c) => c.list({ tags: { shop: "bern", "a.b": "1/2" } })],
    ["list by workflowId", (c) => c.list({ workflowId: "order/42 ü", limit: 1 })],
    ["list of a status that there is not", (c) => c.list({ status: ["LOST" as never] }), "PAWL4011"],
    ["list with a limit out of range", (c) => c.list({ limit: 0 }), "PAWL4011"],
    ["steps", (c) => c.steps("failed")],
    ["steps of nobody", (c) => c.steps("nobody"), "PAWL4001"],
    ["events", (c) => c.events("read")],
    ["events of a page", (c) => c.events("failed", { after: 1, limit: 2 })],
    ["events with values that JSON does not have", (c) => c.events("order/42 ü")],
    ["end of a run that failed", (c) => c.waitForEnd("failed")],
    ["end with values that JSON does not have", (c) => c.waitForEnd("order/42 ü")],
    ["end of nobody", (c) => c.waitForEnd("nobody"), "PAWL4001"],
    ["view", (c) => c.view("read", "status")],
    ["view of nobody", (c) => c.view("nobody", "status"), "PAWL4001"],
    ["proof of a run", (c) => c.proof("read")],
    ["proof of a key", (c) => c.proof("charge/read")],
    ["effects", (c) => c.effects()],
    ["effects by key", (c) => c.effects({ key: "charge/read", limit: 10 })],
    ["effects with a limit out of range", (c) => c.effects({ limit: 5_000 }), "PAWL4011"],
    ["decisions", (c) => c.decisions()],
    ["decisions, one", (c) => c.decisions({ limit: 1 })],
    ["consumers", (c) => c.consumers()],
    ["dead letters of nobody", (c) => c.deadLetters("nobody")],
    ["alerts", (c) => c.alerts({ since: "2026-01-01T00:00:00.000Z" })],
    ["projection", (c) => c.projection("read")],
    ["projection of nobody", (c) => c.projection("nobody"), "PAWL4001"],
    ["workflows", (c) => c.workflows()],
    ["webhooks", (c) => c.webhooks.list()],
    ["deliveries", (c) => c.webhooks.deliveries("hooks", { state: "dead" })],
    ["dead deliveries", (c) => c.webhooks.dead("hooks")],
    ["deliveries of nobody", (c) => c.webhooks.deliveries("nobody"), "PAWL4036"],
    ["count", (c) => c.count({ workflow: "fails" })],
    ["guarantees", async (c) => c.guarantees((await c.list()).runs.map((r) => r.runId))],
    ["guarantees of nobody", (c) => c.guarantees(["nobody"])],
    ["guarantees of none", (c) => c.guarantees([])],
    ["decisions of one run", async (c) => c.decisionPage({ run: (await c.decisions())[0]?.runId ?? "failed", limit: 1 })],
    ["decisions of a run that asks nothing", (c) => c.decisionPage({ run: "failed" })],
    ["decisions of nobody", (c) => c.decisionPage({ run: "nobody" }), "PAWL4001"],
    ["timeline", (c) => c.timeline("failed")],
    ["timeline of nobody", (c) => c.timeline("nobody"), "PAWL4001"],
    ["event", (c) => c.event("order/42 ü", 1)],
    ["event that there is not", (c) => c.event("failed", 999), "PAWL4132"],
    ["check of a run", (c) => c.verifyRun("failed")],
    ["check of nobody", (c) => c.verifyRun("nobody"), "PAWL4001"],
    ["what became of a signal that nobody sent", (c) => c.signalState("read", "approved", "none")],
    ["what became of an update that nobody sent", (c) => c.updateState("read", "address", "none")],
    ["batches", (c) => c.batches.list()],
    ["batch of nobody", (c) => c.batches.get("nobody"), "PAWL4132"],
    ["audit of nobody", (c) => c.audit({ subject: "nobody" })],
    ["tokens", (c) => c.tokens.list()],
    ["retry, dry", (c) => c.retry("failed", { dryRun: true })],
    ["retry, dry, of nobody", (c) => c.retry("nobody", { dryRun: true }), "PAWL4001"],
    ["evidence of nobody", (c) => c.evidence("nobody"), "PAWL4001"],
  ];
  it.each(reads.map(([name, read, refusedWith]) => [name, { read, refusedWith }] as const))("%s", async (_name, { read, refusedWith }) => {
    const [local, http] = [await outcomeOf(() => read(b.local)), await outcomeOf(() => read(b.http))];
    expect(http).toEqual(local);
    expect(refusalOf(local)).toBe(refusedWith);
  });

  it("the store, its engines and their leases", async () => {
    const still = async (c: Both): Promise<unknown> => {
      const { now: __, engines, ...info } = await c.info();
      return { ...info, engines: engines.map(({ leaseUntil: ___, ...e }) => e) };
    };
    expect(await still(b.http)).toEqual(await still(b.local));
    const engines = async (c: Both): Promise<unknown> => (await c.engines()).map((e) => e.engineId);
    expect(await engines(b.http)).toEqual(await engines(b.local));
  });

  it("pages end where they end", async () => {
    for (const [, c] of who) {
      const seen: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await c.list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...page.runs.map((r) => r.workflowId));
        if ((cursor = page.cursor) === undefined) break;
      }
      expect(seen).toEqual((await b.local.list()).runs.map((r) => r.workflowId));
    }
  });

  it("evidence is an archive that proves the run", async () => {
    const [local, http] = [await b.local.evidence("failed"), await b.http.evidence("failed")];
    expect(http.byteLength).toBe(local.byteLength);
    expect([...http.subarray(0, 4)]).toEqual([0x50, 0x4b, 3, 4]);
  });

  /** What each client does to a run of its own. */
  const writes: readonly (readonly [name: string, act: (c: Both, id: string) => Promise<unknown>, refusedWith?: Code])[] = [
    ["start", (c, id) => c.start({ workflow: "order", input: { id }, id, tags: { t: "1" } })],
    ["start again: the same run", (c, id) => c.start({ workflow: "order", input: { id }, id })],
    ["start with another input", (c, id) => c.start({ workflow: "order", input: { id: "other" }, id }), "PAWL4009"],
    ["start that rejects a second", (c, id) => c.start({ workflow: "order", input: { id }, id, onConflict: "reject" }), "PAWL4002"],
    ["start of a workflow that nobody has", (c, id) => c.start({ workflow: "nothing", id: `${id}-nothing` }), "PAWL4008"],
    ["start with an input that does not fit", (c, id) => c.start({ workflow: "order", input: { id: 7 }, id: `${id}-bad` }), "PAWL1008"],
    ["start under a key", (c, id) => c.start({ workflow: "echo", input: 1, id: `${id}-key`, idempotencyKey: `key-${id}` })],
    ["start under a key again", (c, id) => c.start({ workflow: "echo", input: 1, id: `${id}-key`, idempotencyKey: `key-${id}` })],
    [
      "start under a key that had another request",
      (c, id) => c.start({ workflow: "echo", input: 1, id: `${id}-k2`, idempotencyKey: `key-${id}` }),
      "PAWL4053",
    ],
    ["wait that is too short", (c, id) => c.waitForEnd(id, { timeoutMs: 50 }), "PAWL4006"],
    ["update", (c, id) => c.update(id, "address", { city: "Bern" }, { updateId: `u-${id}` })],
    ["update again", (c, id) => c.update(id, "address", { city: "Bern" }, { updateId: `u-${id}` })],
    ["update that does not fit", (c, id) => c.update(id, "address", { city: 5 }), "PAWL4007"],
    ["update that is refused", (c, id) => c.update(id, "address", { city: "Atlantis" }), "PAWL4007"],
    ["update that is not declared", (c, id) => c.update(id, "nothing", 1), "PAWL1016"],
    ["signal that does not fit", (c, id) => c.signal(id, "approved", { by: 5 }), "PAWL1008"],
    ["signal that is not declared", (c, id) => c.signal(id, "nothing", 1), "PAWL1016"],
    ["signal to nobody", (c) => c.signal("nobody", "approved", { by: "ann" }), "PAWL4001"],
    ["signal under a bad id", (c, id) => c.signal(id, "approved", { by: "ann" }, { signalId: 7 }), "PAWL4005"],
    ["pause, dry", (c, id) => controlled(c.control(id, "pause", { dryRun: true }))],
    ["pause of a log that has another head", (c, id) => c.control(id, "pause", { expectHead: 1 }), "PAWL4083"],
    ["pause", (c, id) => controlled(c.control(id, "pause", { reason: "lunch" }))],
    ["pause of nobody", (c) => c.control("nobody", "pause"), "PAWL4001"],
    ["resume", (c, id) => controlled(c.control(id, "resume", { reason: "back" }))],
    ["retry of a run that has not ended", (c, id) => c.retry(id), "PAWL4010"],
    ["signal", (c, id) => c.signal(id, "approved", { by: "ann" }, { signalId: `s-${id}` })],
    ["what became of the signal", (c, id) => c.signalState(id, "approved", `s-${id}`).then((m) => [m?.state === "rejected", m?.result])],
    ["what became of the update", (c, id) => c.updateState(id, "address", `u-${id}`).then((m) => m?.answer)],
    ["end", (c, id) => c.waitForEnd(id, { timeoutMs: 60_000 })],
    ["signal again", (c, id) => c.signal(id, "approved", { by: "ann" }, { signalId: `s-${id}` })],
    ["signal after the end", (c, id) => c.signal(id, "approved", { by: "ann" }), "PAWL4003"],
    ["cancel after the end", (c, id) => c.control(id, "cancel"), "PAWL4003"],
    [
      "retry",
      async (c, id) => {
        await c.start({ workflow: "fails", input: 1, id: `${id}-retry` });
        await c.waitForEnd(`${id}-retry`);
        return c.retry(`${id}-retry`);
      },
    ],
    [
      "terminate",
      async (c, id) => {
        await c.start({ workflow: "order", input: { id: `${id}-t` }, id: `${id}-t` });
        return controlled(c.control(`${id}-t`, "terminate", { reason: "enough" }));
      },
    ],
    [
      "resolve",
      async (c, id) => {
        await c.start({ workflow: "gated", input: id, id: `${id}-g` });
        const mine = async (): Promise<string | undefined> => (await c.decisions()).find((d) => d.workflowId === `${id}-g`)?.decisionId;
        await until(async () => (await mine()) !== undefined);
        const decisionId = (await mine())!;
        const answer = { approve: true, by: "local", reason: "looks right" } as const;
        const wrong = await outcomeOf(() => c.resolve(decisionId, { accept: true, by: "local", reason: "x" }));
        const first = await c.resolve(decisionId, answer, { timeoutMs: 30_000 });
        const end = await c.waitForEnd(`${id}-g`);
        return {
          wrong,
          first,
          end,
          again: await c.resolve(decisionId, answer),
          other: await outcomeOf(() => c.resolve(decisionId, { refuse: true, by: "local", reason: "x" })),
        };
      },
    ],
    [
      "batch, dry",
      (c, id) =>
        c.batches
          .create({ filter: { workflowId: `${id}-retry` }, action: "retry", reason: "x", dryRun: true })
          .then((v) => [v.state, v.matches]),
    ],
    ["batch without a reason", (c) => c.batches.create({ filter: {}, action: "cancel", reason: "" }), "PAWL4090"],
    ["resolve of nothing", (c) => c.resolve("nothing", { fail: true, by: "local", reason: "x" }), "PAWL4072"],
    ["append", (c, id) => c.append(produced(`${id}-x`))],
    ["append again", (c, id) => c.append(produced(`${id}-x`, { again: true }))],
    ["append of what does not fit", (c, id) => c.append({ ...produced(`${id}-y`), runId: "" }), "PAWL4020"],
    ["append to a run of an engine", async (c, id) => c.append(produced((await c.get(id))!.runId)), "PAWL4023"],
    [
      "webhook",
      (c, id) =>
        c.webhooks.add({ id, url: "https://example.org/x", events: ["Run*"] }).then(({ endpoint, secret }) => [endpoint, typeof secret]),
    ],
    ["webhook under an id that is taken", (c, id) => c.webhooks.add({ id, url: "https://example.org/x" }), "PAWL4037"],
    ["webhook without a url", (c) => c.webhooks.add({ url: "nothing" }), "PAWL5021"],
    ["webhook, paused", (c, id) => c.webhooks.pause(id, "maintenance")],
    ["webhook, resumed", (c, id) => c.webhooks.resume(id)],
    ["webhook, replayed", (c, id) => c.webhooks.replay(id, { dead: true })],
    ["webhook, rotated", (c, id) => c.webhooks.rotate(id, { window: "2d" }).then(({ endpoint }) => endpoint.keys.length)],
    ["webhook, removed", (c, id) => c.webhooks.remove(id, { reason: "closed" })],
    ["webhook of nobody", (c) => c.webhooks.pause("nobody"), "PAWL4036"],
    ["workflow, paused", (c) => c.pauseWorkflow("echo", { reason: "deploy" }).then((w) => [w.workflow, w.paused?.reason])],
    ["workflow, resumed", (c) => c.resumeWorkflow("echo").then((w) => [w.workflow, w.paused])],
    ["workflow of nobody", (c) => c.pauseWorkflow("nothing"), "PAWL4008"],
    ["engine of nobody", (c) => c.drainEngine("nobody"), "PAWL4132"],
    [
      "token",
      (c, id) => c.tokens.create({ subject: id, scopes: ["read"] }).then(({ view: { tokenId: __, createdBy: ___, ...view } }) => view),
    ],
    ["token of nobody", (c) => c.tokens.revoke("nobody", { reason: "x" }), "PAWL4095"],
  ];
  it("writes, one after another, each on a run of its own", async () => {
    for (const [name, act, refusedWith] of writes) {
      const [local, http] = await Promise.all(
        who.map(async ([mine, c]) => alike(await outcomeOf(() => act(c, `mine-${mine}`)), `mine-${mine}`)),
      );
      expect.soft(http, name).toEqual(local);
      expect.soft(refusalOf(local), name).toBe(refusedWith);
    }
  });
});

/** The first event of a run that another producer writes. */
function produced(runId: string, payload: Readonly<Record<string, unknown>> = {}): RunEventWrite {
  return write({ runId, eventType: "RunStarted", eventId: "11111111-1111-4111-8111-111111111111", payload });
}
