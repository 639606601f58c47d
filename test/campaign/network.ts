// A network that loses things, over every verb: answers that are lost, statements that never arrive, answers that are late, lines that go
// silent. The engines live through all of it, and it is they who must bring every order to its end: nobody is killed, so a run
// that its owner forgot stays where it is, and is seen. A file has no network: there a wrapper around the store does the same.
import { setTimeout as pause } from "node:timers/promises";
import { startFaultyProxy, verbNames, networkFaults } from "../support/network-faults.ts";
import { EngineProcesses, onEachStore, type Part, type Report, type Task } from "./engine-processes.ts";
import { readLedger } from "./programs/ledger.ts";

/** What is waited for a statement of the chosen verb, before one of any verb will do. */
const chosenMs = 400;

async function onServer(task: Task): Promise<Report> {
  const crew = await EngineProcesses.open(task);
  const line = await startFaultyProxy(Number(new URL(crew.field.url).port));
  const through = new URL(crew.field.url);
  through.port = String(line.port);
  const duty = { store: through.href, holdMs: 10, lease: "10s", apart: true } as const;
  const engines = [crew.start(duty), crew.start(duty)];
  await Promise.all(engines.map((c) => c.waitForLine("ready")));
  let struck = 0;
  const by = new Map<string, number>();
  for (let moved = true; moved && struck < task.faults; struck++) {
    const weather = networkFaults[crew.random(networkFaults.length)]!;
    const verb = verbNames[crew.random(verbNames.length)]!;
    const waited = setTimeout(() => line.anyVerb(), chosenMs);
    const met = await line.strike(weather, verb, 20 + crew.random(weather === "blackholed" ? 2_000 : 500));
    clearTimeout(waited);
    by.set(met, (by.get(met) ?? 0) + 1);
    // Between two faults work goes on.
    if (struck % 5 === 4) moved = await crew.moreSent(1);
  }
  task.say(`struck: ${[...by].map(([verb, n]) => `${verb} ${n}`).join(", ")}`);
  const report = await crew.liveThrough(engines, struck);
  await line.close();
  return report;
}

async function onFile(task: Task): Promise<Report> {
  const crew = await EngineProcesses.open(task);
  const engines = [1, 2].map((n) => crew.start({ holdMs: 10, lease: "10s", apart: true, weather: task.seed + n }));
  const struck = (): number => readLedger(crew.field.ledger).filter((l) => l.kind === "unknown").length;
  while (struck() < task.faults && (await crew.moreSent(3)));
  await pause(0);
  return crew.liveThrough(engines, struck());
}

export const network: Part = {
  name: "network",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "forgets its claims", shows: ["lost"], faults: 25 },
  run: (task) => onEachStore(task, { perField: 100, atATime: 2 }, task.store === "sqlite" ? onFile : onServer),
};
