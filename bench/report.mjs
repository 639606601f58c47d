// From rounds to what is told: one value per workload in a fixed shape, as a line of JSON or as lines for people. Every
// ratio says how many times better Pawl is, for rates and for times alike: 0.7 of a limit is 0.7 of its speed. A ratio is the
// median of the rounds' own ratios: what was measured in turns is compared, and not what was measured minutes apart.
import { median, quantile, rounded, spread } from "./stats.mjs";

/** @typedef {import("./rounds.mjs").Round} Round @typedef {import("./workloads.mjs").Workload} Workload */
/** @typedef {{ version: string, node: string, setting: string, pawl: number, value: number, ratio: number, spread: number, reruns?: number }} PeerLine */
/**
 * @typedef {object} Line
 * @property {string} workload
 * @property {import("./workloads.mjs").StoreName} store
 * @property {number} value
 * @property {string} unit
 * @property {number} spread
 * @property {number | null} limit
 * @property {number | null} ratioToLimit
 * @property {number | null} raw commits of one small row per second
 * @property {number | null} rows rows per second at 100 rows per commit
 * @property {number | null} cpuUsPerStep of the engine's process, without the database
 * @property {number | null} databaseCpuUsPerStep of the server; in SQLite's case of the same rows written by hand
 * @property {number | null} processCpuUsPerStep of the engine's process as a whole
 * @property {Record<string, PeerLine>} peers
 * @property {number} [p99]
 * @property {number} [limitP99]
 * @property {number} [timesLimit]
 * @property {number} [flat]
 * @property {number} [resident]
 * @property {number} [one] with one process
 * @property {number} [ofOne]
 * @property {number} [plain] with steps that declare nothing
 * @property {number} [timesPlain] the cost of a step, against one of those
 * @property {number} [reruns] bodies that were run again, in the worst round
 * @property {number} [most] how often the same body was run, in the worst round
 * @property {string} node
 * @property {string} server
 * @property {number} rounds
 * @property {{ what: string, target: string, value: number, met: boolean }[]} [targets]
 */

/** The contenders that are no peers, by what they are called in a run. */
export const ours = {
  pawl: "pawl",
  limit: "limit",
  onPeersNode: "pawl on the peer's Node",
  one: "pawl in one process",
  plain: "pawl, undeclared steps",
};

/** @typedef {readonly (Round | undefined)[]} Rounds undefined where a contender took no part */

/** @param {Rounds | undefined} rounds */
const known = (rounds) => (rounds ?? []).filter((r) => r !== undefined);

/** @param {Workload} workload @param {Round} r */
function valueOf({ kind }, r) {
  if (kind === "latency") return median(r.latenciesMs);
  if (kind === "memory") return r.peakMb;
  return kind === "rate" ? r.rate : median(r.values);
}

/** One number per round. @param {Workload} workload @param {Rounds | undefined} rounds */
const perRound = (workload, rounds) => known(rounds).map((r) => valueOf(workload, r));

/** How many times as much the first is as the second, round by round. @param {Workload} workload @param {Rounds} of @param {Rounds} over */
function times(workload, of, over) {
  const both = of.flatMap((a, i) => {
    const b = over[i];
    return a === undefined || b === undefined ? [] : [valueOf(workload, a) / valueOf(workload, b)];
  });
  return median(both);
}

/** @param {readonly (number | null)[]} values */
function middle(values) {
  const known = values.filter((v) => v !== null);
  return known.length === 0 ? null : rounded(median(known));
}

/**
 * @param {Workload} workload
 * @param {import("./servers.mjs").Server} server
 * @param {ReadonlyMap<string, Rounds>} results
 * @param {boolean} judged
 * @returns {Line}
 */
