// The parts of a campaign by name, the figures of the long form, and how one part is run: honestly, then with its planted bug,
// which it must notice.
import type { Kind } from "./check.ts";
import type { Part, PartName, Report, Task } from "./engine-processes.ts";
import { agents } from "./agents.ts";
import { answers } from "./answers.ts";
import { clocks } from "./clocks.ts";
import { cuts } from "./cuts.ts";
import { database } from "./database.ts";
import { differential } from "./differential.ts";
import type { StoreName } from "../support/test-database.ts";
import { kills } from "./kills.ts";
import { network } from "./network.ts";
import { operators } from "./operators.ts";
import { queueLocks } from "./queue-locks.ts";
import { requests } from "./requests.ts";
import { schedules } from "./schedules.ts";
import { unknown } from "./unknown.ts";
import { workerZombies } from "./worker-zombies.ts";
import { workers } from "./workers.ts";
import { zombies } from "./zombies.ts";

export const parts: Readonly<Record<PartName, Part>> = {
  kills,
  unknown,
  zombies,
  database,
  differential,
  clocks,
  network,
  operators,
  requests,
  cuts,
  answers,
  schedules,
  "queue-locks": queueLocks,
  workers,
  "worker-zombies": workerZombies,
  agents,
};
export const partNames: readonly PartName[] = [
  "kills",
  "unknown",
  "zombies",
  "database",
  "differential",
  "clocks",
  "network",
  "operators",
  "requests",
  "cuts",
  "answers",
  "schedules",
  "queue-locks",
  "workers",
  "worker-zombies",
  "agents",
];

/** Shared by the stores of a part, but for databases: so many for each. */
export const figures: Readonly<Record<PartName, number>> = {
  kills: 1_000,
  unknown: 1_000,
  zombies: 200,
  database: 20,
  differential: 100_000,
  clocks: 200,
  network: 2_000,
  operators: 2_000,
  requests: 100_000,
  cuts: 1_000,
  answers: 200,
  schedules: 300,
  "queue-locks": 60_000,
  workers: 1_200,
  "worker-zombies": 300,
  agents: 1_000,
};

export interface Line extends Report {
  readonly part: PartName;
  readonly store: StoreName;
  readonly canaryCaught: boolean;
  readonly canarySaw: readonly Kind[];
  readonly seconds: number;
}

export async function runPart(part: Part, task: Task): Promise<Line> {
  const since = Date.now();
  const report = await part.run(task);
  const seconds = Math.round((Date.now() - since) / 1_000);
  const sees = await canary(part, task);
  return {
    part: part.name,
    store: task.store,
    ...report,
    canaryCaught: part.canary.shows.some((k) => sees.includes(k)),
    canarySaw: sees,
    seconds,
  };
}

/** How often a planted bug may hide: a busy machine can keep a process from ever meeting it. */
const triesMax = 3;

/** The kinds of violation that the part reports with its planted bug. */
export async function canary(part: Part, task: Task, tries: number = triesMax): Promise<readonly Kind[]> {
  const { bug, faults, shows } = part.canary;
  const seen = new Set<Kind>();
  for (let n = 0; n < tries && !shows.some((k) => seen.has(k)); n++) {
    const planted = await part.run({ ...task, faults, bug, seed: task.seed + n, say: (text) => task.say(`with a planted bug: ${text}`) });
    for (const v of planted.violations) seen.add(v.kind);
  }
  return [...seen];
}
