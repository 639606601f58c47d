// What a native object holds of the machine, where it lets go of it only when the collector comes by: closed connections of one
// SQLite driver keep their files open until then. A few may wait; then, or after a second, a collection is asked for. It must never
// keep the process alive.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** So many may wait: each is a few file descriptors, and a collection stops the whole process for a moment. */
export const waitingMax = 8;
const soonMs = 1_000;

let waiting = 0;
let soon: NodeJS.Timeout | undefined;
let gc: (() => void) | undefined;
const collected = new FinalizationRegistry<null>(() => void (waiting = Math.max(0, waiting - 1)));

function collect(): void {
  clearTimeout(soon);
  soon = undefined;
  waiting = 0;
  if (gc === undefined) {
    setFlagsFromString("--expose-gc");
    gc = runInNewContext("gc") as () => void;
    setFlagsFromString("--no-expose-gc");
  }
  gc();
}

/** The caller is done with it and holds nothing of it any more. Resolves when what it holds is free, or will be within a second. */
export async function releaseNative(native: object): Promise<void> {
  collected.register(native, null);
  if (++waiting >= waitingMax) {
    // A turn later: until then the caller's own frames may hold it.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    await new Promise((resolve) => setImmediate(resolve));
    return;
  }
  soon ??= setTimeout(collect, soonMs).unref();
}
