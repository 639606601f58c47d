// The calls of one work item: the run's own, under the item's scope, with random numbers of its own. It knows which of its steps are open, so that
// a node has ended only when its function has returned and its scope is empty. Nothing may be called through it afterwards.
import { seededRandom, type SeededRandom } from "../core/seeded-random.ts";
import type { AskSpec, Calls, ChildSpec, EffectSpec, TxOf, TxUndo } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import type { TxSql } from "../store/transaction-store.ts";

export interface ItemLimits {
  readonly node: string;
  readonly timeoutMs: number | null;
}

export class ItemCalls {
  readonly run: Calls["run"];
  readonly scope: string;
  /** Rejects when the node's time is over; null: it has no limit, or nothing of it has begun. */
  expired: Promise<never> | null = null;
  /** What the node called the superstep that it is part of. */
  label: string | null = null;
  readonly #calls: Calls;
  readonly #limits: ItemLimits;
  readonly #seedHex: string;
  readonly #open = new Set<Promise<unknown>>();
  #random: SeededRandom | null = null;
  #isClosed = false;
  #onBegun: ((expired: Promise<never>) => void) | null = null;

  constructor(calls: Calls, scope: string, seedHex: string, limits: ItemLimits) {
    this.run = calls.run;
    this.scope = scope;
    this.#calls = calls;
    this.#seedHex = seedHex;
    this.#limits = limits;
  }

  /** Settles as `body` does, or fails when the node's time is over. */
  within(body: Promise<unknown>): Promise<unknown> {
    if (this.#limits.timeoutMs === null) return body;
    const expires = this.expired ?? new Promise<never>((_, reject) => (this.#onBegun = (e) => void e.catch(reject)));
    return Promise.race([body, expires]);
  }

  /** The node's function has ended: open waits are given up, what is under way is awaited. Null: nothing is open. */
  close(): Promise<void> | null {
    this.#isClosed = true;
    return this.#open.size === 0 ? null : this.#settle();
  }
  async #settle(): Promise<void> {
    while (this.#open.size > 0) {
      this.#calls.closeScope(this.scope);
      await Promise.allSettled(this.#open);
    }
  }

  #track<T>(call: () => Promise<T>): Promise<T> {
    if (this.#isClosed) {
      const refused = Promise.reject(this.#tooLate());
      refused.catch(() => {});
      return refused;
    }
    const p = call();
    this.#add(p);
    this.#startClock();
    return p;
  }
  #tooLate(): PawlError {
    return new PawlError("PAWL1015", `node ${this.#limits.node} has ended: its ctx takes no more calls`);
  }
  #add(p: Promise<unknown>): void {
    this.#open.add(p);
    const done = (): void => void this.#open.delete(p);
    p.then(done, done);
  }
  /** A node's time counts from its first step, and is kept by the store: a timer of the log. */
  #startClock(): void {
    const { node, timeoutMs } = this.#limits;
    if (timeoutMs === null || this.expired !== null) return;
    const timer = this.#calls.timer(this.scope, "node deadline", { delayMs: timeoutMs });
    this.#add(timer);
    this.expired = timer.then(() => {
      throw new PawlError("PAWL1057", `node ${node} did not end within ${timeoutMs} ms`, { data: { node, timeoutMs } });
    });
    this.expired.catch(() => {});
    this.#onBegun?.(this.expired);
  }

  effect(scope: string, name: string, spec: EffectSpec): Promise<unknown> {
    return this.#track(() => this.#calls.effect(scope, name, spec));
  }
  tx(scope: string, name: string, fn: (sql: TxSql) => Promise<unknown>, undo: TxUndo | null, of?: TxOf): Promise<unknown> {
    return this.#track(() => this.#calls.tx(scope, name, fn, undo, of));
  }
  toolCallState(identity: string): ReturnType<Calls["toolCallState"]> {
    return this.#calls.toolCallState(identity);
  }
  timer(scope: string, name: string, due: Parameters<Calls["timer"]>[2]): Promise<void> {
    return this.#track(() => this.#calls.timer(scope, name, due));
  }
  receive(scope: string, signal: string, timeoutMs: number | null, name?: string): Promise<unknown> {
    return this.#track(() => this.#calls.receive(scope, signal, timeoutMs, name));
  }
  ask(scope: string, name: string, spec: AskSpec): Promise<unknown> {
    return this.#track(() => this.#calls.ask(scope, name, spec));
  }
  callChild(scope: string, spec: ChildSpec): Promise<unknown> {
    return this.#track(() => this.#calls.callChild(scope, spec));
  }
  /** A view is an event: behind the superstep's own it would belong to the next one, and no replay from there would have it. */
  publish(view: string, value: unknown): void {
    if (this.#isClosed) throw this.#tooLate();
    this.#calls.publish(view, value);
  }
  emit(value: unknown): void {
    this.#calls.emit(this.scope, value);
  }
  nowMs(): number {
    return this.#calls.nowMs();
  }
  uuid(): string {
    return this.#seed().uuid();
  }
  random(): number {
    return this.#seed().random();
  }
  #seed(): SeededRandom {
    return (this.#random ??= seededRandom(this.#seedHex));
  }
  fail(reason: string, data: unknown): never {
    return this.#calls.fail(reason, data);
  }
  subscope(scope: string, name: string): string {
    return this.#calls.subscope(scope, name);
  }
}
