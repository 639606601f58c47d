// Live runs moved between stores of every kind, with real engines on both sides: they go on where they were, each effect is done
// as often as its class promises in all, and logs, proofs and evidence hold as if nothing had happened. The store they came
// from can neither go on nor be written to.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import type { Client } from "../../src/client/types.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { localClient } from "../../src/client/local-client.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { deferred } from "../support/test-cluster.ts";
import { verifyAllRuns } from "../support/verify-all-runs.ts";
import { replayLines, openArchiveStore, linesOf, availableKinds, platform, until, type ArchiveStore, type Kind } from "./archive-stores.ts";
import { above, asked, asleep, busy, doubtful, movableWorkflows, world } from "./movable-workflows.ts";
import { proves } from "../support/proves.ts";

const grounds: ArchiveStore[] = [];
beforeEach(() => {
  world.done = [];
  world.gate = Promise.resolve();
});
afterEach(async () => {
  for (const g of grounds.splice(0)) await g.close();
});
async function ground(kind: Kind): Promise<ArchiveStore> {
  const g = await openArchiveStore(kind);
  grounds.push(g);
  return g;
}
function clientOf(store: FullStore): Client {
  return localClient({ store, platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null });
}
const waitsFor = (c: Client, id: string, waiting: string): Promise<true> => until(async () => (await c.get(id))?.waiting === waiting);

/** A run caught in each of its places. */
async function underWay(g: ArchiveStore): Promise<{ release: () => void }> {
  const held = deferred();
  world.gate = held.promise;
  const { engine, client } = await g.engine({ workflows: movableWorkflows });
  await engine.start(above, undefined, { id: "o-1", idempotencyKey: "start o-1", tags: { shop: "ü" } });
  await engine.start(asleep, undefined, { id: "s-1" });
  await engine.start(busy, undefined, { id: "b-1" });
  await engine.start(doubtful, undefined, { id: "d-1" });
  await engine.start(asked, undefined, { id: "q-1" });
  await client.signal("o-1", "kept", "kept", { signalId: "k" });
  await waitsFor(client, "o-1", "signal");
  await waitsFor(client, "o-1/below", "signal");
  await waitsFor(client, "s-1", "timer");
  await waitsFor(client, "d-1", "decision");
  await until(async () => world.done.includes("slow"));
  client.update("q-1", "question", "how", { updateId: "u" }).catch(() => {});
  await until(async () => (await client.events("q-1")).some((e) => e.eventType === "pawl.UpdateAccepted"));
  return { release: () => held.open() };
}

const pairs = availableKinds.flatMap((from) => availableKinds.filter((to) => to !== from).map((to) => [from, to] as const));

describe.each(pairs)("from %s to %s", (fromKind, toKind) => {
  it("live runs continue where they are imported, and only there", { ...proves("K4", "I9"), timeout: 60_000 }, async () => {
    const [from, to] = [await ground(fromKind), await ground(toKind)];
    const { release } = await underWay(from);
    const [source, target] = [clientOf(from.store), clientOf(to.store)];
    const before = (await from.store.runs({ scope: defaultScope, limit: 100 })).runs;

    const lines = await linesOf(source.exportRuns({ move: true, exportId: "export-1" }));
    expect(lines).toHaveLength(before.length + 2);
    expect(await source.get("o-1")).toMatchObject({ moved: true, exportId: "export-1", status: "RUNNING" });
    for (const refused of [
      () => source.signal("o-1", "go", "x"),
      () => source.start({ workflow: "above", id: "o-1" }),
      () => source.waitForEnd("o-1"),
      () => source.control("o-1", "terminate"),
    ])
      await expect(refused()).rejects.toMatchObject({ page: "PAWL4042" });
    // The one that was in the middle of a step ends it now, and cannot record it: it is no longer its owner's.
    release();
    world.gate = Promise.resolve();

    expect(await target.importRuns(replayLines(lines))).toMatchObject({ exportId: "export-1", runs: before.length, added: before.length });
    expect(await target.importRuns(replayLines(lines))).toMatchObject({ added: 0 });
    const kept = await target.signal("o-1", "kept", "twice", { signalId: "k" });
    expect(kept.replayed).toBe(true);

    await to.engine({ workflows: movableWorkflows });
    await target.signal("o-1", "go", "go");
    await target.signal("o-1/below", "end", "ended");
    expect(await target.waitForEnd("o-1", { timeoutMs: 20_000 })).toMatchObject({ status: "COMPLETED", result: "go kept below ended" });
    expect(await target.waitForEnd("s-1", { timeoutMs: 20_000 })).toMatchObject({ result: "woke" });
    expect(await target.waitForEnd("b-1", { timeoutMs: 20_000 })).toMatchObject({ result: "slow done" });
    expect(await target.view("q-1", "n")).toBe(1);
    await target.signal("q-1", "word", "so");
    expect(await target.update("q-1", "question", "how", { updateId: "u", timeoutMs: 20_000 })).toBe("how: so");
    await target.signal("q-1", "end", "now");
    expect((await target.waitForEnd("q-1", { timeoutMs: 20_000 })).result).toBe("answered");
    const [decision] = await target.decisions();
    await target.resolve(decision!.decisionId, { happened: true, by: "ann", reason: "asked the bank" });
    expect((await target.waitForEnd("d-1", { timeoutMs: 20_000 })).result).toBe("went on");

    for (const name of ["pay o-1", "below first", "before", "after", "once"]) expect(world.done.filter((d) => d === name)).toEqual([name]);
    expect((await target.proof("o-1")).verdict).toBe("once");
    await verifyAllRuns(to.store, platform);
    await verifyAllRuns(from.store, platform);
    // Nothing has changed where they came from.
    const after = (await from.store.runs({ scope: defaultScope, limit: 100 })).runs;
    expect(after.map((r) => [r.runId, r.headSeq, r.origin])).toEqual(
      expect.arrayContaining(lines.slice(1, -1).map((l) => [runOf(l).runId, runOf(l).headSeq, "moved"])),
    );
  });
});

function runOf(line: string): { runId: string; headSeq: number } {
  return (JSON.parse(line) as { run: { run: { runId: string; headSeq: number } } }).run.run;
}
