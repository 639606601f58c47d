// Whether the code on disk is still the code that was loaded: the files of one version, each with its stamp when it was read. It looks at a few
// files a few times a second, which works on every file system and with every editor. It must never read them.
import { fileStamp } from "../../platform/files.ts";
import type { Cancel, Platform } from "../../platform/platform.ts";

const lookMs = 100;

export class WatchedFiles {
  readonly #platform: Platform;
  readonly #onChange: (paths: readonly string[]) => void;
  readonly #stamps = new Map<string, string>();
  #seen = new Map<string, string>();
  #cancel: Cancel = () => {};

  constructor(platform: Platform, onChange: (paths: readonly string[]) => void) {
    this.#platform = platform;
    this.#onChange = onChange;
    this.#later();
  }

  /** A file as it was when it was read. */
  set(path: string, stamp: string): void {
    this.#stamps.set(path, stamp);
  }

  get paths(): readonly string[] {
    return [...this.#stamps.keys()];
  }

  /** Another version is loaded now: what is on disk at this moment is not news. */
  reset(): void {
    for (const path of this.#stamps.keys()) this.#stamps.set(path, fileStamp(path));
  }

  close(): void {
    this.#cancel();
  }

  #later(): void {
    this.#cancel = this.#platform.timer(lookMs, () => {
      this.#look();
      this.#later();
    });
  }

  /** A change counts when two looks in a row see the same: editors write in pieces. */
  #look(): void {
    const changed = new Map<string, string>();
    for (const [path, stamp] of this.#stamps) {
      const now = fileStamp(path);
      if (now !== stamp) changed.set(path, now);
    }
    const before = this.#seen;
    this.#seen = changed;
    if (changed.size === 0 || [...changed].some(([path, now]) => before.get(path) !== now)) return;
    this.#onChange([...changed.keys()]);
  }
}
