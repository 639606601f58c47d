// `npm run bench -- --suite http`: Pawl over HTTP. H1 starts runs and awaits them over 64 connections, beside W1 in the same process, beside
// peers behind the same route, and beside a route that does one durable commit; H2 is the latency on an idle server, beside W4; H3 is W1
// while 50 clients watch; H4 and H5 are a thousand followers; H6 is memory. `--small` does a little of each and judges nothing.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ours, peersOn } from "../report.mjs";
import { serverFor } from "../servers.mjs";
import { median, quantile, rounded } from "../stats.mjs";
import { latenciesOf, rateOf, readers } from "./load.mjs";
import { startRestate } from "./restate.mjs";

/** @typedef {import("../servers.mjs").Server} Server @typedef {import("../servers.mjs").Place} Place */
/** @typedef {import("../log.mjs").Line} Line @typedef {import("./served.mjs").ServedRole} ServedRole */
/** @typedef {{ small: boolean, rounds: number, peers: { node: string, newest: string } | undefined, only: readonly string[], dir: string, say: (text: string) => void }} HttpPlan */

const program = fileURLToPath(new URL("./served.mjs", import.meta.url));
const connections = 64;
export const httpIds = ["H1", "H2", "H3", "H4", "H5", "H6"];

/** @param {Place} place @param {ServedRole} role @param {string} [node] */
async function begin(place, role, node = process.execPath) {
  const child = spawn(node, [program, JSON.stringify({ role, url: place.url, dir: place.dir })], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the server ${role} ended by itself`);
      if (!value.startsWith("[restate]")) return JSON.parse(value); // what the SDK logs is no answer of ours
    }
  };
  const ended = new Promise((resolve) => child.once("close", resolve));
  const { port, residentMb } = await next();
  return {
    port: /** @type {number} */ (port),
    residentMb: /** @type {number} */ (residentMb),
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

let ids = 0;
/** @param {number} port @returns {import("./load.mjs").Target} */
const runsOf = (port) => ({
  port,
  path: "/v1/runs",
  headers: { prefer: "wait=30" },
  body: () => JSON.stringify({ workflow: "stepped", id: `h-${process.pid}-${++ids}` }),
});

/** @param {Server} server @param {HttpPlan} plan @param {(line: Line) => void} tell */
export async function measureHttp(server, plan, tell) {
  /** @param {Line} line @param {Line["targets"]} [targets] */
  const judge = (line, targets) => tell(plan.small || targets === undefined ? line : { ...line, targets });
  const wanted = (/** @type {string[]} */ ...ids) => plan.only.length === 0 || ids.some((id) => plan.only.includes(id));
  if (wanted("H1", "H6")) await rates(server, plan, judge);
  if (wanted("H2")) await latency(server, plan, judge);
  if (wanted("H3")) await watched(server, plan, judge);
  if (wanted("H4", "H5")) await followers(server, plan, judge);
}

/** @typedef {(line: Line, targets?: Line["targets"]) => void} HttpJudge */
/** @param {string} what @param {number} wanted @param {number} found @param {boolean} met */
const target = (what, wanted, found, met) => ({ what, wanted, found: rounded(found), met });

/** How many times as many runs as a peer. @type {Record<string, number>} */
const peerAims = { restate: 4, dbos: 3, openworkflow: 4 };

/** @param {HttpPlan} plan */
async function postgresFor({ dir, say }) {
  try {
    return await serverFor("postgres", dir);
  } catch (e) {
    say(`DBOS needs a Postgres, which does not start here: ${e instanceof Error ? e.message : String(e)}`);
    return undefined;
  }
}

/** @param {Server} server @param {HttpPlan} plan @param {HttpJudge} judge */
async function rates(server, plan, judge) {
  const ms = plan.small ? 300 : 2_000;
  /** @type {Map<string, number[]>} */
  const found = new Map();
  const note = (/** @type {string} */ name, /** @type {number} */ rate) => void found.set(name, [...(found.get(name) ?? []), rate]);
  /** @type {{ name: string, measure: () => Promise<number>, end: () => Promise<unknown> }[]} */
  const contenders = [];
  const places = [await server.fresh()];
  const all = await begin(/** @type {Place} */ (places[0]), "all");
  const idleMb = all.residentMb;
  contenders.push({ name: "in process", measure: () => all.ask({ w1: ms }), end: () => Promise.resolve() });
  contenders.push({ name: "http", measure: () => rateOf(runsOf(all.port), connections, ms), end: all.end });
  /** @param {ServedRole} role @param {Server} on @param {string} [node] @param {string} [name] */
  const join = async (role, on, node, name = role) => {
    const place = await on.fresh();
    places.push(place);
    const peer = await begin(place, role, node);
    contenders.push({ name, measure: () => rateOf(runsOf(peer.port), connections, ms), end: peer.end });
  };
  await join("hono", server);
  // A ratio to a peer is one of libraries, not of Nodes: Pawl is measured on the peers' Node, too.
  const onPeersNode = plan.peers !== undefined && plan.peers.newest !== process.execPath;
  if (onPeersNode) await join("all", server, plan.peers?.newest, ours.onPeersNode);
  for (const role of plan.peers === undefined ? [] : peersOn[server.store]) await join(role, server, plan.peers?.node);
  // DBOS has no SQLite: beside a file it has a Postgres of its own, which is what its users run.
  const postgres = plan.peers !== undefined && server.store === "sqlite" ? await postgresFor(plan) : undefined;
  if (postgres !== undefined) await join("dbos", postgres, plan.peers?.node);
  if (plan.peers !== undefined) {
    const place = await server.fresh();
    places.push(place);
    const service = await begin(place, "restate", plan.peers.newest); // its SDK needs Node 22
    try {
      const restate = await startRestate(place.dir, service.port);
      const at = { port: restate.port, path: "/stepped/run", body: () => "null" };
      contenders.push({
        name: "restate",
        measure: () => rateOf(at, connections, ms),
        end: async () => (await restate.stop(), await service.end()),
      });
    } catch (e) {
      plan.say(`Restate's server does not run here: ${e instanceof Error ? e.message : String(e)}`);
      await service.end();
    }
  }
  try {
    if (!plan.small) for (const c of contenders) await c.measure(); // warm
    for (let round = 0; round < plan.rounds; round++)
      for (const c of round % 2 === 0 ? contenders : [...contenders].reverse()) note(c.name, await c.measure());
  } finally {
    for (const c of contenders) await c.end();
    for (const place of places) await place.remove();
    await postgres?.stop();
  }
  const of = (/** @type {string} */ name) => median(found.get(name) ?? []);
  const ratio = of("http") / of("in process");
  const figures = Object.fromEntries([...found.keys()].map((name) => [`${name} runs/s`, rounded(of(name))]));
  /** @param {string} name */
  const timesOf = (name) => of(onPeersNode && name !== "hono" ? ours.onPeersNode : "http") / of(name);
  const others = [...found.keys()].filter((name) => !["http", "in process", ours.onPeersNode].includes(name));
  const times = Object.fromEntries(others.map((name) => [`times ${name}`, rounded(timesOf(name))]));
  const aims = Object.entries(peerAims).filter(([name]) => found.has(name));
  judge(
    {
      id: "H1",
      what: `start and result over ${connections} connections`,
      store: server.store,
      value: rounded(of("http")),
      unit: "runs/s",
      peers: Object.fromEntries(others.map((name) => [name, { value: rounded(of(name)), ratio: rounded(timesOf(name)) }])),
      figures: { ...figures, "of W1": rounded(ratio), ...times },
    },
    [
      target("of W1 in process", 0.4, ratio, ratio >= 0.4),
      ...aims.map(([name, aim]) => target(`times ${name}`, aim, timesOf(name), timesOf(name) >= aim)),
    ],
  );
  judge({ id: "H6", what: "memory of a server with its engine, idle", store: server.store, figures: { "MB resident": rounded(idleMb) } }, [
    target("MB resident", 120, idleMb, idleMb <= 120),
  ]);
}

