// `npm run bench`: how fast Pawl is, told as ratios measured in one run: to a loop by hand over the same database, and to
// a peer. Options: --json (one line per workload), --table (for docs/performance.md), --only W3,W4, --store sqlite, --small
// (one short round, nothing judged, peers only if they are installed), --no-peers, --rounds N, --dir FOLDER (where the files
// go; never a RAM disk), --check (ends with 1 when a target is missed).
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { findPeers } from "./peers.mjs";
import { lineOf, proseOf, rowOf, tableHead } from "./report.mjs";
import { measure } from "./rounds.mjs";
import { workloads } from "./workloads.mjs";

/** @typedef {import("./rounds.mjs").Contender} Contender */

const { values } = parseArgs({
  options: {
    "json": { type: "boolean", default: false },
    "table": { type: "boolean", default: false },
    "small": { type: "boolean", default: false },
    "no-peers": { type: "boolean", default: false },
    "check": { type: "boolean", default: false },
    "only": { type: "string", multiple: true },
    "store": { type: "string", default: "sqlite" },
    "rounds": { type: "string" },
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

if (values.store !== "sqlite") refuse(`--store ${values.store}: only sqlite can be measured`);
const only = (values.only ?? []).flatMap((list) => list.split(","));
const unknown = only.filter((id) => !workloads.some((w) => w.id === id));
if (unknown.length > 0) refuse(`--only ${unknown.join(", ")}: the workloads are ${workloads.map((w) => w.id).join(", ")}`);
const rounds = values.rounds === undefined ? (values.small ? 1 : 5) : Number(values.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1) refuse("--rounds needs a whole number of at least 1");

// Five rounds of more than a second each; the code is warm before it is measured, Pawl's and the peer's alike.
const plan = { rounds, warmMs: values.small ? 0 : 1_000, forMs: values.small ? 200 : 1_100, small: values.small, dir: values.dir };
const peers = findPeers({ wanted: !values["no-peers"], install: !values.small, say });

if (values.table && !values.json) process.stdout.write(`${tableHead}\n`);
let missed = 0;
for (const workload of workloads) {
  if (only.length > 0 && !only.includes(workload.id)) continue;
  /** @type {Contender[]} */
  const contenders = [{ name: "pawl", role: "pawl", node: process.execPath }];
  if (workload.kind !== "memory") contenders.push({ name: "limit", role: "limit", node: process.execPath });
  if (workload.peers && peers !== undefined) {
    contenders.push({ name: "pawl on the peer's Node", role: "pawl", node: peers.node });
    contenders.push({ name: "openworkflow", role: "openworkflow", node: peers.node });
  }
  const line = lineOf(workload, await measure(workload, contenders, plan, say), !values.small);
  missed += (line.targets ?? []).filter((t) => !t.met).length;
  if (values.json) process.stdout.write(`${JSON.stringify(line)}\n`);
  else process.stdout.write(values.table ? `${rowOf(workload, line)}\n` : `${proseOf(workload, line)}\n\n`);
}
if (values.check && missed > 0) process.exitCode = 1;
