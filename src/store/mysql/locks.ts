// The evidence of K2: each engine holds a named lock of the server in a session of its own, taken before its row is
// written. The server drops it with the session, however the process died. A missing lock alone proves nothing: the last
// renewal must be old, and the server the same one that gave the lock. A live engine that lost its session takes the lock
// again, and says every quarter of a second that it lives, on whatever connection it has.
import { PawlError } from "../../errors/error.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { Cancel, Platform } from "../../platform/platform.ts";
import type { Connection } from "./wire/driver.ts";
import { isLost } from "./errors.ts";
import { lit } from "./wire/literal.ts";
import { int, text } from "./rows.ts";
import type { Sql } from "./sql.ts";

const beatMs = 250;
/** The server counts its uptime in whole seconds: two readings of one start may differ by this much. */
const bootSlackMs = 2_000;
/** After a start of the server everybody has this long to come back before anybody is taken for dead. */
const settleMs = 3_000;
const renewalOldMs = 750;

/** Names are the server's, not the database's: the store's id is in it. At most 64 characters, and case means nothing. */
export function lockName(storeId: string, engineId: string): string {
  return `pawl_${sha256Hex(`${storeId}/${engineId}`).slice(0, 56)}`;
}

export interface Suspect {
  readonly engineId: string;
  readonly sessionBoot: number | null;
  readonly renewedAt: number;
}

export class EngineLocks {
  readonly #open: () => Promise<Connection>;
  readonly #platform: Platform;
  readonly #sql: Sql;
  readonly #storeId: string;
  /** By engine: when a renewal was last answered, by the monotonic clock. */
  readonly #held = new Map<string, number>();
  /** The engines whose lock the present session has. */
  readonly #taken = new Set<string>();
  #db: Connection | undefined;
  #cancel: Cancel | undefined;
  #closed = false;
  #turning = false;

  constructor(open: () => Promise<Connection>, platform: Platform, sql: Sql, storeId: string) {
    this.#open = open;
    this.#platform = platform;
    this.#sql = sql;
    this.#storeId = storeId;
  }

  /** Takes this engine's lock and keeps it; the server's start, for its row; null where no lock can be relied on. */
  async acquire(engineId: string): Promise<number | null> {
    const db = await this.#session();
    const boot = await this.#lock(db, engineId);
    if (boot === "taken")
      throw new PawlError("PAWL3001", "the lock of this engine is held: another engine looks whether it is alive", { data: { engineId } });
    this.#held.set(engineId, this.#platform.monotonicMs());
    this.#beat();
    return boot;
  }

  /** A renewal was answered: no need to say again so soon that the engine lives. */
  renewed(engineId: string): void {
    if (this.#held.has(engineId)) this.#held.set(engineId, this.#platform.monotonicMs());
  }

  async release(engineId: string): Promise<void> {
    const held = this.#held.delete(engineId);
    this.#taken.delete(engineId);
    if (!held || this.#db === undefined || this.#db.lost) return;
    await this.#db.query(`do release_lock(${this.#name(engineId)})`).catch(() => {});
  }

  /** Which of these engines are gone for certain; they are asked about on `db`. */
  async provenDead(db: Connection, suspects: readonly Suspect[], nowMs: number): Promise<Suspect[]> {
    const old = suspects.filter((s) => s.sessionBoot !== null && !this.#held.has(s.engineId) && nowMs - s.renewedAt > renewalOldMs);
    if (old.length === 0) return [];
    const parts = old.map((s, i) => `is_free_lock(${this.#name(s.engineId)}) as free_${i}`);
    const free = (await db.query(`select ${parts.join(", ")}`)).rows[0] ?? {};
    const missing = old.filter((_, i) => Number(free[`free_${i}`]) === 1);
    if (missing.length === 0) return [];
    const { boot, uptimeMs } = await bootOf(db);
    if (uptimeMs < settleMs) return [];
    return missing.filter((s) => Math.abs(boot - (s.sessionBoot ?? 0)) <= bootSlackMs);
  }

  /** Lets go of every lock without recording a death: what the end of the process would do. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    this.#held.clear();
    await this.#db?.close();
  }

  #name(engineId: string): string {
    return lit(lockName(this.#storeId, engineId));
  }

  async #session(): Promise<Connection> {
    if (this.#db !== undefined && !this.#db.lost) return this.#db;
    const db = await this.#open();
    if (this.#closed) {
      await db.close();
      throw new PawlError("PAWL3009", "the store is closed");
    }
    this.#db = db;
    this.#taken.clear();
    db.onLost(() => this.#soon());
    return db;
  }

  /** The server's start if the lock is this session's now; null: locks mean nothing here, and the lease decides. */
  async #lock(db: Connection, engineId: string): Promise<number | null | "taken"> {
    const name = this.#name(engineId);
    try {
      const got = (await db.query(`select if(is_used_lock(${name}) = connection_id(), 1, get_lock(${name}, 0)) as got`)).rows[0];
      if (Number(got?.["got"]) !== 1) return "taken";
      this.#taken.add(engineId);
      // Behind a pooler this statement may be another session's.
      const mine = (await db.query(`select is_used_lock(${name}) = connection_id() as mine`)).rows[0];
      return Number(mine?.["mine"]) === 1 ? (await bootOf(db)).boot : null;
    } catch (e) {
      if (isLost(e)) throw e;
      // A cluster that forbids named locks.
      this.#taken.add(engineId);
      return null;
    }
  }

  /** The session was lost: take the locks again at once, not at the next beat. */
  #soon(): void {
    if (this.#closed || this.#held.size === 0) return;
    this.#cancel?.();
    this.#cancel = this.#platform.timer(1, () => void this.#turn());
  }

  #beat(): void {
    if (this.#closed || this.#held.size === 0) return;
    this.#cancel?.();
    this.#cancel = this.#platform.timer(beatMs, () => void this.#turn());
  }

  async #turn(): Promise<void> {
    if (this.#turning) return;
    this.#turning = true;
    try {
      const db = await this.#session();
      for (const engineId of [...this.#held.keys()].filter((id) => !this.#taken.has(id))) {
        // Not available while the server has not noticed the end of the old session: then at the next beat.
        const boot = await this.#lock(db, engineId);
        if (typeof boot === "number") await db.query(this.#sql.locked(engineId, boot));
      }
      const now = this.#platform.monotonicMs();
      const quiet = [...this.#held].filter(([, at]) => now - at >= beatMs - 20).map(([id]) => id);
      if (quiet.length > 0 && !db.lost) {
        await db.query(this.#sql.touch(quiet));
        for (const id of quiet) this.renewed(id);
      }
    } catch {
      // The store is unreachable; the next write reports it. The next beat tries again.
    } finally {
      this.#turning = false;
      this.#beat();
    }
  }
}

/** When the server started, by its own clock, and for how long it has been up; to the second. */
async function bootOf(db: Connection): Promise<{ boot: number; uptimeMs: number }> {
  const row = (await db.query("show global status like 'Uptime'")).rows[0] ?? {};
  const uptimeMs = Number(text(row, "Value")) * 1000;
  const now = (await db.query("select unix_timestamp() * 1000 as now_ms")).rows[0] ?? {};
  return { boot: int(now, "now_ms") - uptimeMs, uptimeMs };
}