/** @param {Server} server @param {HttpPlan} plan @param {HttpJudge} judge */
async function latency(server, plan, judge) {
  const times = plan.small ? 10 : 200;
  const place = await server.fresh();
  const all = await begin(place, "all");
  // Both ways warm alike: Node goes on compiling for thousands of steps.
  const warm = plan.small ? 5 : 1_500;
  await all.ask({ w1: plan.small ? 50 : 1_000 });
  await latenciesOf(runsOf(all.port), warm, 0);
  /** @type {number[]} */
  const inProcess = [];
  /** @type {number[]} */
  const overHttp = [];
  for (let round = 0; round < plan.rounds; round++) {
    inProcess.push(...(await all.ask({ w4: times / plan.rounds })));
    overHttp.push(...(await latenciesOf(runsOf(all.port), Math.ceil(times / plan.rounds), 20)));
  }
  await all.end();
  await place.remove();
  const apart = await server.fresh();
  const engine = await begin(apart, "engine");
  const api = await begin(apart, "api");
  await latenciesOf(runsOf(api.port), plan.small ? 2 : 50, 0);
  const elsewhere = await latenciesOf(runsOf(api.port), plan.small ? 5 : 100, 20);
  await api.end();
  await engine.end();
  await apart.remove();
  const added = median(overHttp) - median(inProcess);
  judge(
    {
      id: "H2",
      what: "latency of one run on an idle server",
      store: server.store,
      value: rounded(median(overHttp)),
      unit: "ms",
      figures: {
        "in process p50 ms": rounded(median(inProcess)),
        "http p50 ms": rounded(median(overHttp)),
        "http p99 ms": rounded(quantile(overHttp, 0.99)),
        "added p50 ms": rounded(added),
        "engine elsewhere p50 ms": rounded(median(elsewhere)),
      },
    },
    [target("ms added to W4 (p50)", 1, added, added <= 1)],
  );
}

