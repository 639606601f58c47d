// What an export may hold and where it may go: copies of ended runs, families together, holds with their runs, one run in memory
// at a time; and what an import refuses, with nothing opened. On the memory store and SQLite, with real engines.
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { ExportDigests, runLine, type ExportedRun } from "../../src/client/archive/export-file.ts";
import { localClient } from "../../src/client/local-client.ts";
import type { Client } from "../../src/client/types.ts";
import { checkLimits } from "../../src/core/limits.ts";
import type { Scope } from "../../src/core/model.ts";
import type { RunEventWrite } from "../../src/index.ts";
import { buildEvent } from "../../src/log/producer.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { create, event } from "../../src/store/suite/build.ts";
import { dispatch } from "../../src/store/suite/queues/build.ts";
import { verify } from "../../src/verify.ts";
import { verifyAllRuns } from "../support/verify-all-runs.ts";
import { replayLines, openArchiveStore, linesOf, platform, until, type ArchiveStore, type Kind } from "./archive-stores.ts";
import { above, quick, movableWorkflows, world } from "./movable-workflows.ts";
import { proves } from "../support/proves.ts";

const grounds: ArchiveStore[] = [];
beforeEach(() => void (world.done = []));
afterEach(async () => {
  for (const g of grounds.splice(0)) await g.close();
});
async function ground(kind: Kind): Promise<ArchiveStore> {
  const g = await openArchiveStore(kind);
  grounds.push(g);
  return g;
}
function clientOf(store: FullStore, scope: Scope = defaultScope): Client {
  return localClient({ store, platform, scope, limits: checkLimits(), engine: null, retainMs: null });
}
/** A family of two that waits, and a run that has ended. */
async function filled(g: ArchiveStore): Promise<Client> {
  const { engine, client } = await g.engine({ workflows: movableWorkflows });
  await engine.start(above, undefined, { id: "o-1" });
  await engine.start(quick, undefined, { id: "s-1" });
  await until(async () => (await client.get("o-1"))?.waiting === "signal" && (await client.get("o-1/below"))?.waiting === "signal");
  await client.waitForEnd("s-1", { timeoutMs: 20_000 });
  return client;
}

it("a run goes to another store and comes back, with what happened there", async () => {
  const [a, b] = [await ground("sqlite"), await ground("memory")];
  const here = await filled(a);
  const there = clientOf(b.store);
  await there.importRuns(replayLines(await linesOf(here.exportRuns({ ids: ["o-1"], move: true }))));
  const away = await b.engine({ workflows: movableWorkflows });
  await there.signal("o-1", "go", "go", { signalId: "elsewhere" });
  await until(async () => (await there.events("o-1")).filter((e) => e.eventType === "StepCompleted").length === 3);
  const back = await linesOf(there.exportRuns({ ids: ["o-1/below"], move: true }));
  await here.importRuns(replayLines(back));
  await away.engine.stop();
  expect((await here.signal("o-1", "go", "twice", { signalId: "elsewhere" })).replayed).toBe(true);
  await here.signal("o-1", "kept", "kept");
  await here.signal("o-1/below", "end", "end");
  expect((await here.waitForEnd("o-1", { timeoutMs: 20_000 })).result).toBe("go kept below end");
  expect([await here.get("o-1"), await there.get("o-1")]).toMatchObject([{ status: "COMPLETED" }, { moved: true, status: "RUNNING" }]);
  expect(world.done.filter((d) => d.startsWith("pay"))).toEqual(["pay o-1"]);
  await verifyAllRuns(a.store, platform);
});

it("a move takes the family of a run along, whichever member is named, and leaves strangers", async () => {
  const a = await ground("memory");
  const here = await filled(a);
  const lines = await linesOf(here.exportRuns({ ids: ["o-1/below"], move: true }));
  expect(lines).toHaveLength(4);
  expect([await here.get("o-1"), await here.get("o-1/below"), await here.get("s-1")].map((r) => r?.moved)).toEqual([true, true, undefined]);
  await expect(linesOf(here.exportRuns({ ids: ["o-1"], move: true }))).rejects.toMatchObject({ page: "PAWL4042" });
});

