// A process that delivers, killed around each of its writes: before it sends, after the receiver has answered, before and after the
// record of the delivery. Real SIGKILLs, a real receiver on loopback that counts, a database of its own for each death.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { killChildren, limitConcurrency, runChild, startChild, type Child, type Ended } from "../support/child-process.ts";
import { openTestDatabase, type StoreName } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { receiver, type Receiver } from "./receiver.ts";
import { proves } from "../support/proves.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-webhooks-"));
const atATime = limitConcurrency(3);
let made = 0;
afterAll(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

interface Scene {
  readonly to: Receiver;
  /** A process that delivers what is due; dies at the point, if one is named. */
  deliver(crash?: string): Promise<Ended>;
  /** A process that delivers until it is told to stop. */
  service(): Child;
  emit(runId: string): Promise<void>;
  /** Rows of the outbox that wait. */
  waiting(): Promise<number>;
  states(): Promise<string[]>;
}

/** One run of four events, in an outbox of its own. */
async function scene(store: StoreName, body: (s: Scene) => Promise<void>): Promise<void> {
  await atATime(async () => {
    const dir = join(home, String(++made));
    mkdirSync(dir);
    const ground = await openTestDatabase(store, dir);
    const to = await receiver();
    const client = await connect({ store: ground.url });
    try {
      await client.webhooks.add({ id: "a", url: to.url, allowInsecure: true });
      const emit = async (runId: string): Promise<void> => {
        const p = client.producer({ runId, planId: "plan", planVersion: "1" });
        await p.emit({ eventType: "RunStarted" });
        for (const stepId of ["s1", "s2"]) await p.emit({ eventType: "StepStarted", stepId });
        await p.emit({ eventType: "RunCompleted" });
      };
      await emit("r");
      await body({
        to,
        emit,
        service: () => startChild("test/webhooks/programs/deliverer.js", { args: [JSON.stringify({ store: ground.url, once: false })] }),
        deliver: (crash) =>
          runChild("test/webhooks/programs/deliverer.js", {
            args: [JSON.stringify({ store: ground.url })],
            ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
          }),
        waiting: async () => {
          const s = await openStore(ground.url, systemPlatform());
          try {
            return (await s.feed.next({ consumer: { scope: defaultScope, name: "webhook/a" }, limit: 100 })).length;
          } finally {
            await s.close();
          }
        },
        states: async () => (await client.webhooks.deliveries("a")).map((d) => d.state),
      });
    } finally {
      await client.close();
      await to.close();
      await ground.remove();
    }
  });
}

const whole = ["r 1", "r 2", "r 3", "r 4"];
const sent = (to: Receiver): number[] => to.requests.map((q) => q.event.data.runSeq);
const ids = (to: Receiver): Map<number, Set<string>> => {
  const by = new Map<number, Set<string>>();
  for (const q of to.requests) by.set(q.event.data.runSeq, (by.get(q.event.data.runSeq) ?? new Set()).add(q.id));
  return by;
};

describe.each([
  ["sqlite", false],
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("on %s", (store, skip) => {
  const slow = { timeout: 120_000 };

  it.skipIf(skip).concurrent(
    "the outbox is committed and its sender dies before it sends: the next one sends everything, once",
    { ...slow, ...proves("C15", "LX-21") },
    () =>
      scene(store, async (s) => {
        expect((await s.deliver("webhook:send")).signal).toBe("SIGKILL");
        expect([sent(s.to), (await s.waiting()) > 0, await s.states()]).toEqual([[], true, []]);
        expect((await s.deliver()).code).toBe(0);
        expect([sent(s.to), s.to.accepted(), await s.waiting()]).toEqual([[1, 2, 3, 4], whole, 0]);
      }),
  );

  it.skipIf(skip).concurrent(
    "the receiver has the event and the sender dies before it is recorded: it is sent again, under the same id",
    { ...slow, ...proves("C15", "LX-21") },
    () =>
      scene(store, async (s) => {
        expect((await s.deliver("webhook:sent#2")).signal).toBe("SIGKILL");
        expect([sent(s.to), (await s.waiting()) > 0, await s.states()]).toEqual([[1, 2], true, []]);
        expect((await s.deliver()).code).toBe(0);
        expect([sent(s.to), await s.waiting()]).toEqual([[1, 2, 1, 2, 3, 4], 0]);
        expect(s.to.accepted(), "who deduplicates by webhook-id sees each event once, in order").toEqual(whole);
        for (const [, of] of ids(s.to)) expect(of.size).toBe(1);
        expect(await s.states()).toEqual(["delivered", "delivered", "delivered", "delivered"]);
      }),
  );

  it.skipIf(skip).concurrent(
    "all of a page was accepted and nothing of it recorded: all of it is sent again, in order",
    { ...slow, ...proves("C15") },
    () =>
      scene(store, async (s) => {
        expect((await s.deliver("consumer:handled")).signal).toBe("SIGKILL");
        expect([sent(s.to), (await s.waiting()) > 0, await s.states()]).toEqual([[1, 2, 3, 4], true, []]);
        expect((await s.deliver()).code).toBe(0);
        expect([sent(s.to), s.to.accepted(), await s.waiting()]).toEqual([[1, 2, 3, 4, 1, 2, 3, 4], whole, 0]);
      }),
  );

  it.skipIf(skip).concurrent(
    "what was recorded as delivered is not sent again, although its sender died at once",
    { ...slow, ...proves("LX-21") },
    () =>
      scene(store, async (s) => {
        expect((await s.deliver("consumer:advanced")).signal).toBe("SIGKILL");
        // On a busy machine it records, and dies, before it has sent all of them.
        const recorded = sent(s.to);
        expect(recorded).toEqual([1, 2, 3, 4].slice(0, recorded.length));
        expect([recorded.length > 0, (await s.states()).length]).toEqual([true, recorded.length]);
        expect((await s.deliver()).code).toBe(0);
        expect([sent(s.to), await s.waiting()]).toEqual([[1, 2, 3, 4], 0]);
      }),
  );

  it.skipIf(skip).concurrent(
    "senders killed again and again lose nothing, and each run's events come in order",
    { ...slow, ...proves("P-37", "C15") },
    () =>
      scene(store, async (s) => {
        for (const enough of [2, 5, 7]) {
          const child = s.service();
          const more = s.emit(`r${enough}`);
          while (s.to.requests.length < enough) await new Promise((resolve) => setTimeout(resolve, 2));
          child.signal("SIGKILL");
          expect((await child.ended).signal).toBe("SIGKILL");
          await more;
        }
        const last = s.service();
        while (s.to.accepted().length < 16) await new Promise((resolve) => setTimeout(resolve, 5));
        last.send("stop");
        expect((await last.ended).code).toBe(0);
        expect(await s.waiting()).toBe(0);
        for (const run of ["r", "r2", "r5", "r7"])
          expect(s.to.accepted().filter((a) => a.startsWith(`${run} `))).toEqual([1, 2, 3, 4].map((n) => `${run} ${n}`));
      }),
  );
});