/** @param {Server} server @param {HttpPlan} plan @param {HttpJudge} judge */
async function watched(server, plan, judge) {
  const ms = plan.small ? 300 : 2_000;
  const place = await server.fresh();
  const all = await begin(place, "all");
  if (!plan.small) await all.ask({ w1: ms });
  /** @type {number[]} */
  const alone = [];
  /** @type {number[]} */
  const with50 = [];
  for (let round = 0; round < plan.rounds; round++) {
    alone.push(await all.ask({ w1: ms }));
    const watching = await readers(
      all.port,
      Array.from({ length: plan.small ? 5 : 50 }, () => "/v1/changes"),
      50,
    );
    with50.push(await all.ask({ w1: ms }));
    watching.close();
  }
  await all.end();
  await place.remove();
  const ratio = median(with50) / median(alone);
  judge(
    {
      id: "H3",
      what: "W1 while 50 clients watch all runs",
      store: server.store,
      value: rounded(median(with50)),
      unit: "runs/s",
      figures: { "alone runs/s": rounded(median(alone)), "watched runs/s": rounded(median(with50)), ratio: rounded(ratio) },
    },
    [target("of W1 alone", 0.9, ratio, ratio >= 0.9)],
  );
}

/** How old events are when they arrive, during `ms`; a short look goes on until there was one. @param {Awaited<ReturnType<typeof readers>>} open @param {number} ms */
async function seenBy(open, ms) {
  open.forget();
  const from = performance.now();
  const wait = (/** @type {number} */ span) => new Promise((resolve) => setTimeout(resolve, span));
  await wait(ms);
  while (open.events() === 0 && performance.now() - from < 30_000) await wait(100);
  if (open.events() === 0) throw new Error("no event arrived at any follower within 30 seconds");
  const took = performance.now() - from;
  const [p50, p99] = [quantile(open.ages, 0.5), quantile(open.ages, 0.99)];
  return { p99, figures: { "events/s sent": rounded((open.events() / took) * 1_000), "p50 ms": rounded(p50), "p99 ms": rounded(p99) } };
}

/** @param {Server} server @param {HttpPlan} plan @param {HttpJudge} judge */
async function followers(server, plan, judge) {
  const count = plan.small ? 20 : 1_000;
  const ms = plan.small ? 500 : 5_000;
  /** @param {number} port @param {string} id @param {number} everyMs */
  const start = async (port, id, everyMs) => {
    const body = JSON.stringify({ workflow: "ticker", id, input: { everyMs, times: 1_000 } });
    const answer = await fetch(`http://127.0.0.1:${port}/v1/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { runId } = /** @type {{ runId: string }} */ (await answer.json());
    return runId;
  };
  const one = await server.fresh();
  const all = await begin(one, "all");
  await start(all.port, "t", 200);
  const before = await all.ask({ rss: true });
  const followersOfOne = await readers(
    all.port,
    Array.from({ length: count }, () => "/v1/runs/t/events"),
    100,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const seen = await seenBy(followersOfOne, ms);
  const after = await all.ask({ rss: true });
  followersOfOne.close();
  await all.end();
  await one.remove();
  judge(
    {
      id: "H4",
      what: `${count} followers of one run with 10 events a second`,
      store: server.store,
      figures: { ...seen.figures, "MB added": rounded(after - before) },
    },
    [target("ms from the commit to a follower (p99)", 250, seen.p99, seen.p99 <= 250)],
  );
  const many = await server.fresh();
  const engine = await begin(many, "engine");
  const api = await begin(many, "api");
  const runIds = [];
  for (let i = 0; i < count; i += 50)
    runIds.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - i) }, (_, j) => start(api.port, `t-${i + j}`, plan.small ? 100 : 2_000)),
      )),
    );
  const followersOfMany = await readers(
    api.port,
    runIds.map((id) => `/v1/runs/${id}/events`),
    100,
  );
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const ofMany = await seenBy(followersOfMany, ms);
  followersOfMany.close();
  await api.end();
  await engine.end();
  await many.remove();
  judge(
    { id: "H5", what: `a follower of each of ${count} runs, engine in another process`, store: server.store, figures: ofMany.figures },
    [target("ms from the commit to a follower (p99)", 500, ofMany.p99, ofMany.p99 <= 500)],
  );
}