export function lineOf(workload, server, results, judged) {
  const all = results.get(ours.pawl) ?? [];
  const byHand = results.get(ours.limit) ?? [];
  const alone = results.get(ours.one);
  const undeclared = results.get(ours.plain);
  const [own, hand] = [known(all), known(byHand)];
  const values = perRound(workload, all);
  const limit = workload.limit.includes(server.store) && hand.length > 0 ? median(perRound(workload, byHand)) : null;
  const steps = workload.kind === "rate" || workload.kind === "latency";
  /** @type {Line} */
  const line = {
    workload: workload.id,
    store: server.store,
    value: rounded(median(values)),
    unit: workload.unit,
    spread: rounded(spread(values)),
    limit: limit === null ? null : rounded(limit),
    ratioToLimit: limit === null ? null : rounded(better(workload, all, byHand)),
    raw: middle(hand.map((r) => r.raw)),
    rows: middle(hand.map((r) => r.rows)),
    ...(steps
      ? cpuOf(own, limit === null ? [] : hand, server.store)
      : { cpuUsPerStep: null, databaseCpuUsPerStep: null, processCpuUsPerStep: null }),
    peers: peersOf(workload, results),
    ...(workload.kind === "latency" ? { p99: p99(own), limitP99: p99(hand) } : {}),
    ...(workload.kind === "latency" && limit !== null ? { timesLimit: rounded(times(workload, all, byHand)) } : {}),
    ...(workload.steps > 1_000 && workload.kind === "rate" ? { flat: rounded(median(own.flatMap((r) => r.flat))) } : {}),
    ...(workload.kind === "memory" ? { resident: rounded(median(own.map((r) => r.residentMb))) } : {}),
    ...(workload.kind === "takeover" ? { reruns: worst(own, "reruns"), most: worst(own, "most") } : {}),
    ...(alone === undefined ? {} : { one: rounded(median(perRound(workload, alone))), ofOne: rounded(times(workload, all, alone)) }),
    ...(undeclared === undefined
      ? {}
      : { plain: rounded(median(perRound(workload, undeclared))), timesPlain: rounded(times(workload, undeclared, all)) }),
    node: String(own[0]?.about["node"]),
    server: server.about,
    rounds: own.length,
  };
  return judged ? { ...line, targets: judge(workload, line) } : line;
}

/** @param {Workload} workload @param {Rounds} pawl @param {Rounds} other */
const better = (workload, pawl, other) => (workload.kind === "rate" ? times(workload, pawl, other) : times(workload, other, pawl));

/**
 * SQLite works in the engine's process: its share is what the same rows cost by hand, and the rest is the engine's.
 * @param {readonly Round[]} own
 * @param {readonly Round[]} hand
 * @param {import("./workloads.mjs").StoreName} store
 */
function cpuOf(own, hand, store) {
  const whole = middle(own.map((r) => r.cpuUsPerStep));
  const embedded = store === "sqlite";
  const database = embedded ? middle(hand.map((r) => r.cpuUsPerStep)) : middle(own.map((r) => r.databaseCpuUsPerStep));
  const engine = embedded && whole !== null && database !== null ? rounded(whole - database) : whole;
  return { cpuUsPerStep: engine, databaseCpuUsPerStep: database, processCpuUsPerStep: whole };
}

