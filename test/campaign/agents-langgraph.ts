// The same agents on LangGraph JS, killed as often, for comparison: how many calls it makes again. It has no classes of tools, so every call that is made
// twice counts; reads do not. Nothing is judged here. Skipped with a note where bench/agents is not installed.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { seeded, type Task } from "./engine-processes.ts";
import { readLines, turns } from "./programs/agent-script.ts";

const folder = "bench/agents";
const killsMax = 50;

interface Life {
  readonly ready: Promise<void>;
  readonly ended: Promise<string | null>;
  kill(): void;
}

function live(duty: object): Life {
  const child = spawn(process.execPath, ["--import", "./test/support/typescript.mjs", `${folder}/langgraph.mjs`, JSON.stringify(duty)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let last: string | null = null;
  let isReady: () => void = () => {};
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  createInterface({ input: child.stdout }).on("line", (text) => {
    last = text;
    isReady();
  });
  const ended = new Promise<string | null>((resolve) => child.on("exit", () => (isReady(), resolve(last))));
  return { ready, ended, kill: () => void child.kill("SIGKILL") };
}

export async function compareWithLangGraph({ faults, seed, say }: Task): Promise<void> {
  if (!existsSync(join(folder, "node_modules/@langchain/langgraph"))) return say(`LangGraph is left out: it is not installed in ${folder}`);
  const dir = mkdtempSync(join(tmpdir(), "pawl-campaign-"));
  const random = seeded(seed);
  const kills = Math.min(faults, killsMax);
  const agents = Array.from({ length: Math.max(2, Math.ceil(kills / 4)) }, (_, n) => `agent-${n}`);
  const duty = { db: join(dir, "langgraph.db"), ledger: join(dir, "ledger"), agents };
  let struck = 0;
  try {
    for (; struck < kills; struck++) {
      const life = live(duty);
      await life.ready;
      const until = readLines(duty.ledger).length + 5 + random(60);
      for (let waited = 0; waited < 4_000 && readLines(duty.ledger).length < until; waited += 5) await pause(5);
      life.kill();
      if ((await life.ended) === "over") break;
    }
    const end = await live(duty).ended;
    say(
      `LangGraph JS, ${struck} kills, ${agents.length} agents, ${end === "over" ? "all of them ended" : "which did not end"}: ${counted(duty.ledger)}`,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function counted(ledger: string): string {
  const lines = readLines(ledger);
  const calls = lines.filter((l) => l.what === "tool" && l.tool !== "reads") as { agent: string; call: string; key: string }[];
  const made = new Set(calls.map((l) => `${l.agent} ${l.key}`)).size;
  const different = new Set(calls.map((l) => `${l.agent} ${l.call}`)).size;
  const asked = lines.filter((l) => l.what === "model");
  const replies = new Set(asked.map((l) => `${l.agent} ${(l as { turn: number }).turn}`)).size;
  return [
    `${different} calls that must not repeat`,
    `${calls.length - made} made again after a kill`,
    `${made - different} made again because the model asked again`,
    `${asked.length - replies} model calls made again in ${replies} (${turns + 1} turns each)`,
  ].join(", ");
}
