// Wall clocks set forward and back by an hour under living engines, some of which are killed and started again meanwhile. No timer or
// retry may come early, none may wait for the clock to come back, no payment may be sent twice, no engine may be declared
// dead, and every proof must say what the bank says. Needs libfaketime.
import { join, dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isSettled } from "../../src/core/model.ts";
import { textOf, verify } from "../../src/verify.ts";
import { startChild, type Child } from "../support/child-process.ts";
import { SetClock } from "../support/faketime.ts";
import { allRuns, type Kind, type Violation } from "./check.ts";
import { onEachStore, seeded, type Part, type Report, type Task } from "./engine-processes.ts";
import { openCampaignStore, type CampaignStore } from "./campaign-store.ts";
import { entries, napMs, retryMs, type ClockDuty, type Entry } from "./programs/bank.ts";

const hour = 3_600;
const orders = 6;
/** Everything stood still for this long: it will not move any more. */
const stillMs = 20_000;
const stillWithBugMs = 8_000;
/** What a retry's jitter may take off its delay. */
const jitter = 0.1;

interface Player {
  readonly clock: SetClock;
  child: Child;
  seconds: number;
}

async function field(task: Task): Promise<Report> {
  const place = await openCampaignStore(task.store);
  const random = seeded(task.seed);
  let started = 0;
  const start = (clock: SetClock): Child => {
    const name = `e${++started}`;
    const duty: ClockDuty = { store: place.url, ledger: place.ledger, name, orders, ...(task.bug === undefined ? {} : { bug: task.bug }) };
    return startChild("test/campaign/programs/clocked.js", { args: [JSON.stringify(duty)], env: clock.env });
  };
  const players: Player[] = [0, 1].map((n) => {
    const clock = new SetClock(join(dirname(place.ledger), `clock-${n}`));
    return { clock, child: start(clock), seconds: 0 };
  });
  await Promise.all(players.map((p) => p.child.waitForLine("ready")));
  let kills = 0;
  for (let n = 0; n < task.faults; n++) {
    await pause(300 + random(700));
    // One machine has one clock; two engines on a server may have two.
    const both = task.store === "sqlite" || random(2) === 0;
    // The last two go furthest, and leave the engines with clocks that will not come back.
    const last = [-hour, hour][task.faults - 1 - n];
    const to = last ?? [-hour, 0, hour].filter((s) => s !== players[n % 2]!.seconds)[random(2)]!;
    for (const [i, p] of players.entries()) {
      if (!both && i !== n % 2) continue;
      p.clock.set(to);
      p.seconds = to;
    }
    if (random(3) !== 0) continue;
    const victim = players[random(2)]!;
    await pause(random(400));
    victim.child.signal("SIGKILL");
    await victim.child.ended;
    victim.child = start(victim.clock); // whatever the clock says now
    kills++;
    await victim.child.waitForLine("ready");
  }
  for (const p of players) p.child.send("enough");
  await untilStill(place, task.bug === undefined ? stillMs : stillWithBugMs);
  for (const p of players) p.child.send("stop");
  await Promise.all(players.map((p) => p.child.ended));
  const report = await judged(place, kills);
  await place.leave();
  return { ...report, faults: task.faults };
}

async function untilStill(place: CampaignStore, ms: number): Promise<void> {
  let [seen, since] = ["", process.uptime()];
  while ((process.uptime() - since) * 1_000 < ms) {
    const rows = await allRuns(place.observer);
    if (rows.every((r) => isSettled(r.status))) return;
    const now = rows.map((r) => r.stateVersion).join();
    if (now !== seen) [seen, since] = [now, process.uptime()];
    await pause(150);
  }
}

async function judged(place: CampaignStore, kills: number): Promise<Report> {
  const violations: Violation[] = [];
  const lines = entries(place.ledger);
  const rows = new Map((await allRuns(place.observer)).map((r) => [r.workflowId, r]));
  const say = (kind: Kind, what: string, log: readonly unknown[] = []): void =>
    void violations.push({ kind, what, log: log.map((l) => JSON.stringify(l)) });
  for (const l of lines) {
    if (l.what === "accepted" && !rows.has(l.run)) say("lost", `${l.run} was accepted and does not exist`);
    if (l.what === "declared dead") say("broken", `engine ${l.run} lived and was declared dead`);
  }
  let resent = 0;
  for (const [id, row] of rows) {
    const mine = lines.filter((l) => l.run === id);
    const events = await place.observer.events({ runId: row.runId, after: 0, limit: 1_000 });
    const tell = (kind: Kind, what: string): void => say(kind, `${id}: ${what}`, [...mine, ...events]);
    const early = tooSoon(mine);
    if (early !== undefined) tell("broken", early);
    const sends = mine.filter((l) => l.what === "pay").length;
    if (sends > 1) tell("duplicate", `it paid ${sends} times`);
    if (!isSettled(row.status)) tell("lost", `it is ${row.status} and makes no progress`);
    else if (row.status !== "COMPLETED") tell("broken", `it ended as ${row.status}`);
    const proof = verify(await place.evidence(row.runId));
    if (!proof.ok) tell("broken", `its evidence does not hold: ${textOf(proof)}`);
    const said = proof.effects.find((e) => e.stepId === "pay");
    if (said?.verdict === "once" && sends !== 1) tell("broken", `its proof says once, the bank ${sends} times`);
    resent += events.filter((e) => e.eventType === "pawl.StepRedispatched").length;
  }
  return { runs: rows.size, effects: lines.length, resent, inDoubt: 0, violations, faults: kills };
}

/** A nap or a retry that was over before its time, by the machine's uptime. */
function tooSoon(mine: readonly Entry[]): string | undefined {
  const waited = (from: string, to: string): number => {
    const end = mine.find((l) => l.what === to)?.at;
    const began = mine.findLast((l) => l.what === from && (end === undefined || l.at <= end))?.at;
    return end === undefined || began === undefined ? Number.POSITIVE_INFINITY : end - began;
  };
  const nap = waited("before", "after");
  if (nap < napMs) return `its timer fired ${Math.round(napMs - nap)} ms early`;
  const retry = waited("try 1", "try 2");
  return retry < retryMs * (1 - jitter) ? `its retry came after ${Math.round(retry)} ms` : undefined;
}

export const clocks: Part = {
  name: "clocks",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "believes the wall clock", shows: ["lost", "duplicate", "broken"], faults: 6 },
  run: (task) => onEachStore(task, { perField: 12, atATime: 2 }, field),
};
