// The end of a server, in order: it says that it is not ready, serves for a while so that load balancers notice, stops accepting, ends waiting requests, and
// gives the rest a bounded time. Requests under way are known here, so that each can be answered or ended. It must never refuse during the delay.
import type { Platform } from "../platform/platform.ts";
import { wideAbortController } from "../platform/wide-signal.ts";
import type { Inbound } from "./http/inbound.ts";

/** How long answers may take once nothing new is accepted. */
const lastAnswersMs = 10_000;

/** A request that is under way: most of them wait for nothing, so its signal is made when it is first asked for. */
export class UnderWay {
  readonly #inbound: Pick<Inbound, "whenGone">;
  readonly #ended: () => void;
  #controller: AbortController | undefined;
  #aborted = false;
  #leave: (() => void) | undefined;

  constructor(inbound: Pick<Inbound, "whenGone">, ended: () => void) {
    this.#inbound = inbound;
    this.#ended = ended;
  }

  /** Aborted when the caller has gone, or when the server ends. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = wideAbortController();
      if (this.#aborted) this.#controller.abort();
      else this.#leave = this.#inbound.whenGone(() => this.abort());
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }

  /** It was answered. */
  end(): void {
    this.#leave?.();
    this.#ended();
  }
}

export class Drain {
  readonly #platform: Platform;
  readonly #open = new Set<UnderWay>();
  #state: "serving" | "draining" | "ending" = "serving";
  #empty: (() => void) | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Not ready: SIGTERM was received. */
  get draining(): boolean {
    return this.#state !== "serving";
  }

  /** Nothing new is accepted: answers close their connections. */
  get ending(): boolean {
    return this.#state === "ending";
  }

  /** A request that is under way. */
  begin(inbound: Pick<Inbound, "whenGone">): UnderWay {
    const one = new UnderWay(inbound, () => {
      this.#open.delete(one);
      if (this.#open.size === 0) this.#empty?.();
    });
    if (this.ending) one.abort();
    this.#open.add(one);
    return one;
  }

  /** Not ready from now on, and served as before for `delayMs`. */
  async announce(delayMs: number): Promise<void> {
    if (this.#state === "serving") this.#state = "draining";
    if (delayMs > 0) await new Promise<void>((resolve) => void this.#platform.timer(delayMs, resolve, true));
  }

  /** Ends waits and streams, and resolves when everything was answered, or the time is up. */
  async finish(): Promise<void> {
    this.#state = "ending";
    for (const one of this.#open) one.abort();
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#platform.timer(lastAnswersMs, resolve, true);
      this.#empty = () => {
        cancel();
        resolve();
      };
    });
  }
}
