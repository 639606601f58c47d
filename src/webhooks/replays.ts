// Events that somebody asked to be sent once more: a row per run, kept until its last event was accepted or given up. A process
// claims a row by its version and moves it on after every event, so that a death costs one event sent again, and two processes
// never account for the same one. It works beside the live events and never touches their watermarks.
import type { Scope } from "../core/model.ts";
import type { Platform } from "../platform/platform.ts";
import { sortableNumber, consumerCollection } from "../readers/kv-keys.ts";
import type { FullStore } from "../store/full-store.ts";
import type { EventRecord, RunRow } from "../store/port.ts";
import type { KvRow, KvWrite } from "../store/reader-store.ts";
import type { DeliveryLedger } from "./delivery-ledger.ts";
import { endpointConsumer, type Endpoint } from "./endpoints.ts";
import { isWanted } from "./filter.ts";
import { EndpointDelivery, NotDelivered } from "./endpoint-delivery.ts";

/** The events of one run that are to be sent again, in its order. */
export interface ReplayRequest {
  readonly runId: string;
  /** Those after this one, up to and with `upTo`. */
  readonly after: number;
  readonly upTo: number;
  /** Of these, only: their runSeq; null = all that the endpoint wants. */
  readonly only: readonly number[] | null;
  /** They were given up once: the letters go when they are accepted. */
  readonly dead: boolean;
  readonly failures: number;
  readonly nextAt: number;
  /** Who works on it, until when. */
  readonly by: string | null;
}

const onlyMax = 500;
const pageRows = 64;

export class Replays {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #ledger: DeliveryLedger;
  readonly #collection: string;
  readonly #workerId: string;

  constructor(store: FullStore, platform: Platform, scope: Scope, endpoint: string, book: DeliveryLedger) {
    this.#store = store;
    this.#platform = platform;
    this.#ledger = book;
    this.#collection = consumerCollection("replay", endpointConsumer(scope, endpoint));
    this.#workerId = platform.uuidV4();
  }

