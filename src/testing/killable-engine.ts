// An engine that can die in this process, on a virtual clock: at a crash point, or on request. A dead engine does nothing
// more: its timers and turns are dropped, what it asked of the store is never answered, and what it had already asked may or
// may not have been done. The store and the clock continue, so that another engine takes over what it left.
import { openEngine, type OpenEngine } from "../client/engine.ts";
import type { EngineOpts } from "../client/engine-types.ts";
import type { Environment } from "../client/environment.ts";
import type { Platform } from "../platform/platform.ts";
import type { WatchOptions } from "../store/port.ts";
import type { FullStore } from "../store/full-store.ts";

/** Thrown where an engine dies; whatever catches it belongs to the dead. */
export class EngineKilled extends Error {
  override readonly name: string = "EngineKilled";
}

export interface KillableEngineOptions {
  readonly platform: Platform;
  /** A connection of its own to the store that all engines of the place share. */
  connect(p: Platform): Promise<FullStore>;
  /** Its connection is closed when it dies: another process would have lost its locks with it. */
  readonly closes: boolean;
  /** Called with every crash point of this engine; true = die there. */
  readonly onHit?: (point: string) => boolean | void;
  /** Whether this point is one it may die at (window A of a run's first step asks before). */
  readonly armed?: (point: string) => boolean;
  /** Stands between this engine and its store. */
  readonly wrap?: (store: FullStore) => FullStore;
  /** Called when it was killed. */
  readonly onKilled?: () => void;
}

export interface KillableEngine extends OpenEngine {
  readonly alive: boolean;
  /** The process is gone: no more timers, no more answers. */
  kill(): void;
  /** Stops in order, if it lives. The clock must move meanwhile. */
  stop(): Promise<void>;
}

/** A process that can die: what is opened in it sees its platform and its store, until it is killed. */
export interface KillableBody {
  readonly environment: Environment;
  readonly store: FullStore;
  readonly alive: boolean;
  /** Rejects when it dies. */
  readonly died: Promise<never>;
  kill(): void;
  /** It ended in order: its connection is closed. */
  end(): Promise<void>;
}

export async function killableBody(o: KillableEngineOptions, onDeath: () => void): Promise<KillableBody> {
  const { platform } = o;
  let alive = true;
  const mine: { store?: FullStore } = {};
  let stillborn: (e: EngineKilled) => void = () => {};
  const died = new Promise<never>((_, reject) => (stillborn = reject));
  died.catch(() => {});
  const die = (): void => {
    if (!alive) return;
    alive = false;
    onDeath();
    stillborn(new EngineKilled("it died while it was being opened"));
    // Its connections and locks go with it, once whatever runs now has returned.
    if (o.closes) platform.turn(() => void mine.store?.close().catch(() => {}));
    o.onKilled?.();
  };
  const body: Platform = {
    ...platform,
    timer: (ms, fn, keepAlive) => platform.timer(ms, () => alive && fn(), keepAlive),
    turn: (fn) => platform.turn(() => alive && fn()),
    hit: (point) => {
      if (!alive) throw new EngineKilled(point);
      if (o.onHit?.(point) !== true) return;
      die();
      throw new EngineKilled(point);
    },
    ...(o.armed === undefined ? {} : { armed: o.armed }),
  };
  // The store's own timers continue: in one process the connections share a lock, which the dead would hold for ever.
  const own = await o.connect({ ...platform, hit: body.hit });
  mine.store = own;
  const store = killableStore(o.wrap === undefined ? own : o.wrap(own), () => alive);
  return {
    environment: { platform: body, log: () => {}, open: async (): Promise<FullStore> => store },
    store,
    died,
    kill: die,
    get alive() {
      return alive;
    },
    end: async () => {
      alive = false;
      await own.close();
    },
  };
}

export async function killableEngine(o: KillableEngineOptions, engineOpts: Omit<EngineOpts, "store">): Promise<KillableEngine> {
  const mine: { core?: OpenEngine["core"] } = {};
  const body = await killableBody(o, () => mine.core?.simulateCrash());
  const opened = await Promise.race([openEngine(body.environment, { ...engineOpts, store: body.store }), body.died]);
  mine.core = opened.core;
  return {
    ...opened,
    kill: () => body.kill(),
    get alive() {
      return body.alive;
    },
    stop: async () => {
      if (!body.alive) return;
      const stopped = opened.engine.stop({ grace: "1s" }).then(() => body.end());
      // It may die while it stops: nobody is left to say that it has.
      await Promise.race([stopped, body.died]).catch((e: unknown) => {
        if (!(e instanceof EngineKilled)) throw e;
      });
    },
  };
}

const never = (): Promise<never> => new Promise(() => {});

/** Verbs of the dead are never answered. */
function killableStore(store: FullStore, alive: () => boolean): FullStore {
  const queues = killableVerbs(store.queues, alive);
  return new Proxy(store, {
    get(target, name) {
      if (name === "queues") return queues;
      const verb = Reflect.get(target, name) as unknown;
      if (typeof verb !== "function" || name === "capabilities" || name === "close") return verb;
      if (name === "watch")
        return (listener: (h: never) => void, o?: WatchOptions) =>
          alive() ? target.watch((h) => alive() && listener(h as never), o) : () => {};
      return answeredWhile(alive, target, verb);
    },
  });
}

function killableVerbs<T extends object>(verbs: T, alive: () => boolean): T {
  return new Proxy(verbs, {
    get(target, name) {
      const verb = Reflect.get(target, name) as unknown;
      return typeof verb === "function" ? answeredWhile(alive, target, verb) : verb;
    },
  });
}

function answeredWhile(alive: () => boolean, target: object, verb: unknown): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    if (!alive()) return never();
    try {
      const answer = await (verb as (...a: unknown[]) => Promise<unknown>).apply(target, args);
      return alive() ? answer : await never();
    } catch (e) {
      if (!alive()) return never();
      throw e;
    }
  };
}
