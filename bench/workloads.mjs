// The workloads, as data: what is run, in which unit it is told, what it is compared with, and what it must reach. The
// one place where a size or a target is written down; it measures nothing itself.

/** @typedef {"pawl" | "limit" | "openworkflow"} Role */
/**
 * @typedef {object} Workload
 * @property {string} id
 * @property {string} about
 * @property {string} unit
 * @property {"rate" | "latency" | "memory"} kind
 * @property {number} runs started together; for latency: ignored
 * @property {number} steps per run
 * @property {boolean} limit there is a loop by hand to compare with
 * @property {boolean} peers the peer can do it
 * @property {Target[]} targets
 * @property {number} [smallRuns] with --small
 */
/** @typedef {{ what: string, of: "ratioToLimit" | "timesLimit" | "peer" | "cpu" | "flat" | "value", atLeast?: number, atMost?: number }} Target */

/** @type {readonly Workload[]} */
export const workloads = [
  {
    id: "W1",
    about: "1,000 runs of 1 step, started together",
    unit: "runs/s",
    kind: "rate",
    runs: 1_000,
    steps: 1,
    limit: false,
    peers: true,
    targets: [{ what: "times OpenWorkflow", of: "peer", atLeast: 10 }],
  },
  {
    id: "W2",
    about: "200 runs of 10 steps, started together",
    unit: "steps/s",
    kind: "rate",
    runs: 200,
    steps: 10,
    limit: false,
    peers: true,
    targets: [
      { what: "times OpenWorkflow", of: "peer", atLeast: 10 },
      { what: "µs of CPU per step", of: "cpu", atMost: 100 },
    ],
  },
  {
    id: "W3",
    about: "one run of 1,000 steps",
    unit: "steps/s",
    kind: "rate",
    runs: 1,
    steps: 1_000,
    limit: true,
    peers: true,
    targets: [{ what: "of the limit", of: "ratioToLimit", atLeast: 0.65 }],
  },
  {
    id: "W3-5000",
    about: "one run of 5,000 steps: the cost of a step must not grow",
    unit: "steps/s",
    kind: "rate",
    runs: 1,
    steps: 5_000,
    limit: true,
    peers: false, // OpenWorkflow ends a run at 1,000 steps
    targets: [{ what: "cost of the last 1,000 steps over the first", of: "flat", atMost: 1.2 }],
  },
  {
    id: "W4",
    about: "latency of one run of 1 step on an idle engine",
    unit: "ms",
    kind: "latency",
    runs: 1,
    steps: 1,
    limit: true,
    peers: true,
    targets: [{ what: "times the limit (p50)", of: "timesLimit", atMost: 1.6 }],
  },
  {
    id: "M-steps",
    about: "memory of one run of 5,000 steps",
    unit: "MB",
    kind: "memory",
    runs: 1,
    steps: 5_000,
    limit: false,
    peers: false,
    targets: [{ what: "MB resident at the peak", of: "value", atMost: 300 }],
  },
  {
    id: "M-sleep",
    about: "memory of one engine with 100,000 sleeping runs",
    unit: "MB",
    kind: "memory",
    runs: 100_000,
    steps: 0,
    limit: false,
    peers: false,
    targets: [{ what: "MB resident at the peak", of: "value", atMost: 300 }],
    smallRuns: 5_000,
  },
];

/** Runs started together beyond this many are started as earlier ones are under way. */
export const startsInFlight = 256;
/** Between two samples of a latency the engine is left alone for this long. */
export const idleGapMs = 5;
