// Answers that may be used again for a short while. Their age is counted from the moment the question was asked, so that a slow answer does not count
// as newer than its data. Bounded; a failed question is not kept.
import type { Platform } from "../platform/platform.ts";

interface FreshAnswer<T> {
  readonly askedAt: number;
  readonly answer: Promise<T>;
}

export class FreshAnswers<T> {
  readonly #platform: Platform;
  readonly #ageMsMax: number;
  readonly #sizeMax: number;
  readonly #known = new Map<string, FreshAnswer<T>>();

  constructor(platform: Platform, ageMsMax: number, sizeMax: number) {
    this.#platform = platform;
    this.#ageMsMax = ageMsMax;
    this.#sizeMax = sizeMax;
  }

  /** `keep` says whether an answer may be used again. */
  get(key: string, ask: () => Promise<T>, keep: (answer: T) => boolean = () => true): Promise<T> {
    const now = this.#platform.monotonicMs();
    const found = this.#known.get(key);
    if (found !== undefined && now - found.askedAt < this.#ageMsMax) return found.answer;
    const asked: FreshAnswer<T> = { askedAt: now, answer: ask() };
    this.#known.delete(key);
    this.#known.set(key, asked);
    const forget = (): void => {
      if (this.#known.get(key) === asked) this.#known.delete(key);
    };
    asked.answer.then((a) => (keep(a) ? undefined : forget()), forget);
    // The oldest questions come first in the map.
    for (const [k, a] of this.#known) {
      if (this.#known.size <= this.#sizeMax && now - a.askedAt < this.#ageMsMax) break;
      this.#known.delete(k);
    }
    return asked.answer;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}
