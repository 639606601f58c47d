// A bounded set of sessions, each lent to one caller at a time. The last one returned is lent first, so that its prepared
// statements stay warm. A caller that finds none waits in line, and gets an error after five seconds. A session that does not answer in
// time is cut, because a silent network would otherwise hold its caller for ever. Idle sessions keep no process alive.
import { PawlError } from "../../../errors/error.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Connection } from "./driver.ts";
import { storeError } from "../errors.ts";

export interface PoolOptions {
  readonly connect: () => Promise<Connection>;
  readonly platform: Platform;
  readonly max: number;
  /** How long a caller waits for a session. */
  readonly waitMsMax: number;
  /** How long a session may be silent while somebody waits for it. */
  readonly answerMsMax: number;
}

interface Waiter {
  readonly give: (c: Connection | undefined) => void;
  readonly fail: (e: PawlError) => void;
}

export class Pool {
  readonly #o: PoolOptions;
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();
  readonly #line: Waiter[] = [];
  /** What is lent, and when it is too late for an answer. */
  readonly #deadlines = new Map<Connection, number>();
  #looksAt = Number.POSITIVE_INFINITY;
  #cancelLook = (): void => {};
  #opening = 0;
  #closed = false;
  #empty = (): void => {};

  constructor(o: PoolOptions) {
    this.#o = o;
  }

  /** Every step passes here: where a session is warm, one promise is made beside the body's own. */
  use<T>(body: (c: Connection) => Promise<T>, answerMsMax: number = this.#o.answerMsMax): Promise<T> {
    const c = this.#closed ? undefined : this.#warm();
    return c === undefined ? this.#take().then((taken) => this.#lend(taken, body, answerMsMax)) : this.#lend(c, body, answerMsMax);
  }

  /** The session is back before the caller continues. */
  #lend<T>(c: Connection, body: (c: Connection) => Promise<T>, answerMsMax: number): Promise<T> {
    this.#watch(c, this.#o.platform.monotonicMs() + answerMsMax);
    let running: Promise<T>;
    try {
      running = body(c);
    } catch (e) {
      return this.#backWith(c, e);
    }
    const back = (): void => this.#back(c);
    running.then(back, back);
    return running;
  }
  #back(c: Connection): void {
    this.#deadlines.delete(c);
    this.#return(c);
  }
  async #backWith(c: Connection, e: unknown): Promise<never> {
    this.#back(c);
    throw e;
  }

  /** One timer serves all that is lent: it is armed for the first that could be late, and looks who is. */
  #watch(c: Connection, deadline: number): void {
    this.#deadlines.set(c, deadline);
    if (deadline >= this.#looksAt) return;
    this.#cancelLook();
    this.#looksAt = deadline;
    this.#cancelLook = this.#o.platform.timer(deadline - this.#o.platform.monotonicMs(), () => {
      this.#looksAt = Number.POSITIVE_INFINITY;
      const now = this.#o.platform.monotonicMs();
      for (const [lent, at] of this.#deadlines) {
        if (at <= now) lent.destroy();
        else this.#watch(lent, at);
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const w of this.#line.splice(0)) w.fail(closedError());
    for (const c of this.#idle.splice(0)) await this.#endOne(c);
    // What is lent ends when it is returned, or when its time is up.
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#empty = resolve));
  }

  async #endOne(c: Connection): Promise<void> {
    await c.end().catch(() => c.destroy());
    this.#forget(c);
  }

  /** An idle session, without waiting. */
  #warm(): Connection | undefined {
    if (this.#closed) throw closedError();
    for (;;) {
      const c = this.#idle.pop();
      if (c?.broken === true) continue;
      c?.keepAlive(true);
      return c;
    }
  }

  async #take(): Promise<Connection> {
    for (;;) {
      const c = this.#warm();
      if (c !== undefined) return c;
      if (this.#open.size + this.#opening < this.#o.max) return this.#connect();
      const given = await this.#wait();
      if (given !== undefined) return given;
    }
  }

  async #connect(): Promise<Connection> {
    this.#opening++;
    let c: Connection;
    try {
      c = await this.#o.connect();
    } catch (e) {
      throw storeError(e, "statement");
    } finally {
      this.#opening--;
      // A caller that waits may try to open one itself: a place became free, or is taken and will come back.
      if (this.#open.size + this.#opening < this.#o.max) this.#line.shift()?.give(undefined);
    }
    this.#open.add(c);
    c.onLost(() => this.#forget(c));
    return c;
  }

  #wait(): Promise<Connection | undefined> {
    return new Promise((resolve, reject) => {
      let cancel = (): void => {};
      const waiter: Waiter = {
        give(c) {
          cancel();
          resolve(c);
        },
        fail(e) {
          cancel();
          reject(e);
        },
      };
      this.#line.push(waiter);
      const late = (): void => {
        const at = this.#line.indexOf(waiter);
        if (at >= 0) this.#line.splice(at, 1);
        const message = `postgres: all ${this.#o.max} connections were busy for ${this.#o.waitMsMax} ms`;
        reject(new PawlError("PAWL3001", message, { outcome: "none" }));
      };
      cancel = this.#o.platform.timer(this.#o.waitMsMax, late, true);
    });
  }

  #return(c: Connection): void {
    if (c.broken) return this.#forget(c);
    if (this.#closed) {
      void this.#endOne(c);
      return;
    }
    const next = this.#line.shift();
    if (next !== undefined) return next.give(c);
    c.keepAlive(false);
    this.#idle.push(c);
  }

  #forget(c: Connection): void {
    if (!this.#open.delete(c)) return;
    const at = this.#idle.indexOf(c);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#line.shift()?.give(undefined);
    if (this.#open.size === 0) this.#empty();
  }
}

function closedError(): PawlError {
  return new PawlError("PAWL3009", "the store is closed");
}
