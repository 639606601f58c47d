// Results are shared: every node that needs one is given the same value. So plain objects and lists are frozen, and a node that changes
// what it was given fails at once, not only after a restart, when the next node would read the recorded value. It never copies.
export function freezeDeep<T>(value: T): T {
  const todo: unknown[] = [value];
  for (let at = todo.pop(); at !== undefined || todo.length > 0; at = todo.pop()) {
    if (typeof at !== "object" || at === null || Object.isFrozen(at)) continue;
    const isList = Array.isArray(at);
    const proto: unknown = isList ? null : Object.getPrototypeOf(at);
    if (!isList && proto !== Object.prototype && proto !== null) continue; // dates, maps, bytes: these cannot be frozen
    Object.freeze(at);
    for (const member of isList ? (at as unknown[]) : Object.values(at)) if (typeof member === "object") todo.push(member);
  }
  return value;
}
