// Engines killed with SIGKILL: half of them at a random moment, half at a compiled-in crash point (before or after a create, a
// claim, a Commit, a message, and in every window of every step). Two engines are alive on a field at any time, so that what
// one leaves the other takes over while it is itself about to die.
import { setTimeout as pause } from "node:timers/promises";
import type { Child } from "../support/child-process.ts";
import { EngineProcesses, onEachStore, type Part, type Random, type Report, type Task } from "./engine-processes.ts";
import { places } from "./programs/orders.ts";

/** A crash point that is not reached by then is not waited for. */
const lifeMsMax = 1_500;

function crashPoint(random: Random): string {
  const engine = ["create", "created", "claim", "commit", "ack", "post", "posted"];
  const steps = [...places, "charge"];
  const point = random(2) === 0 ? `engine:${engine[random(engine.length)]}` : `${steps[random(steps.length)]}:${"ABCDE"[random(5)]}`;
  return `${point}#${1 + random(12)}`;
}

async function field(task: Task): Promise<Report> {
  const crew = await EngineProcesses.open(task);
  const { random } = crew;
  let left = task.faults;
  const seat = async (): Promise<void> => {
    while (left-- > 0) {
      // A planted bug shows in work under way: it is waited for, and the moment is any.
      const planted = task.bug !== undefined;
      const crash = !planted && random(2) === 0 ? crashPoint(random) : undefined;
      const child = crew.start({ orders: 12, holdMs: 20 }, crash);
      await Promise.race([child.waitForLine("ready").catch(() => {}), child.ended]);
      if (planted) await crew.moreSent(20);
      await Promise.race([child.ended, pause(crash === undefined ? 20 + random(800) : lifeMsMax)]);
      child.signal("SIGKILL");
      await child.ended;
    }
  };
  await Promise.all([seat(), seat()]);
  const living: Child[] = [];
  if (crew.sent() === 0) {
    // On a busy machine all of them may die before their first order: a field on which nothing was begun shows nothing.
    living.push(crew.start({ orders: 12, holdMs: 20 }));
    await crew.moreSent(1);
  }
  return crew.finish(living, task.faults);
}

export const kills: Part = {
  name: "kills",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "acknowledges early", shows: ["lost", "duplicate", "broken"], faults: 3 },
  run: (task) => onEachStore(task, { perField: 25, atATime: 2 }, field),
};
