// `npm run bench -- --suite queue`: steps on queues. J1 is a fan-out to a worker in another process, J2 runs of one such step, J3 the same where the
// owner serves its queue itself, and beside it steps of W2's shape on that queue and without one; J4 the latency of one on an idle store, by its owner beside a step without
// a queue. All beside graphile-worker (judged as it comes; shown with the batches that its page on performance names), BullMQ's Postgres backend and DBOS queues in the same
// run, each with one owner and one worker of as many places, and each warm before it is measured. D1 is a DAG of 5,000 nodes beside W2. Q1 and Q2 are claims beside a million rows, and behind
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
/** As in the suite of steps: Node goes on compiling for some 5,000 steps, Pawl's code and the peer's alike. */
const warming = { ms: 3_000, steps: 6_000, msMax: 8_000 };
/** One that polls once a second is shown by fewer passes. */
const latencyMsMax = 8_000;
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
  /** Until its code is warm, with both shapes of work. @param {number} each @param {boolean} small */
  const warm = async (each, small) => {
    const from = performance.now();
    for (;;) {
      await pass({ groups: 2, each }, 2 * each);
      await pass({ runs: each }, each);
      const ms = performance.now() - from;
      if (small || ms >= warming.msMax || (ms >= warming.ms && added >= warming.steps)) return;
    }
  };
  return { pass, warm, end };
}

/** @typedef {Awaited<ReturnType<typeof contend>>} Contending */
/** Steps of W2's shape and single ones of W4's, on the queue that their owner serves and without one, in turns in one process. @param {Contending} c @param {boolean} small @param {(what: string, value: number) => void} add */
async function besidePlain(c, small, add) {
  const [runs, steps, turns] = small ? [5, 4, 1] : [200, 10, 10];
  for (let n = 0; n < turns; n++)
    for (const isQueued of n % 2 === 0 ? [true, false] : [false, true])
      add(isQueued ? "J3 as W2" : "W2", (runs * steps) / ((await c.pass({ runs, steps, isQueued: Number(isQueued) }, 0)) / 1_000));
  for (let n = 0; n < (small ? 3 : 50); n++) {
    for (const isQueued of [1, 0]) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      add(isQueued === 1 ? "J4 owner" : "W4", await c.pass({ runs: 1, steps: 1, isQueued }, 0));
    }
  }
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
        await c.warm(each, plan.small);
        if (!local) add(role, "J1", (groups * each) / ((await c.pass({ groups, each }, groups * each)) / 1_000));
        add(role, local ? "J3" : "J2", runs / ((await c.pass({ runs }, runs)) / 1_000));
        if (local && role === "pawl") await besidePlain(c, plan.small, (what, value) => add(role, what, value));
        const until = performance.now() + latencyMsMax;
        for (let n = 0; !local && n < (plan.small ? 3 : 50) && performance.now() < until; n++) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          add(role, "J4", await c.pass({ runs: 1 }, 1));
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
      // Of graphile-worker, as it comes: with its batches it deletes later, which is another promise. That figure is printed beside it.
      const least = /** @type {Record<string, number>} */ (wanted)[`${peer} ${id}`];
      return least === undefined ? [] : [{ what: `times ${peer}`, wanted: least, found: rounded(times), met: times >= least }];
    });
    const what =
      { J1: `${groups} × ${each} steps, remote`, J2: "runs of one step, remote", J3: "runs of one step, by their owner" }[id] ?? id;
    judge(
      {
        id,
        what,
        store: server.store,
        value: rounded(of("pawl", id)),
        unit: id === "J1" ? "steps/s" : "runs/s",
        peers: Object.fromEntries(ratios.map((r) => [r.peer, { value: rounded(of(r.peer, id)), ratio: rounded(r.times) }])),
        figures: { ...figures, ...Object.fromEntries(ratios.map((r) => [`times ${r.peer}`, rounded(r.times)])) },
      },
      targets,
    );
  }
  if (!local) {
    const latencies = found.get("pawl")?.["J4"] ?? [];
    const p50 = median(latencies);
    const figures = Object.fromEntries([...found.keys()].map((role) => [`${role} p50 ms`, rounded(of(role, "J4"))]));
    judge(
      {
        id: "J4",
        what: "one step, remote, idle",
        store: server.store,
        value: rounded(p50),
        unit: "ms",
        peers: Object.fromEntries(peers.map((p) => [p, { value: rounded(of(p, "J4")), ratio: rounded(of(p, "J4") / p50) }])),
        figures: { ...figures, "p95 ms": rounded(quantile(latencies, 0.95)) },
      },
      [{ what: "p50 ms", wanted: 5, found: rounded(p50), met: p50 <= 5 }],
    );
    return;
  }
  const [queued, plain, own, w4] = [of("pawl", "J3 as W2"), of("pawl", "W2"), of("pawl", "J4 owner"), of("pawl", "W4")];
  judge(
    {
      id: "J3",
      what: "200 runs of 10 steps on the queue, by their owner, beside W2 in the same process",
      store: server.store,
      value: rounded(queued),
      unit: "steps/s",
      figures: { "steps/s": rounded(queued), "W2 steps/s": rounded(plain), "of W2": rounded(queued / plain) },
    },
    [{ what: "of W2", wanted: 0.65, found: rounded(queued / plain), met: queued / plain >= 0.65 }],
  );
  judge(
    {
      id: "J4",
      what: "one step by its owner, idle, beside W4 in the same process",
      store: server.store,
      value: rounded(own),
      unit: "ms",
      figures: { "p50 ms": rounded(own), "W4 p50 ms": rounded(w4), "times W4": rounded(own / w4) },
    },
    [{ what: "times W4", wanted: 1.3, found: rounded(own / w4), met: own / w4 <= 1.3 }],
  );
}
