// Processes that die around the engine's own writes on Postgres and MariaDB: before and after a run is created, claimed,
// committed, and inside a migration. Real SIGKILLs, a schema or database of its own for each death; after it the store is
// looked at before anything else touches it. The same facts on SQLite, with more of them: engine-hits.test.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { migrations as mysqlMigrations } from "../../src/store/mysql/migrations.ts";
import { migrations as postgresMigrations } from "../../src/store/postgres/migrations.ts";
import { create } from "../../src/store/suite/build.ts";
import { killChildren, limitConcurrency, runChild, startChild, type Ended } from "../support/child-process.ts";
import { openTestDatabase, type TestDatabase, type StoreName } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { requests } from "./programs/receiver.ts";
import { proves } from "../support/proves.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-hits-servers-"));
const worker = "test/crash/programs/worker.js";
const atATime = limitConcurrency(3);
let made = 0;
afterAll(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

interface Scene {
  readonly ground: TestDatabase;
  /** Starts the run of two steps, in a process that dies at the crash point, if one is named. */
  run(crash?: string): Promise<Ended>;
  look<T>(body: (c: Awaited<ReturnType<typeof connect>>) => Promise<T>): Promise<T>;
  /** The requests that left, as "key fence". */
  sent(): string[];
  arg(o?: object): string;
}
const said = (e: Ended, what: string): string | undefined => e.lines.find((l) => l.startsWith(`${what} `))?.slice(what.length + 1);

/** One death on a place of its own. */
async function scene(store: StoreName, body: (s: Scene) => Promise<void>): Promise<void> {
  await atATime(async () => {
    const ground = await openTestDatabase(store, home);
    const ledger = join(home, `${++made}.ledger`);
    const arg = (o: object = {}): string => JSON.stringify({ store: ground.url, ledger, ...o });
    try {
      await body({
        ground,
        arg,
        run: (crash) =>
          runChild(worker, {
            args: [arg({ start: { workflow: "count", id: "c", input: 2 } })],
            ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
          }),
        async look(what) {
          const client = await connect({ store: ground.url });
          try {
            return await what(client);
          } finally {
            await client.close();
          }
        },
        sent: () => requests(ledger).map((r) => `${r.key} ${r.fence}`),
      });
    } finally {
      await ground.remove();
    }
  });
}

describe.each([
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("on %s", (store, skip) => {
  it.skipIf(skip).concurrent(
    "a run whose create never committed does not exist, and starting it again makes one",
    { ...proves("C1"), timeout: 120_000 },
    () =>
      scene(store, async (s) => {
        expect((await s.run("engine:create")).signal).toBe("SIGKILL");
        expect(await s.look((c) => c.list())).toEqual({ runs: [] });
        expect(s.sent()).toEqual([]);
        const again = await s.run();
        expect([said(again, "result"), said(again, "started")?.slice(0, 4)]).toEqual(["3", "true"]);
        expect((await s.look((c) => c.list())).runs).toHaveLength(1);
        expect(s.sent()).toEqual(["s1 1", "s2 1"]);
      }),
  );

  it.skipIf(skip).concurrent(
    "a run whose create committed and was never answered is the one that a second start finds",
    { ...proves("C2"), timeout: 120_000 },
    () =>
      scene(store, async (s) => {
        expect((await s.run("engine:created")).signal).toBe("SIGKILL");
        const [left] = (await s.look((c) => c.list())).runs;
        expect(left).toMatchObject({ workflowId: "c", status: "RUNNING" });
        expect(s.sent(), "nothing leaves before the answer").toEqual([]);
        const again = await s.run();
        expect([said(again, "result"), said(again, "started")]).toEqual(["3", `false ${left?.runId}`]);
        expect((await s.look((c) => c.list())).runs).toHaveLength(1);
        expect(s.sent()).toEqual(["s1 2", "s2 2"]);
      }),
  );

  it.skipIf(skip).concurrent("a run that was claimed and not begun goes to the next engine", { ...proves("C3"), timeout: 120_000 }, () =>
    scene(store, async (s) => {
      const { runId } = await s.look((c) => c.start({ workflow: "count", allowUnknown: true, input: 2, id: "c" }));
      const dead = await runChild(worker, { args: [s.arg({ lease: "600s" })], env: { PAWL_CRASH: "engine:claim" } });
      expect([dead.signal, s.sent()]).toEqual(["SIGKILL", []]);
      expect(await s.look((c) => c.events(runId))).toHaveLength(1);
      const next = startChild(worker, { args: [s.arg()] });
      expect(await s.look((c) => c.waitForEnd(runId))).toMatchObject({ status: "COMPLETED", result: 3 });
      next.send("stop");
      expect((await next.ended).code).toBe(0);
      // Fence 1 was the dead owner's.
      expect(s.sent()).toEqual(["s1 2", "s2 2"]);
    }),
  );

  // The second Commit holds the outcome of s1 and the start of s2.
  for (const { hit, recorded, sent } of [
    { hit: "commit", recorded: [], sent: ["s1 1", "s1 2", "s2 2"] },
    { hit: "ack", recorded: ["s1"], sent: ["s1 1", "s2 2"] },
  ]) {
    it.skipIf(skip).concurrent(
      `killed at ${hit}, a run continues from what is recorded, and no recorded step runs again`,
      { ...proves("C9", "C10"), timeout: 120_000 },
      () =>
        scene(store, async (s) => {
          expect((await s.run(`engine:${hit}#2`)).signal).toBe("SIGKILL");
          const done = async (): Promise<unknown[]> =>
            (await s.look((c) => c.events("c"))).filter((e) => e.eventType === "StepCompleted").map((e) => ("stepId" in e ? e.stepId : ""));
          expect(await done()).toEqual(recorded);
          expect(said(await s.run(), "result")).toBe("3");
          expect(s.sent()).toEqual(sent);
          expect(await done()).toEqual(["s1", "s2"]);
        }),
    );
  }

  it.skipIf(skip).concurrent(
    "killed in a migration, before its first statement, in the middle or before its end, the next open finishes it",
    { timeout: 120_000 },
    () =>
      scene(store, async (s) => {
        const statements = (store === "mysql" ? mysqlMigrations : postgresMigrations).flatMap((m) => m.statements).length;
        for (const n of [1, Math.ceil(statements / 2), statements]) {
          const dead = await runChild(worker, { args: [s.arg()], env: { PAWL_CRASH: `engine:migrate:${n}` } });
          expect(dead, `statement ${n}`).toMatchObject({ signal: "SIGKILL", lines: [] });
        }
        const opened = await openStore(s.ground.url, systemPlatform());
        expect((await opened.commit([create("a")])).answers[0]?.kind).toBe("committed");
        await opened.close();
      }),
  );
});
