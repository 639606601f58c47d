// Rounds: each contender in a process of its own on a new store, which is removed again. In a round all contenders are warmed
// up, one after the other, and then measured in turns, a short stretch each: what slows the machine down for a while meets
// all of them. They change places from one turn to the next.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { takeOver } from "./takeover.mjs";

/** @typedef {import("./child.mjs").Order} Order @typedef {import("./child.mjs").Stretch} Stretch @typedef {import("./child.mjs").Rest} Rest */
/** @typedef {import("./workloads.mjs").Workload} Workload @typedef {import("./workloads.mjs").Role} Role */
/** @typedef {import("./servers.mjs").Server} Server @typedef {import("./servers.mjs").Place} Place */
/** @typedef {{ name: string, role: Role, node: string, processes: number, roundsMax?: number, undeclared?: boolean }} Contender */
/** @typedef {{ ms: number, steps: number, msMax: number }} Warming so long and so many steps, but no longer than that */
/** @typedef {{ rounds: number, turns: number, warming: Warming | null, forMs: number, small: boolean, server: Server }} Plan */
/**
 * What one contender did in one round.
 * @typedef {object} Round
 * @property {number} rate units per second
 * @property {number} cpuUsPerStep
 * @property {number | null} databaseCpuUsPerStep
 * @property {readonly number[]} values what passes told of themselves
 * @property {readonly number[]} latenciesMs
 * @property {readonly number[]} flat
 * @property {number | null} raw
 * @property {number | null} rows
 * @property {number} peakMb
 * @property {number} residentMb
 * @property {number} [reruns]
 * @property {number} [most]
 * @property {Record<string, string | number>} about
 */

const child = fileURLToPath(new URL("./child.mjs", import.meta.url));

/**
 * @param {Workload} workload
 * @param {readonly Contender[]} contenders
 * @param {Plan} plan
 * @param {(text: string) => void} say
 * @returns {Promise<Map<string, (Round | undefined)[]>>} by the contender's name, in the order of rounds; undefined where it took no part
 */
export async function measure(workload, contenders, plan, say) {
  /** @type {Map<string, (Round | undefined)[]>} */
  const results = new Map(contenders.map((c) => [c.name, []]));
  for (let round = 0; round < plan.rounds; round++) {
    const order = round % 2 === 0 ? contenders : [...contenders].reverse();
    const taking = order.filter((c) => round < (c.roundsMax ?? plan.rounds));
    const told = (/** @type {string} */ what) => say(`${workload.id}: round ${round + 1} of ${plan.rounds}, ${what}`);
    const done = await (workload.kind === "takeover" ? oneByOne : inTurns)(workload, taking, plan, told);
    for (const { name } of contenders) results.get(name)?.push(done.get(name));
  }
  return results;
}

/** @typedef {(workload: Workload, contenders: readonly Contender[], plan: Plan, told: (what: string) => void) => Promise<Map<string, Round>>} OneRound */

/** @type {OneRound} */
async function oneByOne(workload, contenders, plan, told) {
  /** @type {Map<string, Round>} */
  const done = new Map();
  for (const contender of contenders) {
    told(contender.name);
    const place = await plan.server.fresh();
    try {
      done.set(contender.name, await takeOver(contender.node, orderFor(workload, contender, plan, place), place));
    } finally {
      await place.remove();
    }
  }
  return done;
}

/** @type {OneRound} */
async function inTurns(workload, contenders, plan, told) {
  /** @type {{ name: string, place: Place, crew: ReturnType<typeof begin>[], stretches: Stretch[][] }[]} */
  const warm = [];
  /** @type {Map<string, Round>} */
  const done = new Map();
  try {
    for (const contender of contenders) {
      told(`${contender.name} gets warm`);
      const place = await plan.server.fresh();
      const order = orderFor(workload, contender, plan, place);
      const crew = Array.from({ length: contender.processes }, () => begin(contender.node, order));
      warm.push({ name: contender.name, place, crew, stretches: crew.map(() => []) });
      for (const c of crew) await c.next();
    }
    told("in turns");
    const turns = workload.kind === "rate" || workload.kind === "latency" ? plan.turns : 1;
    for (let turn = 0; turn < turns; turn++) {
      for (const { crew, stretches } of turn % 2 === 0 ? warm : [...warm].reverse()) {
        for (const c of crew) c.go();
        for (const [i, c] of crew.entries()) stretches[i]?.push(/** @type {Stretch} */ (await c.next()));
      }
    }
    for (const { name, crew, stretches } of warm) {
      /** @type {Round[]} */
      const rounds = [];
      for (const [i, c] of crew.entries()) {
        c.end();
        rounds.push(roundOf(stretches[i] ?? [], /** @type {Rest} */ (await c.next())));
      }
      done.set(name, together(rounds));
    }
    return done;
  } finally {
    for (const { place, crew } of warm) {
      for (const c of crew) await c.gone();
      await place.remove();
    }
  }
}

/**
 * @param {Workload} workload
 * @param {Contender} contender
 * @param {Plan} plan
 * @param {Place} place
 * @returns {Order}
 */
function orderFor(workload, { role, undeclared }, { server, warming, forMs, small }, place) {
  return {
    role,
    workload: undeclared === true ? withoutClass(workload) : workload,
    store: server.store,
    url: place.url,
    dir: place.dir,
    serverPid: server.pid,
    warming,
    forMs,
    runs: small ? (workload.smallRuns ?? workload.runs) : workload.runs,
  };
}

/** The same with steps that say nothing of themselves. @param {Workload} workload @returns {Workload} */
function withoutClass(workload) {
  const plain = { ...workload };
  delete plain.declared;
  return plain;
}

/** @param {readonly Stretch[]} stretches @param {Rest} rest @returns {Round} */
function roundOf(stretches, rest) {
  /** @param {(s: Stretch) => number} of */
  const sum = (of) => stretches.reduce((total, s) => total + of(s), 0);
  const steps = sum((s) => s.steps);
  return {
    ...rest,
    rate: (sum((s) => s.units) / sum((s) => s.tookMs)) * 1_000,
    cpuUsPerStep: steps === 0 ? 0 : sum((s) => s.cpuUs) / steps,
    databaseCpuUsPerStep: steps === 0 || stretches.some((s) => s.databaseCpuUs === null) ? null : sum((s) => s.databaseCpuUs ?? 0) / steps,
    values: stretches.flatMap((s) => s.values),
    latenciesMs: stretches.flatMap((s) => s.latenciesMs),
    flat: stretches.flatMap((s) => s.flat),
  };
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
 * A contender's process, which says one thing at a time.
 * @param {string} node
 * @param {Order} order
 */
function begin(node, order) {
  const running = spawn(node, [child, JSON.stringify(order)], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = new Promise((resolve) => running.once("close", resolve));
  const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
  return {
    go: () => void running.stdin.write("go\n"),
    end: () => running.stdin.end(),
    next: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${order.role} in ${order.workload.id} ended with ${String(await closed)}`);
      return /** @type {unknown} */ (JSON.parse(value));
    },
    /** At the latest now. */
    gone: async () => {
      running.stdin.end();
      await closed;
    },
  };
}
