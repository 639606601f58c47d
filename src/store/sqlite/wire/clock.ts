// The clock of a store that lives in a file. It is the machine's uptime plus an offset that is kept in the file, so that all processes
// of one boot agree, whatever becomes of the wall clock. A wall clock that drifts is followed, at the pace of a time server; one that
// jumps is not believed until the machine has booted again. The store's time never goes back behind what was recorded, and it
// must never jump while a machine runs: timers, leases and K25 count by it.
import type { Platform } from "../../../platform/platform.ts";
import type { Statements } from "../rows.ts";
import type { Writer } from "./writer.ts";

const collection = "pawl.clock";
const key = "store";
/** How long a process goes by the offset that it read. */
const rereadMs = 1_000;
/** How often the offset is moved towards the wall clock, and how far: so much of the time that has passed. */
const followEveryMs = 60_000;
const followShare = 1 / 2_000;
/** Further away, it was set by somebody. */
const driftMsMax = 10_000;
/** Where the system does not name its boots, a wall clock that is further ahead tells of one. */
const bootGapMs = 600_000;

interface StoredClock {
  readonly boot: string;
  /** The store's time minus the uptime. */
  readonly offset: number;
  /** When this was written: the store's time, and the uptime. */
  readonly at: number;
  readonly uptime: number;
}

export class FileClock {
  readonly #platform: Platform;
  readonly #st: Statements;
  #stored: StoredClock;
  #readAt: number;

  private constructor(platform: Platform, st: Statements, kept: StoredClock) {
    this.#platform = platform;
    this.#st = st;
    this.#stored = kept;
    this.#readAt = platform.uptimeMs();
  }

  /** Continues the file's clock, or begins one for this boot. */
  static async open(platform: Platform, st: Statements, writer: Writer): Promise<FileClock> {
    const found = await writer.read(readClock);
    if (found !== null && isFromThisBoot(platform, found)) return new FileClock(platform, st, found);
    const kept = await writer.write((s) => {
      const now = readClock(s);
      return now !== null && isFromThisBoot(platform, now) ? now : startClock(platform, s, now);
    });
    return new FileClock(platform, st, kept);
  }

  now(): number {
    const uptime = this.#platform.uptimeMs();
    if (Math.abs(uptime - this.#readAt) >= rereadMs) this.#reread(uptime);
    return Math.floor(uptime + this.#stored.offset);
  }

  #reread(uptime: number): void {
    this.#readAt = uptime;
    try {
      const found = readClock(this.#st);
      // Of another boot: two machines share a file, which no lock permits. Each continues by its own.
      if (found?.boot === this.#stored.boot) this.#stored = found;
    } catch {
      // Busy for a moment: the offset that is known is good.
    }
  }

  /** How far the wall clock is ahead of the store's. */
  get wallAheadMs(): number {
    return this.#platform.wallMs() - this.now();
  }

  get wantsToFollow(): boolean {
    return this.now() - this.#stored.at >= followEveryMs;
  }
  /** In a write transaction: a small step towards the wall clock, if nobody has just made it. */
  follow(st: Statements): void {
    this.#reread(this.#platform.uptimeMs());
    if (!this.wantsToFollow) return;
    const most = Math.min(this.now() - this.#stored.at, 60 * followEveryMs) * followShare;
    const ahead = this.wallAheadMs;
    const drifted = Math.abs(ahead) <= driftMsMax;
    const offset = this.#stored.offset + (drifted ? Math.max(-most, Math.min(most, ahead)) : 0);
    this.#stored = storeClock(this.#platform, st, offset);
  }
}

/** What the settings of a store say of a wall clock that it does not go by. */
export function clockSetting(wallAheadMs: number): Readonly<Record<string, string>> {
  const seconds = Math.round(Math.abs(wallAheadMs) / 1_000);
  return seconds === 0 ? {} : { clock: `the machine's clock is ${seconds} s ${wallAheadMs > 0 ? "ahead of" : "behind"} the store's` };
}

function isFromThisBoot(platform: Platform, k: StoredClock): boolean {
  if (k.boot !== platform.bootId()) return false;
  const uptime = platform.uptimeMs();
  return k.boot !== "" || (uptime >= k.uptime && platform.wallMs() - (uptime + k.offset) < bootGapMs);
}

/** The wall clock is taken as it is, unless the store has recorded later times. */
function startClock(platform: Platform, st: Statements, before: StoredClock | null): StoredClock {
  const last = Number(st.lastEventAt.get()?.["persisted_at"] ?? 0);
  return storeClock(platform, st, Math.max(platform.wallMs(), last, before?.at ?? 0) - platform.uptimeMs());
}

function storeClock(platform: Platform, st: Statements, offset: number): StoredClock {
  const uptime = platform.uptimeMs();
  const kept: StoredClock = { boot: platform.bootId(), offset, at: Math.floor(uptime + offset), uptime };
  st.putShelf.run(collection, key, JSON.stringify(kept), kept.at);
  return kept;
}

function readClock(st: Statements): StoredClock | null {
  const row = st.shelfRow.get(collection, key);
  if (row === undefined) return null;
  return JSON.parse(String(row["value"])) as StoredClock;
}
