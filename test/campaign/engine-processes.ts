// The engines of one campaign field, each in a process of its own, and how a field is brought to its end: an honest engine
// finishes what the others left, and when nothing moves any more the field is checked. What a part does in between is its own
// affair. Whoever asks for randomness gets it from a seed.
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { defaultScope } from "../../src/client/environment.ts";
import { limitConcurrency, startChild, type Child } from "../support/child-process.ts";
import { allRuns, check, isOver, type Kind, type Verdict } from "./check.ts";
import type { StoreName } from "../support/test-database.ts";
import { openCampaignStore, type CampaignStore } from "./campaign-store.ts";
import type { RunRow } from "../../src/store/port.ts";
import type { Bug } from "./programs/bugs.ts";
import type { Duty } from "./programs/engine.ts";
import { readLedger } from "./programs/ledger.ts";
import { orderResult, readerName } from "./programs/orders.ts";

export type PartName =
  | "kills"
  | "unknown"
  | "zombies"
  | "database"
  | "differential"
  | "clocks"
  | "network"
  | "operators"
  | "requests"
  | "cuts"
  | "answers"
  | "schedules"
  | "queue-locks"
  | "workers"
  | "worker-zombies"
  | "agents";

/** What one part is asked to do on one store. */
export interface Task {
  readonly store: StoreName;
  /** How many faults. */
  readonly faults: number;
  readonly seed: number;
  readonly bug?: Bug;
  readonly say: (text: string) => void;
}
export interface Report extends Verdict {
  /** Faults that really struck. */
  readonly faults: number;
}
export interface Part {
  readonly name: PartName;
  readonly stores: readonly StoreName[];
  /** The planted bug, and the kinds of violation of which it must show one. */
  readonly canary: { readonly bug: Bug; readonly shows: readonly Kind[]; readonly faults: number };
  run(t: Task): Promise<Report>;
}

export type Random = (below: number) => number;
export function seeded(seed: number): Random {
  let state = (Math.abs(seed) % 2_147_483_646) + 1;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}
export const anySeed = (): number => randomInt(1, 1_000_000);

/** Everything stood still for this long: it will not move any more. Where a bug is planted, that is to be expected. */
const stillMs = 20_000;
const stillWithBugMs = 6_000;

export class EngineProcesses {
  readonly field: CampaignStore;
  readonly random: Random;
  readonly #task: Task;
  #started = 0;

  private constructor(field: CampaignStore, task: Task) {
    this.field = field;
    this.random = seeded(task.seed);
    this.#task = task;
  }
  static async open(task: Task, server?: string): Promise<EngineProcesses> {
    return new EngineProcesses(await openCampaignStore(task.store, server), task);
  }

  /** Another engine; `crash` is a crash point for it to die at. */
  start(duty: Partial<Duty>, crash?: string): Child {
    const { bug } = this.#task;
    const whole: Duty = {
      store: this.field.url,
      ledger: this.field.ledger,
      name: `e${++this.#started}`,
      orders: 10,
      holdMs: 0,
      lease: "1s",
      ...(bug === undefined ? {} : { bug }),
      ...duty,
    };
    return startChild("test/campaign/programs/engine.js", {
      args: [JSON.stringify(whole)],
      ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
    });
  }

  /** Ends the given engines, has an honest one finish, and looks. */
  async finish(engines: readonly Child[], faults: number): Promise<Report> {
    for (const c of engines) c.signal("SIGKILL");
    await Promise.all(engines.map((c) => c.ended));
    const { field } = this;
    const last = startChild("test/campaign/programs/engine.js", {
      args: [JSON.stringify({ store: field.url, ledger: field.ledger, name: "last", orders: 0, holdMs: 0, lease: "1s" } satisfies Duty)],
    });
    await this.#untilStill();
    last.send("stop");
    await last.ended;
    const verdict = await check(field);
    await field.leave();
    return { ...verdict, faults };
  }

