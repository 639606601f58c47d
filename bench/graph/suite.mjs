// `npm run bench -- --suite graph`: supersteps per second beside LangGraph JS, bytes of a list that grows, the first step after a restart, and a superstep
// beside a plain step. Every figure is of processes of their own in one run, one contender after the other, round by round.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findLangGraph } from "../peers.mjs";

/** @typedef {import("../servers.mjs").Server} Server */
/** @typedef {{ id: string, store: string, what: string, value?: number, unit?: string, peers?: Record<string, import("../log.mjs").PeerFigure>, figures: Record<string, number>, targets?: { name: string, met: boolean }[], notes?: string }} GraphLine */
export const graphIds = ["G1", "G2", "G3", "G4"];

const here = fileURLToPath(new URL(".", import.meta.url));

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
const fileBytes = (url) => ["", "-wal"].reduce((n, end) => n + (existsSync(`${url}${end}`) ? statSync(`${url}${end}`).size : 0), 0);
/** All tables and indexes of a Postgres database that are not its own. */
const tableBytes =
  "select coalesce(sum(pg_total_relation_size(c.oid)), 0) from pg_class c join pg_namespace n on n.oid = c.relnamespace " +
  "where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')";

/** @param {Server} server @param {{ small: boolean, rounds: number, only: readonly string[], say: (text: string) => void, peers: boolean }} o @param {(line: GraphLine) => void} out */
export async function measureGraph(server, o, out) {
  const wanted = (/** @type {string} */ id) => o.only.length === 0 || o.only.includes(id);
  const peer = o.peers && findLangGraph({ install: !o.small, say: o.say });
  const store = server.store;
  const size = o.small ? { one: 30, many: 2, each: 5 } : { one: 300, many: 100, each: 20 };
  /** @param {string} program @param {Record<string, unknown>} order @param {boolean} [sized] */
  const once = async (program, order, sized = false) => {
    const place = await server.fresh();
    try {
      const answer = ask(program, { ...order, url: place.url });
      if (!sized) return answer;
      const file = `${place.url.slice("sqlite:".length)}${program === "langgraph" ? ".lg" : ""}`;
      return { ...answer, bytes: store === "sqlite" ? fileBytes(file) : await place.count(tableBytes) };
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
        value: middle(got["pawl"] ?? []),
        unit: "supersteps/s",
        ...(peer ? { peers: { langgraph: { value: middle(got["langgraph"] ?? []), ratio } } } : {}),
        figures: peer ? { ...figures, ratio } : figures,
        ...(peer && !o.small ? { targets: [{ name: `at least ${least} times as many`, met: ratio >= least }] } : {}),
        notes: `Pawl: ${server.about}; LangGraph's own setting: ${about}`,
      });
    }
  if (wanted("G2") && store !== "mysql") {
    // Ten threads side by side: a table grows by whole pages.
    const threads = 10;
    /** @param {string} program @param {string} what */
    const grown = async (program, what) => {
      const at = new Map();
      for (const n of [1, 50, 150, 200])
        at.set(n, (await once(program, { what, threads, supersteps: n, full: true }, true)).bytes / threads);
      return { first: (at.get(50) - at.get(1)) / 49, last: (at.get(200) - at.get(150)) / 50 };
    };
    const own = await grown("pawl", "list");
    const other = peer ? { whole: await grown("langgraph", "list"), delta: await grown("langgraph", "delta list") } : undefined;
    out({
      id: "G2",
      store,
      what: "bytes stored per superstep, a list of messages of 200 characters, to 200 messages",
      figures: {
        "first 50": own.first,
        "last 50": own.last,
        "last over first": own.last / own.first,
        ...(other === undefined
          ? {}
          : {
              "langgraph last 50": other.whole.last,
              "share of langgraph": own.last / other.whole.last,
              "langgraph with DeltaChannel last 50": other.delta.last,
              "times DeltaChannel": own.last / other.delta.last,
            }),
      },
      targets: [
        { name: "last over first at most 1.15", met: own.last / own.first <= 1.15 },
        ...(other === undefined
          ? []
          : [
              { name: "at most 0.15 of LangGraph's", met: own.last / other.whole.last <= 0.15 },
              { name: "at most 4 times LangGraph's with DeltaChannel", met: own.last / other.delta.last <= 4 },
            ]),
      ],
    });
  }
  if (wanted("G3")) {
    /** @param {number} supersteps @param {"pawl" | "langgraph"} program */
    const restart = async (supersteps, program) => {
      const [times, asked, claims, events] = [
        /** @type {number[]} */ ([]),
        /** @type {number[]} */ ([]),
        /** @type {number[]} */ ([]),
        /** @type {number[]} */ ([]),
      ];
      for (let i = 0; i < o.rounds; i++) {
        const place = await server.fresh();
        const order = { threads: 1, supersteps, full: true, url: place.url };
        try {
          ask(program, { ...order, what: "wait" });
          const answer = ask(program === "pawl" ? "restart" : program, { ...order, what: "restart" });
          times.push(answer.ms);
          asked.push(answer.askedMs);
          claims.push(answer.claimMs ?? answer.askedMs);
          events.push(answer.events ?? 0);
        } finally {
          await place.remove();
        }
      }
      return { ms: middle(times), askedMs: middle(asked), claimMs: middle(claims), events: Math.max(...events) };
    };
    const [near, far, farthest] = [
      await restart(10, "pawl"),
      await restart(o.small ? 30 : 1_000, "pawl"),
      await restart(o.small ? 50 : 10_000, "pawl"),
    ];
    const other = peer ? await restart(o.small ? 30 : 1_000, "langgraph") : undefined;
    out({
      id: "G3",
      store,
      what: "opening the store to the first step of a graph that waits at a superstep, ms",
      figures: {
        "at superstep 10": near.ms,
        "at superstep 1,000": far.ms,
        "at superstep 10,000": farthest.ms,
        "1,000 over 10": far.ms / near.ms,
        "10,000 over 10": farthest.ms / near.ms,
        "events read at 10": near.events,
        "events read at 1,000": far.events,
        "events read at 10,000": farthest.events,
        "from being asked to continue, at 1,000": far.askedMs,
        "from the claim, at 1,000": far.claimMs,
        ...(other === undefined
          ? {}
          : {
              "langgraph at superstep 1,000": other.ms,
              "langgraph from being asked": other.askedMs,
              "times langgraph": far.ms / other.ms,
              "times langgraph from being asked": far.askedMs / other.askedMs,
              "from the claim, times langgraph from being asked": far.claimMs / other.askedMs,
            }),
      },
      ...(o.small
        ? {}
        : {
            targets: [
              { name: "at most 3 times", met: Math.max(far.ms, farthest.ms) / near.ms <= 3 },
              { name: "at most 256 events read", met: Math.max(near.events, far.events, farthest.events) <= 256 },
              ...(other === undefined
                ? []
                : [{ name: "from the claim at most 1.5 times LangGraph's from being asked", met: far.claimMs / other.askedMs <= 1.5 }]),
            ],
          }),
    });
  }
  if (wanted("G4"))
    for (const [name, threads, supersteps, most] of /** @type {const} */ ([
      ["one run", 1, size.one, 1.6],
      ["200 runs of 10", o.small ? 2 : 200, o.small ? 5 : 10, 2],
    ])) {
      const [graphs, steps, commits] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
      for (let i = 0; i < o.rounds; i++) {
        const answer = await once("pawl", { what: "loop", threads, supersteps });
        graphs.push(answer.perSecond);
        commits.push(answer.commitsEach);
        steps.push((await once("pawl", { what: "plain", threads, supersteps })).perSecond);
      }
      const ratio = middle(steps) / middle(graphs);
      const each = Math.max(...commits);
      out({
        id: "G4",
        store,
        what: `a superstep over a plain step, ${name}`,
        figures: { "supersteps/s": middle(graphs), "plain steps/s": middle(steps), ratio, "Commits per superstep": each },
        targets: [
          ...(o.small ? [] : [{ name: `at most ${most} times`, met: ratio <= most }]),
          { name: "one Commit per superstep", met: each === 1 },
        ],
      });
    }
}

/** @param {GraphLine} l */
export function graphProse(l) {
  const figures = Object.entries(l.figures).map(([name, n]) => `${name} ${n >= 100 ? Math.round(n) : n.toFixed(2)}`);
  const targets = (l.targets ?? []).map((t) => `${t.met ? "met" : "MISSED"}: ${t.name}`);
  return `${l.id} ${l.what}: ${[...figures, ...targets].join("; ")}${l.notes === undefined ? "" : ` (${l.notes})`}`;
}
