// The determinism guard: while it is on, the clock, randomness, timers and the network are watched where users reach for
// them, and a use in a workflow's own code is reported to that code's zone. Everywhere else (step functions, other code, the
// engine) they behave as before. For development and tests; it must never be on in production, and leaves no trace when off.
import { currentZone } from "./run-context.ts";
import type { Cancel } from "./platform.ts";

/** What is written, and what to write instead. */
const uses: Readonly<Record<string, string>> = {
  "Date.now()": "ctx.now().getTime()",
  "new Date()": "ctx.now()",
  "Date()": "String(ctx.now())",
  "performance.now()": "ctx.now().getTime()",
  "Math.random()": "ctx.random()",
  "crypto.randomUUID()": "ctx.uuid()",
  "crypto.getRandomValues()": "ctx.random(), or draw it inside ctx.step",
  "fetch()": "ctx.step(name, () => fetch(…))",
  "setTimeout()": "ctx.sleep(name, duration)",
  "setInterval()": "a loop with ctx.sleep(name, duration)",
  "setImmediate()": "nothing: await a call of ctx",
};

/** In a workflow's own code its zone is notified, and may throw. */
function reportUse(what: string): void {
  const zone = currentZone();
  if (zone !== null && zone.stepId === null) zone.used?.({ what, instead: uses[what] ?? "a call of ctx" });
}

let activeGuards = 0;
let restore: Cancel[] = [];

/** Switches the guard on until cancelled; several may hold it at once. */
export function guardMachine(): Cancel {
  if (activeGuards++ === 0) restore = patchAll();
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    if (--activeGuards === 0) for (const undo of restore.splice(0)) undo();
  };
}

type AnyFunction = (...args: unknown[]) => unknown;

function patchAll(): Cancel[] {
  const g = globalThis as unknown as Record<string, unknown>;
  return [
    watchDate(g),
    ...["setTimeout", "setInterval", "setImmediate", "fetch"].map((name) => watchMember(g, name, `${name}()`)),
    watchMember(Math as never, "random", "Math.random()"),
    watchMember(performance as never, "now", "performance.now()"),
    watchMember(crypto as never, "randomUUID", "crypto.randomUUID()"),
    watchMember(crypto as never, "getRandomValues", "crypto.getRandomValues()"),
  ];
}

/** Puts a watched function in the member's place, with all its properties; a function that replaced ours meanwhile stays. */
function watchMember(owner: Record<string, unknown>, name: string, what: string): Cancel {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  const original = owner[name] as AnyFunction;
  const watched = function (this: unknown, ...args: unknown[]): unknown {
    reportUse(what);
    return Reflect.apply(original, this === undefined ? owner : this, args);
  };
  Object.defineProperties(watched, Object.getOwnPropertyDescriptors(original));
  Object.defineProperty(owner, name, { value: watched, writable: true, configurable: true, enumerable: before?.enumerable ?? true });
  return () => {
    if (owner[name] !== watched) return;
    if (before === undefined) delete owner[name];
    else Object.defineProperty(owner, name, before);
  };
}

/** The constructor stands behind a proxy: dates stay dates, and `constructor` still names what `Date` is. */
function watchDate(g: Record<string, unknown>): Cancel {
  const Original = Date;
  const now: typeof Date.now = () => {
    reportUse("Date.now()");
    return Original.now();
  };
  const Watched: DateConstructor = new Proxy(Original, {
    get: (target, name) => (name === "now" ? now : (Reflect.get(target, name) as unknown)),
    apply: (target, self, args) => {
      reportUse("Date()");
      return Reflect.apply(target, self, args) as string;
    },
    construct: (target, args, newTarget): object => {
      if (args.length === 0) reportUse("new Date()");
      return Reflect.construct(target, args, newTarget === Watched ? target : newTarget) as object;
    },
  });
  g["Date"] = Watched;
  Original.prototype.constructor = Watched;
  return () => {
    if (g["Date"] === Watched) g["Date"] = Original;
    if (Original.prototype.constructor === (Watched as unknown)) Original.prototype.constructor = Original;
  };
}
