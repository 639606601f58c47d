// Rounds: each contender in a process of its own on a new store, which is removed again. All contenders are warmed up, one
// after the other, each once more for a moment, and then measured in turns, a short stretch each, which makes a round: what
// slows the machine down for a while meets all of them. They change places from one round to the next, and get new processes
// and stores every few rounds.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { takeOver } from "./takeover.mjs";

/** @typedef {import("./contender.mjs").Order} Order @typedef {import("./contender.mjs").Stretch} Stretch @typedef {import("./contender.mjs").Rest} Rest */
/** @typedef {import("./workloads.mjs").Workload} Workload @typedef {import("./workloads.mjs").Role} Role */
/** @typedef {import("./servers.mjs").Server} Server @typedef {import("./servers.mjs").Place} Place */
/** @typedef {{ name: string, role: Role, node: string, processes: number, livesMax?: number, undeclared?: boolean }} Contender */
/** @typedef {{ ms: number, steps: number, msMax: number }} Warming so long and so many steps, but no longer than that */
/** @typedef {{ lives: number, roundsOfLife: number, warming: Warming | null, forMs: number, small: boolean, server: Server }} Plan */
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

const child = fileURLToPath(new URL("./contender.mjs", import.meta.url));

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
  for (let life = 0; life < plan.lives; life++) {
    const order = life % 2 === 0 ? contenders : [...contenders].reverse();
    const taking = order.filter((c) => life < (c.livesMax ?? plan.lives));
    const told = (/** @type {string} */ what) => say(`${workload.id}: ${life + 1} of ${plan.lives}, ${what}`);
    const done = await (workload.kind === "takeover" ? oneByOne : inTurns)(workload, taking, plan, told);
    for (const { name } of contenders) results.get(name)?.push(...(done.get(name) ?? [undefined]));
  }
  return results;
}

/** @typedef {(workload: Workload, contenders: readonly Contender[], plan: Plan, told: (what: string) => void) => Promise<Map<string, Round[]>>} OneLife */

/** @type {OneLife} */
async function oneByOne(workload, contenders, plan, told) {
  /** @type {Map<string, Round[]>} */
  const done = new Map();
  for (const contender of contenders) {
    told(contender.name);
    const place = await plan.server.fresh();
    try {
      done.set(contender.name, [await takeOver(contender.node, orderFor(workload, contender, plan, place), place)]);
    } finally {
      await place.remove();
    }
  }
  return done;
}

/** @type {OneLife} */
async function inTurns(workload, contenders, plan, told) {
  /** @type {{ name: string, place: Place, crew: ReturnType<typeof begin>[], stretches: Stretch[][] }[]} */
  const warm = [];
  /** @type {Map<string, Round[]>} */
  const done = new Map();
  try {
    for (const contender of contenders) {
      told(`${contender.name} gets warm`);
      const place = await plan.server.fresh();
      const order = orderFor(workload, contender, plan, place);
      const crew = Array.from({ length: contender.processes }, () => begin(contender.node, order));
      warm.push({ name: contender.name, place, crew, stretches: [] });
      for (const c of crew) await c.next();
    }
    const inRounds = workload.kind === "rate" || workload.kind === "latency";
    if (inRounds && plan.warming !== null) {
      told("all warm again");
      for (const { crew } of warm) {
        for (const c of crew) c.warm();
        for (const c of crew) await c.next();
      }
    }
    told("in turns");
    const rounds = inRounds ? plan.roundsOfLife : 1;
    for (let round = 0; round < rounds; round++) {
      for (const { crew, stretches } of round % 2 === 0 ? warm : [...warm].reverse()) {
        for (const c of crew) c.go();
        stretches.push(await Promise.all(crew.map(async (c) => /** @type {Stretch} */ (await c.next()))));
      }
    }
    for (const { name, crew, stretches } of warm) {
      for (const c of crew) c.end();
      const rests = await Promise.all(crew.map(async (c) => /** @type {Rest} */ (await c.next())));
      done.set(
        name,
        stretches.map((together) => roundOf(together, rests)),
      );
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

/**
 * Several processes at work at once count as one: rates add up. Each saw the whole server's CPU, and counted only its own steps.
 * @param {readonly Stretch[]} together
 * @param {readonly Rest[]} rests
 * @returns {Round}
 */
function roundOf(together, rests) {
  const [rest] = rests;
  if (rest === undefined) throw new Error("nobody was at work");
  const steps = together.reduce((sum, s) => sum + s.steps, 0);
  const databaseCpuUs = together[0]?.databaseCpuUs ?? null;
  return {
    ...rest,
    rate: together.reduce((sum, s) => sum + (s.units / s.tookMs) * 1_000, 0),
    cpuUsPerStep: steps === 0 ? 0 : together.reduce((sum, s) => sum + s.cpuUs, 0) / steps,
    databaseCpuUsPerStep: steps === 0 || databaseCpuUs === null ? null : databaseCpuUs / steps,
    values: together.flatMap((s) => s.values),
    latenciesMs: together.flatMap((s) => s.latenciesMs),
    flat: together.flatMap((s) => s.flat),
  };
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
    warm: () => void running.stdin.write("warm\n"),
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
