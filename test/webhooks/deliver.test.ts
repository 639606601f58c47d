// Delivering, on a virtual clock: order, patience, giving up, pausing, rotating. The receiver is a function, so that each fact
// is about what left and when. Once more: replay.test.ts. Real sockets: stores.test.ts. Real deaths: crash.test.ts.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WebhookDeadLetter } from "../../src/webhooks/types.ts";
import { deliveryTest, status, url, verified, type DeliveryTest } from "./delivery-test.ts";
import { proves } from "../support/proves.ts";

let s: DeliveryTest;
beforeEach(() => void (s = deliveryTest()));
afterEach(() => s.close());

const types = ["RunStarted", "StepStarted a", "StepCompleted a", "RunCompleted"];
const once = async (): Promise<void> => s.until(s.deliver({ once: true }).done);

describe("what is sent", () => {
  it("every event of a run that the endpoint wants, once, in order, signed, and in the ledger", proves("P-37"), async () => {
    const { secret } = await s.client.webhooks.add({ id: "a", url });
    await s.emit("r1", "RunStarted", "StepStarted a", "odd.type", "StepCompleted a", "RunCompleted");
    await once();
    expect(s.lines()).toEqual(types.map((t) => `r1 ${t}`));
    const log = await s.client.events("r1");
    for (const a of s.arrived) {
      expect(verified(s, a, secret!)).toBe(a.id);
      expect(a.event.data).toEqual(log.find((e) => e.eventId === a.id));
      expect(a.posting).toMatchObject({
        allowPrivate: false,
        timeoutMs: 20_000,
        headers: { "content-type": "application/cloudevents+json; charset=utf-8" },
      });
    }
    await once();
    expect(s.arrived).toHaveLength(4);
    const ledger = await s.client.webhooks.deliveries("a");
    expect(ledger.map((d) => [d.eventId, d.state, d.attempts, d.status].join(" ")).toSorted()).toEqual(
      s.arrived.map((a) => `${a.id} delivered 1 200`).toSorted(),
    );
    expect((await s.client.webhooks.list())[0]).toMatchObject({ id: "a", waiting: 0 });
  });

  it("from now on unless the start is asked for; what an endpoint does not want is passed over", proves("P-37"), async () => {
    await s.emit("old", "RunStarted");
    await s.client.webhooks.add({ id: "now", url });
    await s.client.webhooks.add({ id: "all", url, from: "start", events: ["StepFailed", "pawl.run.started"] });
    await s.emit("old", "StepStarted a", "StepFailed a");
    await s.emit("new", "RunStarted");
    await once();
    expect((await s.client.webhooks.deliveries("now")).map((d) => `${d.runId} ${d.eventType}`).toSorted()).toEqual([
      "new RunStarted",
      "old StepFailed",
      "old StepStarted",
    ]);
    expect((await s.client.webhooks.deliveries("all")).map((d) => `${d.runId} ${d.eventType}`).toSorted()).toEqual([
      "new RunStarted",
      "old RunStarted",
      "old StepFailed",
    ]);
  });

  it("an endpoint of another tenant sees nothing of it", async () => {
    await s.client.webhooks.add({ id: "a", url });
    expect(await s.store.feed.consumers({ tenantId: "x", projectId: "default", environmentId: "default" })).toEqual([]);
    expect(await s.store.feed.consumers({ tenantId: "default", projectId: "default", environmentId: "default" })).toMatchObject([
      { name: "webhook/a" },
    ]);
  });
});

