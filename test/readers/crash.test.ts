// Readers that die: in the handler, between the handler and the put, after the put. Real processes and SIGKILL, on each database;
// what the handler did is counted outside. Every event is seen at least once and in order, none again once it was acknowledged.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import type { Client } from "../../src/client/types.ts";
import { killChildren, limitConcurrency, runChild, type Ended } from "../support/child-process.ts";
import { openTestDatabase, type StoreName } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { write } from "../log/producer-events.ts";
import { proves } from "../support/proves.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-readers-"));
const atATime = limitConcurrency(2);
let made = 0;
afterAll(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

interface Scene {
  readonly client: Client;
  /** One life of the reader. */
  live(as: "subscriber" | "projector", how?: { readonly die?: string; readonly crash?: string }): Promise<Ended>;
  /** What its handler has done so far, in all its lives. */
  done(): string[];
}

async function scene(store: StoreName, body: (s: Scene) => Promise<void>): Promise<void> {
  await atATime(async () => {
    const dir = join(home, String(++made));
    mkdirSync(dir);
    const file = join(dir, "done");
    const ground = await openTestDatabase(store, dir);
    const client = await connect({ store: ground.url });
    try {
      const types = ["RunStarted", "acme.A", "RunPaused", "RunResumed", "RunCompleted"];
      for (const runId of ["one", "two"]) await client.append(types.map((eventType) => write({ runId, eventType })));
      await body({
        client,
        live: (as, { die, crash } = {}) =>
          runChild("test/readers/programs/reader.js", {
            args: [JSON.stringify({ store: ground.url, done: file, as, die })],
            ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
          }),
        done: () => {
          try {
            return readFileSync(file, "utf8").trim().split("\n");
          } catch {
            return [];
          }
        },
      });
    } finally {
      await client.close();
      await ground.remove();
    }
  });
}

const whole = ["1", "2", "3", "4", "5"];

describe.each([
  ["sqlite", false],
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("on %s", (store, skip) => {
  const slow = { timeout: 120_000 };

  it.skipIf(skip).concurrent(
    "a subscriber killed in its handler, before its put and after it sees each event at least once, in order",
    { ...slow, ...proves("D-019", "D-020", "P-37") },
    () =>
      scene(store, async (s) => {
        const of = (lines: readonly string[], run: string): string[] => lines.filter((l) => l.startsWith(`${run} `)).map((l) => l.slice(4));
        expect((await s.live("subscriber", { die: "before one 3" })).signal).toBe("SIGKILL");
        expect(of(s.done(), "one")).toEqual(["1", "2"]);
        // What was done and not acknowledged comes again; what was acknowledged does not.
        expect((await s.live("subscriber", { die: "after one 3" })).signal).toBe("SIGKILL");
        expect(of(s.done(), "one")).toEqual(["1", "2", "3"]);
        expect((await s.live("subscriber", { crash: "consumer:handled" })).signal).toBe("SIGKILL");
        expect((await s.live("subscriber", { crash: "consumer:advanced" })).signal).toBe("SIGKILL");
        const before = s.done();
        expect(await s.live("subscriber")).toMatchObject({ code: 0, lines: ["through"] });
        for (const run of ["one", "two"]) {
          const all = of(s.done(), run);
          expect([...new Set(all)].toSorted()).toEqual(whole);
          // Within a life and from one to the next no event is passed over: each is at most one more than the greatest before.
          let greatest = 0;
          for (const seq of all.map(Number)) {
            expect(seq).toBeLessThanOrEqual(greatest + 1);
            greatest = Math.max(greatest, seq);
          }
          // Acknowledged before the last life's first event: none of it was done again.
          const last = of(s.done().slice(before.length), run).map(Number);
          expect(last).toEqual(last.map((_, i) => (last[0] ?? 0) + i));
        }
        expect(await s.client.consumers()).toMatchObject([{ consumer: "billing", waiting: 0, held: [], deadLetters: 0 }]);
        const end = s.done().length;
        await s.live("subscriber");
        expect(s.done()).toHaveLength(end);
      }),
  );

  it.skipIf(skip).concurrent(
    "a projector killed before and after its put, and while it tells an alert, comes to the same and tells it again only then",
    { ...slow, ...proves("D-020", "D-116", "D-132") },
    () =>
      scene(store, async (s) => {
        await s.client.append([write({ runId: "two", eventType: "RunFailed", payload: {} })]);
        expect((await s.live("projector", { crash: "consumer:handled" })).signal).toBe("SIGKILL");
        expect((await s.live("projector", { crash: "consumer:advanced" })).signal).toBe("SIGKILL");
        expect((await s.live("projector", { die: "after alert two 6" })).signal).toBe("SIGKILL");
        expect((await s.client.alerts()).alerts).toMatchObject([{ runId: "two", runSeq: 6, delivered: false }]);
        for (let i = 0; i < 2; i++) expect((await s.live("projector")).code).toBe(0);
        expect(s.done()).toEqual(["alert two 6", "alert two 6"]);
        expect((await s.client.alerts()).alerts).toMatchObject([{ runId: "two", delivered: true }]);
        expect(await s.client.projection("one")).toMatchObject({ status: "COMPLETED", watermark: 5, invalidEvents: 0 });
        expect(await s.client.projection("two")).toMatchObject({
          status: "COMPLETED",
          watermark: 6,
          condition: "INCONSISTENT",
          invalidEvents: 1,
        });
      }),
  );
});
