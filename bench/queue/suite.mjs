// `npm run bench -- --suite queue`: steps on queues. J1 is a fan-out to a worker in another process, J2 runs of one such step, J3 the same where the
// owner serves its queue itself, J4 the latency of one on an idle store; beside graphile-worker (as it comes, and with the batches that its page on
// performance names), BullMQ's Postgres backend and DBOS queues in the same run, each with one owner and one worker of as many places. D1 is a DAG of 5,000 nodes beside W2. Q1 and Q2 are claims beside a million rows, and behind
// an old snapshot. `--small` does a little of each and judges nothing.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { median, quantile, rounded } from "../stats.mjs";
import { measureClaims } from "./claims.mjs";
import { measureDag } from "./dag.mjs";

/** @typedef {import("../servers.mjs").Server} Server @typedef {import("../servers.mjs").Place} Place */
/** @typedef {import("../log.mjs").Line} Line @typedef {import("./contender.mjs").QueueOrder} QueueOrder */
/** @typedef {{ small: boolean, rounds: number, peers: { node: string, newest: string } | undefined, only: readonly string[], say: (text: string) => void }} QueuePlan */
/** @typedef {(line: Line, targets?: Line["targets"]) => void} QueueJudge */

const program = fileURLToPath(new URL("./contender.mjs", import.meta.url));
export const queueIds = ["J1", "J2", "J3", "J4", "D1", "Q1", "Q2"];
const places = 64;
/** How many times as fast Pawl must be, at the least. */
const wanted = { "graphile J1": 5, "bullmq J1": 3, "dbos J1": 10, "graphile J2": 3, "graphile J3": 6 };

/** @param {string} node @param {QueueOrder} order */
function begin(node, order) {
  const child = spawn(node, [program, JSON.stringify(order)], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${order.role} (${order.part}) ended by itself`);
      if (value.startsWith("{")) return JSON.parse(value);
    }
  };
  const ended = new Promise((resolve) => child.once("close", resolve));
  return {
    next,
    /** @param {Record<string, unknown>} what */
    ask: (what) => {
      child.stdin.write(`${JSON.stringify(what)}\n`);
      return next();
    },
    end: async () => {
      child.stdin.end();
      const late = setTimeout(() => child.kill("SIGKILL"), 15_000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** One contender: an owner, and a worker unless the owner does everything itself. @param {Server} server @param {string} node @param {string} role @param {boolean} local */
async function contend(server, node, role, local) {
  const place = await server.fresh();
  const owner = begin(node, { role, part: "owner", url: place.url, places, local });
  const { counted } = await owner.next();
  const worker = local && role === "pawl" ? undefined : begin(node, { role, part: "worker", url: place.url, places });
  await worker?.next();
  let added = 0;
  /** @param {Record<string, number>} what @param {number} count */
  const pass = async (what, count) => {
    const from = performance.now();
    added += count;
    const over = counted ? worker?.ask({ until: added }) : undefined;
    await owner.ask(what);
    await over;
    return performance.now() - from;
  };
  const end = async () => {
    await worker?.end();
    await owner.end();
    await place.remove();
  };
  return { pass, end };
}

/** @param {Server} server @param {QueuePlan} plan @param {(line: Line) => void} tell */
export async function measureQueue(server, plan, tell) {
  /** @type {QueueJudge} */
  const judge = (line, targets) => tell(plan.small || targets === undefined ? line : { ...line, targets });
  const asked = (/** @type {string[]} */ ...ids) => plan.only.length === 0 || ids.some((id) => plan.only.includes(id));
  if (asked("J1", "J2", "J4")) await rates(server, plan, judge, false);
  if (asked("J3")) await rates(server, plan, judge, true);
  if (asked("D1")) await measureDag(server, plan, judge);
  if (asked("Q1", "Q2")) await measureClaims(server, plan, judge);
}

/** @param {Server} server @param {QueuePlan} plan @param {QueueJudge} judge @param {boolean} local */
async function rates(server, plan, judge, local) {
  const node = plan.peers?.newest ?? process.execPath; // graphile-worker needs Node 22
  const graphiles = ["graphile", "graphile-batched"];
  const peers = plan.peers === undefined || server.store !== "postgres" ? [] : local ? graphiles : [...graphiles, "bullmq", "dbos"];
  const [groups, each, runs] = plan.small ? [2, 20, 20] : [50, 100, 1_000];
  /** @type {Map<string, Record<string, number[]>>} */
  const found = new Map();
  const add = (/** @type {string} */ role, /** @type {string} */ what, /** @type {number} */ value) => {
    const of = found.get(role) ?? {};
    found.set(role, { ...of, [what]: [...(of[what] ?? []), value] });
  };
  for (let round = 0; round < plan.rounds; round++) {
    const roles = ["pawl", ...peers];
    for (const role of round % 2 === 0 ? roles : roles.reverse()) {
      plan.say(`${local ? "J3" : "J1, J2, J4"}: ${round + 1} of ${plan.rounds}, ${role}`);
      const c = await contend(server, node, role, local);
      try {
        await c.pass({ groups: 2, each }, 2 * each); // warm
        if (!local) add(role, "J1", (groups * each) / ((await c.pass({ groups, each }, groups * each)) / 1_000));
        add(role, local ? "J3" : "J2", runs / ((await c.pass({ runs }, runs)) / 1_000));
        for (let n = 0; n < (plan.small ? 3 : 50); n++) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          add(role, local ? "J4 owner" : "J4", await c.pass({ runs: 1 }, 1));
        }
        const seen = Object.entries(found.get(role) ?? {}).map(([what, all]) => `${what} ${rounded(median(all))}`);
        plan.say(`  ${role}: ${seen.join(", ")}`); // said at once: whatever comes later cannot take it away
      } finally {
        await c.end();
      }
    }
  }
  /** @param {string} role @param {string} what */
  const of = (role, what) => median(found.get(role)?.[what] ?? []);
  for (const id of local ? ["J3"] : ["J1", "J2"]) {
    const ratios = peers.map((p) => ({ peer: p, times: of("pawl", id) / of(p, id) }));
    const figures = Object.fromEntries(
      [...found.keys()].map((role) => [`${role} ${id === "J1" ? "steps" : "runs"}/s`, rounded(of(role, id))]),
    );
    const targets = ratios.flatMap(({ peer, times }) => {
      // Judged as it comes, and with its batches.
      const least = /** @type {Record<string, number>} */ (wanted)[`${peer.replace("-batched", "")} ${id}`];
      return least === undefined ? [] : [{ what: `times ${peer}`, wanted: least, found: rounded(times), met: times >= least }];
    });
    const what =
      { J1: `${groups} × ${each} steps, remote`, J2: "runs of one step, remote", J3: "runs of one step, by their owner" }[id] ?? id;
    judge(
      {
        id,
        what,
        store: server.store,
        figures: { ...figures, ...Object.fromEntries(ratios.map((r) => [`times ${r.peer}`, rounded(r.times)])) },
      },
      targets,
    );
  }
  const latencies = found.get("pawl")?.[local ? "J4 owner" : "J4"] ?? [];
  const p50 = median(latencies);
  judge(
    {
      id: "J4",
      what: local ? "one step by its owner, idle" : "one step, remote, idle",
      store: server.store,
      figures: { "p50 ms": rounded(p50), "p95 ms": rounded(quantile(latencies, 0.95)) },
    },
    local ? undefined : [{ what: "p50 ms", wanted: 5, found: rounded(p50), met: p50 <= 5 }],
  );
}
