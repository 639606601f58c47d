// The outbox on every store, to a real receiver: rows come with the Commit and go with the record of the delivery; order and
// nothing lost under receivers that fail in every way; two processes at a time. Deaths of processes: crash.test.ts.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { localClient } from "../../src/client/local-client.ts";
import type { Client } from "../../src/client/types.ts";
import { checkLimits } from "../../src/core/limits.ts";
import type { RunEventWrite } from "../../src/core/contract.ts";
import { seededRandom } from "../../src/core/seeded-random.ts";
import { event, create, next } from "../../src/store/suite/build.ts";
import { verifyWebhook } from "../../src/webhooks.ts";
import type { DeliverOpts, NewEndpoint } from "../../src/webhooks/types.ts";
import { workflow } from "../../src/index.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { receiver, type Receiver, type Reply, type Request } from "./receiver.ts";
import { proves } from "../support/proves.ts";

const open: DeliverOpts = { allowInsecure: true, allowPrivate: true };
const consumer = { scope: defaultScope, name: "webhook/a" };

describe.each(testStores)("on %s", { timeout: 90_000 }, (_, make) => {
  let b: TestStore;
  let to: Receiver;
  let client: Client;
  beforeEach(async () => {
    b = await make();
    client = b.client();
  });
  afterEach(async () => {
    await to?.close();
    await b.close();
  });
  const begin = async (o: Partial<NewEndpoint> = {}, reply?: (r: Request) => Reply): Promise<string> => {
    to = await receiver(reply);
    const made = await client.webhooks.add({ id: "a", url: to.url, allowInsecure: true, ...o });
    return made.secret ?? "";
  };
  const emit = async (runId: string, steps: number): Promise<void> => {
    const p = client.producer({ runId, planId: "plan", planVersion: "1" });
    await p.emit({ eventType: "RunStarted" });
    for (let i = 0; i < steps; i++) await p.emit({ eventType: "StepStarted", stepId: `s${i}`, payload: { i } });
    await p.emit({ eventType: "RunCompleted" });
  };

  it(
    "each Commit of a run leaves a row with its events, one that is refused leaves none, and delivering takes them away",
    proves("LX-21"),
    async () => {
      b.skipVerification();
      await begin({ events: ["*"] });
      const made = create("r1", { scope: defaultScope }, { events: [event(1), event(2)] });
      await b.store.commit([made]);
      await b.store.commit([made]); // answered as a duplicate
      const row = (await b.store.run({ runId: "r1" }))!;
      const [refused] = (await b.store.commit([next({ ...row, stateVersion: 7 }, { events: [event(3)] })])).answers;
      expect(refused?.kind).toBe("stale");
      await b.store.commit([next(row, { events: [event(3)] })]);
      await b.store.commit([create("r2", { scope: defaultScope }, { events: [event(1, { eventId: "other" })] })]);
      const pending = await b.store.feed.next({ consumer, limit: 10 });
      expect(pending.map((p) => `${p.runId} ${p.headSeq}`)).toEqual(["r1 2", "r1 3", "r2 1"]);
      expect(await b.store.feed.next({ consumer, limit: 2 })).toEqual(pending.slice(0, 2));
      expect(to.requests).toEqual([]); // drained by whoever delivers, and not before
      await client.webhooks.deliver({ ...open, once: true }).done;
      expect(to.accepted().toSorted()).toEqual(["r1 1", "r1 2", "r1 3", "r2 1"]);
      expect(await b.store.feed.next({ consumer, limit: 10 })).toEqual([]);
      await client.webhooks.deliver({ ...open, once: true }).done;
      expect(to.requests).toHaveLength(4);
    },
  );

  it("only what an append added is sent: what was there already leaves nothing in the outbox", proves("P-19"), async () => {
    await begin();
    await emit("r1", 1);
    const log = await client.events("r1");
    const { runSeq: _s, persistedAt: _p, ...first } = log[0]!;
    const fresh = { ...first, eventId: b.platform.uuidV4() };
    await client.webhooks.deliver({ ...open, once: true }).done;
    const answer = await client.append([fresh, ...log.slice(1)] as readonly RunEventWrite[]);
    expect([answer.appended.length, answer.deduped.length]).toEqual([0, 3]);
    expect(answer.deduped[0]?.eventId).toBe(first.eventId);
    expect(await b.store.feed.next({ consumer, limit: 10 })).toEqual([]);
    await client.producer({ runId: "r1", planId: "plan", planVersion: "1" }).emit({ eventType: "RunStarted" });
    expect(await b.store.feed.next({ consumer, limit: 10 })).toEqual([]);
    await client.webhooks.deliver({ ...open, once: true }).done;
    expect(to.requests.map((r) => r.id)).toEqual(log.map((e) => e.eventId));
  });

  it("an engine's run is told whole, in its order, signed, while it runs", async () => {
    const secret = await begin();
    const delivering = client.webhooks.deliver(open);
    const count = workflow({ name: "count" }, async (ctx) => {
      let n = 0;
      for (let i = 0; i < 3; i++) n = await ctx.step(`s${i}`, () => n + 1);
      return n;
    });
    const { engine } = await b.engine({ workflows: [count] });
    const { runId } = await engine.start(count, undefined, { id: "c" });
    const end = await client.waitForEnd(runId);
    expect(end.status).toBe("COMPLETED");
    const wanted = (await client.events(runId)).filter((e) => !e.eventType.startsWith("pawl."));
    await until(() => to.requests.length >= wanted.length);
    await delivering.stop();
    expect(to.requests.map((r) => r.event.data)).toEqual(wanted);
    for (const r of to.requests) expect(verifyWebhook(r.headers, r.body, secret, { now: () => b.platform.wallMs() }).id).toBe(r.event.id);
  });

  it(
    "whatever the receiver does, each run's events are accepted in order, none is lost, and a second sending has the first one's id",
    proves("P-37"),
    async () => {
      const { random } = seededRandom("c0ffee");
      const replies: readonly Reply[] = [500, 503, 404, 302, "reset", "silence", 200, 200, 200, 200, 200, 200];
      await begin({ attempts: 1_000, initial: 1, max: 5, timeout: 100 }, () => replies[Math.floor(random() * replies.length)]!);
      const runs = ["a", "b", "c", "d"];
      const delivering = client.webhooks.deliver(open);
      await Promise.all(runs.map((r) => emit(r, 2)));
      await until(() => to.accepted().length >= 16);
      await delivering.stop();
      for (const r of runs) {
        expect(to.accepted().filter((x) => x.startsWith(`${r} `))).toEqual([1, 2, 3, 4].map((n) => `${r} ${n}`));
        // An event is never sent before the one before it was accepted.
        let last = 0;
        for (const q of to.requests.filter((x) => x.event.subject === r)) {
          expect(q.event.data.runSeq).toBeLessThanOrEqual(last + 1);
          if (q.status === 200) last = Math.max(last, q.event.data.runSeq);
        }
      }
      const bodies = new Map(to.requests.map((q) => [q.id, q.body]));
      for (const q of to.requests) expect(q.body).toBe(bodies.get(q.id));
      expect(to.requests.length).toBeGreaterThan(16);
    },
  );

  it(
    "an event that nobody accepts is a dead letter after its attempts, the run goes on, and a replay delivers it",
    proves("P-37"),
    async () => {
      let mended = false;
      await begin({ attempts: 2, initial: 1, max: 1 }, (r) => (r.event.data.stepId === "s0" && !mended ? 500 : 200));
      const alerts: string[] = [];
      const delivering = client.webhooks.deliver({ ...open, onDead: (l) => void alerts.push(`${l.runId} ${l.runSeq} ${l.attempts}`) });
      await emit("r1", 1);
      await until(() => to.accepted().length >= 2);
      expect([alerts, to.accepted()]).toEqual([["r1 2 2"], ["r1 1", "r1 3"]]);
      expect(await client.webhooks.dead("a")).toMatchObject([{ runId: "r1", runSeq: 2, attempts: 2, error: "it answered 500" }]);
      mended = true;
      expect(await client.webhooks.replay("a", { dead: true })).toEqual({ runs: 1 });
      await until(() => to.accepted().length >= 3);
      await delivering.stop();
      expect(await client.webhooks.dead("a")).toEqual([]);
      expect(await client.webhooks.deliveries("a", { state: "delivered" })).toHaveLength(3);
    },
  );

  it("two processes that deliver share the endpoints, and one goes on when the other stops", async () => {
    await begin();
    const other = b.client(await b.reopen());
    const two = [client.webhooks.deliver(open), other.webhooks.deliver(open)];
    await emit("r1", 2);
    await until(() => to.accepted().length >= 4);
    await two[0]!.stop();
    await emit("r2", 2);
    await until(() => to.accepted().length >= 8);
    await two[1]!.stop();
    expect(to.accepted()).toEqual(["r1 1", "r1 2", "r1 3", "r1 4", "r2 1", "r2 2", "r2 3", "r2 4"]);
    expect(to.requests).toHaveLength(8);
  });

  it("an endpoint is sent its own tenant's events only, and is nobody else's to change", proves("I11"), async () => {
    await begin();
    b.skipVerification();
    const elsewhere = { tenantId: "other", projectId: "default", environmentId: "default" };
    const stranger = localClient({
      store: b.store,
      platform: b.platform,
      scope: elsewhere,
      limits: checkLimits(),
      engine: null,
      retainMs: null,
    });
    expect(await stranger.webhooks.list()).toEqual([]);
    await expect(stranger.webhooks.remove("a")).rejects.toMatchObject({ code: "PAWL4036" });
    await expect(stranger.webhooks.deliveries("a")).rejects.toMatchObject({ code: "PAWL4036" });
    await b.store.commit([create("x1", { scope: elsewhere }, { events: [event(1)] })]);
    await emit("r1", 0);
    await client.webhooks.deliver({ ...open, once: true }).done;
    expect(to.accepted()).toEqual(["r1 1", "r1 2"]);
  });
});

async function until(fact: () => boolean): Promise<void> {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 5));
}
