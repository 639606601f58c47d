// Engines stopped past their lease and let go again: SIGSTOP in the middle of their effects, until the other engine has declared
// them dead and taken over; then SIGCONT, while the successor is at work on the same steps. Nothing that an owner of the past
// sends may be written, and what had settled before it woke stays as it was.
import { setTimeout as pause } from "node:timers/promises";
import { isSettled } from "../../src/core/model.ts";
import type { Child } from "../support/child-process.ts";
import { allRuns, type Violation } from "./check.ts";
import { EngineProcesses, onEachStore, type Part, type Report, type Task } from "./engine-processes.ts";

/** A process stopped inside a transaction holds the whole of an SQLite file: it is let go again, and does not count. */
const takeOverMsMax = 4_000;

async function field(task: Task): Promise<Report> {
  const crew = await EngineProcesses.open(task);
  const { random } = crew;
  const { observer: eye } = crew.field;
  const engines = [crew.start({ orders: 8, holdMs: 600 }), crew.start({ orders: 8, holdMs: 600 })] as const;
  await Promise.all(engines.map((c) => c.waitForLine("ready")));
  const dead = async (): Promise<number> => (await eye.info()).engines.filter((e) => e.dead).length;
  const alive = async (): Promise<number> => (await eye.info()).engines.filter((e) => !e.dead).length;
  const settled = new Map<string, string>();
  let zombies = 0;
  for (let tries = 0; zombies < task.faults && tries < 10 + task.faults * 2; tries++) {
    const victim = engines[tries % 2] as Child;
    await pause(100 + random(300));
    const before = await dead();
    victim.signal("SIGSTOP");
    const since = Date.now();
    while ((await dead().catch(() => before)) === before && Date.now() - since < takeOverMsMax) await pause(20);
    const taken = (await dead().catch(() => before)) > before;
    await pause(random(500));
    for (const r of await allRuns(eye)) if (isSettled(r.status)) settled.set(r.runId, JSON.stringify(r));
    victim.signal("SIGCONT");
    if (taken) zombies++;
    // The woken one has found out, or believes that it lives; either way it has had its turn.
    const until = Date.now() + 1_000;
    while (Date.now() < until && (task.bug !== undefined || (await alive()) < 2)) await pause(20);
  }
  const changed: Violation[] = [];
  for (const r of await allRuns(eye)) {
    const was = settled.get(r.runId);
    if (was !== undefined && was !== JSON.stringify(r))
      changed.push({ kind: "zombie", what: `${r.workflowId} changed after it had settled` });
  }
  const report = await crew.finish(engines, zombies);
  return { ...report, violations: [...changed, ...report.violations] };
}

export const zombies: Part = {
  name: "zombies",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "ignores the fence", shows: ["zombie", "broken"], faults: 2 },
  run: (task) => onEachStore(task, { perField: 10, atATime: 3 }, field),
};
