// Operators who do at random what operators do to live orders: start, pause, resume, cancel, terminate, retry, rerun, restart, answer, kill
// engines, and move orders to another store and back. The orders ask a bank outside that loses requests and replies
// (programs/teller.ts). On a virtual clock and on real ones. It must never look at an engine from inside: it has clients, and a ledger.
import type { Client } from "../../src/client/types.ts";
import { isPawlError } from "../../src/errors/error.ts";
import type { Random } from "./engine-processes.ts";
import { insist } from "./programs/insist.ts";
import { effects, settleMs, timeoutMs, type Book, type Effect } from "./programs/teller.ts";
import { judge, type Judged } from "./teller-verdicts.ts";
import { posted } from "../support/posted.ts";

/** One store of the two, with the engines on it. */
export interface Side {
  readonly client: Client;
  /** Kills one of its engines, at once; another takes its place. */
  kill(): Promise<void>;
}
export interface OperatorSetup {
  readonly sides: readonly [Side, Side];
  /** What the bank's ledger says now. */
  book(): Promise<Book>;
  nowMs(): number;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until the promise has settled. */
  until<T>(p: Promise<T>): Promise<T>;
}
export interface BankEntry extends Judged {
  readonly acts: number;
  readonly moves: number;
}
export interface TellerTask {
  readonly place: OperatorSetup;
  readonly random: Random;
  readonly acts: number;
  readonly name: string;
  /** A planted bug: whoever moves an order lets it go on where it was, too. */
  readonly keeps?: boolean;
}

/** Everything stood still for so many looks: it will not move any more. */
const stillMax = 80;
/** And that is enough, whatever moves. */
const looksMax = 1_000;
const lookMs = 500;
const hasEnded = (status: string): boolean => ["COMPLETED", "FAILED", "CANCELLED"].includes(status);

class Operators {
  readonly #place: OperatorSetup;
  readonly #random: Random;
  readonly #task: TellerTask;
  readonly orders: string[] = [];
  /** In which store each order is. */
  readonly #at = new Map<string, 0 | 1>();
  readonly #notes: string[] = [];
  /** When a decision was first seen. */
  readonly #since = new Map<string, number>();
  readonly lost: string[] = [];
  moves = 0;

  constructor(task: TellerTask) {
    this.#task = task;
    this.#place = task.place;
    this.#random = task.random;
  }

  note = (order: string): string => `acts: ${this.#notes.filter((n) => n.endsWith(` ${order}`) || n.startsWith("kill")).join(", ")}`;

  async act(): Promise<void> {
    const acts = [
      () => this.#start(),
      () => this.#control("pause"),
      () => this.#control("resume"),
      () => this.#control("cancel"),
      () => this.#control("terminate"),
      () => this.#retry({}),
      () => this.#retry({ fromStep: this.#any(effects) }),
      () => this.#retry({ rerun: [this.#any(["keyed", "asked", "verified"])], by: "bob", reason: "the customer asked" }),
      () => this.#restart(),
      () => this.answer(),
      () => this.#kill(),
      () => this.#kill(),
      () => this.#move(),
      () => this.#move(),
    ];
    const act = this.orders.length === 0 ? acts[0]! : this.#any(acts);
    await act().catch((x: unknown) => {
      if (!isPawlError(x)) throw x; // not now, says the engine
    });
  }

