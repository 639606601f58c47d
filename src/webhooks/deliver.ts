// The service that delivers: one consumer of the feed per endpoint, so that a slow or broken receiver holds up nobody else, and a
// paused one costs rows and no work. Endpoints are read again all the time: what an operator changes holds for the next event.
// Several processes may deliver at once; the consumer's lease says which of them works for an endpoint.
import { durationMs } from "../core/duration.ts";
import { Wakeup } from "../readers/wakeup.ts";
import { consume } from "../readers/consume.ts";
import type { RunningConsumer } from "../readers/consume-types.ts";
import { PawlError } from "../errors/error.ts";
import { DeliveryLedger } from "./delivery-ledger.ts";
import { WebhookCounters } from "./webhook-counters.ts";
import { endpointConsumer, Endpoints, type Endpoint } from "./endpoints.ts";
import { EndpointDelivery } from "./endpoint-delivery.ts";
import { Replays } from "./replays.ts";
import { AttemptSender, type SenderContext } from "./attempt-sender.ts";
import type { DeliverOpts, Delivering } from "./types.ts";

const refreshMs = 1_000;
const cleanMs = 60_000;
/** A page of one run: so many events at most are sent again when a process dies before it could record them. */
const batch = 16;

/** One endpoint, being worked for. */
interface EndpointLoop {
  endpoint: Endpoint;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

export function startDelivering(c: SenderContext, o: DeliverOpts = {}): Delivering {
  const d = new Deliverer(c, o);
  const done = d.work();
  done.catch(() => {}); // callers that care await it
  return {
    done,
    stop: async () => {
      d.stop();
      await done;
    },
    metrics: () => d.counters.expose(),
  };
}

class Deliverer {
  readonly counters: WebhookCounters = new WebhookCounters();
  readonly #c: SenderContext;
  readonly #o: DeliverOpts;
  readonly #endpoints: Endpoints;
  readonly #sender: AttemptSender;
  readonly #wakeup: Wakeup;
  readonly #loops = new Map<string, EndpointLoop>();
  readonly #keepMs: number;
  readonly #concurrency: number;
  readonly #leaseMs: number;
  #stopping = false;

