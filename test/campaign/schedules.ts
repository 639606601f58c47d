// A schedule that is due every second, on three processes that are killed again and again, at any moment and at the crash points of a fire. Each second
// must have one record, each record that says "started" one run, and no run may be early or without a record.
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../src/client.ts";
import { scheduleProblems } from "../schedules/check-fires.ts";
import { startChild, type Child } from "../support/child-process.ts";
import { allRuns, type Kind, type Violation } from "./check.ts";
import { openCampaignStore } from "./campaign-store.ts";
import { onEachStore, seeded, type Part, type Report, type Task } from "./engine-processes.ts";
import { insist } from "./programs/insist.ts";

const program = "test/schedules/programs/firing.js";
const points = ["engine:fire", "engine:create", "engine:created", "engine:fired"];
const processes = 3;

async function field(task: Task): Promise<Report> {
  const place = await openCampaignStore(task.store);
  const random = seeded(task.seed);
  const args = [JSON.stringify({ store: place.url, lost: task.bug !== undefined })];
  // Half of them die at a crash point of their own, the others when they are told to.
  const start = (): Child =>
    startChild(program, {
      args,
      ...(random(2) === 0 ? {} : { env: { PAWL_CRASH: `${points[random(points.length)]!}#${1 + random(4)}` } }),
    });
  const children: Child[] = Array.from({ length: processes }, start);
  const client = await connect({ store: place.url });
  const fired = async (): Promise<number> => {
    if ((await client.schedules.list()).length === 0) return 0;
    return (await client.schedules.get("beat", { fires: 1000 })).fires.length;
  };
  try {
    for (let n = 0; n < task.faults; n++) {
      const i = random(processes);
      await Promise.race([children[i]!.ended, pause(200 + random(1_200))]);
      children[i]!.signal("SIGKILL");
      await children[i]!.ended;
      children[i] = start();
    }
    // Somebody honest deals with what is left.
    const last = startChild(program, { args });
    const before = await insist(fired);
    while ((await insist(fired)) < Math.min(before + 3, 1_000)) await pause(200);
    for (const c of [...children, last]) c.send("stop");
    await Promise.all([...children, last].map((c) => c.ended));
    const problems = await insist(() => scheduleProblems(client, "beat", 1_000));
    const violations = problems.map((what): Violation => ({ kind: kindOf(what), what, log: [] }));
    const runs = (await allRuns(place.observer)).length;
    return { runs, effects: await insist(fired), resent: 0, inDoubt: 0, violations, faults: task.faults };
  } finally {
    for (const c of children) c.signal("SIGKILL");
    await client.close();
    await place.leave();
  }
}

function kindOf(problem: string): Kind {
  if (/two runs|no record/.test(problem)) return "duplicate";
  return /does not follow|no run/.test(problem) ? "lost" : "broken";
}

export const schedules: Part = {
  name: "schedules",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "fires before it records", shows: ["duplicate"], faults: 3 },
  run: (task) => onEachStore(task, { perField: 25, atATime: 1 }, field),
};
