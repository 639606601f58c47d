// A store behind a line that loses what a network loses, verb by verb: the answer of a call that was done, or the call itself. Every
// verb of the port is wrapped, those of kv, feed, audit and archive too, under names such as "kv.put". For tests;
// nothing in the package imports it.
import { PawlError } from "../../src/errors/error.ts";
import type { FullStore } from "../../src/store/full-store.ts";

/** lost: it was done, and nobody says so. cut: it never arrived. Either way the caller knows nothing. */
export type Fault = "lost" | "cut";
export type Chooser = (verb: string, args: readonly unknown[]) => Fault | null;

/** These answer from memory: no line is between. */
const local = new Set(["capabilities", "watch", "close"]);

/** The verbs of a store as they are, not as a list says: a new one is there without anybody thinking of it. */
export function verbsOf(store: FullStore): string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(store)) {
    if (typeof value === "function" && !local.has(name)) names.push(name);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      for (const [inner, f] of Object.entries(value as object)) if (typeof f === "function") names.push(`${name}.${inner}`);
  }
  return names.sort();
}

export function unknownAnswer(verb: string): PawlError {
  return new PawlError("PAWL3002", `the line broke during ${verb}`, { outcome: "unknown" });
}

export function faultyStore(store: FullStore, choose: Chooser): FullStore {
  const wrap = <T extends object>(of: T, prefix: string): T => {
    const wrapped: Record<string, unknown> = Object.fromEntries(Object.entries(of));
    for (const [name, value] of Object.entries(of)) {
      const verb = prefix + name;
      if (typeof value === "object" && value !== null && !Array.isArray(value) && prefix === "")
        wrapped[name] = wrap(value as object, `${name}.`);
      if (typeof value !== "function" || local.has(verb)) continue;
      wrapped[name] = (...args: unknown[]): unknown => {
        const fault = choose(verb, args);
        if (fault === null) return (value as (...a: unknown[]) => unknown).apply(of, args);
        const fails = (): never => {
          throw unknownAnswer(verb);
        };
        if (fault === "cut") return Promise.reject(unknownAnswer(verb));
        return Promise.resolve((value as (...a: unknown[]) => unknown).apply(of, args)).then(fails);
      };
    }
    return wrapped as T;
  };
  return wrap(store, "");
}

/** Loses the first `times` answers of one verb. */
export function losingAnswers(verb: string, fault: Fault = "lost", times = 1): Chooser & { struck(): number } {
  let struck = 0;
  const choose: Chooser = (name) => (name === verb && struck < times ? (struck++, fault) : null);
  return Object.assign(choose, { struck: () => struck });
}
