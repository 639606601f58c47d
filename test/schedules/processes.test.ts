// Real processes that fire a schedule every second and are killed before and after the Commit of a fire, on every database. Guards that a due time has
// one record and one run, whichever process did it. It must never count on how long anything takes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { killChildren, limitConcurrency, runChild, startChild } from "../support/child-process.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { openTestDatabase, type StoreName } from "../support/test-database.ts";
import { scheduleProblems } from "./check-fires.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-schedules-"));
const program = "test/schedules/programs/firing.js";
const atATime = limitConcurrency(2);
afterAll(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

type Looking = Awaited<ReturnType<typeof connect>>;

async function place(store: StoreName, body: (arg: string, client: Looking) => Promise<void>): Promise<void> {
  await atATime(async () => {
    const database = await openTestDatabase(store, mkdtempSync(join(home, "db-")));
    const client = await connect({ store: database.url });
    try {
      await body(JSON.stringify({ store: database.url }), client);
    } finally {
      await client.close();
      await killChildren();
      await database.remove();
    }
  });
}

const started = async (client: Looking): Promise<number> => {
  const [view] = await client.schedules.list();
  return view === undefined ? 0 : (await client.schedules.get("beat", { fires: 1000 })).fires.filter((f) => f.did === "started").length;
};
async function until(client: Looking, n: number): Promise<void> {
  while ((await started(client)) < n) await sleep(100);
}

describe.each([
  ["sqlite", false],
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("on %s", (store, skip) => {
  it.skipIf(skip).each(["engine:fire#2", "engine:create#2", "engine:created#2", "engine:fired#2"])(
    "a process killed at %s leaves a fire that is whole or not there, and the next one continues",
    { timeout: 120_000 },
    (point) =>
      place(store, async (arg, client) => {
        expect((await runChild(program, { args: [arg], env: { PAWL_CRASH: point } })).signal).toBe("SIGKILL");
        expect(await scheduleProblems(client, "beat", 1_000)).toEqual([]);
        expect(await started(client)).toBe(point.startsWith("engine:fired") || point.startsWith("engine:created") ? 2 : 1);
        const next = startChild(program, { args: [arg] });
        await until(client, 4);
        next.send("stop");
        expect((await next.ended).code).toBe(0);
        expect(await scheduleProblems(client, "beat", 1_000)).toEqual([]);
      }),
  );

  it.skipIf(skip)("three processes of which one after another is killed fire each second once", { timeout: 180_000 }, () =>
    place(store, async (arg, client) => {
      const begin = (): ReturnType<typeof startChild> => startChild(program, { args: [arg] });
      const children = [begin(), begin(), begin()];
      for (let n = 2; n <= 8; n += 2) {
        await until(client, n);
        const victim = children.shift()!;
        victim.signal("SIGKILL");
        await victim.ended;
        children.push(begin());
      }
      await until(client, 12);
      for (const c of children) c.send("stop");
      await Promise.all(children.map((c) => c.ended));
      expect(await scheduleProblems(client, "beat", 1_000)).toEqual([]);
    }),
  );
});
