// Probes. /livez says that the process answers, and never reads the store: a store that is down must not restart servers. /readyz says whether requests
// can succeed here: the store answers, the engine has no trouble, the server is not draining. Neither needs a credential, and neither says more than that.
import { type ServedAnswer, jsonAnswer } from "./http/answer.ts";
import type { Platform } from "../platform/platform.ts";

export interface HealthSources {
  readonly platform: Platform;
  /** Resolves when the store answers. */
  askStore(): Promise<unknown>;
  /** What is wrong with the engine; null: nothing, or there is none. */
  engineTrouble(): string | null;
  /** An operator asked the engine to release its runs: requests succeed here all the same. */
  engineDrains(): boolean;
  isDraining(): boolean;
}

/** One reading serves this long: probes are many, and a store has other work. */
const freshMs = 1_000;
const storeTimeoutMs = 2_000;

export class Health {
  readonly #sources: HealthSources;
  #asked: { readonly atMs: number; readonly ok: Promise<boolean> } | undefined;

  constructor(sources: HealthSources) {
    this.#sources = sources;
  }

  live(): ServedAnswer {
    return { status: 200, headers: { "content-type": "text/plain", "cache-control": "no-store" }, body: "ok\n" };
  }

  async ready(): Promise<ServedAnswer> {
    const draining = this.#sources.isDraining();
    const store = await this.#storeAnswers();
    const engine = this.#sources.engineTrouble() === null;
    const ok = store && engine && !draining;
    const engineState = !engine ? "trouble" : this.#sources.engineDrains() ? "draining" : "ok";
    return jsonAnswer(ok ? 200 : 503, { ready: ok, store: store ? "ok" : "no answer", engine: engineState, draining });
  }

  #storeAnswers(): Promise<boolean> {
    const now = this.#sources.platform.monotonicMs();
    if (this.#asked === undefined || now - this.#asked.atMs >= freshMs) this.#asked = { atMs: now, ok: this.#askStore() };
    return this.#asked.ok;
  }

  #askStore(): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#sources.platform.timer(storeTimeoutMs, () => resolve(false));
      const answered = (ok: boolean): void => {
        cancel();
        resolve(ok);
      };
      this.#sources.askStore().then(
        () => answered(true),
        () => answered(false),
      );
    });
  }
}
