// Producers that die between their writes: after the id is registered and before the append, inside the append, after it and
// before what it returned was taken over. Real SIGKILLs on real databases; the successor emits everything again and the log has
// each event once, under the id that was written down first.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { eventIdRegistry } from "../../src/log/producer.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { EventRecord } from "../../src/store/port.ts";
import { verify } from "../../src/verify.ts";
import { keyOf, write } from "../log/producer-events.ts";
import { killChildren, runChild, type Ended } from "../support/child-process.ts";
import { openTestDatabase, storeNames } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-producer-"));
afterAll(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

interface Scene {
  /** Emits the whole run in a process that dies at the crash point, if one is named. */
  emit(crash?: string): Promise<Ended>;
  log(): Promise<readonly EventRecord[]>;
  look<T>(body: (s: FullStore) => Promise<T>): Promise<T>;
  readonly url: string;
}
const steps = ["a", "b"];
const all = ["RunStarted", "StepStarted", "StepCompleted", "StepStarted", "StepCompleted", "RunCompleted"];
const idOf = (s: FullStore, eventType: string, stepId?: string): Promise<string> =>
  eventIdRegistry(s, systemPlatform(), defaultScope, "r-1").idFor(
    keyOf({ runId: "r-1", eventType, ...(stepId === undefined ? {} : { stepId }) }),
  );

describe.each(storeNames)("a producer on %s", { timeout: 90_000 }, (name) => {
  const skip = name === "mysql" && skipsWithoutMariadb();

  const scene = async (body: (s: Scene) => Promise<void>): Promise<void> => {
    const ground = await openTestDatabase(name, mkdtempSync(join(home, "at-")));
    const look: Scene["look"] = async (what) => {
      const store = await openStore(ground.url, systemPlatform());
      try {
        return await what(store);
      } finally {
        await store.close();
      }
    };
    const arg = JSON.stringify({ store: ground.url, runId: "r-1", steps });
    try {
      await body({
        url: ground.url,
        look,
        log: () => look((s) => s.events({ runId: "r-1", after: 0, limit: 100 })),
        emit: (crash) =>
          runChild("test/crash/programs/producer.js", { args: [arg], ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }) }),
      });
    } finally {
      await ground.remove();
    }
  };

  /** The successor emits it all again: each event is there once, and every answer names the record. */
  const recovered = async (s: Scene): Promise<readonly EventRecord[]> => {
    const next = await s.emit();
    expect([next.code, next.stderr]).toEqual([0, ""]);
    const log = await s.log();
    expect(log.map((e) => e.eventType)).toEqual(all);
    const answers = next.lines.map((l) => JSON.parse(l.slice("emitted ".length)) as { eventId: string; runSeq: number });
    expect(answers.map((a) => [a.eventId, a.runSeq])).toEqual(log.map((e) => [e.eventId, e.runSeq]));
    const client = await connect({ store: s.url });
    expect(verify(await client.evidence("r-1"))).toMatchObject({ ok: true, status: "COMPLETED", events: all.length });
    await client.close();
    return log;
  };

  it.skipIf(skip)(
    "killed after the id was registered and before the append: the next emission sends that id",
    proves("D-051", "D-052", "D-053"),
    () =>
      scene(async (s) => {
        expect((await s.emit("append:registered#3")).signal).toBe("SIGKILL");
        expect((await s.log()).map((e) => e.eventType)).toEqual(all.slice(0, 2));
        const registered = await s.look((store) => idOf(store, "StepCompleted", "a"));
        expect((await recovered(s))[2]?.eventId).toBe(registered);
      }),
  );

  it.skipIf(skip)(
    "killed after the append and before what it returned was taken over: the next emission takes it over",
    proves("D-048", "D-055"),
    () =>
      scene(async (s) => {
        const client = await connect({ store: s.url });
        const other = write({ eventType: "RunStarted", eventId: randomUUID() }); // of a producer whose registry was lost
        await client.append(other);
        await client.close();
        expect((await s.emit("append:appended")).signal).toBe("SIGKILL");
        expect(await s.look((store) => idOf(store, "RunStarted"))).not.toBe(other.eventId);
        expect((await recovered(s))[0]?.eventId).toBe(other.eventId);
        expect(await s.look((store) => idOf(store, "RunStarted"))).toBe(other.eventId);
      }),
  );

  it.skipIf(skip)(
    "killed before and after the append's own commit: nothing or all of it is there, and never twice",
    proves("D-074", "D-076", "P-20"),
    () =>
      scene(async (s) => {
        expect((await s.emit("engine:create")).signal).toBe("SIGKILL");
        expect(await s.look((store) => store.run({ runId: "r-1" }))).toBeUndefined();
        expect((await s.emit("engine:created")).signal).toBe("SIGKILL");
        expect((await s.log()).map((e) => e.eventType)).toEqual(["RunStarted"]);
        expect((await s.emit("engine:commit")).signal).toBe("SIGKILL");
        expect((await s.log()).map((e) => e.eventType)).toEqual(["RunStarted"]);
        expect((await s.emit("engine:ack")).signal).toBe("SIGKILL");
        const kept = await s.log();
        expect(kept.map((e) => e.eventType)).toEqual(["RunStarted", "StepStarted"]);
        expect((await recovered(s)).slice(0, 2)).toEqual(kept);
      }),
  );
});