  constructor(c: SenderContext, o: DeliverOpts) {
    this.#c = c;
    this.#o = o;
    this.#endpoints = new Endpoints(c.store, c.platform, c.scope);
    this.#sender = new AttemptSender(c, o, checkCount(o.bodyBytesMax, "bodyBytesMax"));
    this.#wakeup = new Wakeup(c.platform);
    this.#keepMs = durationMs(o.keep ?? "7d", "keep");
    this.#concurrency = checkCount(o.concurrency, "concurrency") ?? 4;
    this.#leaseMs = durationMs(o.lease ?? "10s", "lease");
    if (this.#leaseMs < 1_000) throw new PawlError("PAWL5001", "lease must be at least one second");
  }

  stop(): void {
    this.#stopping = true;
    for (const l of this.#loops.values()) l.abort.abort();
    this.#wakeup.notify();
  }

  async work(): Promise<void> {
    if (this.#o.once === true) {
      await this.#refresh();
      await Promise.all([...this.#loops.values()].map((l) => l.ended));
      return;
    }
    while (!this.#stopping) {
      await this.#refresh().catch((e: unknown) => notifySafely(this.#o.onTrouble, e));
      if (!this.#stopping) await this.#wakeup.wait(refreshMs);
    }
    await Promise.all([...this.#loops.values()].map((l) => l.ended));
  }

  /** Begins and ends lines as the endpoints are now. */
  async #refresh(): Promise<void> {
    const active = new Map((await this.#endpoints.list()).filter((e) => e.paused === null).map((e) => [e.id, e]));
    for (const [id, line] of this.#loops) {
      const now = active.get(id);
      if (now === undefined) line.abort.abort();
      else line.endpoint = now;
    }
    for (const e of active.values()) if (!this.#loops.has(e.id) && !this.#stopping) this.#startLoop(e);
  }

  #startLoop(endpoint: Endpoint): void {
    const abort = new AbortController();
    const { id } = endpoint;
    const run = async (): Promise<void> => this.#runLoop(line);
    const trouble = (e: unknown): void => {
      if (this.#o.once === true) throw e;
      notifySafely(this.#o.onTrouble, e);
    };
    // Begins a moment later, when `line` is there; once it has ended the next look may begin it again.
    const ended = Promise.resolve()
      .then(run)
      .catch(trouble)
      .finally(() => this.#o.once !== true && this.#loops.delete(id));
    ended.catch(() => {});
    const line: EndpointLoop = { endpoint, abort, ended };
    this.#loops.set(id, line);
  }

  async #runLoop(line: EndpointLoop): Promise<void> {
    const { store, platform, scope } = this.#c;
    const { id } = line.endpoint;
    const book = new DeliveryLedger(store, scope, id);
    const endpoint = (): Endpoint => line.endpoint;
    const lane = new EndpointDelivery({
      endpoint,
      platform,
      sender: this.#sender,
      ledger: book,
      counters: this.counters,
      onDead: (letter) => notifySafely(this.#o.onDead, letter),
      onGone: async () => {
        await this.#pause(id, "the endpoint answered 410: it wants no more");
        line.abort.abort();
      },
    });
    const consumption = await consume({
      store,
      platform,
      consumer: endpointConsumer(scope, id),
      from: line.endpoint.from,
      handle: (page) => lane.handle(page),
      retry: (f) => lane.retryDelay(f),
      batch,
      concurrency: this.#concurrency,
      leaseMs: this.#leaseMs,
      ...(this.#o.once === true ? { once: true } : {}),
      onTrouble: (e) => notifySafely(this.#o.onTrouble, e),
    });
    const { signal } = line.abort;
    if (signal.aborted) return consumption.stop();
    signal.addEventListener("abort", () => void stopQuietly(consumption), { once: true });
    const replays = new Replays(store, platform, scope, id, book);
    const beside = async (): Promise<number> => replays.work(lane, endpoint, this.#concurrency, signal);
    if (this.#o.once === true) {
      await consumption.done;
      while (!signal.aborted && (await beside()) > 0);
      await book.removeOlder((await store.info()).nowMs - this.#keepMs);
      return;
    }
    await Promise.all([consumption.done, this.#replayAndClean(signal, beside, book)]);
  }

  /** Replays, and the broom, until the line ends. */
  async #replayAndClean(signal: AbortSignal, replay: () => Promise<number>, book: DeliveryLedger): Promise<void> {
    const bell = new Wakeup(this.#c.platform);
    signal.addEventListener("abort", () => bell.notify(), { once: true });
    let sweptAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        if ((await replay()) > 0) continue;
        if (this.#c.platform.monotonicMs() - sweptAt >= cleanMs) {
          sweptAt = this.#c.platform.monotonicMs();
          while (!signal.aborted && (await book.removeOlder((await this.#c.store.info()).nowMs - this.#keepMs)) > 0);
        }
      } catch (e) {
        notifySafely(this.#o.onTrouble, e);
      }
      if (!signal.aborted) await bell.wait(refreshMs);
    }
  }

  async #pause(id: string, reason: string): Promise<void> {
    const { nowMs } = await this.#c.store.info();
    await this.#endpoints.change(id, (e) => ({ ...e, paused: e.paused ?? { since: nowMs, reason } }));
  }
}

/** A handler that fails must not keep events from being delivered. */
function notifySafely<T>(f: ((x: T) => unknown) | undefined, x: T): void {
  try {
    void Promise.resolve(f?.(x)).catch(() => {});
  } catch {
    // as above
  }
}

async function stopQuietly(c: RunningConsumer): Promise<void> {
  await c.stop().catch(() => {}); // whatever it met is reported by `done`
}

function checkCount(n: number | undefined, what: string): number | undefined {
  if (n !== undefined && (!Number.isSafeInteger(n) || n < 1))
    throw new PawlError("PAWL5001", `${what} must be a whole number of at least 1`);
  return n;
}
