// The wall clock of a process, set while it runs: libfaketime stands between the process and its system, and reads a file for how far
// the clock is off. The monotonic clock and the uptime stay those of the machine, as when somebody sets a real clock. For tests;
// nothing in the package imports it.
import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const name = "libfaketime.so.1";

function library(): string | undefined {
  const given = process.env["PAWL_TEST_FAKETIME"];
  if (given !== undefined && given !== "") return given;
  const lib = "/usr/lib";
  const dirs = existsSync(lib) ? ["", ...readdirSync(lib)] : [];
  return dirs.map((d) => join(lib, d, "faketime", name)).find((p) => existsSync(p));
}

/** Why no clock can be set here; undefined: one can. */
export function noFaketime(): string | undefined {
  if (library() !== undefined) return undefined;
  return `no ${name} on this machine: apt-get install libfaketime, or set PAWL_TEST_FAKETIME to its path`;
}

/** Said once per test file, so that nobody takes a skipped test for a passed one. */
export function skipsWithoutFaketime(): boolean {
  const why = noFaketime();
  if (why !== undefined) console.warn(`skipped: ${why}`);
  return why !== undefined;
}

/** A clock that processes started with `env` see. */
export class SetClock {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
    this.set(0);
  }
  /** So many seconds off, from now on, for all who see it. */
  set(seconds: number): void {
    writeFileSync(`${this.#file}.new`, `${seconds < 0 ? "" : "+"}${seconds}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }
  get env(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: library() ?? "",
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      NO_FAKE_STAT: "1",
    };
  }
}
