// From rounds to what is told: one value per workload in a fixed shape, as a line of JSON or as lines for people. Every
// ratio says how many times better Pawl is, for rates and for times alike: 0.7 of a limit is 0.7 of its speed.
import { median, quantile, rounded, spread } from "./stats.mjs";

/** @typedef {import("./child.mjs").Round} Round @typedef {import("./workloads.mjs").Workload} Workload */
/** @typedef {{ version: string, node: string, synchronous: string, concurrency: number, pawl: number, value: number, ratio: number, spread: number }} PeerLine */
/**
 * @typedef {object} Line
 * @property {string} workload
 * @property {string} store
 * @property {number} value
 * @property {string} unit
 * @property {number} spread
 * @property {number | null} limit
 * @property {number | null} ratioToLimit
 * @property {number | null} raw
 * @property {number | null} cpuUsPerStep
 * @property {Record<string, PeerLine>} peers
 * @property {number} [p99]
 * @property {number} [limitP99]
 * @property {number} [timesLimit]
 * @property {number} [flat]
 * @property {number} [resident]
 * @property {string} node
 * @property {number} rounds
 * @property {{ what: string, target: string, value: number, met: boolean }[]} [targets]
 */

/**
 * One number per round.
 * @param {Workload} workload
 * @param {readonly Round[]} rounds
 */
function perRound(workload, rounds) {
  if (workload.kind === "latency") return rounds.map((r) => median(r.latenciesMs));
  return rounds.map((r) => (workload.kind === "memory" ? r.peakMb : r.rate));
}

/**
 * @param {Workload} workload
 * @param {ReadonlyMap<string, readonly Round[]>} results
 * @param {boolean} judged
 * @returns {Line}
 */
export function lineOf(workload, results, judged) {
  const own = results.get("pawl") ?? [];
  const hand = results.get("limit") ?? [];
  const values = perRound(workload, own);
  const value = median(values);
  const limit = workload.limit && hand.length > 0 ? median(perRound(workload, hand)) : null;
  const better = workload.kind === "rate" ? 1 : -1;
  /** @param {number} a @param {number} b */
  const ratio = (a, b) => rounded(better === 1 ? a / b : b / a);
  const raws = hand.flatMap((r) => r.raw ?? []);
  /** @type {Line} */
  const line = {
    workload: workload.id,
    store: "sqlite",
    value: rounded(value),
    unit: workload.unit,
    spread: rounded(spread(values)),
    limit: limit === null ? null : rounded(limit),
    ratioToLimit: limit === null ? null : ratio(value, limit),
    raw: raws.length === 0 ? null : rounded(median(raws)),
    cpuUsPerStep: workload.kind === "memory" ? null : rounded(median(own.map((r) => r.cpuUsPerStep))),
    peers: peersOf(workload, results, ratio),
    ...(workload.kind === "latency" ? { p99: p99(own), limitP99: p99(hand) } : {}),
    ...(workload.kind === "latency" && limit !== null ? { timesLimit: rounded(value / limit) } : {}),
    ...(workload.steps > 1_000 && workload.kind === "rate" ? { flat: rounded(median(own.flatMap((r) => r.flat))) } : {}),
    ...(workload.kind === "memory" ? { resident: rounded(median(own.map((r) => r.residentMb))) } : {}),
    node: String(own[0]?.about["node"]),
    rounds: own.length,
  };
  return judged ? { ...line, targets: judge(workload, line) } : line;
}

/** @param {readonly Round[]} rounds */
function p99(rounds) {
  return rounded(
    quantile(
      rounds.flatMap((r) => r.latenciesMs),
      0.99,
    ),
  );
}

/**
 * @param {Workload} workload
 * @param {ReadonlyMap<string, readonly Round[]>} results
 * @param {(a: number, b: number) => number} ratio
 * @returns {Record<string, PeerLine>}
 */
function peersOf(workload, results, ratio) {
  const theirs = results.get("openworkflow");
  const ours = results.get("pawl on the peer's Node");
  if (theirs === undefined || ours === undefined) return {};
  const values = perRound(workload, theirs);
  const about = theirs[0]?.about ?? {};
  const pawl = median(perRound(workload, ours));
  return {
    openworkflow: {
      version: String(about["version"]),
      value: rounded(median(values)),
      ratio: ratio(pawl, median(values)),
      pawl: rounded(pawl),
      spread: rounded(spread(values)),
      node: String(about["node"]),
      synchronous: String(about["synchronous"]),
      concurrency: Number(about["concurrency"]),
    },
  };
}