  /** Rows go in the order of asking. */
  async request(what: readonly Pick<ReplayRequest, "runId" | "after" | "upTo" | "only" | "dead">[]): Promise<void> {
    const { nowMs } = await this.#store.info();
    const rows = what.flatMap(splitLongLists).map((w): ReplayRequest => ({ ...w, failures: 0, nextAt: 0, by: null }));
    for (let i = 0; i < rows.length; i += onlyMax) {
      const stamp = `${sortableNumber(nowMs)}/${this.#platform.uuidV7()}`;
      const page = rows.slice(i, i + onlyMax);
      await this.#store.kv.put(
        page.map((r, n) => ({ collection: this.#collection, key: `${stamp}/${sortableNumber(n)}`, value: JSON.stringify(r), expect: 0 })),
      );
    }
  }

  /** Works on what is due, the first row of each run; answers how many rows it moved. */
  async work(lane: EndpointDelivery, endpoint: () => Endpoint, concurrency: number, signal: AbortSignal): Promise<number> {
    const rows = await this.#store.kv.list({ collection: this.#collection, limit: pageRows });
    if (rows.length === 0) return 0;
    const now = await this.#clock();
    const seen = new Set<string>();
    const due = rows.filter((r) => {
      const { runId, nextAt } = JSON.parse(r.value) as ReplayRequest;
      const first = !seen.has(runId);
      seen.add(runId);
      return first && nextAt <= now();
    });
    let moved = 0;
    const next = due.values();
    const worker = async (): Promise<void> => {
      for (const row of next) if (!signal.aborted && (await this.#workOnRow(row, lane, endpoint, now, signal))) moved++;
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, due.length) }, worker));
    return moved;
  }

  /** The store's clock from here on. */
  async #clock(): Promise<() => number> {
    const began = this.#platform.monotonicMs();
    const { nowMs } = await this.#store.info();
    return () => Math.floor(nowMs + this.#platform.monotonicMs() - began);
  }

  async #workOnRow(row: KvRow, lane: EndpointDelivery, endpoint: () => Endpoint, now: () => number, signal: AbortSignal): Promise<boolean> {
    let again = JSON.parse(row.value) as ReplayRequest;
    let { version } = row;
    const save = async (to: ReplayRequest | null, more: readonly KvWrite[] = []): Promise<boolean> => {
      const value = to === null ? null : JSON.stringify(to);
      const answer = await this.#store.kv.put([{ collection: this.#collection, key: row.key, value, expect: version }, ...more]);
      version++;
      return answer.kind === "put";
    };
    // Until the claim lapses nobody else takes it; each event renews it.
    const claimed = (a: ReplayRequest): ReplayRequest => ({ ...a, by: this.#workerId, nextAt: now() + 2 * endpoint().timeoutMs + 30_000 });
    if (!(await save(claimed(again)))) return false;
    const run = await this.#store.run({ runId: again.runId });
    while (run !== undefined && !signal.aborted) {
      const e = await this.#next(again, endpoint().events);
      if (e === undefined) break;
      const done = await this.#sendOne(run, e, again, lane, now);
      if (done === "gone") return save({ ...again, by: null, nextAt: 0 });
      again = done.again;
      if (!(await save(done.held ? again : claimed(again), done.writes))) return false;
      if (done.held) return true;
    }
    return signal.aborted ? save({ ...again, by: null, nextAt: 0 }) : save(null);
  }

  async #next(a: ReplayRequest, events: readonly string[]): Promise<EventRecord | undefined> {
    const wanted = (e: EventRecord): boolean => (a.only === null ? isWanted(events, e.eventType) : a.only.includes(e.runSeq));
    for (let after = a.after; after < a.upTo;) {
      const page = await this.#store.events({ runId: a.runId, after, limit: 100 });
      const found = page.find((e) => e.runSeq <= a.upTo && wanted(e));
      if (found !== undefined || page.length === 0) return found;
      after = page.at(-1)!.runSeq;
    }
    return undefined;
  }

  async #sendOne(
    run: RunRow,
    e: EventRecord,
    a: ReplayRequest,
    lane: EndpointDelivery,
    now: () => number,
  ): Promise<{ again: ReplayRequest; held: boolean; writes: KvWrite[] } | "gone"> {
    const sent = await lane.send(run, e, a.failures + 1);
    const on: ReplayRequest = { ...a, after: e.runSeq, failures: 0, nextAt: 0, by: null };
    if (!(sent instanceof NotDelivered)) {
      const writes = [this.#ledger.delivered(run.runId, e, { attempts: a.failures + 1, ...sent, replay: true })];
      if (a.dead) writes.push(this.#ledger.watermarks.removeDeadLetter({ runId: run.runId, runSeq: e.runSeq }));
      return { again: on, held: false, writes };
    }
    const { verdict: judgement } = sent;
    if (judgement.kind === "gone") return "gone";
    if (judgement.kind === "again")
      return { again: { ...a, failures: a.failures + 1, nextAt: now() + judgement.inMs, by: null }, held: true, writes: [] };
    lane.giveUp(run, e, a.failures + 1, sent.message);
    const letter = { runId: run.runId, runSeq: e.runSeq, eventId: e.eventId, eventType: e.eventType };
    return {
      again: on,
      held: false,
      writes: [this.#ledger.watermarks.addDeadLetter({ ...letter, failures: a.failures + 1, error: sent.message })],
    };
  }
}

/** A long list of single events is several rows, worked off one after another. */
function splitLongLists<T extends Pick<ReplayRequest, "after" | "upTo" | "only">>(w: T): T[] {
  const { only } = w;
  if (only === null || only.length <= onlyMax) return [w];
  const parts: T[] = [];
  for (let i = 0; i < only.length; i += onlyMax) {
    const part = only.slice(i, i + onlyMax);
    parts.push({ ...w, only: part, after: part[0]! - 1, upTo: part.at(-1)! });
  }
  return parts;
}
