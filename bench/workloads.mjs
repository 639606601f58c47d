// The workloads, as data: what is run on which store, in which unit it is told, what it is compared with, and what it must
// reach. The one place where a size or a target is written down; it measures nothing itself.
import { availableParallelism } from "node:os";

/** @typedef {typeof storeNames[number]} StoreName */
/** @typedef {"pawl" | "limit" | "dbos" | "openworkflow"} Role */
/** @typedef {"ratioToLimit" | "timesLimit" | "dbos" | "openworkflow" | "cpu" | "databaseCpu" | "flat" | "value" | "ofOne" | "timesPlain" | "reruns" | "most"} Measure */
/** @typedef {{ what: string, of: Measure, atLeast?: number, atMost?: number }} Target */
/**
 * @typedef {object} Workload
 * @property {string} id
 * @property {string} about
 * @property {string} unit
 * @property {"rate" | "latency" | "memory" | "takeover" | "claim"} kind
 * @property {number} runs started together; for latency: ignored
 * @property {number} steps per run
 * @property {readonly StoreName[]} limit where there is a loop by hand to compare with
 * @property {readonly ("dbos" | "openworkflow")[]} peers those that can do it, where they know the store
 * @property {Partial<Record<StoreName, readonly Target[]>>} targets the stores it is run on, and what it must reach there
 * @property {number} [smallRuns] with --small
 * @property {number} [processes] at work at once; compared with one
 * @property {"keyed" | "verified"} [declared] what its steps say of themselves; compared with steps that say nothing
 * @property {boolean} [unnamed] runs without an id of their own, by `run`: the shortcut; the others are started with an id, and awaited
 */

export const storeNames = /** @type {const} */ (["sqlite", "postgres", "mysql"]);

/** @param {"dbos" | "openworkflow"} of @param {number} atLeast @returns {Target} */
const times = (of, atLeast) => ({ what: `times ${of === "dbos" ? "DBOS" : "OpenWorkflow"}`, of, atLeast });
/** @param {number} atLeast @returns {Target} */
const ofLimit = (atLeast) => ({ what: "of the limit", of: "ratioToLimit", atLeast });
/** @param {number} atMost @returns {Target} */
const cpu = (atMost) => ({ what: "µs of the engine's CPU per step", of: "cpu", atMost });
/** @type {Target} */
const flat = { what: "cost of the last 1,000 steps over the first", of: "flat", atMost: 1.2 };
/** @type {Target} */
const memory = { what: "MB resident at the peak", of: "value", atMost: 300 };
/** A second process must not slow the first down where both share two cores, and help where there are four. @type {Target} */
const shared = { what: "of one process", of: "ofOne", atLeast: availableParallelism() >= 4 ? 1.3 : 0.95 };
/** The record of a declared effect rides in the same Commit: it may cost, but not a Commit of its own. @type {Target} */
const declared = { what: "times the cost of an undeclared step", of: "timesPlain", atMost: 1.5 };
/** Only the step that was under way may run again, and only once more. @type {readonly Target[]} */
const guarantee = [
  { what: "bodies run again", of: "reruns", atMost: 200 },
  { what: "runs of one body", of: "most", atMost: 2 },
];
/** @type {Target} */
const claim = { what: "times the cost on an empty store", of: "value", atMost: 2 };

