// `npm run bench -- --suite graph`: supersteps per second beside LangGraph JS, bytes of a list that grows, the first step after a restart, and a superstep
// beside a plain step. Every figure is of processes of their own in one run, one contender after the other, round by round.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** @typedef {import("../servers.mjs").Server} Server */
/** @typedef {{ id: string, store: string, what: string, figures: Record<string, number>, targets?: { name: string, met: boolean }[], notes?: string }} GraphLine */
export const graphIds = ["G1", "G2", "G3", "G4"];

const here = fileURLToPath(new URL(".", import.meta.url));
const hasPeer = existsSync(`${here}../agents/node_modules/@langchain/langgraph`);

/** @param {string} program @param {Record<string, unknown>} order @returns {any} */
function ask(program, order) {
  const { stdout, status, stderr } = spawnSync(process.execPath, [`${here}${program}.mjs`, JSON.stringify(order)], {
    encoding: "utf8",
    timeout: 120_000,
  });
  const line = stdout.split("\n").find((l) => l.startsWith("{"));
  if (status !== 0 || line === undefined) throw new Error(`${program} failed: ${stderr.slice(-500)}`);
  return JSON.parse(line);
}
/** @param {number[]} list */
const middle = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
/** @param {string} url */
const bytesOf = (url) => ["", "-wal"].reduce((n, end) => n + (existsSync(`${url}${end}`) ? statSync(`${url}${end}`).size : 0), 0);

/** @param {Server} server @param {{ small: boolean, rounds: number, only: readonly string[], say: (text: string) => void, peers: boolean }} o @param {(line: GraphLine) => void} out */
export async function measureGraph(server, o, out) {
  const wanted = (/** @type {string} */ id) => o.only.length === 0 || o.only.includes(id);
  const peer = o.peers && hasPeer;
  if (o.peers && !hasPeer) o.say("LangGraph is not installed (npm install in bench/agents): Pawl alone.");
  const store = server.store;
  const size = o.small ? { one: 30, many: 2, each: 5 } : { one: 300, many: 100, each: 20 };
  /** @param {string} program @param {Record<string, unknown>} order */
  const once = async (program, order) => {
    const place = await server.fresh();
    try {
      return {
        ...ask(program, { ...order, url: place.url }),
        bytes: store === "sqlite" ? bytesOf(`${place.url.slice(7)}${program === "langgraph" ? ".lg" : ""}`) : 0,
      };
    } finally {
      await place.remove();
    }
  };
  if (wanted("G1"))
    for (const [name, threads, supersteps, least] of /** @type {const} */ ([
      ["one thread", 1, size.one, store === "sqlite" ? 1.5 : 2],
      ["100 threads", size.many, size.each, 4],
    ])) {
      /** @type {Record<string, number[]>} */
      const got = { pawl: [] };
      let about = "";
      for (let i = 0; i < o.rounds; i++) {
        got["pawl"]?.push((await once("pawl", { what: "loop", threads, supersteps })).perSecond);
        for (const full of peer ? (store === "sqlite" ? [true, false] : [true]) : []) {
          const answer = await once("langgraph", { what: "loop", threads, supersteps, full });
          about = answer.about;
          (got[full ? "langgraph" : "langgraph, its own setting"] ??= []).push(answer.perSecond);
        }
      }
      const figures = Object.fromEntries(Object.entries(got).map(([n, list]) => [`${n} supersteps/s`, middle(list)]));
      const ratio = middle(got["pawl"] ?? []) / middle(got["langgraph"] ?? []);
      out({
        id: "G1",
        store,
        what: `supersteps, ${name}`,
        figures: peer ? { ...figures, ratio } : figures,
        ...(peer && !o.small ? { targets: [{ name: `at least ${least} times as many`, met: ratio >= least }] } : {}),
        notes: `Pawl: ${server.about}; LangGraph's own setting: ${about}`,
      });
    }
  if (wanted("G2") && store === "sqlite") {
    /** @param {string} program */
    const grown = async (program) => {
      const at = new Map();
      for (const n of [1, 50, 150, 200]) at.set(n, (await once(program, { what: "list", threads: 1, supersteps: n, full: true })).bytes);
      return { first: (at.get(50) - at.get(1)) / 49, last: (at.get(200) - at.get(150)) / 50 };
    };
    const own = await grown("pawl");
    const other = peer ? await grown("langgraph") : undefined;
    out({
      id: "G2",
      store,
      what: "bytes stored per superstep, a list of messages of 200 characters, to 200 messages",
      figures: {
        "first 50": own.first,
        "last 50": own.last,
        "last over first": own.last / own.first,
        ...(other === undefined ? {} : { "langgraph last 50": other.last, "share of langgraph": own.last / other.last }),
      },
      targets: [
        { name: "last over first at most 1.15", met: own.last / own.first <= 1.15 },
        ...(other === undefined ? [] : [{ name: "at most 0.15 of LangGraph's", met: own.last / other.last <= 0.15 }]),
      ],
    });
  }
  if (wanted("G3")) {
    /** @param {number} supersteps */
    const restart = async (supersteps) => {
      const times = [];
      for (let i = 0; i < o.rounds; i++) {
        const place = await server.fresh();
        try {
          ask("pawl", { what: "wait", threads: 1, supersteps, url: place.url });
          times.push(ask("restart", { url: place.url }).ms);
        } finally {
          await place.remove();
        }
      }
      return middle(times);
    };
    const [near, far] = [await restart(10), await restart(o.small ? 50 : 1_000)];
    out({
      id: "G3",
      store,
      what: "opening the store to the first step of a graph that waits at a superstep, ms",
      figures: { "at superstep 10": near, "at superstep 1,000": far, ratio: far / near },
      ...(o.small ? {} : { targets: [{ name: "at most 3 times", met: far / near <= 3 }] }),
    });
  }
  if (wanted("G4")) {
    const [graphs, steps] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
    for (let i = 0; i < o.rounds; i++) {
      graphs.push((await once("pawl", { what: "loop", threads: 1, supersteps: size.one })).perSecond);
      steps.push((await once("pawl", { what: "plain", threads: 1, supersteps: size.one })).perSecond);
    }
    const ratio = middle(steps) / middle(graphs);
    out({
      id: "G4",
      store,
      what: "a superstep over a plain step, one run",
      figures: { "supersteps/s": middle(graphs), "plain steps/s": middle(steps), ratio },
      ...(o.small ? {} : { targets: [{ name: "at most 1.6 times", met: ratio <= 1.6 }] }),
    });
  }
}

/** @param {GraphLine} l */
export function graphProse(l) {
  const figures = Object.entries(l.figures).map(([name, n]) => `${name} ${n >= 100 ? Math.round(n) : n.toFixed(2)}`);
  const targets = (l.targets ?? []).map((t) => `${t.met ? "met" : "MISSED"}: ${t.name}`);
  return `${l.id} ${l.what}: ${[...figures, ...targets].join("; ")}${l.notes === undefined ? "" : ` (${l.notes})`}`;
}
