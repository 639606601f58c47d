// Events that are sent once more because somebody asked, on a virtual clock: what was given up, one event, a run, all since a time.
// They go beside the live ones, in their run's order and under their old ids; the receiver is a function.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WebhookDeadLetter } from "../../src/webhooks/types.ts";
import { deliveryTest, status, url, type DeliveryTest } from "./delivery-test.ts";
import { proves } from "../support/proves.ts";

let s: DeliveryTest;
beforeEach(() => void (s = deliveryTest()));
afterEach(() => s.close());

const types = ["RunStarted", "StepStarted a", "StepCompleted a", "RunCompleted"];
const once = async (): Promise<void> => s.until(s.deliver({ once: true }).done);

describe("replay", () => {
  it("sends what was given up again, in order, and the letters go when they are accepted", proves("P-37"), async () => {
    await s.client.webhooks.add({ id: "a", url, attempts: 1 });
    s.answers(() => status(500));
    await s.emit("r1", ...types);
    await s.emit("r2", "RunStarted");
    await once();
    expect(await s.client.webhooks.dead("a")).toHaveLength(5);
    expect(await s.client.webhooks.replay("a", { dead: true })).toEqual({ runs: 2 });
    await once(); // refused once more: still dead
    expect(await s.client.webhooks.dead("a")).toHaveLength(5);
    s.answers(() => status(200));
    s.arrived.length = 0;
    await s.client.webhooks.replay("a", { dead: true });
    await once();
    expect(s.lines().filter((l) => l.startsWith("r1"))).toEqual(types.map((t) => `r1 ${t}`));
    expect(s.lines()).toHaveLength(5);
    expect(await s.client.webhooks.dead("a")).toEqual([]);
    expect(await s.client.webhooks.deliveries("a", { state: "delivered" })).toHaveLength(5);
  });

  it("sends one event, a run, or all since a time once more, under their old ids", async () => {
    await s.client.webhooks.add({ id: "a", url });
    await s.emit("r1", "RunStarted", "StepStarted a");
    await s.platform.advance(10_000);
    const since = new Date(s.platform.wallMs()).toISOString();
    await s.emit("r1", "StepCompleted a", "RunCompleted");
    await s.emit("r2", "RunStarted");
    await once();
    const ids = new Map(s.arrived.map((a, i) => [a.id, s.lines()[i]!]));
    const again = async (what: Parameters<typeof s.client.webhooks.replay>[1]): Promise<string[]> => {
      s.arrived.length = 0;
      await s.platform.advance(1);
      await s.client.webhooks.replay("a", what);
      await once();
      for (const [i, a] of s.arrived.entries()) expect(ids.get(a.id)).toBe(s.lines()[i]);
      return s.lines();
    };
    expect(await again({ run: "r1" })).toEqual(types.map((t) => `r1 ${t}`));
    const [, second] = (await s.client.events("r1")).map((e) => e.eventId);
    expect(await again({ event: second! })).toEqual(["r1 StepStarted a"]);
    expect(await again({ event: second!, run: "r1" })).toEqual(["r1 StepStarted a"]);
    expect((await again({ since })).toSorted()).toEqual(["r1 RunCompleted", "r1 StepCompleted a", "r2 RunStarted"]);
    await expect(again({ event: "nobody" })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(again({ since: "soon" })).rejects.toMatchObject({ code: "PAWL4011" });
    expect((await s.client.webhooks.deliveries("a", { state: "delivered" })).filter((d) => d.replay === true)).toHaveLength(9);
  });

  it("however many were given up, each is sent again, in order", proves("P-37"), async () => {
    await s.client.webhooks.add({ id: "a", url, attempts: 1, events: ["*"] });
    s.answers(() => status(500));
    const starts = Array.from({ length: 505 }, (_, i) => `StepStarted s${i}`);
    await s.emit("r1", ...starts);
    await once();
    expect(await s.client.webhooks.dead("a", { limit: 1_000 })).toHaveLength(505);
    s.answers(() => status(200));
    s.arrived.length = 0;
    await s.client.webhooks.replay("a", { dead: true });
    await once();
    expect(s.lines()).toEqual(starts.map((t) => `r1 ${t}`));
    expect(await s.client.webhooks.dead("a")).toEqual([]);
  });

  it(
    "a replay ends where the run stood when it was asked for, and what it cannot deliver is a dead letter as well",
    proves("P-37"),
    async () => {
      const letters: WebhookDeadLetter[] = [];
      await s.client.webhooks.add({ id: "a", url, attempts: 1 });
      await s.emit("r1", "RunStarted", "StepStarted a");
      await once();
      s.arrived.length = 0;
      await s.client.webhooks.replay("a", { run: "r1" });
      await s.emit("r1", "StepCompleted a");
      s.answers((a) => status(a.event.data.eventType === "StepStarted" ? 500 : 200));
      await s.until(s.deliver({ once: true, onDead: (l) => void letters.push(l) }).done);
      expect(s.lines().toSorted()).toEqual(["r1 RunStarted", "r1 StepCompleted a", "r1 StepStarted a"]);
      expect(letters).toMatchObject([{ code: "PAWL4038", runSeq: 2, attempts: 1 }]);
      expect(await s.client.webhooks.dead("a")).toMatchObject([{ runId: "r1", runSeq: 2, attempts: 1, error: "it answered 500" }]);
    },
  );

  it("a replay whose last event is not wanted sends none that came after it was asked for", proves("P-37"), async () => {
    await s.client.webhooks.add({ id: "a", url, events: ["pawl.run.*"] });
    await s.emit("r1", "RunStarted", "StepStarted a");
    await once();
    await s.client.webhooks.replay("a", { run: "r1" });
    await s.emit("r1", "RunCompleted");
    await once();
    expect(s.lines().toSorted()).toEqual(["r1 RunCompleted", "r1 RunStarted", "r1 RunStarted"]);
  });

  it("all since a time are those that were persisted since, whatever their producers' clocks said", proves("D-040"), async () => {
    await s.client.webhooks.add({ id: "a", url });
    const producer = s.client.producer({ runId: "r1", planId: "plan", planVersion: "1" });
    await producer.emit({ eventType: "RunStarted", emittedAt: new Date("2099-01-01T00:00:00.000Z") });
    await s.platform.advance(10_000);
    const since = new Date(s.platform.wallMs()).toISOString();
    await producer.emit({ eventType: "RunCompleted", emittedAt: new Date("1999-01-01T00:00:00.000Z") });
    await once();
    s.arrived.length = 0;
    await s.client.webhooks.replay("a", { since });
    await once();
    expect(s.lines()).toEqual(["r1 RunCompleted"]);
  });

  it("a replay that fails is tried again later, while live events go on", proves("P-37"), async () => {
    await s.client.webhooks.add({ id: "a", url });
    await s.emit("r1", "RunStarted", "RunCompleted");
    await once();
    s.arrived.length = 0;
    let refused = 0;
    s.answers((a) => (a.event.data.eventType === "RunStarted" && a.event.subject === "r1" && refused++ < 2 ? status(500) : status(200)));
    await s.client.webhooks.replay("a", { run: "r1" });
    s.deliver();
    await s.until(seen(1));
    await s.emit("r2", "RunStarted");
    await s.until(seen(5));
    expect(s.lines()).toEqual(["r1 RunStarted", "r2 RunStarted", "r1 RunStarted", "r1 RunStarted", "r1 RunCompleted"]);
  });
});

async function seen(n: number): Promise<void> {
  while (s.arrived.length < n) await new Promise((resolve) => setImmediate(resolve));
}
