// The one session that is never lent: it holds the engines' locks (K2) and listens for hints. The server drops a lock with
// its session, however the process died; so a missing lock is evidence, but only beside a silence and on the same life of the
// server, since a lost session is no dead engine. A live engine that lost its lock takes it again, and says every 250 ms
// that it lives. Behind a pooler there are no session locks: the lease decides.
import type { Cancel, Platform } from "../../platform/platform.ts";
import type { Connection } from "./wire/driver.ts";
import { textArray } from "./wire/array-parameters.ts";
import { lockKey } from "./wire/address.ts";
import type { WithSession } from "./batch.ts";
import type { StoreSettings } from "./wire/session.ts";

const beatMs = 250;
/** K2: an engine declares nobody dead on evidence until it has itself been well for this long. */
const wellMsMin = 2_000;

export interface EngineLocksOptions {
  readonly platform: Platform;
  readonly settings: StoreSettings;
  readonly channel: string;
  readonly pooler: boolean;
  readonly connect: () => Promise<Connection>;
  readonly withSession: WithSession;
  readonly onHint: (payload: string) => void;
}

export class EngineLocks {
  readonly #o: EngineLocksOptions;
  /** Engines of this process, and whether their lock is held now. */
  readonly #engines = new Map<string, { held: boolean }>();
  #connection: Connection | undefined;
  #opening: Promise<void> | undefined;
  #beat: Cancel | undefined;
  #wellSince: number | undefined;
  #listening = false;
  #wanted = false;
  #closed = false;

  constructor(o: EngineLocksOptions) {
    this.#o = o;
  }

  /** Hints of other processes arrive: a word sent to oneself came back. */
  get listening(): boolean {
    return this.#listening;
  }

  /** What is seen of other engines' locks may be trusted. */
  get canProveDeath(): boolean {
    return !this.#o.pooler && this.#wellSince !== undefined && this.#o.platform.monotonicMs() - this.#wellSince >= wellMsMin;
  }

  lockOf(engineId: string): bigint | null {
    return this.#o.pooler ? null : lockKey(this.#o.settings.schema, `engine/${engineId}`);
  }

  /** Begins to listen; a session that is lost is opened again. */
  listen(): void {
    this.#wanted = true;
    this.#open().catch(() => {
      // Hints are no more than hints: the next beat tries again, and polling continues.
    });
    this.#arm();
  }

  /** The lock comes before the engine's row: a row without one would look like an engine that nobody can prove dead. */
  async acquire(engineId: string): Promise<void> {
    this.#wanted = true;
    if (!this.#engines.has(engineId)) this.#engines.set(engineId, { held: false });
    await this.#open();
    await this.#lockAll();
    this.#wellSince ??= this.#o.platform.monotonicMs();
    this.#arm();
  }

  /** The engine is recorded as dead: its lock has no meaning any more. */
  async release(engineId: string): Promise<void> {
    const held = this.#engines.get(engineId)?.held === true;
    this.#engines.delete(engineId);
    const key = this.lockOf(engineId);
    const c = this.#connection;
    if (held && key !== null && c !== undefined) {
      c.keepAlive(true);
      await c.query({ text: "select pg_advisory_unlock($1)", values: [key] }).catch(() => c.destroy());
      c.keepAlive(false);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#beat?.();
    await this.#opening?.catch(() => {});
    await this.#connection?.end().catch(() => this.#connection?.destroy());
  }

  #open(): Promise<void> {
    if (this.#closed || (this.#connection !== undefined && !this.#connection.broken)) return Promise.resolve();
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #connect(): Promise<void> {
    const c = await this.#o.connect();
    if (this.#closed) return c.end();
    this.#connection = c;
    this.#listening = false;
    for (const e of this.#engines.values()) e.held = false;
    const test = `test ${this.#o.platform.uuidV4()}`;
    c.listen((channel, payload) => {
      if (channel !== this.#o.channel) return;
      if (payload === test) this.#listening = true;
      else this.#o.onHint(payload);
    });
    c.onLost(() => this.#lost(c));
    await c.exec(`listen ${this.#o.channel}`);
    // Sent on another session: only a word that crossed the server proves that hints do.
    this.#o.withSession((r) => r.query({ text: "select pg_notify($1, $2)", values: [this.#o.channel, test] })).catch(() => {});
    await this.#lockAll();
    c.keepAlive(false);
  }

  #lost(c: Connection): void {
    if (this.#connection !== c) return;
    this.#connection = undefined;
    this.#listening = false;
    for (const e of this.#engines.values()) e.held = false;
    if (this.#closed) return;
    // At once: the sooner the lock is back, the less there is to be misread. If that fails, with the next beat.
    this.#open().catch(() => {});
  }

  /** Takes every lock that is not held. One that its own dying session still holds comes free in a moment: the next beat. */
  async #lockAll(): Promise<void> {
    const c = this.#connection;
    for (const [engineId, e] of this.#engines) {
      const key = this.lockOf(engineId);
      if (key === null || e.held || c === undefined || c.broken) continue;
      // Somebody awaits this answer, and nothing else may keep the process alive until it comes.
      c.keepAlive(true);
      const { rows } = await c.query({ text: "select pg_try_advisory_lock($1) as got", values: [key] }).finally(() => c.keepAlive(false));
      if (rows[0]?.["got"] !== true) continue;
      e.held = true;
      await this.#o.withSession((r) => r.execute("relock", r.settings.clock(), engineId, key));
    }
  }

  #arm(): void {
    if (this.#closed) return;
    this.#beat ??= this.#o.platform.timer(beatMs, () => {
      this.#beat = undefined;
      this.#live().then(
        () => this.#arm(),
        () => {
          this.#wellSince = undefined;
          this.#arm();
        },
      );
    });
  }

  async #live(): Promise<void> {
    if (!this.#wanted || this.#closed) return;
    const ids = [...this.#engines.keys()];
    if (ids.length > 0) await this.#o.withSession((r) => r.execute("beat", r.settings.clock(), textArray(ids)));
    await this.#open();
    await this.#lockAll();
    if (ids.length > 0) this.#wellSince ??= this.#o.platform.monotonicMs();
  }
}