/**
 * @param {Workload} workload
 * @param {Line} line
 */
function judge(workload, line) {
  const found = {
    ratioToLimit: line.ratioToLimit,
    timesLimit: line.timesLimit,
    peer: line.peers["openworkflow"]?.ratio,
    cpu: line.cpuUsPerStep,
    flat: line.flat,
    value: line.value,
  };
  return workload.targets.flatMap((t) => {
    const value = found[t.of];
    if (value === undefined || value === null) return [];
    const met = value >= (t.atLeast ?? Number.NEGATIVE_INFINITY) && value <= (t.atMost ?? Number.POSITIVE_INFINITY);
    return [{ what: t.what, target: t.atLeast === undefined ? `≤ ${t.atMost}` : `≥ ${t.atLeast}`, value, met }];
  });
}

/**
 * @param {Workload} workload
 * @param {Line} l
 * @returns {string}
 */
export function proseOf(workload, l) {
  const out = [
    `${l.workload}  ${workload.about}`,
    `    pawl           ${number(l.value)} ${l.unit}  ± ${Math.round(l.spread * 100)} %  (Node ${l.node})`,
  ];
  if (l.p99 !== undefined) out.push(`                   p99 ${number(l.p99)} ms`);
  if (l.limit !== null) out.push(`    limit          ${number(l.limit)} ${l.unit}  → ${l.ratioToLimit} of it`);
  if (l.limitP99 !== undefined && l.limit !== null) out.push(`                   p99 ${number(l.limitP99)} ms`);
  if (l.raw !== null) out.push(`    raw            ${number(l.raw)} commits/s of one row`);
  if (l.cpuUsPerStep !== null) out.push(`    CPU            ${number(l.cpuUsPerStep)} µs per step, all of the process`);
  if (l.flat !== undefined) out.push(`    flat           the last 1,000 steps cost ${l.flat} × the first`);
  if (l.resident !== undefined) out.push(`    at the end     ${number(l.resident)} MB resident`);
  for (const [name, p] of Object.entries(l.peers)) {
    out.push(
      `    ${name.padEnd(14)} ${number(p.value)} ${l.unit}  ± ${Math.round(p.spread * 100)} %  → pawl ${number(p.pawl)}, ${p.ratio} × better` +
        `  (${p.version}, Node ${p.node}, synchronous=${p.synchronous}, ${p.concurrency} at once)`,
    );
  }
  for (const t of l.targets ?? []) out.push(`    ${t.met ? "met   " : "MISSED"}         ${t.what}: ${t.value}, target ${t.target}`);
  return out.join("\n");
}

export const tableHead = "| workload | Pawl | of the limit | raw | CPU per step | OpenWorkflow | targets |\n|---|---|---|---|---|---|---|";

/**
 * A row for docs/performance.md.
 * @param {Workload} workload
 * @param {Line} l
 */
export function rowOf(workload, l) {
  const peer = l.peers["openworkflow"];
  const limit = l.limit === null ? "" : `${l.ratioToLimit} of ${number(l.limit)} ${l.unit}`;
  return `| ${[
    `**${l.workload}** ${workload.about}`,
    `${number(l.value)} ${l.unit} ± ${Math.round(l.spread * 100)} %${l.p99 === undefined ? "" : `, p99 ${number(l.p99)} ms`}`,
    limit,
    l.raw === null ? "" : `${number(l.raw)}/s`,
    l.cpuUsPerStep === null ? "" : `${number(l.cpuUsPerStep)} µs`,
    peer === undefined
      ? ""
      : `${number(peer.value)} ${l.unit} ± ${Math.round(peer.spread * 100)} %; Pawl ${number(peer.pawl)}: ${peer.ratio} ×`,
    (l.targets ?? []).map((t) => `${t.what} ${t.target}: ${t.value}${t.met ? "" : " (missed)"}`).join("; "),
  ].join(" | ")} |`;
}

/** @param {number} n */
function number(n) {
  return n.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}
