// Hints for this store's listeners: those of the same process come from its own writes, those of other processes from
// the database's change counter, looked at every 50 ms while somebody listens. A hint says that something changed,
// never what is true; the timers never keep the process alive.
import type { Cancel, Platform } from "../../platform/platform.ts";
import type { HintListener, Hints } from "../hints.ts";
import type { WatchOptions } from "../port.ts";
import type { Statements } from "./rows.ts";

const pollMs = 50;

export class DataVersionWatch {
  readonly #st: Statements;
  readonly #platform: Platform;
  readonly #hints: Hints;
  readonly #listeners = new Map<HintListener, Cancel>();
  #version: unknown;
  #cancel: Cancel | undefined;

  constructor(st: Statements, platform: Platform, hints: Hints) {
    this.#st = st;
    this.#platform = platform;
    this.#hints = hints;
  }

  add(listener: HintListener, o?: WatchOptions): () => void {
    const own: HintListener = (h) => listener(h);
    this.#listeners.set(own, this.#hints.add(own, o));
    if (this.#cancel === undefined) {
      this.#version = this.#read();
      this.#arm();
    }
    return () => this.#remove(own);
  }

  close(): void {
    for (const own of this.#listeners.keys()) this.#remove(own);
  }

  #remove(own: HintListener): void {
    this.#listeners.get(own)?.();
    this.#listeners.delete(own);
    if (this.#listeners.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(): void {
    this.#cancel = this.#platform.timer(pollMs, () => {
      const version = this.#read();
      this.#arm();
      if (version === this.#version) return;
      this.#version = version;
      for (const l of this.#listeners.keys()) l({ kind: "any" });
    });
  }

  #read(): unknown {
    try {
      return this.#st.dataVersion.get()?.["data_version"];
    } catch {
      // Busy: the next look will tell, and a lost hint is harmless.
      return this.#version;
    }
  }
}
