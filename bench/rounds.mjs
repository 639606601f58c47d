// Rounds: each contender in a process of its own on a new store, which is removed again. Contenders alternate within a
// round and change places from one round to the next, so that a machine that slows down or speeds up favours nobody.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { takeOver } from "./takeover.mjs";

/** @typedef {import("./child.mjs").Order} Order @typedef {import("./child.mjs").Round} Round */
/** @typedef {import("./workloads.mjs").Workload} Workload @typedef {import("./workloads.mjs").Role} Role */
/** @typedef {import("./servers.mjs").Server} Server */
/** @typedef {{ name: string, role: Role, node: string, processes: number, roundsMax?: number, undeclared?: boolean }} Contender */
/** @typedef {{ ms: number, steps: number, msMax: number }} Warming so long and so many steps, but no longer than that */
/** @typedef {{ rounds: number, warming: Warming | null, forMs: number, small: boolean, server: Server }} Plan */

const child = fileURLToPath(new URL("./child.mjs", import.meta.url));

/**
 * @param {Workload} workload
 * @param {readonly Contender[]} contenders
 * @param {Plan} plan
 * @param {(text: string) => void} say
 * @returns {Promise<Map<string, Round[]>>} by the contender's name
 */
export async function measure(workload, contenders, plan, say) {
  /** @type {Map<string, Round[]>} */
  const results = new Map(contenders.map((c) => [c.name, []]));
  for (let round = 0; round < plan.rounds; round++) {
    const order = round % 2 === 0 ? contenders : [...contenders].reverse();
    for (const contender of order) {
      if (round >= (contender.roundsMax ?? plan.rounds)) continue;
      say(`${workload.id}: round ${round + 1} of ${plan.rounds}, ${contender.name}`);
      results.get(contender.name)?.push(await oneRound(workload, contender, plan));
    }
  }
  return results;
}

/**
 * @param {Workload} workload
 * @param {Contender} contender
 * @param {Plan} plan
 * @returns {Promise<Round>}
 */
async function oneRound(workload, { role, node, processes, undeclared }, plan) {
  const { server, small, warming, forMs } = plan;
  const place = await server.fresh();
  try {
    /** @type {Order} */
    const order = {
      role,
      workload: undeclared === true ? withoutClass(workload) : workload,
      store: server.store,
      url: place.url,
      dir: place.dir,
      serverPid: server.pid,
      warming,
      forMs,
      runs: small ? (workload.smallRuns ?? workload.runs) : workload.runs,
      gate: processes > 1,
    };
    if (workload.kind === "takeover") return await takeOver(node, order, place);
    const all = Array.from({ length: processes }, () => begin(node, order));
    if (order.gate) {
      await Promise.all(all.map((c) => c.ready));
      for (const c of all) c.go();
    }
    return together(await Promise.all(all.map((c) => c.answer)));
  } finally {
    await place.remove();
  }
}

/** The same with steps that say nothing of themselves. @param {Workload} workload @returns {Workload} */
function withoutClass(workload) {
  const plain = { ...workload };
  delete plain.declared;
  return plain;
}

/**
 * Several at work at once, as one: rates add up. Each saw the whole server's CPU, and counted only its own steps.
 * @param {readonly Round[]} rounds
 * @returns {Round}
 */
function together(rounds) {
  const [first] = rounds;
  if (first === undefined) throw new Error("nobody was at work");
  if (rounds.length === 1) return first;
  const rate = rounds.reduce((sum, r) => sum + r.rate, 0);
  const cpuUsPerStep = rounds.reduce((sum, r) => sum + r.cpuUsPerStep * r.rate, 0) / rate;
  const database = first.databaseCpuUsPerStep;
  return { ...first, rate, cpuUsPerStep, databaseCpuUsPerStep: database === null ? null : (database * first.rate) / rate };
}

/**
 * @param {string} node
 * @param {Order} order
 */
function begin(node, order) {
  const running = spawn(node, [child, JSON.stringify(order)], { stdio: [order.gate ? "pipe" : "ignore", "pipe", "inherit"] });
  let last = "";
  /** @type {() => void} */
  let warm = () => {};
  const ready = new Promise((/** @type {(v: void) => void} */ resolve) => (warm = resolve));
  createInterface({ input: /** @type {import("node:stream").Readable} */ (running.stdout) }).on("line", (line) => {
    if (line === "ready") warm();
    else last = line;
  });
  const answer = once(running, "close").then(([code]) => {
    warm(); // whoever waits for it learns from the answer that it failed
    if (code === 0 && last.startsWith("{")) return /** @type {Round} */ (JSON.parse(last));
    throw new Error(`${order.role} in ${order.workload.id} ended with ${code}`);
  });
  return { ready, answer, go: () => void running.stdin?.write("go\n") };
}
