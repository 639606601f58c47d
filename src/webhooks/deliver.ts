// The service that delivers: one consumer of the feed per endpoint, so that a slow or broken receiver holds up nobody else, and a
// paused one costs rows and no work. Endpoints are read again all the time: what an operator changes holds for the next event.
// Several processes may deliver at once; the consumer's lease says which of them works for an endpoint.
import { durationMs } from "../core/duration.ts";
import { Bell } from "../readers/bell.ts";
import { consume } from "../readers/consume.ts";
import type { Consumption } from "../readers/page.ts";
import { PawlError } from "../errors/error.ts";
import { Book } from "./book.ts";
import { Counts } from "./counts.ts";
import { consumerOf, Endpoints, type Endpoint } from "./endpoints.ts";
import { Lane } from "./lane.ts";
import { Replays } from "./replays.ts";
import { Sender, type SenderContext } from "./sender.ts";
import type { DeliverOpts, Delivering } from "./types.ts";

const lookMs = 1_000;
const sweepMs = 60_000;
/** A page of one run: so many events at most are sent again when a process dies before it could record them. */
const batch = 16;

/** One endpoint, being worked for. */
interface Line {
  endpoint: Endpoint;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

export function deliver(c: SenderContext, o: DeliverOpts = {}): Delivering {
  const d = new Deliverer(c, o);
  const done = d.work();
  done.catch(() => {}); // whoever cares awaits it
  return {
    done,
    stop: async () => {
      d.stop();
      await done;
    },
    metrics: () => d.counts.expose(),
  };
}

class Deliverer {
  readonly counts: Counts = new Counts();
  readonly #c: SenderContext;
  readonly #o: DeliverOpts;
  readonly #endpoints: Endpoints;
  readonly #sender: Sender;
  readonly #bell: Bell;
  readonly #lines = new Map<string, Line>();
  readonly #keepMs: number;
  readonly #concurrency: number;
  readonly #leaseMs: number;
  #stopping = false;

  constructor(c: SenderContext, o: DeliverOpts) {
    this.#c = c;
    this.#o = o;
    this.#endpoints = new Endpoints(c.store, c.platform, c.scope);
    this.#sender = new Sender(c, o, count(o.bodyBytesMax, "bodyBytesMax"));
    this.#bell = new Bell(c.platform);
    this.#keepMs = durationMs(o.keep ?? "7d", "keep");
    this.#concurrency = count(o.concurrency, "concurrency") ?? 4;
    this.#leaseMs = durationMs(o.lease ?? "10s", "lease");
    if (this.#leaseMs < 1_000) throw new PawlError("PAWL5001", "lease must be at least one second");
  }

  stop(): void {
    this.#stopping = true;
    for (const l of this.#lines.values()) l.abort.abort();
    this.#bell.ring();
  }

  async work(): Promise<void> {
    if (this.#o.once === true) {
      await this.#look();
      await Promise.all([...this.#lines.values()].map((l) => l.ended));
      return;
    }
    while (!this.#stopping) {
      await this.#look().catch((e: unknown) => tell(this.#o.onTrouble, e));
      if (!this.#stopping) await this.#bell.wait(lookMs);
    }
    await Promise.all([...this.#lines.values()].map((l) => l.ended));
  }

  /** Begins and ends lines as the endpoints are now. */
  async #look(): Promise<void> {
    const active = new Map((await this.#endpoints.list()).filter((e) => e.paused === null).map((e) => [e.id, e]));
    for (const [id, line] of this.#lines) {
      const now = active.get(id);
      if (now === undefined) line.abort.abort();
      else line.endpoint = now;
    }
    for (const e of active.values()) if (!this.#lines.has(e.id) && !this.#stopping) this.#begin(e);
  }

  #begin(endpoint: Endpoint): void {
    const abort = new AbortController();
    const { id } = endpoint;
    const run = async (): Promise<void> => this.#run(line);
    const trouble = (e: unknown): void => {
      if (this.#o.once === true) throw e;
      tell(this.#o.onTrouble, e);
    };
    // Begins a moment later, when `line` is there; once it has ended the next look may begin it anew.
    const ended = Promise.resolve()
      .then(run)
      .catch(trouble)
      .finally(() => this.#o.once !== true && this.#lines.delete(id));
    ended.catch(() => {});
    const line: Line = { endpoint, abort, ended };
    this.#lines.set(id, line);
  }

  async #run(line: Line): Promise<void> {
    const { store, platform, scope } = this.#c;
    const { id } = line.endpoint;
    const book = new Book(store, scope, id);
    const endpoint = (): Endpoint => line.endpoint;
    const lane = new Lane({
      endpoint,
      platform,
      sender: this.#sender,
      book,
      counts: this.counts,
      onDead: (letter) => tell(this.#o.onDead, letter),
      onGone: async () => {
        await this.#pause(id, "the endpoint answered 410: it wants no more");
        line.abort.abort();
      },
    });
    const consumption = await consume({
      store,
      platform,
      consumer: consumerOf(scope, id),
      from: line.endpoint.from,
      handle: (page) => lane.handle(page),
      retry: (f) => lane.again(f),
      batch,
      concurrency: this.#concurrency,
      leaseMs: this.#leaseMs,
      ...(this.#o.once === true ? { once: true } : {}),
      onTrouble: (e) => tell(this.#o.onTrouble, e),
    });
    const { signal } = line.abort;
    if (signal.aborted) return consumption.stop();
    signal.addEventListener("abort", () => void stopped(consumption), { once: true });
    const replays = new Replays(store, platform, scope, id, book);
    const beside = async (): Promise<number> => replays.work(lane, endpoint, this.#concurrency, signal);
    if (this.#o.once === true) {
      await consumption.done;
      while (!signal.aborted && (await beside()) > 0);
      await book.sweep((await store.info()).nowMs - this.#keepMs);
      return;
    }
    await Promise.all([consumption.done, this.#beside(signal, beside, book)]);
  }

  /** Replays, and the broom, until the line ends. */
  async #beside(signal: AbortSignal, replay: () => Promise<number>, book: Book): Promise<void> {
    const bell = new Bell(this.#c.platform);
    signal.addEventListener("abort", () => bell.ring(), { once: true });
    let sweptAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        if ((await replay()) > 0) continue;
        if (this.#c.platform.monotonicMs() - sweptAt >= sweepMs) {
          sweptAt = this.#c.platform.monotonicMs();
          while (!signal.aborted && (await book.sweep((await this.#c.store.info()).nowMs - this.#keepMs)) > 0);
        }
      } catch (e) {
        tell(this.#o.onTrouble, e);
      }
      if (!signal.aborted) await bell.wait(lookMs);
    }
  }

  async #pause(id: string, reason: string): Promise<void> {
    const { nowMs } = await this.#c.store.info();
    await this.#endpoints.change(id, (e) => ({ ...e, paused: e.paused ?? { since: nowMs, reason } }));
  }
}

/** Whoever wanted to be told must not keep events from being delivered. */
function tell<T>(f: ((x: T) => unknown) | undefined, x: T): void {
  try {
    void Promise.resolve(f?.(x)).catch(() => {});
  } catch {
    // as above
  }
}

async function stopped(c: Consumption): Promise<void> {
  await c.stop().catch(() => {}); // whatever it met is told by `done`
}

function count(n: number | undefined, what: string): number | undefined {
  if (n !== undefined && (!Number.isSafeInteger(n) || n < 1))
    throw new PawlError("PAWL5001", `${what} must be a whole number of at least 1`);
  return n;
}
