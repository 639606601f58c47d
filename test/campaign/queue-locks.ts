// Everybody at once on the queues of one server (test/queues/lock-storm.ts). A fault here is an act: a claim, a report, a lapse, a Commit that
// holds, withdraws, drops or settles. The deadlocks that the server counted meanwhile are in the report: a store runs again what met one, and
// there should be none.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { storm } from "../queues/lock-storm.ts";
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts";
import type { Part, Task } from "./engine-processes.ts";
import { withBug } from "./programs/bugs.ts";

const storesAtOnce = 4;
/** The whole dose goes on for this long, a share of it for a share. */
const wholeMs = 60_000;
const wholeActs = 30_000;

/** How many deadlocks the server has met since it was started: in the database of the test on Postgres, in all on MariaDB. */
async function deadlocksOf(store: Task["store"], ground: TestDatabase): Promise<number> {
  if (store === "mysql") return Number((await ground.sql("show global status like 'Innodb_deadlocks'"))[0]?.["Value"] ?? 0);
  return Number((await ground.sql("select deadlocks::int as n from pg_stat_database where datname = current_database()"))[0]?.["n"]);
}

export const queueLocks: Part = {
  name: "queue-locks",
  stores: ["postgres", "mysql"],
  canary: { bug: "frees what it claimed", shows: ["duplicate"], faults: 600 },
  async run({ store, faults, seed, bug, say }) {
    const dir = mkdtempSync(join(tmpdir(), "pawl-campaign-"));
    const ground = await openTestDatabase(store, dir);
    const stores: FullStore[] = [];
    try {
      for (let n = 0; n < storesAtOnce; n++) {
        const s = await openStore(ground.url, systemPlatform());
        stores.push(bug === undefined ? s : withBug(s, bug));
      }
      const before = await deadlocksOf(store, ground);
      const report = await storm(stores, faults, seed, bug === undefined ? Math.round(wholeMs * Math.min(1, faults / wholeActs)) : 0);
      for (const s of stores.splice(0)) await s.close(); // a session tells its figures when it ends
      const deadlocks = (await deadlocksOf(store, ground)) - before;
      const { acts, runs, dispatches, claims, ends, problems } = report;
      say(`${acts} acts: ${dispatches} dispatches, ${claims} claims, ${ends} ends, ${deadlocks} deadlocks`);
      for (const p of problems.slice(0, 10)) say(`${p.kind}: ${p.what}`);
      return { faults: acts, runs, effects: ends, resent: deadlocks, inDoubt: 0, violations: problems };
    } finally {
      for (const s of stores) await s.close();
      await ground.remove();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
