// Operators at work on live runs: random starts, pauses, cancels, terminations, retries, reruns, restarts, answers, moves to another store
// and back, and SIGKILL of engines, each in a process of its own, by the operators and at crash points, against a bank in another process
// that loses requests and replies. No verdict may promise more than the bank's ledger shows, and every run must come to an end in
// one store. The planted bug is a bank that does not keep its word about keys.
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../src/client.ts";
import { startChild, type Child } from "../support/child-process.ts";
import type { Violation } from "./check.ts";
import { seeded, type Part, type Random, type Report, type Task } from "./engine-processes.ts";
import { openCampaignStore, type CampaignStore } from "./campaign-store.ts";
import type { BankDuty } from "./programs/teller-bank.ts";
import type { TellerDuty } from "./programs/teller-engine.ts";
import { Book, effects, type Entry } from "./programs/teller.ts";
import { operate, type Side, type OperatorSetup } from "./random-operator.ts";

/** So many acts on two stores of their own. */
const perField = 40;
/** Engines on the store where orders begin, and on the other. */
const engines = [2, 1] as const;

type Client = Awaited<ReturnType<typeof connect>>;

/** One engine in three dies by itself, at one of the windows of a step or around a Commit. */
function crashPoint(random: Random): string | undefined {
  if (random(3) !== 0) return undefined;
  const point =
    random(3) === 0 ? `engine:${["claim", "commit", "ack"][random(3)]}` : `${effects[random(effects.length)]}:${"ABCDE"[random(5)]}`;
  return `${point}#${1 + random(3)}`;
}

class Office implements Side {
  readonly client: Client;
  readonly #duty: TellerDuty;
  readonly #random: Random;
  readonly #living = new Set<Child>();
  #closed = false;
  died = 0;

  private constructor(client: Client, duty: TellerDuty, random: Random) {
    [this.client, this.#duty, this.#random] = [client, duty, random];
  }
  static async open(field: CampaignStore, bank: string, random: Random, n: number): Promise<Office> {
    const office = new Office(await connect({ store: field.url }), { store: field.url, bank }, random);
    await Promise.all(Array.from({ length: n }, () => office.#begin()));
    return office;
  }
  /** Whoever dies is followed by another. */
  async #begin(): Promise<void> {
    const crash = crashPoint(this.#random);
    const child = startChild("test/campaign/programs/teller-engine.js", {
      args: [JSON.stringify(this.#duty)],
      ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
    });
    this.#living.add(child);
    void child.ended.then(() => {
      this.#living.delete(child);
      if (this.#closed) return;
      this.died++;
      void this.#begin();
    });
    await Promise.race([child.waitForLine("ready").catch(() => {}), child.ended]);
  }
  async kill(): Promise<void> {
    const living = [...this.#living];
    const victim = living[this.#random(living.length)];
    victim?.signal("SIGKILL");
    await victim?.ended;
  }
  async close(): Promise<void> {
    this.#closed = true;
    const living = [...this.#living];
    for (const c of living) c.signal("SIGKILL");
    await Promise.all(living.map((c) => c.ended));
    await this.client.close();
  }
}

function bookOf(ledger: string): Book {
  const book = new Book();
  if (!existsSync(ledger)) return book;
  const lines = readFileSync(ledger, "utf8").split("\n");
  for (const line of lines.slice(0, -1)) book.add(JSON.parse(line) as Entry); // the last is empty, or not whole yet
  return book;
}

async function inOneField(task: Task, n: number, acts: number): Promise<Report> {
  const seed = task.seed * 7_919 + n;
  const random = seeded(seed);
  const fields = [await openCampaignStore(task.store), await openCampaignStore(task.store)] as const;
  const ledger = fields[0].ledger;
  const duty: BankDuty = { ledger, seed, forgets: task.bug !== undefined };
  const bank = startChild("test/campaign/programs/teller-bank.js", { args: [JSON.stringify(duty)] });
  const url = (await bank.waitForLine("bank ")).slice("bank ".length);
  const sides = await Promise.all([
    Office.open(fields[0], url, random, engines[0]),
    Office.open(fields[1], url, random, engines[1]),
  ] as const);
  const place: OperatorSetup = {
    sides,
    book: async () => bookOf(ledger),
    nowMs: () => process.uptime() * 1_000,
    pass: (ms) => pause(ms),
    until: (p) => p,
  };
  try {
    const told = await operate({ place, random, acts, name: `${task.seed}-${n}` });
    const violations: Violation[] = [
      ...told.lies.map((what) => ({ kind: "differs", what }) as const),
      ...told.lost.map((what) => ({ kind: "lost", what }) as const),
    ];
    const died = sides[0].died + sides[1].died;
    task.say(`${told.moves} moves, ${died} deaths, ${told.runs} runs; definite verdicts on ${told.certain} of ${told.effects} effects`);
    return { faults: told.acts, runs: told.runs, effects: told.effects, resent: told.resent, inDoubt: told.inDoubt, violations };
  } finally {
    for (const side of sides) await side.close();
    bank.signal("SIGKILL");
    await bank.ended;
    for (const f of fields) await f.leave();
  }
}

export const operators: Part = {
  name: "operators",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "forgets its keys", shows: ["differs"], faults: 80 },
  async run(task) {
    const all = { faults: 0, runs: 0, effects: 0, resent: 0, inDoubt: 0, violations: [] as Violation[] };
    for (let n = 0; all.faults < task.faults; n++) {
      const r = await inOneField(task, n, Math.min(perField, task.faults - all.faults));
      for (const field of ["faults", "runs", "effects", "resent", "inDoubt"] as const) all[field] += r[field];
      all.violations.push(...r.violations);
      task.say(`${all.faults} acts, ${all.runs} runs, ${all.effects} effects, ${all.violations.length} violations`);
      if (task.bug !== undefined && all.violations.length > 0) break;
    }
    return all;
  },
};