it("a run with a step on a queue is not moved, and says so; its workers report to this store", async () => {
  const a = await ground("sqlite");
  const here = clientOf(a.store);
  await a.store.commit([create("o-1", { scope: defaultScope }, { status: "RUNNING", events: [event(1)], dispatches: [dispatch(1)] })]);
  const refused = { page: "PAWL4010", message: expect.stringMatching(/o-1 has steps on queues: wait until they have ended/) };
  await expect(linesOf(here.exportRuns({ ids: ["o-1"], move: true }))).rejects.toMatchObject(refused);
  expect(await a.store.run({ runId: "o-1" })).toMatchObject({ origin: "engine", status: "RUNNING" });
});

it("a copy is made of ended runs only, changes nothing here, and proves the same there", async () => {
  const [a, b] = [await ground("sqlite"), await ground("memory")];
  const [here, there] = [await filled(a), clientOf(b.store)];
  await expect(linesOf(here.exportRuns({ ids: ["o-1"] }))).rejects.toMatchObject({ page: "PAWL4010" });
  const lines = await linesOf(here.exportRuns());
  expect(lines).toHaveLength(3);
  expect((await here.get("s-1"))?.moved).toBeUndefined();
  await there.importRuns(replayLines(lines));
  expect(await there.events("s-1")).toEqual(await here.events("s-1"));
  expect((await there.waitForEnd("s-1")).result).toBe("done");
  await verifyAllRuns(b.store, platform);
});

it("a log of any length is carried over whole, and verifies there", proves("K22", "P-14"), async () => {
  const [a, b] = [await ground("sqlite"), await ground("memory")];
  const [here, there] = [clientOf(a.store), clientOf(b.store)];
  const producer = here.producer({ runId: "long", planId: "plan", planVersion: "1" });
  const first = buildEvent(defaultScope, { runId: "long", planId: "plan", planVersion: "1" }, { eventType: "RunStarted" }, 0);
  const notes = Array.from({ length: 2_100 }, (_, i) =>
    buildEvent(
      defaultScope,
      { runId: "long", planId: "plan", planVersion: "1" },
      { eventType: "Noted", logicalAttemptId: i + 1, payload: { i } },
      0,
    ),
  );
  await here.append([first, ...notes].map((e) => ({ ...e, eventId: platform.uuidV4() }) as RunEventWrite));
  await producer.emit({ eventType: "RunCompleted" });
  await there.importRuns(replayLines(await linesOf(here.exportRuns({ ids: ["long"] }))));
  expect(await there.events("long")).toEqual(await here.events("long"));
  expect(verify(await there.evidence("long"))).toMatchObject({ ok: true, events: 2_102 });
});

it("a hold goes with its run, and a run without a log as what is left of it", async () => {
  const [a, b] = [await ground("memory"), await ground("sqlite")];
  const [here, there] = [await filled(a), clientOf(b.store)];
  await here.hold("s-1", { by: "ann", reason: "case 17" });
  await there.importRuns(replayLines(await linesOf(here.exportRuns())));
  expect((await there.holds()).holds).toMatchObject([{ workflowId: "s-1", by: "ann", reason: "case 17" }]);
  expect(await there.applyRetention({ keepRuns: 0 })).toMatchObject({ purged: 0, kept: { held: 1 } });
  await there.release("s-1", { by: "ann", reason: "closed" });
  expect(await there.applyRetention({ keepRuns: 0 })).toMatchObject({ purged: 1 });
  const c = await ground("memory");
  const further = clientOf(c.store);
  await further.importRuns(replayLines(await linesOf(there.exportRuns())));
  await expect(further.waitForEnd("s-1")).rejects.toMatchObject({ page: "PAWL4040" });
  expect(await further.get("s-1")).toEqual(await there.get("s-1"));
});

it("what is in the way is not overwritten, and nothing of the file is opened", async () => {
  const [a, b] = [await ground("memory"), await ground("sqlite")];
  const [here, there] = [await filled(a), clientOf(b.store)];
  await there.start({ workflow: "above", allowUnknown: true, id: "o-1/below" });
  const before = await there.get("o-1/below");
  const lines = await linesOf(here.exportRuns({ move: true }));
  const refused = there.importRuns(replayLines(lines));
  await expect(refused).rejects.toMatchObject({ page: "PAWL4044", data: { workflowId: "o-1/below", by: "workflowId" } });
  expect(await there.get("o-1/below")).toEqual(before);
  const others = (await there.list()).runs.filter((r) => r.workflowId !== "o-1/below");
  expect(others.every((r) => r.moved === true)).toBe(true);
});

