// Hints for this store's listeners: those of the same process come from its own writes, those of other processes over
// NOTIFY. What a process tells the others is gathered and sent after the write, on a session of its own, at most every ten
// milliseconds: never inside a batch, and never awaited by one (K6). A hint that is lost is harmless, polling is the truth.
import type { Platform } from "../../platform/platform.ts";
import { type HintListener, Hints } from "../hints.ts";
import type { Hint, WatchOptions } from "../port.ts";
import type { WithSession } from "./batch.ts";

const gatherMs = 10;
/** The server takes 8,000 bytes; beyond this only the kinds are sent: runs that ended send nobody looking for work. */
const payloadCharsMax = 3_500;

/** What all stores that this process opened on one schema have in common. */
interface SharedChannel {
  readonly hints: Hints;
  /** Marks this process's own words, which its listeners have already heard. */
  readonly origin: string;
  stores: number;
}

const channels = new Map<string, SharedChannel>();

export class HintChannel {
  readonly #place: string;
  readonly #shared: SharedChannel;
  readonly #remote = new Hints();
  readonly #platform: Platform;
  readonly #lend: WithSession;
  readonly #channel: string;
  readonly #leave = new Set<() => void>();
  #waiting: Hint[] = [];
  #sending = false;
  #closed = false;

  constructor(place: string, channel: string, platform: Platform, lend: WithSession) {
    this.#place = place;
    this.#channel = channel;
    this.#platform = platform;
    this.#lend = lend;
    let shared = channels.get(place);
    if (shared === undefined) channels.set(place, (shared = { hints: new Hints(), origin: platform.uuidV4(), stores: 0 }));
    shared.stores++;
    this.#shared = shared;
  }

  get wantsEvents(): boolean {
    return this.#shared.hints.wantsEvents;
  }

  add(listener: HintListener, o?: WatchOptions): () => void {
    const off = [this.#shared.hints.add(listener, o), this.#remote.add(listener)];
    const leave = (): void => {
      for (const o of off) o();
      this.#leave.delete(leave);
    };
    this.#leave.add(leave);
    return leave;
  }

  /** To the listeners of this process now, to the others soon: but for hints of every Commit's events, which would be a word per step. */
  emit(hints: readonly Hint[]): void {
    if (hints.length === 0) return;
    this.#shared.hints.emit(hints);
    for (const h of hints) if (h.kind !== "events") this.#waiting.push(h);
    if (!this.#sending && this.#waiting.length > 0) this.#send();
  }

  /** What another process, or this one, sent over the channel. */
  receive(payload: string): void {
    const told = decodeHints(payload);
    if (told === undefined || told.origin === this.#shared.origin) return;
    this.#remote.emit(told.hints.length === 0 ? [{ kind: "any" }] : told.hints);
  }

  close(): void {
    this.#closed = true;
    for (const leave of this.#leave) leave();
    if (--this.#shared.stores === 0) channels.delete(this.#place);
  }

  #send(): void {
    const hints = this.#waiting;
    this.#waiting = [];
    if (hints.length === 0 || this.#closed) {
      this.#sending = false;
      return;
    }
    this.#sending = true;
    const payload = encodeHints(this.#shared.origin, hints);
    // A hint need not survive the server: its transaction waits for no disk.
    const text = "select pg_notify($1, $2) from set_config('synchronous_commit', 'off', true)";
    this.#lend((r) => r.query({ name: "pawl_hint", text, values: [this.#channel, payload] }))
      .catch(() => {
        // Nobody waits for a hint: who missed it finds the work by polling.
      })
      .finally(() => void this.#platform.timer(gatherMs, () => this.#send()));
  }
}

/** Hints as they go over the channel; without an origin, they are news to everybody. */
export function encodeHints(origin: string, hints: readonly Hint[]): string {
  const queues = queueHints(hints);
  // Each once: many reports of one run are one reason to look.
  const runs = new Map(hints.flatMap((h) => (h.queue === undefined ? [[`${h.kind} ${h.runId}`, [h.kind, h.runId]] as const] : [])));
  const text = JSON.stringify([origin, ...runs.values(), ...queues]);
  if (text.length <= payloadCharsMax) return text;
  const kinds = [...new Set(hints.map((h) => h.kind))].filter((kind) => kind !== "queue" || queues.length === 0);
  const short = JSON.stringify([origin, ...kinds.map((kind) => [kind]), ...queues]);
  return short.length <= payloadCharsMax
    ? short
    : JSON.stringify([origin, ...[...new Set(hints.map((h) => h.kind))].map((kind) => [kind])]);
}

/** One word for each queue, with the lowest of its ranks. */
function queueHints(hints: readonly Hint[]): (readonly ["queue", null, string, number])[] {
  const lowest = new Map<string, number>();
  for (const { queue, rank } of hints)
    if (queue !== undefined) lowest.set(queue, Math.min(rank ?? -Infinity, lowest.get(queue) ?? Infinity));
  return [...lowest].map(([queue, rank]) => ["queue", null, queue, rank]);
}

function decodeHints(payload: string): { origin: string; hints: Hint[] } | undefined {
  try {
    const [origin, ...hints] = JSON.parse(payload) as [string, ...[Hint["kind"], (string | null)?, string?, (number | null)?][]];
    return { origin, hints: hints.map(toHint) };
  } catch {
    return undefined; // somebody else's word on our channel
  }
}

function toHint([kind, runId, queue, rank]: [Hint["kind"], (string | null)?, string?, (number | null)?]): Hint {
  return {
    kind,
    ...(runId === undefined || runId === null ? {} : { runId }),
    ...(queue === undefined ? {} : { queue }),
    ...(rank === undefined || rank === null ? {} : { rank }),
  };
}
