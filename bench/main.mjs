// `npm run bench`: how fast Pawl is, told as ratios measured in one run: to a loop by hand over the same database, and to
// peers. Options: --suite log (what others do with the log, bench/log.mjs), --suite http (over HTTP, bench/http), --suite queue (steps on queues, bench/queue), --suite graph (supersteps beside LangGraph JS, bench/graph), --store sqlite|postgres|mysql, --json (one line per workload), --table (for docs/performance.md), --only
// W3,W4 (without --suite: the suite that has them), --small (one short round, nothing judged, peers only if they are installed), --no-peers, --lives N, --dir FOLDER
// (where the data goes; never a RAM disk), --check (ends with 1 when a target is missed).
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { graphIds, graphProse, measureGraph } from "./graph/suite.mjs";
import { httpIds, measureHttp } from "./http/suite.mjs";
import { jsonText, logProse, measureLog } from "./log.mjs";
import { findPeers } from "./peers.mjs";
import { measureQueue, queueIds } from "./queue/suite.mjs";
import { lineOf, ours, peersOn, proseOf, rowOf, tableHead } from "./report.mjs";
import { measure } from "./rounds.mjs";
import { serverFor } from "./servers.mjs";
import { storeNames, workloads } from "./workloads.mjs";

/** @typedef {import("./rounds.mjs").Contender} Contender */

const { values } = parseArgs({
  options: {
    "json": { type: "boolean", default: false },
    "table": { type: "boolean", default: false },
    "small": { type: "boolean", default: false },
    "no-peers": { type: "boolean", default: false },
    "check": { type: "boolean", default: false },
    "only": { type: "string", multiple: true },
    "suite": { type: "string" },
    "store": { type: "string", default: "sqlite" },
    "lives": { type: "string" },
    "dir": { type: "string", default: tmpdir() },
  },
});

/** @param {string} text */
const say = (text) => void process.stderr.write(`${text}\n`);
/** @param {string} why @returns {never} */
const refuse = (why) => {
  say(why);
  process.exit(2);
};

const store =
  storeNames.find((name) => name === values.store) ?? refuse(`--store ${values.store}: the stores are ${storeNames.join(", ")}`);
const here = workloads.filter((w) => w.targets[store] !== undefined);
const only = (values.only ?? []).flatMap((list) => list.split(","));
/** @type {Record<string, readonly string[]>} */
const suites = { steps: here.map((w) => w.id), log: [], http: httpIds, queue: queueIds, graph: graphIds };
/** Without --suite: the one that has the first workload of --only. */
const suite = values.suite ?? Object.keys(suites).find((name) => suites[name]?.includes(only[0] ?? "")) ?? "steps";
const known = suites[suite] ?? refuse(`--suite ${suite}: the suites are ${Object.keys(suites).join(", ")}`);
const unknown = only.filter((id) => !known.includes(id));
if (unknown.length > 0 && known.length > 0)
  refuse(`--only ${unknown.join(", ")}: the workloads of suite ${suite} on ${store} are ${known.join(", ")}`);
if (only.length > 0 && known.length === 0) refuse(`--only: suite ${suite} is measured as a whole`);
const lives = values.lives === undefined ? (values.small ? 1 : 5) : Number(values.lives);
if (!Number.isSafeInteger(lives) || lives < 1) refuse("--lives needs a whole number of at least 1");

/** @param {import("./workloads.mjs").Workload} w @returns {Contender[]} */
function contendersFor(w) {
  const node = process.execPath;
  const processes = w.processes ?? 1;
  // A store with a million runs takes its time to make, and one round of it says what five would.
  const bound = w.kind === "claim" ? { livesMax: 1 } : {};
  /** @type {Contender[]} */
  const all = [{ name: ours.pawl, role: "pawl", node, processes, ...bound }];
  if (processes > 1) return [...all, { name: ours.one, role: "pawl", node, processes: 1 }];
  if (w.declared !== undefined) return [...all, { name: ours.plain, role: "pawl", node, processes, undeclared: true }];
  if (w.kind === "rate" || w.kind === "latency") all.push({ name: ours.limit, role: "limit", node, processes });
  const names = peers === undefined ? [] : w.peers.filter((p) => peersOn[store].includes(p));
  if (names.length > 0 && peers !== undefined && peers.node !== node) {
    all.push({ name: ours.onPeersNode, role: "pawl", node: peers.node, processes });
  }
  for (const name of names) {
    // OpenWorkflow waits for a lease of half a minute before it takes over: shown once, and never in a small round.
    const slow = w.kind === "takeover" && name === "openworkflow";
    if (slow && values.small) continue;
    all.push({ name, role: name, node: peers?.node ?? node, processes, ...(slow ? { livesMax: 1 } : {}) });
  }
  return all;
}

const peers =
  suite === "log" || suite === "graph" ? undefined : findPeers({ store, wanted: !values["no-peers"], install: !values.small, say });
const server = await serverFor(store, values.dir);
let stopping = false;
const stop = async () => {
  if (stopping) return;
  stopping = true;
  await server.stop();
};
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => void stop().then(() => process.exit(130)));

// Five lives of six rounds each; a stretch is a third of a second, or one pass. The code is warm before it is measured, Pawl's
// and the peer's alike: Node goes on compiling for some 5,000 steps, which are there in no time in W2 and take seconds in W3 and W4.
const warming = values.small ? null : { ms: 3_000, steps: 6_000, msMax: 15_000 };
const plan = { lives, roundsOfLife: values.small ? 1 : 6, warming, forMs: values.small ? 200 : 333, small: values.small, server };
let missed = 0;
try {
  say(`${store}: ${server.about}`);
  if (suite === "log") {
    await measureLog(server, { small: values.small, rounds: lives }, (line) => {
      missed += (line.targets ?? []).filter((t) => !t.met).length;
      process.stdout.write(`${values.json ? jsonText(line) : logProse(line)}\n`);
    });
  }
  if (values.table && !values.json) process.stdout.write(`${tableHead(store)}\n`);
  if (suite === "http") {
    await measureHttp(
      server,
      { small: values.small, rounds: values.small ? 1 : Math.min(lives, 5), peers, only, dir: values.dir, say },
      (line) => {
        missed += (line.targets ?? []).filter((t) => !t.met).length;
        process.stdout.write(`${values.json ? jsonText(line) : logProse(line)}\n`);
      },
    );
  }
  if (suite === "queue") {
    await measureQueue(server, { small: values.small, rounds: values.small ? 1 : Math.min(lives, 3), peers, only, say }, (line) => {
      missed += (line.targets ?? []).filter((t) => !t.met).length;
      process.stdout.write(`${values.json ? jsonText(line) : logProse(line)}\n`);
    });
  }
  if (suite === "graph") {
    await measureGraph(server, { small: values.small, rounds: Math.min(lives, 3), only, say, peers: !values["no-peers"] }, (line) => {
      missed += (line.targets ?? []).filter((t) => !t.met).length;
      process.stdout.write(`${values.json ? jsonText(line) : graphProse(line)}\n`);
    });
  }
  for (const workload of suite === "steps" ? here : []) {
    if (only.length > 0 && !only.includes(workload.id)) continue;
    const line = lineOf(workload, server, await measure(workload, contendersFor(workload), plan, say), !values.small);
    missed += (line.targets ?? []).filter((t) => !t.met).length;
    if (values.json) process.stdout.write(`${JSON.stringify(line)}\n`);
    else process.stdout.write(values.table ? `${rowOf(workload, line)}\n` : `${proseOf(workload, line)}\n\n`);
  }
} finally {
  await stop();
}
if (values.check && missed > 0) process.exitCode = 1;
