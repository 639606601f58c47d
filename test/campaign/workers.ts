// Workers and owners killed with SIGKILL: of six kills one is an owner's. Half of them come at a random moment, half at a crash point of a claim, a step, a
// report, a dispatch or a Commit. Some processes have a store that loses answers, and some fields a server that is killed, too. Each class must do what it
// promises: nothing lost, an AT-MOST-ONCE effect never twice, no effect that the log does not know.
import { setTimeout as pause } from "node:timers/promises";
import type { Child } from "../support/child-process.ts";
import { startMariadb } from "../support/mariadb.ts";
import { startPostgres } from "../support/postgres.ts";
import { onEachStore, type Part, type Random, type Report, type Task } from "./engine-processes.ts";
import { WorkerProcesses } from "./worker-processes.ts";

const workerPoints = ["worker:claim", "worker:claimed", "worker:begin", "worker:result", "worker:reported"];
const ownerPoints = ["engine:dispatch", "engine:adopt", "engine:commit", "engine:ack", "engine:create", "engine:claim"];
const lifeMsMax = 1_500;
const workersAtOnce = 3;

function crashPoint(random: Random, points: readonly string[]): string {
  return `${points[random(points.length)]!}#${1 + random(10)}`;
}

async function field(task: Task): Promise<Report> {
  // One field in eight has a server of its own, which is killed in mid-stream.
  const killsServer = task.store !== "sqlite" && task.bug === undefined && task.seed % 8 === 0;
  const server = killsServer ? await (task.store === "postgres" ? startPostgres() : startMariadb()) : undefined;
  try {
    const crew = await WorkerProcesses.open(task, server?.url);
    const { random } = crew;
    const planted = task.bug !== undefined;
    const again = (role: "owner" | "worker"): Child => {
      const points = role === "owner" ? ownerPoints : workerPoints;
      const crash = !planted && random(2) === 0 ? crashPoint(random, points) : undefined;
      const weather = !planted && random(5) === 0 ? { weather: random(1_000_000) } : {};
      return crew.start(role, weather, crash);
    };
    const owners = [again("owner"), again("owner")];
    const team = Array.from({ length: workersAtOnce }, () => again("worker"));
    for (let n = 1; n <= task.faults; n++) {
      const crowd = n % 6 === 0 ? owners : team;
      const i = random(crowd.length);
      const victim = crowd[i]!;
      await Promise.race([victim.waitForLine("ready").catch(() => {}), victim.ended]);
      if (planted) await crew.moreSent(20);
      await Promise.race([victim.ended, pause(50 + random(lifeMsMax))]);
      victim.signal("SIGKILL");
      await victim.ended;
      crowd[i] = again(crowd === owners ? "owner" : "worker");
      if (server !== undefined && n === Math.ceil(task.faults / 2)) {
        await server.kill();
        await pause(random(400));
        await server.start();
      }
    }
    return await crew.finish([...owners, ...team], task.faults);
  } finally {
    await server?.stop();
  }
}

export const workers: Part = {
  name: "workers",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "frees what it claimed", shows: ["duplicate"], faults: 3 },
  run: (task) => onEachStore(task, { perField: 30, atATime: 2 }, field),
};
