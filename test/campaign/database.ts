// Database servers killed with SIGKILL in mid-stream and started again on the same data, under two engines that live on. Each
// field has a server of its own with durable settings. What the server acknowledged must be there; what it was about to is
// asked again.
import { setTimeout as pause } from "node:timers/promises";
import { startMariadb } from "../support/mariadb.ts";
import { startPostgres } from "../support/postgres.ts";
import { EngineProcesses, onEachStore, type Part, type Report, type Task } from "./engine-processes.ts";

async function field(task: Task): Promise<Report> {
  const server = await (task.store === "postgres" ? startPostgres() : startMariadb());
  try {
    const crew = await EngineProcesses.open(task, server.url);
    const engines = [crew.start({ holdMs: 20, lease: "10s" }), crew.start({ holdMs: 20, lease: "10s" })];
    await Promise.all(engines.map((c) => c.waitForLine("ready")));
    for (let n = 0; n < task.faults; n++) {
      await crew.moreSent(20);
      await pause(crew.random(400));
      await server.kill();
      await pause(crew.random(400));
      await server.start();
    }
    // What was acknowledged to a living engine is what it goes on from: it must have had the time to.
    await crew.moreSent(40);
    return await crew.finish(engines, task.faults);
  } finally {
    await server.stop();
  }
}

export const database: Part = {
  name: "database",
  stores: ["postgres", "mysql"],
  canary: { bug: "acknowledges early", shows: ["lost", "duplicate", "broken"], faults: 1 },
  run: (task) => onEachStore(task, { perField: 20, atATime: 1 }, field),
};
