// The workers' side of a storm: claims, reports, beats, rows given back, deaths, lapses, and a look at the limit. It knows who holds what: a
// row that is given out while somebody holds it, or a report that is recorded twice, is a problem.
import type { HeldDispatch, QueueClaimAnswer } from "../../src/store/port.ts";
import { scope } from "../../src/store/suite/build.ts";
import { works } from "../../src/store/suite/queues/build.ts";
import { limit, queues, type Storm, tasks } from "./storm.ts";

export class StormWorkers {
  claims = 0;
  readonly recorded = new Set<number>();
  readonly lapsed = new Set<number>();
  readonly #s: Storm;
  readonly #ids: string[] = [];
  /** Who holds which row, as far as the holder has not let go of it. */
  readonly #holders = new Map<number, string>();
  #pool: HeldDispatch[] = [];
  readonly #versions = new Map<string, number>();
  #made = 0;
  #tokens = 0;
  /** How often the open queue was paused or resumed, and whether its pausing was answered. */
  #pause = { turn: 0, answered: false };

  constructor(s: Storm) {
    this.#s = s;
  }

  async begin(n: number): Promise<void> {
    for (let i = 0; i < n; i++) await this.#enlist(i);
  }

  async #enlist(i: number): Promise<void> {
    const engineId = `worker-${++this.#made}`;
    await this.#s.store().registerEngine({ engineId, leaseMs: 600_000, serves: [], scope, kind: "worker", works });
    this.#ids[i] = engineId;
  }

  async claim(i: number): Promise<void> {
    const { random } = this.#s;
    const queue = random(2) === 0 ? queues.open : queues.limited;
    const store = this.#s.store();
    const version = this.#versions.get(queue) ?? (await store.queues.open(scope, [queue]))[0]!.version;
    this.#versions.set(queue, version);
    const n = 1 + random(5);
    const tokens = Array.from({ length: n }, () => `t${++this.#tokens}`);
    const before = { ...this.#pause };
    const q = { worker: this.#ids[i]!, scope, queue, version, tasks, limit: n, tokens, beginWithinMs: 1_000, from: null };
    const answer: QueueClaimAnswer = await store.queues.claim(q);
    if (answer.kind === "moved") this.#versions.delete(queue);
    if (answer.kind === "dead") await this.#enlist(i);
    if (answer.kind !== "claimed") return;
    // Asked after pausing was answered, and resumed by nobody since.
    if (queue === queues.open && answer.rows.length > 0 && before.answered && before.turn === this.#pause.turn)
      this.#s.problem("broken", `a paused queue gave ${answer.rows.length} rows`);
    for (const row of answer.rows) {
      this.claims++;
      const holder = this.#holders.get(row.dispatchId);
      if (holder !== undefined) this.#s.problem("duplicate", `dispatch ${row.dispatchId} was claimed while ${holder} held it`);
      this.#holders.set(row.dispatchId, row.worker ?? "");
      this.#pool.push({ dispatchId: row.dispatchId, token: row.token ?? "" });
    }
  }

  /** Some of what is held, taken out of everybody else's reach. */
  #take(n: number): HeldDispatch[] {
    const taken: HeldDispatch[] = [];
    while (taken.length < n && this.#pool.length > 0) taken.push(...this.#pool.splice(this.#s.random(this.#pool.length), 1));
    return taken;
  }

  async finish(): Promise<void> {
    const held = this.#take(1 + this.#s.random(5));
    if (held.length === 0) return this.#nothing();
    const ends = held.map((h) => ({ ...h, end: { kind: "result", report: h.dispatchId } as const }));
    // Now and then the answer is lost, and the report is sent again, in another order.
    const twice = this.#s.random(4) === 0;
    const answers = await Promise.all([
      this.#s.store().queues.finish(ends),
      twice
        ? this.#s
            .store()
            .queues.finish(ends.toReversed())
            .then((a) => a.toReversed())
        : undefined,
    ]);
    for (const [i, h] of held.entries()) {
      const recorded = answers.filter((a) => a?.[i] === "recorded").length;
      if (recorded > 1 || (recorded === 1 && this.recorded.has(h.dispatchId)))
        this.#s.problem("duplicate", `the report of dispatch ${h.dispatchId} was recorded twice`);
      if (recorded > 0) this.recorded.add(h.dispatchId);
    }
  }

  async beat(): Promise<void> {
    const held = this.#take(5);
    if (held.length === 0) return this.#nothing();
    const worker = this.#ids[this.#s.random(this.#ids.length)]!;
    await this.#s.store().queues.beat(
      worker,
      held.map((h, i) => (i % 2 === 0 ? { ...h, beat: "1" } : h)),
    );
    this.#pool.push(...held);
  }

  async giveBack(): Promise<void> {
    const held = this.#take(1 + this.#s.random(4));
    if (held.length === 0) return this.#nothing();
    for (const h of held) this.#holders.delete(h.dispatchId);
    await this.#s.store().queues.giveBack(held);
  }

  async lapse(): Promise<number> {
    const over = await this.#s.store().queues.lapse(20);
    for (const { dispatchId } of over) {
      if (this.lapsed.has(dispatchId)) this.#s.problem("duplicate", `dispatch ${dispatchId} lapsed twice`);
      this.lapsed.add(dispatchId);
    }
    if (this.#s.random(20) === 0) await this.#s.store().queues.sweep(20);
    return over.length;
  }

  async lookAtLimit(): Promise<void> {
    const { claimed } = await this.#s.store().queues.depth(scope, queues.limited, 100);
    if (claimed > limit) this.#s.problem("broken", `${claimed} are claimed at once, ${limit} may be`);
    await this.#nothing();
  }

  async pauseOrResume(): Promise<void> {
    const pauses = !this.#pause.answered;
    this.#pause = { turn: this.#pause.turn + 1, answered: false };
    await this.#s.store().queues.configure(scope, queues.open, { paused: pauses ? { by: "storm", reason: "test" } : null });
    if (pauses) this.#pause = { turn: this.#pause.turn + 1, answered: true };
    for (let n = 0; n < 5; n++) await this.#nothing();
  }

  async die(): Promise<void> {
    const i = this.#s.random(this.#ids.length);
    if (this.#s.random(5) === 0) await this.#s.store().declareDead({ self: this.#ids[i]! });
    for (let n = 0; n < 20; n++) await this.#nothing();
  }

  /** A look at something else: nobody turns on the spot. */
  async #nothing(): Promise<void> {
    await this.#s.store().queues.depth(scope, queues.open, 1);
  }
}
