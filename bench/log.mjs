// `npm run bench -- --suite log`: the log as others use it. L1 appends a hundred events a Commit beside the same rows inserted by
// hand, in turns, in one run; L2 makes projections again, of 25,000, 50,000 and 100,000 events; L3 appends what is there
// already, a million times, and counts; L4 verifies evidence. `--small` does a little of each and judges nothing.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultScope } from "../dist/client/environment.js";
import { localClient } from "../dist/client/local-client.js";
import { checkLimits } from "../dist/core/limits.js";
import { buildEvidence, evidencePlan } from "../dist/log/evidence.js";
import { openStore } from "../dist/open.js";
import { systemPlatform } from "../dist/platform/system.js";
import { handOn, rowsOf, writesOf } from "./log-rows.mjs";
import { madeLog } from "./generated-log.mjs";

/** @typedef {import("./servers.mjs").Server} Server */
/**
 * What a suite measured. `value`, `unit` and `peers` are there where one figure is what counts, as in the suite of steps: each peer with its own value, and how many
 * times better Pawl is.
 * @typedef {{ value: number, ratio: number }} PeerFigure
 */
/** @typedef {{ id: string, what: string, store: string, value?: number, unit?: string, peers?: Record<string, PeerFigure>, figures: Record<string, number>, targets?: { what: string, wanted: number, found: number, met: boolean }[] }} Line */

const platform = systemPlatform();
const batch = 100;
/** @param {readonly number[]} xs */
const median = (xs) => [...xs].sort((a, b) => a - b)[xs.length >> 1] ?? 0;
/** @param {() => Promise<unknown>} body */
const timed = async (body) => {
  const from = performance.now();
  await body();
  return performance.now() - from;
};
/** @param {string} url */
const opened = async (url) => {
  const store = await openStore(url, platform);
  return { store, client: localClient({ store, platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null }) };
};

/** @param {Server} server @param {{ small: boolean, rounds: number }} o @param {(line: Line) => void} tell */
export async function measureLog(server, o, tell) {
  const judge = (/** @type {Line} */ line, /** @type {Line["targets"]} */ targets) =>
    tell(o.small ? line : { ...line, ...(targets === undefined ? {} : { targets }) });
  await append(server, o, judge);
  await readers(server, o, judge);
  verifying(server.store, o, judge);
}

/** @typedef {(line: Line, targets?: Line["targets"]) => void} Judge */

/** @param {Server} server @param {{ small: boolean, rounds: number }} o @param {Judge} judge */
async function append(server, o, judge) {
  const events = o.small ? 400 : 10_000;
  /** @type {number[]} */
  const ratios = [];
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const hand = [];
  for (let round = 0; round < o.rounds + (o.small ? 0 : 1); round++) {
    const [mine, theirs] = [await server.fresh(), await server.fresh()];
    try {
      const { store, client } = await opened(mine.url);
      const by = await handOn(server.store, theirs, platform);
      const writes = writesOf(platform, events);
      const rows = rowsOf(platform, writes);
      let [a, b] = [0, 0];
      // In turns of ten Commits each: what disturbs the machine disturbs both.
      for (let i = 0; i < events; i += 10 * batch) {
        a += await timed(async () => {
          for (let n = i; n < Math.min(i + 10 * batch, events); n += batch) await client.append(writes.slice(n, n + batch));
        });
        b += await timed(async () => {
          for (let n = i; n < Math.min(i + 10 * batch, events); n += batch) await by.insert(rows.slice(n, n + batch));
        });
      }
      await store.close();
      await by.end();
      if (round === 0 && !o.small) continue; // the first warms the code
      ours.push((events / a) * 1_000);
      hand.push((events / b) * 1_000);
      ratios.push(b / a);
    } finally {
      await mine.remove();
      await theirs.remove();
    }
  }
  const ratio = median(ratios);
  judge(
    {
      id: "L1",
      what: `append, ${batch} events a Commit`,
      store: server.store,
      figures: { perSecond: median(ours), byHand: median(hand), ratio },
    },
    [{ what: "of inserting ready-made rows", wanted: 0.5, found: ratio, met: ratio >= 0.5 }],
  );
}

