// Compiled-in crash points: a test names one in PAWL_CRASH and the process dies there by SIGKILL, as if the machine had
// lost power. Unset, a point costs an empty call. After the kill nothing of this process may run any more.

/** `spec`: points separated by commas, each with an optional ordinal: `engine:commit#3` is the third time it is hit. */
export function crashPoints(spec: string | undefined, die: () => void = dieHere): (point: string) => void {
  if (spec === undefined || spec === "") return () => {};
  const armed = new Map<string, Set<number>>();
  for (const entry of spec.split(",")) {
    const hash = entry.lastIndexOf("#");
    const ordinal = hash < 0 ? 1 : Number(entry.slice(hash + 1));
    const point = hash < 0 ? entry : entry.slice(0, hash);
    armed.set(point, (armed.get(point) ?? new Set()).add(ordinal));
  }
  const hits = new Map<string, number>();
  return (point) => {
    const ordinals = armed.get(point);
    if (ordinals === undefined) return;
    const count = (hits.get(point) ?? 0) + 1;
    hits.set(point, count);
    if (ordinals.has(count)) die();
  };
}

/** Whether a point is named at all, whatever its ordinal. */
export function armedPoints(spec: string | undefined): (point: string) => boolean {
  const names = new Set((spec ?? "").split(",").map((entry) => entry.replace(/#\d+$/, "")));
  names.delete("");
  return (point) => names.size > 0 && names.has(point);
}

/** Ends this process as a loss of power would. */
export function dieHere(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal may arrive a moment later: block this thread for good, so that not one more statement runs.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
