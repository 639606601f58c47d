// What this process is called by the machine, for diagnostics only: names and numbers that a person reads in a list of
// engines. Nothing may be decided by them (K2: pids are reused, and lie across containers).
import { hostname } from "node:os";

/** `host/pid`, as shown beside an engine. */
export function processLabel(): string {
  return `${hostname()}/${process.pid}`;
}
