// Fires schedules from an engine: it reads all of them once, waits for the earliest due time with one timer, and reads again only
// when the mark says that somebody changed one. So a store without schedules costs no reads. Every engine tries; the store lets
// one win. A check once a second finds what a timer missed. It decides nothing: fire.ts does.
import type { EngineCore } from "../engine/engine.ts";
import type { Logger } from "../engine/run-host.ts";
import { isPawlError } from "../errors/error.ts";
import type { Cancel } from "../platform/platform.ts";
import type { CodeSchedule } from "./define.ts";
import { canFire, fireDue, type FireDeps, type Fired } from "./fire.ts";
import { putTerms, storedTerms } from "./put.ts";
import {
  dropOldFires,
  firesKept,
  listSchedules,
  readSchedule,
  termsDigest,
  writeCode,
  type ScheduleRow,
  type StoredSchedule,
} from "./rows.ts";

const timerMsMax = 2_000_000_000;
/** How many fires pass between two removals of old records. */
const dropEvery = 100;

export class ScheduleLoop {
  readonly #core: EngineCore;
  readonly #code: ReadonlyMap<string, CodeSchedule>;
  readonly #digests = new Map<string, string>();
  readonly #log: Logger;
  readonly #deps: FireDeps;
  readonly #known = new Map<string, StoredSchedule>();
  #mark: number | null = null;
  #announcedAs: string | null = null;
  #timer: Cancel | null = null;
  #working: Promise<void> = Promise.resolve();
  #busy = false;
  #again = false;
  /** Somebody changed a schedule since they were read. */
  #stale = true;
  #stopped = false;
  #problem: string | null = null;

  constructor(core: EngineCore, code: readonly CodeSchedule[]) {
    const { store, scope, platform, limits, log } = core.settings;
    this.#core = core;
    this.#log = log;
    this.#code = new Map(code.map((s) => [s.name, s]));
    this.#deps = { store, scope, platform, limits, definition: (w) => core.definition(w), code: (row) => this.codeOf(row) };
  }

  /** Of a stored schedule that says what this process's code says. */
  codeOf(row: ScheduleRow): CodeSchedule | undefined {
    return this.#digests.get(row.name) === row.digest ? this.#code.get(row.name) : undefined;
  }

  /** Puts what is in code, the last to start decides, then fires what is due from now on. */
  async start(): Promise<void> {
    const { store, scope, limits } = this.#core.settings;
    if (store.lacks?.includes("reader") === true) return;
    for (const s of this.#code.values()) {
      const terms = await storedTerms(s, limits);
      this.#digests.set(s.name, termsDigest(terms));
      await putTerms(store, scope, terms);
    }
    await this.#announce();
    this.#core.onSchedules = (mark) => this.#onLook(mark);
    this.#wake();
    await this.#working;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#core.onSchedules = null;
    this.#timer?.();
    await this.#working;
  }

  /** An engine has a new id after it was declared dead. */
  async #announce(): Promise<void> {
    const { engineId } = this.#core;
    if (this.#code.size === 0 || this.#announcedAs === engineId) return;
    await writeCode(this.#deps.store, this.#deps.scope, engineId, [...this.#code.keys()]);
    this.#announcedAs = engineId;
  }

  #onLook(mark: number): void {
    if (this.#stopped) return;
    if (mark !== this.#mark) this.#stale = true;
    this.#mark = mark;
    if (this.#stale || this.#due().length > 0 || (this.#code.size > 0 && this.#announcedAs !== this.#core.engineId)) this.#wake();
  }

  /** One pass at a time; asked for meanwhile, another follows. */
  #wake(): void {
    this.#again = true;
    if (this.#busy || this.#stopped) return;
    this.#busy = true;
    this.#working = this.#passes()
      .catch((e: unknown) => this.#onFailure(e))
      .finally(() => {
        this.#busy = false;
        this.#arm();
      });
  }

  async #passes(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await this.#announce();
      if (this.#stale) await this.#read();
      const problems: unknown[] = [];
      for (const s of this.#due()) {
        if (this.#stopped || this.#core.isDraining) return;
        try {
          await this.#fire(s);
        } catch (e) {
          problems.push(e); // one that cannot be fired here must not hold up those after it
        }
      }
      if (problems.length > 0) throw problems[0];
    }
    this.#problem = null;
  }

  async #read(): Promise<void> {
    this.#stale = false;
    const rows = await listSchedules(this.#deps.store, this.#deps.scope).catch((e: unknown) => {
      this.#stale = true;
      throw e;
    });
    this.#known.clear();
    for (const s of rows) this.#known.set(s.row.name, s);
  }

  #due(): StoredSchedule[] {
    const now = this.#core.storeNowMs;
    return [...this.#known.values()].filter(({ row }) => row.next !== null && row.next <= now && this.#isOurs(row));
  }
  #isOurs(row: ScheduleRow): boolean {
    return row.paused === undefined && canFire(this.#deps, row);
  }

  async #fire(s: StoredSchedule): Promise<void> {
    const { store, scope } = this.#deps;
    const { name } = s.row;
    try {
      this.#onFired(s, await fireDue(this.#deps, s));
    } catch (e) {
      // Whether it was written is in the rows.
      const now = await readSchedule(store, scope, name);
      if (now === undefined) this.#known.delete(name);
      else this.#known.set(name, now);
      throw e;
    }
    const { row } = s;
    if (Math.floor(row.fires / dropEvery) !== Math.floor((this.#known.get(name)?.row.fires ?? row.fires) / dropEvery))
      await dropOldFires(store, scope, name, firesKept);
  }

  #onFired({ row: { name } }: StoredSchedule, { now, recorded }: Fired): void {
    if (now === undefined) this.#known.delete(name);
    else this.#known.set(name, now);
    if (recorded === null) return;
    const { did, runId, because } = recorded;
    const due = new Date(recorded.due).toISOString();
    this.#core.metrics.add(`pawl_schedule_fires_${did}_total`);
    const data = { schedule: name, due, ...(runId === undefined ? {} : { runId }) };
    if (did === "started") this.#log("debug", `schedule ${name} fired`, data);
    else this.#log(did === "failed" ? "error" : "warn", `schedule ${name}, due ${due}: ${did}, ${because ?? ""}`, data);
  }

  /** For what is due later. What is due and could not be fired is tried at the next look. */
  #arm(): void {
    this.#timer?.();
    this.#timer = null;
    if (this.#stopped) return;
    const now = this.#core.storeNowMs;
    let next = Number.POSITIVE_INFINITY;
    for (const { row } of this.#known.values())
      if (row.next !== null && row.next > now && this.#isOurs(row)) next = Math.min(next, row.next);
    if (next < Number.POSITIVE_INFINITY)
      this.#timer = this.#core.settings.platform.timer(Math.min(next - now, timerMsMax), () => this.#wake());
  }

  #onFailure(e: unknown): void {
    if (this.#stopped) return;
    const message = e instanceof Error ? e.message : String(e);
    if (this.#problem !== message) this.#log("warn", `schedules wait for the store: ${message}`, isPawlError(e) ? { code: e.code } : {});
    this.#problem = message;
  }
}
