// The same agents on LangGraph JS, killed as often, for comparison: how many calls it makes again. It has no classes of tools, so every call that is made
// twice counts; reads do not. Then once more with its tools guarded by Pawl: there a call that must not repeat and is made again is a violation.
// Skipped with a note where bench/agents is not installed.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Violation } from "./check.ts";
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

export async function compareWithLangGraph(task: Task): Promise<readonly Violation[]> {
  if (!existsSync(join(folder, "node_modules/@langchain/langgraph"))) {
    task.say(`LangGraph is left out: it is not installed in ${folder}`);
    return [];
  }
  await killed(task, false);
  return killed({ ...task, faults: Math.ceil(task.faults / 2) }, true);
}

async function killed({ faults, seed, say }: Task, isGuarded: boolean): Promise<readonly Violation[]> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-campaign-"));
  const random = seeded(seed);
  const kills = Math.min(faults, killsMax);
  const agents = Array.from({ length: Math.max(2, Math.ceil(kills / 4)) }, (_, n) => `agent-${n}`);
  const duty = {
    db: join(dir, "langgraph.db"),
    ledger: join(dir, "ledger"),
    agents,
    ...(isGuarded ? { store: `sqlite:${join(dir, "guard.db")}` } : {}),
  };
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
    const how = isGuarded ? "LangGraph JS with guard()" : "LangGraph JS";
    const found = isGuarded ? guardedCalls(duty.ledger) : { text: counted(duty.ledger), violations: [] };
    say(`${how}, ${struck} kills, ${agents.length} agents, ${end === "over" ? "all of them ended" : "which did not end"}: ${found.text}`);
    return found.violations;
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

/** Every call that must not repeat was made once, or again under the key that its receiver knows. */
function guardedCalls(ledger: string): { readonly text: string; readonly violations: readonly Violation[] } {
  const calls = new Map<string, { readonly tool: string; readonly keys: string[] }>();
  for (const l of readLines(ledger)) {
    if (l.what !== "tool" || l.tool === "reads") continue;
    const known = calls.get(`${l.agent} ${l.call}`) ?? { tool: l.tool, keys: [] };
    known.keys.push(l.key);
    calls.set(`${l.agent} ${l.call}`, known);
  }
  let again = 0;
  const violations: Violation[] = [];
  for (const [call, { tool, keys }] of calls) {
    if (keys.length === 1) continue;
    if (tool === "keyed" && new Set(keys).size === 1) again += keys.length - 1;
    else violations.push({ kind: "duplicate", what: `guarded ${tool} ${call} was made ${keys.length} times` });
  }
  return {
    text: `${calls.size} calls that must not repeat, ${violations.length} made again, ${again} sent again under the same key`,
    violations,
  };
}
