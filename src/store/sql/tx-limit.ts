// The time limit of ctx.tx, and whose doing it is when it passes. Only the user's own slowness is the user's failure: code that
// takes its time between statements, or a statement that the server is busy with. A database that does not answer is one that is
// away: nothing was committed, so the transaction runs again. It must never say "the database" of a statement that is under way.
import { PawlError } from "../../errors/error.ts";
import type { Cancel, Platform } from "../../platform/platform.ts";

/**
 * What the server says of the session whose answer is awaited, asked on another one. executing: it is busy with the statement.
 * blocked: it waits for rows that somebody else holds. idle: it has nothing to do, so the statement or its answer was lost.
 */
export type SessionState = "executing" | "blocked" | "idle" | "unknown";

/** How long the server may take to say what a session does. */
const askMsMax = 1_000;
/** A timer that comes so much later than it was set for: the process was stopped or starved. */
const starvedMs = 1_000;

export class TxLimit {
  /** Rejects when the time is up. */
  readonly expired: Promise<never>;
  readonly #platform: Platform;
  readonly #limitMs: number;
  readonly #sessionState: () => Promise<SessionState>;
  readonly #startedAt: number;
  #cancel: Cancel = () => {};
  #fail: (e: PawlError) => void = () => {};
  #pending = 0;
  #waitedMs = 0;
  #askedAt = 0;

  /** `leftMs` of the `saidMs` that the limit is. */
  constructor(platform: Platform, leftMs: number, saidMs: number, doing: () => Promise<SessionState>) {
    this.#platform = platform;
    this.#limitMs = saidMs;
    this.#sessionState = doing;
    this.#startedAt = platform.monotonicMs();
    this.expired = new Promise<never>((_, reject) => (this.#fail = reject));
    this.expired.catch(() => {});
    this.#cancel = platform.timer(leftMs, () => void this.#onTimeUp(leftMs), true);
  }

  /** Statements under way. */
  get pending(): number {
    return this.#pending;
  }

  /** A statement on its way to the database: until it is answered, the time is not the user's. */
  async track<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#pending++ === 0) this.#askedAt = this.#platform.monotonicMs();
    try {
      return await statement();
    } finally {
      if (--this.#pending === 0) this.#waitedMs += this.#platform.monotonicMs() - this.#askedAt;
    }
  }

  end(): void {
    this.#cancel();
  }

  async #onTimeUp(leftMs: number): Promise<void> {
    const spentMs = this.#platform.monotonicMs() - this.#startedAt;
    if (this.#pending > 0) {
      const doing = await this.#ask();
      if (this.#pending > 0) return this.#fail(this.#unanswered(doing));
    }
    const ownMs = spentMs - this.#waitedMs;
    const again = spentMs - leftMs > starvedMs || ownMs < leftMs / 2;
    this.#fail(tooLong(`the transaction took longer than ${this.#limitMs} ms`, again));
  }

  #unanswered(doing: SessionState): PawlError {
    if (doing === "executing") return tooLong(`a statement took longer than ${this.#limitMs} ms`, false);
    if (doing === "unknown") return tooLong(`a statement had no answer within ${this.#limitMs} ms`, true);
    if (doing === "blocked")
      return new PawlError("PAWL3001", "ctx.tx: a statement waited too long for rows that another transaction holds", { outcome: "none" });
    return new PawlError("PAWL3002", `ctx.tx: the database did not answer within ${this.#limitMs} ms`, { outcome: "none" });
  }

  /** Who cannot even be asked has not answered either. */
  #ask(): Promise<SessionState> {
    return new Promise((resolve) => {
      const cancel = this.#platform.timer(askMsMax, () => resolve("idle"), true);
      const told = (d: SessionState): void => {
        cancel();
        resolve(d);
      };
      this.#sessionState().then(told, () => told("idle"));
    });
  }
}

/** `again`: it is not clear that it was the user's doing. */
function tooLong(what: string, again: boolean): PawlError {
  return new PawlError("PAWL3011", `ctx.tx: ${what}`, { outcome: "none", ...(again ? { data: { again: true } } : {}) });
}
