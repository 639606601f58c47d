// The end of a server, in order: it says that it is not ready, serves for a while so that load balancers notice, stops accepting, ends what waits, and
// gives the rest a bounded time. Requests under way are known here, so that each can be answered or ended. It must never refuse during the delay.
import type { Platform } from "../platform/platform.ts";

/** How long answers may take once nothing new is accepted. */
const lastAnswersMs = 10_000;

export class Drain {
  readonly #platform: Platform;
  readonly #open = new Set<AbortController>();
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

  /** A request that is under way. Its signal is aborted when its caller has gone, or when the server ends. */
  begin(request: Request): { readonly signal: AbortSignal; readonly end: () => void } {
    const controller = new AbortController();
    const gone = (): void => controller.abort();
    if (request.signal.aborted || this.ending) controller.abort();
    else request.signal.addEventListener("abort", gone, { once: true });
    this.#open.add(controller);
    const end = (): void => {
      request.signal.removeEventListener("abort", gone);
      this.#open.delete(controller);
      if (this.#open.size === 0) this.#empty?.();
    };
    return { signal: controller.signal, end };
  }

  /** Not ready from now on, and served as before for `delayMs`. */
  async announce(delayMs: number): Promise<void> {
    if (this.#state === "serving") this.#state = "draining";
    if (delayMs > 0) await new Promise<void>((resolve) => void this.#platform.timer(delayMs, resolve, true));
  }

  /** Ends waits and streams, and resolves when everything was answered, or the time is up. */
  async finish(): Promise<void> {
    this.#state = "ending";
    for (const controller of this.#open) controller.abort();
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
