// Workers and owners killed with SIGKILL: of six kills one is an owner's. Half of them come at a random moment, half at a crash point of a claim, a step, a
// report, a dispatch or a Commit. Some processes have a store that loses answers, and some fields a server that is killed, too. Each class must do what it
// promises: nothing lost, an AT-MOST-ONCE effect never twice, no effect that the log does not know. Several processes of a field are on their way to
// their deaths at once: they would only wait for each other.
import { setTimeout as pause } from "node:timers/promises";
import type { Child } from "../support/child-process.ts";
import { startMariadb } from "../support/mariadb.ts";
import { startPostgres } from "../support/postgres.ts";
import { onEachStore, type Part, type Random, type Report, type Task } from "./engine-processes.ts";
import { WorkerProcesses } from "./worker-processes.ts";

const workerPoints = ["worker:claim", "worker:claimed", "worker:begin", "worker:result", "worker:reported"];
const ownerPoints = ["engine:dispatch", "engine:adopt", "engine:commit", "engine:ack", "engine:create", "engine:claim"];
const lifeMsMax = 1_500;
/** Of each team one worker at a time is about to be killed, and one of the owners. */
const teams = 2;
const teamSize = 2;

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
    const workers = Array.from({ length: teams }, () => Array.from({ length: teamSize }, () => again("worker")));
    const ownersDie = Math.floor(task.faults / 6);
    const workersDie = task.faults - ownersDie;
    let [dying, died] = [0, 0];
    const killOne = async (crowd: Child[], role: "owner" | "worker"): Promise<void> => {
      const i = random(crowd.length);
      const victim = crowd[i]!;
      await Promise.race([victim.waitForLine("ready").catch(() => {}), victim.ended]);
      if (planted) await crew.moreSent(20);
      await Promise.race([victim.ended, pause(50 + random(lifeMsMax))]);
      victim.signal("SIGKILL");
      await victim.ended;
      crowd[i] = again(role);
    };
    const killTeam = async (team: Child[]): Promise<void> => {
      while (dying++ < workersDie) {
        await killOne(team, "worker");
        if (++died === Math.ceil(workersDie / 2) && server !== undefined) {
          await server.kill();
          await pause(random(400));
          await server.start();
        }
      }
    };
    const killOwners = async (): Promise<void> => {
      for (let n = 1; n <= ownersDie; n++) {
        // In step with the workers, so that both die from the first to the last moment.
        while (died < ((n - 1) * workersDie) / ownersDie) await pause(20);
        await killOne(owners, "owner");
      }
    };
    await Promise.all([...workers.map(killTeam), killOwners()]);
    if (crew.sent() === 0 && !planted) {
      // On a busy machine all of them may die before their first step: a field on which nothing was begun shows nothing.
      owners.push(crew.start("owner"));
      workers.push([crew.start("worker")]);
      await crew.moreSent(1, 60_000);
    }
    return await crew.finish([...owners, ...workers.flat()], task.faults);
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
