// The command line's gc, export and import, in real processes that are killed around every one of their transactions: whatever
// is left is consistent, and asking again finishes it. A move that was cut off can be gone on with or given back; nothing is
// lost and nothing goes on twice.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyStore } from "../../src/client/audit/verify-store.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { isSettled } from "../../src/core/model.ts";
import { killCommands, CliFolder, type Ended } from "../cli/pawl-process.ts";
import { verifyAllRuns } from "../support/verify-all-runs.ts";
import { openArchiveStore, availableKinds, platform, until, type ArchiveStore } from "./archive-stores.ts";
import { above, quick, movableWorkflows, world } from "./movable-workflows.ts";
import { proves } from "../support/proves.ts";

const durable = availableKinds.filter((k) => k !== "memory");
afterAll(killCommands);

describe.each(durable)("on %s", (kind) => {
  let g: ArchiveStore;
  let place: CliFolder;
  beforeEach(async () => {
    g = await openArchiveStore(kind);
    place = new CliFolder();
    world.done = [];
  });
  afterEach(() => g.close());

  /** Kills the command at this point, again and again, until it ends by itself. */
  const untilDone = async (point: string, args: string[]): Promise<{ kills: number; last: Ended }> => {
    for (let kills = 0; ; kills++) {
      const last = await place.start([...args, "--store", g.url], { PAWL_CRASH: point }).ended;
      if (last.code !== null) return { kills, last };
      expect((await verifyStore(g.store, defaultScope)).findings).toEqual([]);
    }
  };
  const started = async (): Promise<string[]> => {
    const { engine, client } = await g.engine({ workflows: movableWorkflows });
    await engine.start(above, undefined, { id: "o-1" });
    await until(async () => (await client.get("o-1"))?.waiting === "signal" && (await client.get("o-1/below"))?.waiting === "signal");
    await engine.start(quick, undefined, { id: "s-1" });
    await client.waitForEnd("s-1", { timeoutMs: 20_000 });
    await engine.stop();
    return (await g.store.runs({ scope: defaultScope, limit: 9 })).runs.map((r) => r.runId);
  };

  it("gc killed after each of its transactions is finished by the next ones", { timeout: 120_000 }, async () => {
    await started();
    const policy = ["gc", "--keep-payloads", "0ms", "--keep-runs", "0ms", "--keep-keys", "0ms", "--json"];
    const nothing = await place.start([...policy, "--store", g.url], { PAWL_CRASH: "engine:archive" }).ended;
    expect(nothing.code).toBeNull();
    expect((await g.store.runs({ scope: defaultScope, limit: 9 })).runs).toHaveLength(3);
    // One run of the three has ended: its log goes, then its keys.
    const { kills, last } = await untilDone("engine:archived", policy);
    expect([kills, last.code]).toEqual([2, 0]);
    expect(JSON.parse(last.out)).toMatchObject({ looked: 0, purged: 0, forgotten: 0 });
    expect((await g.store.runs({ scope: defaultScope, limit: 9 })).runs.map((r) => isSettled(r.status))).toEqual([false, false]);
  });

  it(
    "a move killed after each fence can be continued, its import too, and the runs continue once",
    { ...proves("K4"), timeout: 120_000 },
    async () => {
      const ids = await started();
      const file = join(place.dir, "runs.jsonl.gz");
      const first = await place.start(["export", "--all", "--move", "-o", file, "--store", g.url], { PAWL_CRASH: "engine:archived" }).ended;
      expect([first.code, existsSync(file)]).toEqual([null, false]);
      const exportId = /^export (\S+)$/m.exec(first.err)?.[1] ?? "";
      const { kills, last } = await untilDone("engine:archived", ["export", "--all", "--continue", exportId, "-o", file, "--json"]);
      expect(kills).toBe(ids.length - 1);
      expect(JSON.parse(last.out)).toMatchObject({ exportId, mode: "move", runs: ids.length });
      expect((await place.json("inspect", "o-1", "--store", g.url)) as object).toMatchObject({ moved: true, exportId });

      const other = await openArchiveStore(kind);
      try {
        const args = ["import", file, "--json", "--store", other.url];
        const killed = async (ordinal: number): Promise<string[]> => {
          expect((await place.start(args, { PAWL_CRASH: `engine:archived#${ordinal}` }).ended).code).toBeNull();
          return (await other.store.runs({ scope: defaultScope, limit: 9 })).runs.map((r) => r.origin).sort();
        };
        // None is open before all are there.
        expect(await killed(1)).toEqual(["moved"]);
        expect(await killed(2)).toEqual(["moved", "moved", "moved"]);
        expect(await killed(1)).toEqual(["engine", "moved", "moved"]);
        expect((await place.pawl(...args)).code).toBe(0);
        const { client } = await other.engine({ workflows: movableWorkflows });
        for (const [id, name] of [
          ["o-1", "go"],
          ["o-1", "kept"],
          ["o-1/below", "end"],
        ] as const)
          await client.signal(id, name, name);
        expect((await client.waitForEnd("o-1", { timeoutMs: 20_000 })).result).toBe("go kept below end");
        expect(world.done.filter((d) => d === "pay o-1")).toHaveLength(1);
        await verifyAllRuns(other.store, platform);
      } finally {
        await other.close();
      }
    },
  );

  it("a move that was cut off is given back, and goes on where it was", { timeout: 120_000 }, async () => {
    const ids = await started();
    const file = join(place.dir, "runs.jsonl");
    const cut = await place.start(["export", "o-1", "--move", "-o", file, "--store", g.url], { PAWL_CRASH: "engine:archived#2" }).ended;
    const exportId = /^export (\S+)$/m.exec(cut.err)?.[1] ?? "";
    expect((await g.store.runs({ scope: defaultScope, limit: 9 })).runs.filter((r) => r.origin === "moved")).toHaveLength(2);
    expect(await place.json("export", "--undo", exportId, "--store", g.url)).toEqual({ exportId, runs: 2 });
    expect((await place.pawl("export", "--undo", exportId, "--store", g.url, "--yes")).code).toBe(4); // there is nothing left to give back
    const { client } = await g.engine({ workflows: movableWorkflows });
    for (const [id, name] of [
      ["o-1", "go"],
      ["o-1", "kept"],
      ["o-1/below", "end"],
    ] as const)
      await client.signal(id, name, name);
    expect((await client.waitForEnd("o-1", { timeoutMs: 20_000 })).result).toBe("go kept below end");
    expect((await g.store.runs({ scope: defaultScope, limit: 9 })).runs.map((r) => r.runId).sort()).toEqual(ids.sort());
    await verifyAllRuns(g.store, platform);
  });
});
