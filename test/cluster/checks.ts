// What is asked of a cluster, one check after the other, each from outside: over HTTP, by signals to processes, and by a look at the store and at the
// effects afterwards (verdict.ts). Every check is bounded by a count of runs.
import { setTimeout as pause } from "node:timers/promises";
import { orders, type Load } from "./load.ts";
import type { ClusterCheck, ClusterProblem } from "./report.ts";
import { RoundRobin } from "./round-robin.ts";
import { endService, pidOf, serviceNames, startService, urlOf, workerTypes, type ClusterPlace } from "./services.ts";
import { duplicateResult, finalisers, herd, identicalStarts, racedControls } from "./race-checks.ts";
import { judge } from "./verdict.ts";

export interface CheckOptions {
  readonly runs: number;
  readonly sustainedMs: number;
  readonly say: (text: string) => void;
}

/** An honest share of two is a half; so far from it is one-sided. */
const shareMax = 0.2;
const listItems = 250;
const listMsMax = 60_000;
/** So many are created a second, at least; over a time as long as this, on average. */
const rateMin = 50;
const longMs = 10_000;
/** Who waits for an answer holds up nobody else: enough that the orchestrators always have starts to commit together. */
const sustainedCustomers = 64;

export function clusterChecks(p: ClusterPlace, o: CheckOptions): readonly ClusterCheck[] {
  // Each time a check is tried it has orders of its own: those of an earlier try have been created already.
  let tries = 0;
  const mark = (): string => `${Date.now().toString(36)}${process.pid.toString(36)}${(tries++).toString(36)}`;
  const fresh = (): RoundRobin => new RoundRobin([urlOf(p, 0), urlOf(p, 1)]);
  const few = Math.min(20, Math.ceil(o.runs / 10));
  return [
    { name: "orders", run: () => calm(p, fresh(), `${mark()}-calm`, Math.ceil(o.runs / 2)) },
    { name: "kills", run: () => killEach(p, fresh(), `${mark()}-kill`, Math.floor(o.runs / 2), o.say) },
    { name: "graceful stops", run: () => graceful(p, fresh(), `${mark()}-term`, Math.max(20, Math.floor(o.runs / 10))) },
    { name: "list", run: () => killedList(p, fresh(), `${mark()}-list`, Math.min(listItems, 4 * o.runs)) },
    { name: "identical starts", run: () => identicalStarts(p, fresh(), `${mark()}-same`) },
    { name: "raced controls", run: () => racedControls(fresh(), `${mark()}-race`, few) },
    { name: "two finalisers", run: () => finalisers(p, fresh(), `${mark()}-final`, few) },
    { name: "duplicate results", run: () => duplicateResult(fresh(), `${mark()}-raw`, few) },
    { name: "herd", run: () => herd(p, fresh(), `${mark()}-herd`) },
    { name: "burst", run: () => burst(p, fresh(), `${mark()}-burst`, 25) },
    { name: "sustained", run: () => sustained(p, fresh(), `${mark()}-rate`, o.sustainedMs) },
    {
      name: "events in process",
      skip: "callbacks such as onDecision are called in the process that owns the run, and in no other: one process shows it",
      run: () => Promise.reject(new Error("it is skipped")),
    },
  ];
}

type Result = Awaited<ReturnType<ClusterCheck["run"]>>;

/** Nobody dies: every step is sent once, and both workers of a type and both orchestrators have their share. */
async function calm(p: ClusterPlace, client: RoundRobin, prefix: string, n: number): Promise<Result> {
  const load = orders(client, prefix, n);
  await load.done;
  const { problems, shares, owned, resent } = await judge(p, load.ids, { again: false });
  const all: ClusterProblem[] = [...load.problems, ...problems];
  if (resent > 0) all.push({ kind: "race", what: `${resent} effects were sent twice though nobody died` });
  const parts: string[] = [];
  const share = (name: string, a: number, b: number, least: number): void => {
    parts.push(`${name} ${a}:${b}`);
    // Of few, one more or less is a large share.
    if (n >= least && Math.abs(a - b) > shareMax * (a + b))
      all.push({ kind: "failed", about: "spread", what: `the work of ${name} is spread ${a} to ${b}` });
  };
  // Requests take turns, and a run is its owner's who was asked for it, so that few are enough; who of two workers is faster shows only over many.
  share("starts", client.created[0]!, client.created[1]!, 20);
  const [some = 0, others = 0, ...more] = owned.values();
  share("runs", some, others, 20);
  if (some + others !== n || more.length > 0)
    all.push({ kind: "failed", about: "spread", what: `${owned.size} engines brought ${some + others} of ${n} runs to their end` });
  for (const t of workerTypes) share(t, shares.get(`${t}-1`) ?? 0, shares.get(`${t}-2`) ?? 0, 200);
  return { looked: n, said: `${n} orders, ${resent} sent twice; ${parts.join(", ")}`, problems: all };
}

/** Each of the ten in turn, with orders at work: SIGKILL, and started again. */
async function killEach(p: ClusterPlace, client: RoundRobin, prefix: string, n: number, say: (t: string) => void): Promise<Result> {
  const { problems, looked, open } = await endEach(p, client, prefix, serviceNames, "SIGKILL", n, say);
  const { problems: found, resent } = await judge(p, looked);
  return {
    looked: looked.length,
    said: `${looked.length} orders, ${serviceNames.length} kills with ${open} orders at work, ${resent} effects sent again by their class`,
    problems: [...problems, ...found],
  };
}