  /** The engines themselves bring everything to its end: what one of them owns and forgot is left where it is, and is lost. */
  async liveThrough(engines: readonly Child[], faults: number): Promise<Report> {
    for (const c of engines) c.send("enough");
    await this.#untilStill();
    const unread = await this.#untilRead();
    for (const c of engines) c.signal("SIGKILL");
    await Promise.all(engines.map((c) => c.ended));
    const verdict = await check(this.field);
    await this.field.leave();
    const lost = unread === 0 ? [] : [{ kind: "lost" as const, what: `${unread} rows of the feed were never read` }];
    return { ...verdict, violations: [...verdict.violations, ...lost], faults };
  }

  /** Rows of the feed that its reader leaves there, once nothing moves any more. */
  async #untilRead(): Promise<number> {
    for (const until = Date.now() + this.#stillMs; ; await pause(100)) {
      const reader = (await this.field.observer.consumers(defaultScope)).find((r) => r.name === readerName);
      if (reader === undefined || reader.waiting === 0 || Date.now() >= until) return reader?.waiting ?? 0;
    }
  }

  get #stillMs(): number {
    return this.#task.bug === undefined ? stillMs : stillWithBugMs;
  }

  async #untilStill(): Promise<void> {
    let [seen, since] = ["", Date.now()];
    const paid = new Set<string>();
    while (Date.now() - since < this.#stillMs) {
      const rows = await allRuns(this.field.observer);
      if (rows.every(isOver)) return;
      await this.#pay(rows, paid);
      const now = rows.map((r) => r.stateVersion).join();
      if (now !== seen) [seen, since] = [now, Date.now()];
      await pause(150);
    }
  }

  /**
   * Whoever was killed could not send its order's signal: the id makes it one signal, whoever sends it, and one that was lost
   * is not replaced. Looked for again and again: what a killed process had asked for may be written after its death.
   */
  async #pay(rows: readonly RunRow[], paid: Set<string>): Promise<void> {
    for (const r of rows) {
      if (isOver(r) || paid.has(r.workflowId)) continue;
      paid.add(r.workflowId);
      await this.field.signal(r.workflowId, "paid", orderResult).catch(() => {}); // it may have ended by now
    }
  }

  /** How many effects have been sent. */
  sent(): number {
    return readLedger(this.field.ledger).filter((l) => l.kind === "effect").length;
  }
  /** Whether so many more effects have been sent; with a planted bug it may be that nothing is sent any more. */
  async moreSent(n: number): Promise<boolean> {
    const [until, bound] = [this.sent() + n, Date.now() + this.#stillMs];
    while (this.sent() < until && Date.now() < bound) await pause(20);
    return this.sent() >= until;
  }
}

/** A part over as many fields as it takes, each with a seed of its own and its share of the faults. */
export async function onEachStore(
  task: Task,
  o: { readonly perField: number; readonly atATime: number },
  field: (t: Task) => Promise<Report>,
): Promise<Report> {
  const random = seeded(task.seed);
  const gate = limitConcurrency(o.atATime);
  const fields: Promise<Report>[] = [];
  let done = 0;
  for (let left = task.faults; left > 0; left -= o.perField) {
    const share: Task = { ...task, seed: random(1_000_000), faults: Math.min(left, o.perField) };
    fields.push(
      gate(async () => {
        const report = await field(share);
        done += report.faults;
        task.say(`${done} of ${task.faults}; ${report.runs} orders, ${report.effects} effects on this field`);
        return report;
      }),
    );
  }
  return sum(await Promise.all(fields));
}

function sum(reports: readonly Report[]): Report {
  const add = (f: (r: Report) => number): number => reports.reduce((n, r) => n + f(r), 0);
  return {
    faults: add((r) => r.faults),
    runs: add((r) => r.runs),
    effects: add((r) => r.effects),
    resent: add((r) => r.resent),
    inDoubt: add((r) => r.inDoubt),
    violations: reports.flatMap((r) => r.violations),
  };
}
