// One line on standard error that says how far a long piece of work is: how much of how much, how fast, how long still. Only
// on a terminal; a pipe gets nothing. It is wiped when the work is done.
import type { Platform } from "../../platform/platform.ts";
import { isTty, writeErr } from "../../platform/terminal.ts";
import { formatDuration } from "./format.ts";

const everyMs = 200;
const width = 24;

export class ProgressLine {
  readonly #platform: Platform;
  readonly #startedAt: number;
  #toldAt = 0;
  #first: number | null = null;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#startedAt = platform.monotonicMs();
  }

  update(done: number, total: number, what: string): void {
    if (!isTty("err")) return;
    const now = this.#platform.monotonicMs();
    this.#first ??= done;
    if (now - this.#toldAt < everyMs && done < total) return;
    this.#toldAt = now;
    writeErr(`\r\u001B[2K${progressText(done, total, what, done - this.#first, now - this.#startedAt)}`);
  }
  clear(): void {
    if (isTty("err")) writeErr("\r\u001B[2K");
  }
}

/** `fresh` of what is done was done in `ms`: an earlier part of it says nothing about speed. */
export function progressText(done: number, total: number, what: string, fresh: number, ms: number): string {
  const share = total <= 0 ? 1 : Math.min(1, done / total);
  const bar = "█".repeat(Math.round(share * width)).padEnd(width, "░");
  const perSecond = ms <= 0 ? 0 : (fresh / ms) * 1_000;
  const left = perSecond <= 0 ? "" : `  ${formatDuration(((total - done) / perSecond) * 1_000)} left`;
  return `${bar} ${Math.floor(share * 100)} %  ${done} of ${total} ${what}  ${Math.round(perSecond)}/s${done >= total ? "" : left}`;
}
