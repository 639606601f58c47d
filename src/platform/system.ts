// The real machine: clocks, timers, randomness and crash points of this process. Timers never fire before their time
// by the monotonic clock and never keep the process alive unless asked to. It must never decide anything about runs.
import { randomBytes, randomUUID } from "node:crypto";
import { uptime } from "node:os";
import { armedPoints, crashPoints } from "./crash-points.ts";
import { readText } from "./files.ts";
import type { Cancel, Platform } from "./platform.ts";
import { uuidV7Maker } from "./uuid7.ts";

/** The longest delay that one Node timer can hold; longer ones are armed again. */
const timerMsMax = 2_147_483_647;
/** Reading the machine's uptime is a system call on a file: one reading serves this long. */
const uptimeReadingMs = 100;
/** How coarse such a reading may be. */
const uptimeGrainMs = 50;
const bootIdFile = "/proc/sys/kernel/random/boot_id";
const poolBytes = 4096;
/** So few digits are copied out of the pool; more would be a view of it, and an id that is kept would keep the pool. */
const pieceDigits = 12;

function monotonicMs(): number {
  return performance.now();
}

function wallMs(): number {
  return Date.now();
}

function timer(ms: number, fn: () => void, keepAlive = false): Cancel {
  const dueMs = monotonicMs() + ms;
  let handle: NodeJS.Timeout | undefined;
  const arm = (leftMs: number): void => {
    handle = setTimeout(
      () => {
        const stillMs = dueMs - monotonicMs();
        if (stillMs > 0) arm(stillMs);
        else fn();
      },
      Math.min(Math.ceil(Math.max(leftMs, 0)), timerMsMax),
    );
    if (!keepAlive) handle.unref();
  };
  arm(ms);
  return () => clearTimeout(handle);
}

/** Random hex from a pool of digits: a step needs several, and each would leave JavaScript for its own. */
function hexSource(): (bytes: number) => string {
  let pool = "";
  let used = 0;
  return (bytes) => {
    if (bytes > poolBytes) return randomBytes(bytes).toString("hex");
    if (used + bytes * 2 > pool.length) {
      pool = randomBytes(poolBytes).toString("hex");
      used = 0;
    }
    const to = used + bytes * 2;
    let text = "";
    for (let from = used; from < to; from += pieceDigits) text += pool.slice(from, Math.min(from + pieceDigits, to));
    used = to;
    return text;
  };
}

/**
 * Uptime: the high-resolution clock since boot, which all processes share, plus the time that the machine slept, which that clock
 * does not count on Linux. Read again whenever the monotonic or the wall clock moved: a machine that slept moved at least one.
 */
function uptimeSource(): () => number {
  const sinceBoot = Number(process.hrtime.bigint()) / 1e6 - monotonicMs();
  let readAtMono = Number.NEGATIVE_INFINITY;
  let readAtWall = Number.NEGATIVE_INFINITY;
  let sleptMs = 0;
  return () => {
    const mono = monotonicMs();
    const wall = wallMs();
    if (mono - readAtMono >= uptimeReadingMs || Math.abs(wall - readAtWall) >= uptimeReadingMs) {
      const found = uptime() * 1000 - (mono + sinceBoot);
      // Less than the clock since boot: the uptime is a container's own, or coarse. It says nothing about sleep then.
      if (found - sleptMs > uptimeGrainMs) sleptMs = found;
      readAtMono = mono;
      readAtWall = wall;
    }
    return mono + sinceBoot + sleptMs;
  };
}

function bootIdSource(): () => string {
  let id: string | undefined;
  return () => {
    try {
      return (id ??= readText(bootIdFile)?.trim() ?? "");
    } catch {
      return (id = ""); // a sandbox that hides it
    }
  };
}

export function systemPlatform(): Platform {
  const randomHex = hexSource();
  return {
    wallMs,
    monotonicMs,
    uptimeMs: uptimeSource(),
    bootId: bootIdSource(),
    timer,
    turn: (fn) => void setImmediate(fn),
    uuidV4: () => randomUUID(),
    uuidV7: uuidV7Maker(wallMs, randomHex),
    randomHex,
    hit: crashPoints(process.env["PAWL_CRASH"]),
    armed: armedPoints(process.env["PAWL_CRASH"]),
  };
}
