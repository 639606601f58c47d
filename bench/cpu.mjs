// How much CPU a database server has used, from outside: the system's own account of its processes. Servers of other
// machines, and systems without /proc, are told as null; nothing is guessed.
import { readFileSync, readdirSync } from "node:fs";

/** Linux counts in hundredths of a second, whatever its clock. */
const tickUs = 10_000;

/**
 * In µs so far: the server's own, that of the processes it runs now, and that of those it has seen the end of.
 * @param {number | null} pid
 */
export function serverCpuUs(pid) {
  if (pid === null) return null;
  try {
    const root = statOf(pid);
    let ticks = root.own + root.ended;
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      try {
        const s = statOf(Number(name));
        if (s.parent === pid) ticks += s.own;
      } catch {
        // it has ended since the folder was read; its parent has its time
      }
    }
    return ticks * tickUs;
  } catch {
    return null;
  }
}

/** @param {number} pid */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  /** Numbered as in proc(5); the first two come before the bracket. @param {number} n */
  const at = (n) => Number(fields[n - 3]);
  return { parent: at(4), own: at(14) + at(15), ended: at(16) + at(17) };
}