/** SIGTERM under load: what was begun is finished, so that nothing is sent again. */
async function graceful(p: ClusterPlace, client: RoundRobin, prefix: string, n: number): Promise<Result> {
  const names = serviceNames.filter((name) => name.endsWith("-2"));
  const { problems, looked, open } = await endEach(p, client, prefix, names, "SIGTERM", n);
  const { problems: found, resent } = await judge(p, looked, { again: false });
  const all = [...problems, ...found];
  if (resent > 0) all.push({ kind: "race", what: `${resent} effects were sent again though every process ended in order` });
  return {
    looked: looked.length,
    said: `${looked.length} orders, ${names.length} processes ended in order with ${open} at work`,
    problems: all,
  };
}

/** All customers and workers are one caller, which may have 100 requests under way at a server; while one server is gone, the other has them all. */
const customersOfOne = 6;

/** Each of these in turn, and started again: each time some orders have just begun, so that none ends idle. The next does not wait for them. */
async function endEach(
  p: ClusterPlace,
  client: RoundRobin,
  prefix: string,
  names: readonly string[],
  signal: "SIGKILL" | "SIGTERM",
  n: number,
  say: (t: string) => void = () => {},
): Promise<{ readonly problems: readonly ClusterProblem[]; readonly looked: readonly string[]; readonly open: number }> {
  const loads: Load[] = [];
  let open = 0;
  for (const name of names) {
    const load = orders(client, `${prefix}-${name}`, Math.ceil(n / names.length), customersOfOne);
    loads.push(load);
    load.done.catch(() => {}); // it is awaited below
    await Promise.race([load.begun, load.done]);
    const atWork = loads.reduce((sum, l) => sum + l.atWork(), 0);
    open += atWork;
    await endService(p, name, signal);
    await startService(p, name);
    say(`  ended ${name} with ${atWork} orders at work; it is process ${pidOf(p, name)} now`);
  }
  await Promise.all(loads.map((load) => load.done));
  return { problems: loads.flatMap((load) => load.problems), looked: loads.flatMap((load) => load.ids), open };
}

/** A list whose orchestrators are killed while its items are being enqueued: the rest is, and nothing twice. */
async function killedList(p: ClusterPlace, client: RoundRobin, prefix: string, n: number): Promise<Result> {
  const id = prefix;
  await client.start("cluster/list", { id, n }, id);
  const begun = async (): Promise<number> => {
    const { json } = await client.ask("GET", `/runs/${id}`);
    return json?.headSeq ?? 0;
  };
  for (const until = Date.now() + listMsMax; (await begun()) < n / 2.5; await pause(5))
    if (Date.now() > until) throw new Error(`${id}: nobody sees its items come`);
  for (const name of ["orchestrator-1", "orchestrator-2"]) await endService(p, name, "SIGKILL");
  await Promise.all(["orchestrator-1", "orchestrator-2"].map((name) => startService(p, name)));
  const end = await client.ended(id);
  // No worker died: nothing may be sent again.
  const { problems } = await judge(p, [id], { again: false });
  const all = [...problems];
  if (end.json.result !== n) all.push({ kind: "corruption", what: `${id}: ${JSON.stringify(end.json)}, not ${n} items` });
  return { looked: n, said: `${n} items, both orchestrators killed while they were enqueued`, problems: all };
}

async function burst(p: ClusterPlace, client: RoundRobin, prefix: string, n: number): Promise<Result> {
  const ids = Array.from({ length: n }, (_, i) => `${prefix}-${i}`);
  const from = performance.now();
  const runs = await Promise.all(ids.map((id) => client.start("cluster/order", { id }, id)));
  const ms = Math.round(performance.now() - from);
  const { problems } = await finish(p, client, ids);
  if (new Set(runs.map((r) => r.json.runId)).size !== n) problems.push({ kind: "race", what: "two of them have one id" });
  if (ms >= 1_000) problems.push({ kind: "failed", what: `${n} were created in ${ms} ms, not in a second` });
  return { looked: n, said: `${n} created in ${ms} ms`, problems };
}

/**
 * Starts as fast as both orchestrators take them, for so long, or until they have taken enough in one second (a busy machine may need longer to
 * show it). What was started must end.
 */
async function sustained(p: ClusterPlace, client: RoundRobin, prefix: string, ms: number): Promise<Result> {
  const from = performance.now();
  const ids: string[] = [];
  const seconds: number[] = [];
  const isEnough = (): boolean => {
    const passed = performance.now() - from;
    return passed >= ms && (Math.max(...seconds) >= rateMin || passed >= 10 * ms);
  };
  await Promise.all(
    Array.from({ length: sustainedCustomers }, async (_, c) => {
      for (let i = 0; !isEnough(); i++) {
        const id = `${prefix}-${c}-${i}`;
        await client.start("cluster/order", { id }, id);
        ids.push(id);
        const second = Math.floor((performance.now() - from) / 1_000);
        seconds[second] = (seconds[second] ?? 0) + 1;
      }
    }),
  );
  const rate = Math.round((ids.length * 1_000) / (performance.now() - from));
  const best = Math.max(...seconds);
  const { problems } = await finish(p, client, ids);
  const total = Math.round((ids.length * 1_000) / (performance.now() - from));
  if (best < rateMin || (ms >= longMs && rate < rateMin))
    problems.push({ kind: "failed", what: `${rate} were created a second, ${rateMin} are wanted` });
  return {
    looked: ids.length,
    said: `${rate} created a second for ${ms / 1_000} s, ${best} in the best; ${total} a second ended, four steps each`,
    problems,
  };
}

async function finish(p: ClusterPlace, client: RoundRobin, ids: readonly string[]): Promise<{ problems: ClusterProblem[] }> {
  const left = [...ids];
  const wait = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await client.ended(id);
  };
  await Promise.all(Array.from({ length: 20 }, wait));
  const { problems } = await judge(p, ids);
  return { problems };
}
