// Workers stopped past their lease and let go again: SIGSTOP in the middle of their effects, until they are declared dead and others have their steps; then
// SIGCONT. What a worker of the past reports is evidence and changes nothing that was decided; what had settled before it woke stays as it was. How long
// its steps waited until they were given to somebody else is told, and not judged: the machine may be busy.
import { setTimeout as pause } from "node:timers/promises";
import { isSettled } from "../../src/core/model.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { RunRow } from "../../src/store/port.ts";
import { allRuns, type Violation } from "./check.ts";
import { onEachStore, type Part, type Report, type Task } from "./engine-processes.ts";
import { WorkerProcesses } from "./worker-processes.ts";

/** A process stopped inside a transaction holds the whole of an SQLite file: it is let go again, and does not count. */
const deadMsMax = 5_000;
/** An engine declares nobody dead before it has been well for this long (K2). */
const healthyForMs = 2_000;

async function field(task: Task): Promise<Report> {
  const crew = await WorkerProcesses.open(task);
  const { random } = crew;
  const { observer } = crew.field;
  const owner = crew.start("owner", { orders: 12 });
  const team = [crew.start("worker", { holdMs: 500 }), crew.start("worker", { holdMs: 500 })] as const;
  await Promise.all([owner, ...team].map((c) => c.waitForLine("ready")));
  await pause(healthyForMs);
  // Those who are not dead: the row of a dead one that held nothing is removed at once.
  const alive = async (): Promise<number> => (await observer.info()).engines.filter((e) => !e.dead).length;
  const settled = new Map<string, string>();
  const waits: number[] = [];
  let woken = 0;
  for (let tries = 0; woken < task.faults && tries < 10 + task.faults * 2; tries++) {
    await crew.moreSent(4);
    const victim = team[tries % 2]!;
    const before = await alive();
    victim.signal("SIGSTOP");
    const since = Date.now();
    while ((await alive().catch(() => before)) >= before && Date.now() - since < deadMsMax) await pause(20);
    const isDead = (await alive().catch(() => before)) < before;
    await pause(random(800));
    const rows = await allRuns(observer);
    const open = rows.filter((r) => !settled.has(r.runId));
    waits.push(...(await handedOn(observer, open, since)));
    for (const r of rows) if (isSettled(r.status)) settled.set(r.runId, JSON.stringify(r));
    victim.signal("SIGCONT");
    if (isDead) woken++;
    await pause(200 + random(600));
  }
  const changed: Violation[] = [];
  for (const r of await allRuns(observer)) {
    const was = settled.get(r.runId);
    if (was !== undefined && was !== JSON.stringify(r))
      changed.push({ kind: "zombie", what: `${r.workflowId} changed after it had settled` });
  }
  const at = (share: number): number => waits.toSorted((a, b) => a - b)[Math.floor(share * (waits.length - 1))] ?? 0;
  if (waits.length > 0)
    task.say(`${waits.length} steps of stopped workers were handed on: half of them after ${at(0.5)} ms, p95 ${at(0.95)} ms`);
  const report = await crew.finish([owner, ...team], woken);
  return { ...report, violations: [...changed, ...report.violations] };
}

/** How long after `since` steps were sent again. One that is asked about first waits for its own time, and does not count. */
async function handedOn(observer: Pick<FullStore, "events">, rows: readonly RunRow[], since: number): Promise<readonly number[]> {
  const waits: number[] = [];
  for (const { runId, headSeq } of rows) {
    for (const e of await observer.events({ runId, after: Math.max(0, headSeq - 20), limit: 20 })) {
      const { stepId } = e.eventType === "pawl.StepRedispatched" ? (JSON.parse(e.payload ?? "{}") as { stepId?: string }) : {};
      if (stepId !== undefined && stepId !== "verified" && e.persistedAt >= since) waits.push(e.persistedAt - since);
    }
  }
  return waits;
}

export const workerZombies: Part = {
  name: "worker-zombies",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "frees what it claimed", shows: ["duplicate"], faults: 2 },
  run: (task) => onEachStore(task, { perField: 12, atATime: 4 }, field),
};