it("an export of one tenant is not imported by another", proves("I11"), async () => {
  const [a, b] = [await ground("memory"), await ground("memory")];
  const lines = await linesOf((await filled(a)).exportRuns());
  const other = clientOf(b.store, { ...defaultScope, tenantId: "other" });
  await expect(other.importRuns(replayLines(lines))).rejects.toMatchObject({ page: "PAWL4011" });
});

it("a damaged file is refused before anything of it is written", async () => {
  const [a, b] = [await ground("memory"), await ground("memory")];
  const lines = await linesOf((await filled(a)).exportRuns({ move: true }));
  for (const bad of [lines.slice(0, -1), [...lines.slice(0, 2), ...lines.slice(3)]])
    await expect(clientOf(b.store).importRuns(replayLines(bad))).rejects.toMatchObject({ page: "PAWL4043" });
  expect((await b.store.runs({ scope: defaultScope, limit: 9 })).runs).toEqual([]);
});

it(
  "a file whose digests fit is believed no more than its logs: what does not follow, and what is no run, is refused whole",
  proves("K22", "I11"),
  async () => {
    const [a, b] = [await ground("memory"), await ground("memory")];
    const [here, there] = [await filled(a), clientOf(b.store)];
    const [first = "", ...rest] = await linesOf(here.exportRuns({ move: true }));
    const runs = rest.slice(0, -1).map((l) => (JSON.parse(l) as { run: ExportedRun }).run);
    const forged = (change: (r: any) => void): string[] => {
      const digests = new ExportDigests();
      const lines = structuredClone(runs).map((r, i) => {
        if (i === runs.length - 1) change(r);
        return runLine(r, digests);
      });
      return [first, ...lines, digests.endLine()];
    };
    const lies: Readonly<Record<string, (r: any) => void>> = {
      "another payload": (r) => (r.events[0].payload = "{}"),
      "another type": (r) => (r.events[1].eventType = "StepSkipped"),
      "an event less": (r) => r.events.splice(1, 1),
      "another time": (r) => (r.events[0].persistedAt += 1),
      "another head": (r) => (r.run.headSeq += 1),
      "another plan": (r) => (r.run.version = "2"),
      "another tenant's effect": (r) => (r.effects[0].scope.tenantId = "t2"),
      "another run's effect": (r) => (r.effects[0].runId = "x"),
      "no status": (r) => (r.run.status = "DONE"),
      "no origin": (r) => delete r.run.origin,
      "no event": (r) => (r.events[0] = null),
      "no messages": (r) => (r.inbox = null),
      "a hold that is none": (r) => (r.hold = 7),
    };
    for (const [what, lie] of Object.entries(lies))
      await expect(there.importRuns(replayLines(forged(lie))), what).rejects.toMatchObject({ page: "PAWL4043" });
    expect((await there.list()).runs).toEqual([]);
    await there.importRuns(replayLines(forged(() => {})));
    expect((await there.list()).runs).toHaveLength(runs.length);
  },
);

it("one run is in memory at a time, however many there are", async () => {
  const [a, b] = [await ground("memory"), await ground("memory")];
  const { engine, client } = await a.engine({ workflows: movableWorkflows });
  const started = await Promise.all(Array.from({ length: 300 }, (_, n) => engine.start(quick, undefined, { id: `s-${n}` })));
  await Promise.all(started.map((s) => client.waitForEnd(s.runId)));
  let [copied, put, line] = [0, 0, 0];
  const from = { ...a.store, archive: { ...a.store.archive, copyRun: (id: string) => (copied++, a.store.archive.copyRun(id)) } };
  const ahead: number[] = [];
  const lines: string[] = [];
  for await (const l of clientOf(from).exportRuns()) {
    lines.push(l);
    ahead.push(copied - (lines.length - 1));
  }
  expect([lines.length, Math.max(...ahead)]).toEqual([302, 0]);
  const to = { ...b.store, archive: { ...b.store.archive, insertRun: (c: never) => (put++, b.store.archive.insertRun(c)) } };
  let passes = 0;
  const read = async function* (): AsyncGenerator<string> {
    passes++;
    for (line = 0; line < lines.length; line++) {
      // While the second pass reads line n, the run of the line before it has been written.
      if (passes === 2 && line > 0) expect(put).toBe(line - 1);
      yield lines[line] ?? "";
    }
  };
  expect(await clientOf(to).importRuns(read)).toMatchObject({ runs: 300, added: 300 });
});