/** @type {readonly Workload[]} */
export const workloads = [
  {
    id: "W1",
    about: "1,000 runs of 1 step, each started with an id and awaited, together",
    unit: "runs/s",
    kind: "rate",
    runs: 1_000,
    steps: 1,
    limit: ["sqlite"],
    peers: ["dbos", "openworkflow"],
    targets: { sqlite: [times("openworkflow", 10)], postgres: [times("dbos", 8)], mysql: [] },
  },
  {
    id: "W2",
    about: "200 runs of 10 steps, each started with an id and awaited, together",
    unit: "steps/s",
    kind: "rate",
    runs: 200,
    steps: 10,
    limit: ["sqlite"],
    peers: ["dbos", "openworkflow"],
    targets: {
      sqlite: [times("openworkflow", 10), cpu(100)],
      postgres: [times("dbos", 8), cpu(120), { what: "µs of the database's CPU per step", of: "databaseCpu", atMost: 150 }],
      mysql: [],
    },
  },
  {
    id: "W3",
    about: "one run of 1,000 steps",
    unit: "steps/s",
    kind: "rate",
    runs: 1,
    steps: 1_000,
    limit: storeNames,
    peers: ["dbos", "openworkflow"],
    targets: { sqlite: [ofLimit(0.65)], postgres: [times("dbos", 4), ofLimit(0.65)], mysql: [ofLimit(0.6)] },
  },
  ...["W1", "W2", "W4"].map(unnamed),
  ...declaredSteps("keyed"),
  ...declaredSteps("verified"),
  {
    id: "W3-5000",
    about: "one run of 5,000 steps: the cost of a step must not grow",
    unit: "steps/s",
    kind: "rate",
    runs: 1,
    steps: 5_000,
    limit: storeNames,
    peers: [], // OpenWorkflow ends a run at 1,000 steps
    targets: { sqlite: [flat], postgres: [flat], mysql: [flat] },
  },
  {
    id: "W4",
    about: "latency of one run of 1 step on an idle engine, started with an id and awaited",
    unit: "ms",
    kind: "latency",
    runs: 1,
    steps: 1,
    limit: storeNames,
    peers: ["dbos", "openworkflow"],
    targets: { sqlite: [{ what: "times the limit (p50)", of: "timesLimit", atMost: 1.6 }], postgres: [times("dbos", 2.5)], mysql: [] },
  },
  {
    id: "W5",
    about: "a process killed with 200 runs at step 5 of 10: from the kill until all have ended elsewhere",
    unit: "s",
    kind: "takeover",
    runs: 200,
    steps: 10,
    limit: [],
    peers: ["dbos", "openworkflow"],
    targets: { postgres: [times("dbos", 2), ...guarantee], mysql: guarantee },
    smallRuns: 40,
  },
  {
    id: "W6-W1",
    about: "W1 in two processes at once, added up",
    unit: "runs/s",
    kind: "rate",
    runs: 1_000,
    steps: 1,
    limit: [],
    peers: [],
    processes: 2,
    targets: { postgres: [shared], mysql: [] },
  },
  {
    id: "W6-W2",
    about: "W2 in two processes at once, added up",
    unit: "steps/s",
    kind: "rate",
    runs: 200,
    steps: 10,
    limit: [],
    peers: [],
    processes: 2,
    targets: { postgres: [shared], mysql: [] },
  },
  {
    id: "claim-1M",
    about: "a claim beside a million ended and 100,000 sleeping runs",
    unit: "× empty",
    kind: "claim",
    runs: 1_000_000,
    steps: 0,
    limit: [],
    peers: [],
    targets: { postgres: [claim], mysql: [claim] },
    smallRuns: 20_000,
  },
  {
    id: "M-steps",
    about: "memory of one run of 5,000 steps",
    unit: "MB",
    kind: "memory",
    runs: 1,
    steps: 5_000,
    limit: [],
    peers: [],
    targets: { sqlite: [memory] },
  },
  {
    id: "M-sleep",
    about: "memory of one engine with 100,000 sleeping runs",
    unit: "MB",
    kind: "memory",
    runs: 100_000,
    steps: 0,
    limit: [],
    peers: [],
    targets: { sqlite: [memory] },
    smallRuns: 5_000,
  },
];

/**
 * The shortcut beside the usual way: `run` without an id. Shown, not judged.
 * @param {string} id
 * @returns {Workload}
 */
function unnamed(id) {
  const sizes = { W1: { runs: 1_000, steps: 1 }, W2: { runs: 200, steps: 10 }, W4: { runs: 1, steps: 1 } }[id];
  if (sizes === undefined) throw new Error(`no workload ${id}`);
  const kind = /** @type {Workload["kind"]} */ (id === "W4" ? "latency" : "rate");
  const unit = { W1: "runs/s", W2: "steps/s", W4: "ms" }[id] ?? "";
  const about = `${id} by the shortcut: run() without an id`;
  return {
    id: `${id}-run`,
    about,
    unit,
    kind,
    ...sizes,
    limit: [],
    peers: [],
    targets: { sqlite: [], postgres: [], mysql: [] },
    unnamed: true,
  };
}

/** @param {"keyed" | "verified"} kind @returns {Workload[]} */
function declaredSteps(kind) {
  const common = { unit: "steps/s", kind: /** @type {const} */ ("rate"), limit: [], peers: [], declared: kind };
  const targets = { sqlite: [declared], postgres: [declared] };
  const how = kind === "keyed" ? "a key that the receiver honours" : "a verify hook";
  return [
    { ...common, id: `W2-${kind}`, about: `W2, every step with ${how}`, runs: 200, steps: 10, targets },
    { ...common, id: `W3-${kind}`, about: `W3, every step with ${how}`, runs: 1, steps: 1_000, targets },
  ];
}

/** Runs started together beyond this many are started as earlier ones are under way. */
export const startsInFlight = 256;
/** Between two samples of a latency the engine is left alone for this long. */
export const idleGapMs = 5;
/** W5: the step in whose body the process is killed, counted from 0. */
export const fatalStep = 4;
/** W5: a survivor is up for this long before the kill; nobody is declared dead by an engine that has just come up itself. */
export const settledMs = 2_500;
