// Commits without an answer: a line between engine and server that breaks just as a COMMIT is answered, or just before it
// arrives. A file has no such line: there a wrapper takes the answer away. The engine must ask again, byte for byte, until it
// knows; nothing may be lost by it and nothing written twice.
import { setTimeout as pause } from "node:timers/promises";
import { startProxy as startMysqlProxy } from "../mysql/proxy.ts";
import { startProxy } from "../support/postgres-proxy.ts";
import { EngineProcesses, onEachStore, type Part, type Random, type Report, type Task } from "./engine-processes.ts";
import { readLedger } from "./programs/ledger.ts";

interface Line {
  /** The store's address as seen through this line. */
  readonly url: string;
  /** One more answer is lost. */
  strike(): Promise<void>;
  close(): Promise<void>;
}

const writes = /update .*runs r set status|^with clock .*insert into .*events|insert into .*inbox/s;

async function postgresLine(url: string, random: Random): Promise<Line> {
  const proxy = await startProxy(Number(new URL(url).port));
  return { url: proxy.through(url), strike: () => proxy.swallowWrite(writes, random(2) === 0), close: () => proxy.close() };
}

async function mysqlLine(url: string, random: Random): Promise<Line> {
  const proxy = await startMysqlProxy(Number(new URL(url).port));
  const through = new URL(url);
  through.port = String(proxy.port);
  return {
    url: through.href,
    async strike() {
      const before = proxy.struck;
      proxy.fault = random(2) === 0 ? "lose the commit" : "lose the answer to commit";
      while (proxy.struck === before) await pause(1);
      proxy.fault = "none";
    },
    close: () => proxy.close(),
  };
}

async function onServer(task: Task): Promise<Report> {
  const crew = await EngineProcesses.open(task);
  const line = await (task.store === "postgres" ? postgresLine : mysqlLine)(crew.field.url, crew.random);
  const engine = crew.start({ store: line.url, holdMs: 10, lease: "10s" });
  await engine.waitForLine("ready");
  let struck = 0;
  for (let moved = true; moved && struck < task.faults; struck++) {
    // Between two faults work goes on: what was asked again has been answered, and more has left.
    moved = await crew.moreSent(3 + crew.random(8));
    if (moved) await line.strike();
  }
  await crew.moreSent(3);
  const report = await crew.finish([engine], struck);
  await line.close();
  return report;
}

async function onFile(task: Task): Promise<Report> {
  const crew = await EngineProcesses.open(task);
  const engine = crew.start({ losesAnswers: true, holdMs: 10, lease: "10s" });
  const struck = (): number => readLedger(crew.field.ledger).filter((l) => l.kind === "unknown").length;
  // What was lost while the first orders were being made does not count.
  await crew.moreSent(20);
  const before = struck();
  while (struck() - before < task.faults && (await crew.moreSent(3)));
  return crew.finish([engine], struck() - before);
}

export const unknown: Part = {
  name: "unknown",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "writes again", shows: ["duplicate", "broken"], faults: 10 },
  run: (task) => onEachStore(task, { perField: 50, atATime: 2 }, task.store === "sqlite" ? onFile : onServer),
};