/** @param {Server} server @param {{ small: boolean }} o @param {Judge} judge */
async function readers(server, o, judge) {
  const place = await server.fresh();
  try {
    const { store, client } = await opened(place.url);
    const sizes = o.small ? [500, 1_000] : [25_000, 50_000, 100_000];
    const perRun = o.small ? 250 : 1_000;
    /** @type {Record<string, number>} */
    const figures = {};
    /** @type {import("./log-rows.mjs").RunEventWrite[]} */
    let known = [];
    let events = 0;
    for (const size of sizes) {
      for (; events < size; events += perRun) await client.append((known = writesOf(platform, perRun)));
      figures[`ms${size}`] = await timed(() => client.rebuild());
    }
    const [least, most] = [sizes[0] ?? 1, sizes.at(-1) ?? 1];
    const [first, last] = [figures[`ms${least}`] ?? 1, figures[`ms${most}`] ?? 1];
    figures["growth"] = last / first / (most / least);
    figures["perSecond"] = (most / last) * 1_000;
    judge({ id: "L2", what: "rebuild of projections", store: server.store, figures }, [
      { what: "ms for 100,000 events", wanted: 60_000, found: last, met: last < 60_000 },
      { what: "times as long per event as with a quarter", wanted: 1.5, found: figures["growth"], met: figures["growth"] < 1.5 },
    ]);

    const wanted = o.small ? 2_000 : 1_000_000;
    const before = (await store.audit.size("")).events;
    let answered = 0;
    const ms = await timed(async () => {
      while (answered < wanted) answered += (await client.append(known)).deduped.length;
    });
    const added = (await store.audit.size("")).events - before;
    await store.close();
    judge(
      {
        id: "L3",
        what: "appends of what is there",
        store: server.store,
        figures: { appends: answered, added, perSecond: (answered / ms) * 1_000 },
      },
      [{ what: "events added by duplicates", wanted: 0, found: added, met: added === 0 }],
    );
  } finally {
    await place.remove();
  }
}

/** @param {string} name @param {{ small: boolean, rounds: number }} o @param {Judge} judge */
function verifying(name, o, judge) {
  const { row, events, effects } = madeLog(platform, o.small ? 500 : 50_000);
  const identity = { storeId: "bench", identity: "bench", identityRecorded: "bench", unsafe: [], nowMs: row.persistedAt, engines: [] };
  const info = { ...identity, format: 5, oldestReader: 1, oldestWriter: 1, incarnation: 1 };
  const zip = buildEvidence(
    { row, store: { name, persistence: "durable", info }, events, ledger: effects, runChain: null },
    evidencePlan({}),
  );
  const dir = mkdtempSync(join(tmpdir(), "pawl-bench-"));
  try {
    const file = join(dir, "evidence.zip");
    writeFileSync(file, zip);
    const child = spawnSync(process.execPath, [join(import.meta.dirname, "verify.mjs"), file, String(o.rounds)], { encoding: "utf8" });
    if (child.status !== 0) throw new Error(`verify: ${child.stderr}`);
    /** @type {{ wall: number, cpu: number }[]} */
    const rounds = child.stdout
      .trim()
      .split("\n")
      .map((l) => JSON.parse(l));
    const perSecond = median(rounds.map((r) => r.wall));
    const figures = { events: events.length, perSecond, first: rounds[0]?.wall ?? 0, perSecondOfCpu: median(rounds.map((r) => r.cpu)) };
    judge({ id: "L4", what: "pawl verify", store: name, figures }, [
      { what: "events a second", wanted: 50_000, found: perSecond, met: perSecond >= 50_000 },
    ]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A line of `--json`: named as those of the suite of steps are. @param {{ id: string }} line */
export const jsonText = ({ id, ...line }) => JSON.stringify({ workload: id, ...line });

/** @param {Line} line */
export function logProse({ id, what, store, figures, targets }) {
  const numbers = Object.entries(figures).map(
    ([k, v]) => `${k} ${v >= 100 ? Math.round(v).toLocaleString("en") : Math.round(v * 100) / 100}`,
  );
  const said = (targets ?? []).map(
    (t) => `  ${t.met ? "met" : "MISSED"}: ${t.what}: ${Math.round(t.found * 100) / 100}, wanted ${t.wanted}`,
  );
  return [`${id} ${what} on ${store}: ${numbers.join(", ")}`, ...said].join("\n");
}