describe("when it fails", () => {
  it("it is sent again later and later, under the same id and a new time; its run waits, others go on", proves("P-37"), async () => {
    const { secret } = await s.client.webhooks.add({ id: "a", url });
    let refused = 0;
    s.answers((a) => (a.event.subject === "bad" && refused++ < 3 ? status(500) : status(200)));
    await s.emit("bad", "RunStarted", "RunCompleted");
    await s.emit("good", "RunStarted", "RunCompleted");
    s.deliver();
    await s.until(seen(6));
    expect(s.lines().slice(0, 3).toSorted()).toEqual(["bad RunStarted", "good RunCompleted", "good RunStarted"]);
    const bad = s.arrived.filter((a) => a.event.subject === "bad");
    expect(bad.map((a) => a.event.data.eventType)).toEqual(["RunStarted", "RunStarted", "RunStarted", "RunStarted", "RunCompleted"]);
    expect(new Set(bad.slice(0, 4).map((a) => a.id)).size).toBe(1);
    const gaps = bad.slice(1, 4).map((a, i) => a.atMs - bad[i]!.atMs);
    for (const [i, least] of [5_000, 10_000, 20_000].entries()) {
      expect(gaps[i]).toBeGreaterThanOrEqual(least);
      expect(gaps[i]).toBeLessThan(least * 1.1 + 2_000);
    }
    for (const a of bad) expect(verified(s, a, secret!)).toBe(a.id);
    expect(bad[0]?.posting.headers["webhook-timestamp"]).not.toBe(bad[3]?.posting.headers["webhook-timestamp"]);
    expect(bad[0]?.posting.body).toBe(bad[3]?.posting.body);
    const first = (await s.client.webhooks.deliveries("a")).find((d) => d.eventId === bad[0]?.id);
    expect(first).toMatchObject({ state: "delivered", attempts: 4 });
  });

  it("Retry-After is waited for, and meanwhile the ledger says what it waits for", async () => {
    await s.client.webhooks.add({ id: "a", url });
    s.answers(() => (s.arrived.length === 1 ? status(503, "120") : status(200)));
    await s.emit("r1", "RunStarted");
    s.deliver();
    await s.until(seen(1));
    await s.platform.advance(60_000);
    expect(s.arrived).toHaveLength(1);
    const [waiting] = await s.client.webhooks.deliveries("a", { state: "waiting" });
    expect(waiting).toMatchObject({ eventId: s.arrived[0]?.id, state: "waiting", attempts: 1, error: "it answered 503" });
    expect(Date.parse(waiting?.nextAt ?? "") - s.arrived[0]!.atMs).toBeGreaterThanOrEqual(120_000);
    await s.until(seen(2));
    expect(s.arrived[1]!.atMs - s.arrived[0]!.atMs).toBeGreaterThanOrEqual(120_000);
  });

  it("after its last attempt an event is a dead letter, with one alert, and its run continues with the next", proves("P-37"), async () => {
    const letters: WebhookDeadLetter[] = [];
    await s.client.webhooks.add({ id: "a", url, attempts: 3, initial: "1s" });
    s.answers((a) => (a.event.data.eventType === "StepStarted" ? status(500) : status(200)));
    await s.emit("r1", ...types);
    const onDead = (l: WebhookDeadLetter): void => {
      letters.push(l);
      throw new Error("whoever is told must not stop it");
    };
    const d = s.deliver({ onDead });
    await s.until(seen(6));
    await s.platform.advance(3_000);
    expect(s.lines()).toEqual([
      "r1 RunStarted",
      ...Array.from({ length: 3 }, () => "r1 StepStarted a"),
      "r1 StepCompleted a",
      "r1 RunCompleted",
    ]);
    const dead = { eventId: s.arrived[1]?.id, runId: "r1", runSeq: 2, eventType: "StepStarted", attempts: 3 };
    expect(letters).toEqual([{ code: "PAWL4038", endpoint: "a", reason: "it answered 500", ...dead }]);
    expect(await s.client.webhooks.dead("a")).toMatchObject([{ state: "dead", error: "it answered 500", ...dead }]);
    expect(d.metrics()).toContain('pawl_webhook_dead_total{endpoint="a"} 1\n');
    expect(d.metrics()).toContain('pawl_webhook_attempts_total{endpoint="a"} 6\n');
  });

  it("attempts are counted for one event: the next one of its run has all of its own", proves("P-37"), async () => {
    await s.client.webhooks.add({ id: "a", url, attempts: 3, initial: "1s" });
    const refused = new Map<string, number>();
    s.answers((a) => {
      const n = refused.get(a.id) ?? 0;
      refused.set(a.id, n + 1);
      return n < 2 ? status(500) : status(200);
    });
    await s.emit("r1", ...types);
    s.deliver();
    await s.until(seen(12));
    await s.platform.advance(3_000);
    expect(s.lines()).toEqual(types.flatMap((t) => [`r1 ${t}`, `r1 ${t}`, `r1 ${t}`]));
    expect(await s.client.webhooks.dead("a")).toEqual([]);
    expect((await s.client.webhooks.deliveries("a")).map((d) => d.attempts)).toEqual([3, 3, 3, 3]);
  });

  it(
    "a delivery that is stopped sends nothing more, records what was accepted, and another goes on with the next event",
    proves("P-37"),
    async () => {
      await s.client.webhooks.add({ id: "a", url });
      await s.emit("r1", ...types);
      let stopping: Promise<void> | undefined;
      const d = s.deliver();
      s.answers(() => {
        stopping ??= d.stop();
        return status(200);
      });
      await s.until(d.done);
      await stopping;
      expect(s.lines()).toEqual(["r1 RunStarted"]);
      await once();
      expect(s.lines()).toEqual(types.map((t) => `r1 ${t}`));
    },
  );

  it("what was accepted is recorded at least every sixteen events of a run: so many come again after a crash", proves("P-37"), async () => {
    await s.client.webhooks.add({ id: "a", url });
    await s.emit("r1", "RunStarted", ...Array.from({ length: 19 }, (_, i) => `StepStarted s${i}`));
    const recorded: number[] = [];
    s.answers(async () => {
      recorded.push((await s.client.webhooks.deliveries("a", { state: "delivered" })).length);
      return status(200);
    });
    await once();
    expect(recorded).toEqual([...Array<number>(16).fill(0), ...Array<number>(4).fill(16)]);
  });

  it("410 pauses the endpoint and loses nothing: resumed, it goes on with the same event", proves("P-37"), async () => {
    await s.client.webhooks.add({ id: "a", url });
    s.answers(() => (s.arrived.length === 2 ? status(410) : status(200)));
    await s.emit("r1", "RunStarted", "RunCompleted");
    s.deliver();
    await s.until(seen(2));
    await s.platform.advance(5_000);
    expect(s.arrived).toHaveLength(2);
    expect((await s.client.webhooks.list())[0]?.paused?.reason).toContain("410");
    expect(await s.client.webhooks.deliveries("a", { state: "waiting" })).toEqual([]); // nothing failed: it is not wanted
    await s.emit("r2", "RunStarted");
    await s.client.webhooks.resume("a");
    await s.until(seen(4));
    expect(s.lines().slice(0, 2)).toEqual(["r1 RunStarted", "r1 RunCompleted"]);
    expect(s.lines().slice(2).toSorted()).toEqual(["r1 RunCompleted", "r2 RunStarted"]);
    expect(await s.client.webhooks.dead("a")).toEqual([]);
  });

  it("http is not sent to unless this process permits it, whatever the endpoint says", async () => {
    await s.client.webhooks.add({ id: "a", url: "http://receiver.example/", allowInsecure: true });
    await s.emit("r1", "RunStarted");
    await once();
    expect(s.arrived).toEqual([]);
    expect((await s.client.webhooks.deliveries("a"))[0]).toMatchObject({ state: "waiting", error: "http: is not permitted here" });
    expect(await s.client.webhooks.test("a")).toEqual({ delivered: false, error: "http: is not permitted here" });
    await s.platform.advance(10_000);
    await s.until(s.deliver({ once: true, allowInsecure: true, allowPrivate: true }).done);
    expect(s.arrived[0]?.posting).toMatchObject({ allowPrivate: true });
  });
});

