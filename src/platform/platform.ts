// The machine as the engine sees it: clocks, timers, the event loop's turns, randomness. Everything above receives a
// Platform as a value, so that the whole engine runs on a virtual clock in tests. Nothing above this folder may reach
// for Date.now, setTimeout, Math.random or node:crypto by itself.

/** Undoes what returned it. Calling it twice is harmless. */
export type Cancel = () => void;

export interface Platform {
  /** Wall clock, milliseconds since 1970, integer. */
  wallMs(): number;
  /** A clock that never goes back, milliseconds, may be fractional. */
  monotonicMs(): number;
  /**
   * Uptime of the machine in milliseconds, may be fractional: continues while the process is stopped or the machine asleep, and
   * nobody can set it. All processes of one boot read the same clock: elapsed time is measured by it.
   */
  uptimeMs(): number;
  /** Names the boot whose uptime this is: two processes that say the same name can compare their uptimes. Empty: unknown. */
  bootId(): string;
  /** Calls `fn` once, after at least `ms`. The timer never keeps the process alive unless `keepAlive`. */
  timer(ms: number, fn: () => void, keepAlive?: boolean): Cancel;
  /** Calls `fn` in the next check phase: after it, all microtasks run before the next `turn` callback does (K15). */
  turn(fn: () => void): void;
  uuidV4(): string;
  /** Time-ordered id for runs and engines. */
  uuidV7(): string;
  /** Hex text of `bytes` random bytes. */
  randomHex(bytes: number): string;
  /** Compiled-in crash points (windows A to E of a step, and `engine:<hit>`); does nothing unless a test armed it. Of a step's window: the run's workflowId, too. */
  hit(point: string, workflowId?: string): void;
  /** Whether a test armed this point. Absent: none is. */
  armed?(point: string, workflowId?: string): boolean;
}
