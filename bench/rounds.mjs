// Rounds: each contender in a process of its own with a new file in a new folder, which is removed again. Contenders
// alternate within a round and change places from one round to the next, so that a machine that slows down or speeds up
// favours nobody.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {import("./child.mjs").Order} Order @typedef {import("./child.mjs").Round} Round */
/** @typedef {import("./workloads.mjs").Workload} Workload @typedef {import("./workloads.mjs").Role} Role */
/** @typedef {{ name: string, role: Role, node: string }} Contender */
/** @typedef {{ rounds: number, warmMs: number, forMs: number, small: boolean, dir: string }} Plan */

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
async function oneRound(workload, { role, node }, plan) {
  const dir = mkdtempSync(join(plan.dir, "pawl-bench-"));
  try {
    /** @type {Order} */
    const order = {
      role,
      workload,
      dir,
      warmMs: plan.warmMs,
      forMs: plan.forMs,
      runs: plan.small ? (workload.smallRuns ?? workload.runs) : workload.runs,
    };
    return await answerOf(node, order);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * @param {string} node
 * @param {Order} order
 * @returns {Promise<Round>}
 */
function answerOf(node, order) {
  return new Promise((resolve, reject) => {
    const running = spawn(node, [child, JSON.stringify(order)], { stdio: ["ignore", "pipe", "inherit"] });
    let out = "";
    running.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    running.on("error", reject);
    running.on("close", (code) => {
      const line = out.trim().split("\n").at(-1) ?? "";
      if (code === 0 && line.startsWith("{")) resolve(JSON.parse(line));
      else reject(new Error(`${order.role} in ${order.workload.id} ended with ${code}`));
    });
  });
}