  /** Looks at everything that waits for a person, in the bank's ledger, and answers once nothing can arrive any more. */
  async answer(): Promise<void> {
    for (const side of this.#place.sides)
      for (const d of await this.#ask(side.client.decisions())) {
        const by = { by: "ann", reason: "looked at the bank" };
        const effect = d.step?.stepId as Effect | undefined;
        const since = this.#since.get(d.decisionId) ?? this.#place.nowMs();
        this.#since.set(d.decisionId, since);
        if (d.kind === "effect" && this.#place.nowMs() - since < timeoutMs + 2 * settleMs) continue;
        const said =
          d.kind === "effect" && effect !== undefined
            ? await this.#found(d.workflowId, effect, d.step?.key)
            : d.kind === "compensation"
              ? { fail: true }
              : { retry: true };
        await this.#ask(side.client.resolve(d.decisionId, { ...by, ...said } as never, { timeoutMs: 1_000 })).catch(refused);
      }
  }

  async #found(order: string, effect: Effect, key: string | undefined): Promise<object> {
    if (this.#random(6) === 0) return { fail: true };
    const book = await this.#place.book();
    const there = key === undefined ? book.hasAny(order, effect) : book.has(order, effect, key);
    return there ? { happened: true, result: `done ${key ?? ""}` } : { happened: false };
  }

  async #start(): Promise<void> {
    const order = `${this.#task.name}-${this.orders.length + 1}`;
    await this.#ask(insist(() => this.#place.sides[0].client.start({ workflow: "teller", allowUnknown: true, id: order })));
    this.orders.push(order);
    this.#at.set(order, 0);
    this.#notes.push(`start ${order}`);
  }
  async #control(what: "pause" | "resume" | "cancel" | "terminate"): Promise<void> {
    const order = this.#any(this.orders);
    this.#notes.push(`${what} ${order}`);
    await this.#ask(this.#client(order).control(order, what, { reason: "because", ...posted }));
  }
  async #retry(how: object): Promise<void> {
    const order = this.#any(this.orders);
    const run = await this.#ask(this.#client(order).get(order));
    if (run === undefined || !hasEnded(run.status)) return;
    this.#notes.push(`retry ${JSON.stringify(how)} ${order}`);
    await this.#ask(this.#client(order).retry(run.runId, how as never));
  }
  async #restart(): Promise<void> {
    const order = this.#any(this.orders);
    this.#notes.push(`restart ${order}`);
    await this.#ask(this.#client(order).start({ workflow: "teller", allowUnknown: true, id: order, onConflict: "restart" }));
  }
  async #kill(): Promise<void> {
    this.#notes.push("kill");
    await this.#ask(this.#any(this.#place.sides).kill());
  }

  /** A move is gone on with after a cut, imported twice, or given back: whatever is done, the order is in one store. */
  async #move(): Promise<void> {
    const order = this.#any(this.orders);
    const from = this.#at.get(order)!;
    const to = from === 0 ? 1 : 0;
    const [source, target] = [this.#place.sides[from].client, this.#place.sides[to].client];
    const exportId = `${order}-move-${++this.moves}`;
    const taken = (): Promise<string[]> => insist(() => linesOf(source.exportRuns({ ids: [order], move: true, exportId })));
    const how = this.#random(4);
    this.#notes.push(`move ${from} to ${to} (${how}) ${order}`);
    try {
      let lines = await this.#ask(taken());
      if (how === 0) lines = await this.#ask(taken()); // the file of the first was lost
      if (how === 1) return void (await this.#ask(insist(() => source.undoExport(exportId))));
      if (this.#random(2) === 0) await this.#place.pass(this.#random(1_200)); // on its way
      const put = (): Promise<unknown> => insist(() => target.importRuns(again(lines)));
      await this.#ask(put());
      this.#at.set(order, to);
      if (how === 2) await this.#ask(put());
      if (this.#task.keeps === true) await this.#ask(insist(() => source.undoExport(exportId)));
    } catch (x) {
      this.lost.push(`${order} could not be moved: ${String(x)}; ${this.note(order)}`);
    }
  }

  /** Everything is allowed to end; what does not is stuck. */
  async settle(): Promise<string[]> {
    let [seen, still] = ["", 0];
    for (let looks = 0; ; looks++) {
      const open: string[] = [];
      const versions: number[] = [];
      for (const order of this.orders) {
        const row = await this.#ask(this.#client(order).get(order));
        if (row === undefined || hasEnded(row.status)) continue;
        open.push(`${order} ${row.status} ${row.waiting ?? ""}; ${this.note(order)}`);
        versions.push(row.headSeq);
        if (row.status === "PAUSED") await this.#ask(this.#client(order).control(row.runId, "resume", posted)).catch(refused);
      }
      if (open.length === 0 || still >= stillMax || looks >= looksMax) return open;
      const now = `${open.length} ${versions.join()}`;
      still = now === seen ? still + 1 : 0;
      seen = now;
      await this.answer();
      await this.#place.pass(lookMs);
    }
  }

  #client(order: string): Client {
    return this.#place.sides[this.#at.get(order)!].client;
  }
  #any<T>(list: readonly T[]): T {
    return list[this.#random(list.length)]!;
  }
  #ask<T>(p: Promise<T>): Promise<T> {
    return this.#place.until(p);
  }
}

/** What an engine or a store may say no to; anything else is a mistake of this program. */
function refused(x: unknown): void {
  if (!isPawlError(x)) throw x;
}
async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}
function again(lines: readonly string[]): () => AsyncIterable<string> {
  return async function* () {
    yield* lines;
  };
}

export async function operate(task: TellerTask): Promise<BankEntry> {
  const { place, random } = task;
  const operators = new Operators(task);
  for (let n = 0; n < task.acts; n++) {
    await operators.act();
    await place.pass(random(3) === 0 ? random(1_500) : random(200));
  }
  const stuck = await operators.settle();
  await place.pass(timeoutMs + 2 * settleMs); // what is late has arrived
  const judged = await judge(place, operators.orders, operators.note);
  const lost = [...operators.lost, ...judged.lost, ...stuck.map((what) => `stuck: ${what}`)];
  return { ...judged, lost, acts: task.acts, moves: operators.moves };
}
