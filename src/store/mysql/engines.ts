// Engines as rows: enlisting, renewing, dying. K1: death is declared one way, in a write of its own, before anything of
// that engine is claimed, and only on evidence that still holds when it is written. K2: a lost session counts only for
// an engine that has itself been well for two seconds; a lapsed lease counts for everybody.
import type { Platform } from "../../platform/platform.ts";
import { checkAdmitted } from "../sql/formats.ts";
import { engineTexts } from "../sql/columns.ts";
import type { EngineRegistration, Renewal } from "../port.ts";
import { retryOnConflict, type WriteDeps } from "./batch.ts";
import type { Connection } from "./wire/driver.ts";
import { format } from "./migrations.ts";
import type { EngineLocks, Suspect } from "./locks.ts";
import type { Pool } from "./wire/pool.ts";
import { transaction } from "./wire/pool.ts";
import { int, intOrNull, text } from "./rows.ts";

const wellMs = 2_000;

export class Engines {
  readonly #w: WriteDeps;
  readonly #readers: Pool;
  readonly #locks: EngineLocks;
  readonly #platform: Platform;
  /** Since when this store's engines have been renewed without a failure, by the monotonic clock. */
  readonly #wellSince = new Map<string, number>();

  constructor(w: WriteDeps, readers: Pool, locks: EngineLocks) {
    this.#w = w;
    this.#readers = readers;
    this.#locks = locks;
    this.#platform = w.platform;
  }

  async register(e: EngineRegistration): Promise<void> {
    // K2: the lock first. A row without a lock behind it would look like an engine whose session was lost.
    // A remote worker has no session of its own here: its lease alone says whether it lives.
    const boot = e.kind === "remote" ? null : await this.#locks.acquire(e.engineId);
    await this.#write(async (db) => {
      const meta = (await db.query(this.#w.sql.admitted)).rows[0] ?? {};
      checkAdmitted({ format: int(meta, "format"), oldestWriter: int(meta, "oldest_writer") }, format);
      await db.query(this.#w.sql.enlist(e.engineId, e.leaseMs, boot, engineTexts(e)));
    });
    this.onRenewalAnswer(e.engineId, "renewed");
  }

  async renew(r: Renewal): Promise<"renewed" | "dead"> {
    try {
      const done = await this.#write((db) => db.query(this.#w.sql.renew(r.engineId, r.leaseMs)));
      const answer = done.changes === 1 ? "renewed" : "dead";
      this.onRenewalAnswer(r.engineId, answer);
      return answer;
    } catch (e) {
      this.#wellSince.delete(r.engineId);
      throw e;
    }
  }

  /** A renewal that rode with a batch counts as well. */
  onRenewalAnswer(engineId: string, answer: "renewed" | "dead"): void {
    if (answer === "dead") {
      this.#wellSince.delete(engineId);
      void this.#locks.release(engineId);
    } else {
      if (!this.#wellSince.has(engineId)) this.#wellSince.set(engineId, this.#platform.monotonicMs());
      this.#locks.renewed(engineId);
    }
  }

  async declareDead(q: { readonly self: string } | { readonly by: string }): Promise<string[]> {
    const { sql } = this.#w;
    if ("self" in q) {
      const dead = await this.#declare([{ engineId: q.self, text: sql.retire(q.self) }]);
      this.#wellSince.delete(q.self);
      await this.#locks.release(q.self);
      return dead;
    }
    return retryOnConflict(this.#platform, async () => {
      const { deaths, anyDead } = await this.#readers.with((db) => this.#evidence(db, q.by));
      return deaths.length === 0 && !anyDead ? [] : this.#declare(deaths);
    });
  }

  async #evidence(db: Connection, by: string): Promise<{ deaths: { engineId: string; text: string }[]; anyDead: boolean }> {
    const { sql } = this.#w;
    const rows = (await db.query(sql.engines())).rows;
    const deaths: { engineId: string; text: string }[] = [];
    const suspects: Suspect[] = [];
    let nowMs = 0;
    for (const r of rows) {
      const engineId = text(r, "engine_id");
      nowMs = int(r, "now_ms");
      if (int(r, "dead") === 1 || engineId === by) continue;
      if (int(r, "lease_until") < nowMs) deaths.push({ engineId, text: sql.declareLapsed(engineId) });
      else suspects.push({ engineId, sessionBoot: intOrNull(r, "session_boot"), renewedAt: int(r, "renewed_at") });
    }
    const well = this.#wellSince.get(by);
    if (well !== undefined && this.#platform.monotonicMs() - well >= wellMs) {
      for (const s of await this.#locks.provenDead(db, suspects, nowMs)) {
        deaths.push({ engineId: s.engineId, text: sql.declareProven(s.engineId, s.renewedAt) });
      }
    }
    return { deaths, anyDead: rows.some((r) => int(r, "dead") === 1) };
  }

  async #declare(deaths: readonly { engineId: string; text: string }[]): Promise<string[]> {
    const { sql } = this.#w;
    return this.#write(async (db) => {
      const dead: string[] = [];
      for (const d of deaths) if ((await db.query(d.text)).changes === 1) dead.push(d.engineId);
      const unneeded = (await db.query(sql.unneeded)).rows.map((r) => text(r, "engine_id"));
      if (unneeded.length > 0) await db.query(sql.forget(unneeded));
      return dead.sort();
    });
  }

  #write<T>(body: (db: Connection) => Promise<T>): Promise<T> {
    return retryOnConflict(this.#platform, () => this.#w.writers.with((db) => transaction(db, () => body(db))));
  }
}