/** @param {readonly Round[]} rounds @param {"reruns" | "most"} of */
function worst(rounds, of) {
  return Math.max(...rounds.map((r) => r[of] ?? 0));
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
 * @param {ReadonlyMap<string, Rounds>} results
 * @returns {Record<string, PeerLine>}
 */
function peersOf(workload, results) {
  const beside = results.get(ours.onPeersNode) ?? results.get(ours.pawl) ?? [];
  const pawl = median(perRound(workload, beside));
  /** @type {Record<string, PeerLine>} */
  const peers = {};
  for (const name of workload.peers) {
    const theirs = results.get(name);
    if (theirs === undefined) continue;
    const values = perRound(workload, theirs);
    const about = known(theirs)[0]?.about ?? {};
    peers[name] = {
      version: String(about["version"]),
      value: rounded(median(values)),
      ratio: rounded(better(workload, beside, theirs)),
      pawl: rounded(pawl),
      spread: rounded(spread(values)),
      node: String(about["node"]),
      setting: String(about["setting"]),
      ...(workload.kind === "takeover" ? { reruns: worst(known(theirs), "reruns") } : {}),
    };
  }
  return peers;
}

/**
 * @param {Workload} workload
 * @param {Line} line
 */
function judge(workload, line) {
  const found = {
    ratioToLimit: line.ratioToLimit,
    timesLimit: line.timesLimit,
    dbos: line.peers["dbos"]?.ratio,
    openworkflow: line.peers["openworkflow"]?.ratio,
    cpu: line.cpuUsPerStep,
    databaseCpu: line.databaseCpuUsPerStep,
    flat: line.flat,
    value: line.value,
    ofOne: line.ofOne,
    timesPlain: line.timesPlain,
    reruns: line.reruns,
    most: line.most,
  };
  return (workload.targets[line.store] ?? []).flatMap((t) => {
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
  if (l.one !== undefined) out.push(`    one process    ${number(l.one)} ${l.unit}  → ${l.ofOne} of it`);
  if (l.plain !== undefined) out.push(`    undeclared     ${number(l.plain)} ${l.unit}  → a step costs ${l.timesPlain} × that`);
  if (l.raw !== null) out.push(`    raw            ${number(l.raw)} commits/s of one row; ${number(l.rows ?? 0)} rows/s at 100 a commit`);
  if (l.cpuUsPerStep !== null) out.push(`    CPU            ${number(l.cpuUsPerStep)} µs per step in the engine`);
  if (l.databaseCpuUsPerStep !== null) out.push(`                   ${number(l.databaseCpuUsPerStep)} µs per step in the database`);
  if (l.reruns !== undefined) out.push(`    bodies         ${l.reruns} run again, none more than ${l.most} times`);
  if (l.flat !== undefined) out.push(`    flat           the last 1,000 steps cost ${l.flat} × the first`);
  if (l.resident !== undefined) out.push(`    at the end     ${number(l.resident)} MB resident`);
  for (const [name, p] of Object.entries(l.peers)) {
    out.push(
      `    ${name.padEnd(14)} ${number(p.value)} ${l.unit}  ± ${Math.round(p.spread * 100)} %  → pawl ${number(p.pawl)}, ${p.ratio} × better` +
        `  (${p.version}, Node ${p.node}, ${p.setting}${p.reruns === undefined ? "" : `; ${p.reruns} bodies run again`})`,
    );
  }
  for (const t of l.targets ?? []) out.push(`    ${t.met ? "met   " : "MISSED"}         ${t.what}: ${t.value}, target ${t.target}`);
  return out.join("\n");
}

const peerNames = { dbos: "DBOS", openworkflow: "OpenWorkflow" };

/**
 * The head of a table for docs/performance.md: peers that do not know the store have no column.
 * @param {import("./workloads.mjs").StoreName} store
 */
export function tableHead(store) {
  const names = ["workload", "Pawl", "of the limit", "raw", "CPU per step", ...peersOn[store].map((p) => peerNames[p]), "targets"];
  return `| ${names.join(" | ")} |\n|${names.map(() => "---").join("|")}|`;
}

/** @type {Record<import("./workloads.mjs").StoreName, readonly ("dbos" | "openworkflow")[]>} */
export const peersOn = { sqlite: ["openworkflow"], postgres: ["dbos", "openworkflow"], mysql: [] };

/**
 * A row of it.
 * @param {Workload} workload
 * @param {Line} l
 */
export function rowOf(workload, l) {
  const database = l.databaseCpuUsPerStep === null ? "" : ` + ${number(l.databaseCpuUsPerStep)} µs in the database`;
  const told = [`${number(l.value)} ${l.unit} ± ${Math.round(l.spread * 100)} %`];
  if (l.p99 !== undefined) told.push(`p99 ${number(l.p99)} ms`);
  if (l.timesPlain !== undefined) told.push(`${l.timesPlain} × the cost of an undeclared step`);
  if (l.ofOne !== undefined) told.push(`${l.ofOne} of one process`);
  if (l.reruns !== undefined) told.push(`${l.reruns} bodies run again`);
  const cells = [
    `**${l.workload}** ${workload.about}`,
    told.join(", "),
    l.limit === null ? "" : `${l.ratioToLimit} of ${number(l.limit)} ${l.unit}`,
    l.raw === null ? "" : `${number(l.raw)}/s; ${number(l.rows ?? 0)} rows/s`,
    l.cpuUsPerStep === null ? "" : `${number(l.cpuUsPerStep)} µs${database}`,
    ...peersOn[l.store].map((name) => {
      const p = l.peers[name];
      return p === undefined ? "" : `${number(p.value)} ${l.unit} ± ${Math.round(p.spread * 100)} %; Pawl ${number(p.pawl)}: ${p.ratio} ×`;
    }),
    (l.targets ?? []).map((t) => `${t.what} ${t.target}: ${t.value}${t.met ? "" : " (missed)"}`).join("; "),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** @param {number} n */
function number(n) {
  return n.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}
