// W5: a process is killed with all its runs in the body of one step, and the time is taken from the kill until the last of
// them has ended. Seen from outside only: ends are counted in the database, bodies in a file that no contender reads. A
// contender that shares work between processes has a second one up before the kill; one that recovers at its start is
// started at the moment of the kill, as a supervisor would.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { settledMs } from "./workloads.mjs";

/** @typedef {import("./contender.mjs").Order} Order @typedef {import("./rounds.mjs").Round} Round */
/** @typedef {import("./servers.mjs").Place} Place */

const part = fileURLToPath(new URL("./takeover-process.mjs", import.meta.url));
const waitMsMax = 120_000;
const lookEveryMs = 5;

/** How many of its runs have ended, in each contender's own tables. */
const ended = {
  postgres: {
    pawl: "select count(*) from pawl.runs where status = 'COMPLETED'",
    dbos: "select count(*) from dbos.workflow_status where status = 'SUCCESS'",
    openworkflow: "select count(*) from openworkflow.workflow_runs where status in ('completed', 'succeeded')",
  },
  mysql: { pawl: "select count(*) from pawl_runs where status = 'COMPLETED'", dbos: "", openworkflow: "" },
};

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param {string} node
 * @param {Order} order
 * @param {Place} place
 * @returns {Promise<Round>}
 */
export async function takeOver(node, order, place) {
  const { role, store, runs, dir } = order;
  if (store === "sqlite" || role === "limit") throw new Error("nobody takes over here");
  const victim = await begin(node, order, "victim");
  const shared = role !== "dbos";
  let heir = shared ? await begin(node, order, "heir") : undefined;
  try {
    if (shared) await pause(settledMs);
    const from = performance.now();
    victim.running.kill("SIGKILL");
    heir ??= await begin(node, order, "heir");
    for (;;) {
      if ((await place.count(ended[store][role])) >= runs) break;
      if (performance.now() - from > waitMsMax) throw new Error(`${role}: not all runs were taken over in ${waitMsMax} ms`);
      await pause(lookEveryMs);
    }
    const took = (performance.now() - from) / 1_000;
    return { ...nothing, values: [took], ...bodiesOf(join(dir, "bodies"), runs * order.workload.steps), about: victim.about };
  } finally {
    for (const p of [victim, heir]) {
      p?.running.kill("SIGKILL");
      if (p !== undefined) await p.closed;
    }
  }
}

/** @type {Omit<Round, "values" | "about">} */
const nothing = {
  rate: 0,
  cpuUsPerStep: 0,
  databaseCpuUsPerStep: null,
  latenciesMs: [],
  flat: [],
  raw: null,
  rows: null,
  peakMb: 0,
  residentMb: 0,
};

/** @param {string} file @param {number} wanted */
function bodiesOf(file, wanted) {
  /** @type {Map<string, number>} */
  const times = new Map();
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
  if (times.size !== wanted) throw new Error(`${times.size} bodies of ${wanted} were run`);
  return { reruns: lines.length - wanted, most: Math.max(...times.values()) };
}

/**
 * Resolves when it says that it is ready.
 * @param {string} node
 * @param {Order} order
 * @param {"victim" | "heir"} as
 */
async function begin(node, order, as) {
  const running = spawn(node, [part, JSON.stringify(order), as], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(running, "close");
  const told = new Promise((resolve) => {
    createInterface({ input: /** @type {import("node:stream").Readable} */ (running.stdout) }).on("line", (line) => {
      if (line.startsWith("ready ")) resolve(JSON.parse(line.slice(6)));
    });
  });
  const about = await Promise.race([told, closed.then(([code]) => Promise.reject(new Error(`${order.role} (${as}) ended with ${code}`)))]);
  return { running, closed, about: /** @type {Record<string, string | number>} */ (about) };
}