describe("endpoints", () => {
  it("paused ones are sent nothing and lose nothing; removed ones leave nothing behind", proves("P-37", "LX-21"), async () => {
    await s.client.webhooks.add({ id: "a", url });
    await s.client.webhooks.pause("a", "maintenance");
    await s.emit("r1", ...types);
    await once();
    expect(s.arrived).toEqual([]);
    expect((await s.client.webhooks.list())[0]).toMatchObject({ paused: { reason: "maintenance" }, waiting: 4 });
    await s.client.webhooks.resume("a");
    await once();
    expect(s.lines()).toEqual(types.map((t) => `r1 ${t}`));
    await s.client.webhooks.replay("a", { run: "r1" }); // asked for, and then not wanted
    await s.client.webhooks.remove("a");
    expect(await s.client.webhooks.list()).toEqual([]);
    await expect(s.client.webhooks.pause("a")).rejects.toMatchObject({ code: "PAWL4036" });
    expect(await s.store.feed.consumers({ tenantId: "default", projectId: "default", environmentId: "default" })).toEqual([]);
    await s.client.webhooks.add({ id: "a", url });
    await once();
    expect(s.arrived).toHaveLength(types.length);
    expect(await s.client.webhooks.deliveries("a")).toEqual([]);
  });

  it("a change holds for the next event, while delivering", async () => {
    await s.client.webhooks.add({ id: "a", url });
    s.deliver();
    await s.emit("r1", "RunStarted");
    await s.until(seen(1));
    await s.client.webhooks.pause("a");
    await s.platform.advance(2_000);
    await s.emit("r1", "RunCompleted");
    await s.platform.advance(10_000);
    expect(s.arrived).toHaveLength(1);
    await s.client.webhooks.resume("a");
    await s.until(seen(2));
  });

  it("a secret is shown once, and never listed; an id is taken once", async () => {
    const made = await s.client.webhooks.add({ id: "a", url });
    const pair = await s.client.webhooks.add({ id: "b", url, scheme: "ed25519" });
    expect(made.secret).toMatch(/^whsec_/);
    expect(pair).not.toHaveProperty("secret");
    expect(pair.endpoint.keys).toEqual([{ scheme: "ed25519", publicKey: expect.stringMatching(/^whpk_/) }]);
    const shown = JSON.stringify([await s.client.webhooks.list(), await s.client.webhooks.pause("a"), await s.client.webhooks.resume("a")]);
    expect(shown).not.toMatch(/whsec_|whsk_/);
    await expect(s.client.webhooks.add({ id: "a", url })).rejects.toMatchObject({ code: "PAWL4037" });
    for (const bad of [
      { url: "http://x.example" },
      { url, id: "A" },
      { url, attempts: 0 },
      { url, timeout: 1 },
      { url, scheme: "rsa" as never },
      { url, from: 1 as never },
    ])
      await expect(s.client.webhooks.add(bad)).rejects.toMatchObject({ code: "PAWL5021" });
    await expect(s.client.webhooks.add({ url, secret: "short" })).rejects.toMatchObject({ code: "PAWL5020" });
  });

  it("after a rotation old and new keys sign, until the window has passed", async () => {
    const { secret: first } = await s.client.webhooks.add({ id: "a", url });
    const { secret: second } = await s.client.webhooks.rotate("a", { window: "1h" });
    const { endpoint } = await s.client.webhooks.rotate("a", { scheme: "ed25519", window: "2h" });
    const third = endpoint.keys[0]?.publicKey;
    await s.emit("r1", "RunStarted");
    await once();
    expect(s.arrived[0]?.posting.headers["webhook-signature"]?.split(" ").map((x) => x.split(",")[0])).toEqual(["v1a", "v1", "v1"]);
    for (const key of [first, second, third]) expect(verified(s, s.arrived[0]!, key!)).toBe(s.arrived[0]?.id);
    await s.platform.advance(3_600_000);
    await s.emit("r1", "RunCompleted");
    await once();
    const refused = expect.objectContaining({ code: "PAWL4035" });
    expect(() => verified(s, s.arrived[1]!, first!)).toThrow(refused); // a later rotation gives it no more time
    for (const key of [second, third]) expect(verified(s, s.arrived[1]!, key!)).toBe(s.arrived[1]?.id);
    await s.platform.advance(3_600_000);
    await s.emit("r2", "RunStarted");
    await once();
    expect(() => verified(s, s.arrived[2]!, second!)).toThrow(refused);
    expect(verified(s, s.arrived[2]!, third!)).toBe(s.arrived[2]?.id);
  });

  it("a test event goes out at once and is in no ledger", async () => {
    const { secret } = await s.client.webhooks.add({ id: "a", url });
    expect(await s.client.webhooks.test("a")).toEqual({ delivered: true, status: 200 });
    expect(s.arrived[0]?.event).toMatchObject({ type: "pawl.webhook.test", data: { endpoint: "a" } });
    expect(verified(s, s.arrived[0]!, secret!)).toBe(s.arrived[0]?.event.id);
    s.answers(() => status(404));
    expect(await s.client.webhooks.test("a")).toEqual({ delivered: false, status: 404, error: "it answered 404" });
    expect(await s.client.webhooks.deliveries("a")).toEqual([]);
  });
});

it("delivered events leave the ledger when they are old, the rest stays", async () => {
  await s.client.webhooks.add({ id: "a", url, attempts: 1 });
  await s.emit("r1", "RunStarted");
  await once();
  s.answers(() => status(500));
  await s.emit("r1", "RunCompleted");
  await once();
  await s.platform.advance(86_400_000 + 1_000);
  s.answers(() => status(200));
  await s.emit("r2", "RunStarted");
  await s.until(s.deliver({ once: true, keep: "1d" }).done);
  const left = async (): Promise<string[]> => (await s.client.webhooks.deliveries("a")).map((d) => `${d.runId} ${d.eventType} ${d.state}`);
  expect(await left()).toEqual(["r1 RunCompleted dead", "r2 RunStarted delivered"]);
  await s.platform.advance(86_400_000 - 1_000);
  await s.until(s.deliver({ once: true, keep: "1d" }).done);
  expect(await left()).toEqual(["r1 RunCompleted dead", "r2 RunStarted delivered"]);
});

async function seen(n: number): Promise<void> {
  while (s.arrived.length < n) await new Promise((resolve) => setImmediate(resolve));
}
