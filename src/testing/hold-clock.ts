// A store on a server, in a test with a virtual clock: while one of its verbs is under way the clock does not move. Without that
// a lease would lapse, or a time limit pass, while a statement is on its way. It adds nothing else.
import type { Cancel } from "../platform/platform.ts";

/** `hold` stops the clock until what it answers is called. */
export function holdClockDuring<T extends object>(target: T, hold: () => Cancel): T {
  return new Proxy(target, {
    get(o, name) {
      const member: unknown = Reflect.get(o, name);
      if (typeof member === "object" && member !== null) return holdClockDuring(member, hold);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, o, args);
        if (!(answer instanceof Promise)) return answer;
        const release = hold();
        return answer.finally(release);
      };
    },
  });
}
