// Where effects are tested: any store, an engine that can die on it, an outside world that counts what reached it. The clock
// of store and engine can be moved, so that nobody waits for a lease or a deadline.
import { afterEach, beforeEach, vi } from "vitest";
import type { EngineOpts } from "../../src/client/engine.ts";
import type { EffectView } from "../../src/client/types.ts";
import type { VirtualPlatform } from "../../src/platform/virtual.ts";
import { mortalEngine, type MortalEngine } from "../../src/testing/mortal.ts";
import type { Store } from "../../src/store/port.ts";
import type { Bench } from "../support/bench.ts";

export interface Fate {
  /** Told every crash point of this engine; true = die there. */
  readonly onHit?: (point: string) => boolean;
  /** Stands between this engine and its store. */
  readonly wrap?: (store: Store) => Store;
}

export interface Place {
  readonly bench: () => Bench;
  engine(o: EngineOpts, fate?: Fate): Promise<MortalEngine>;
  /** The engine dies, its lease lapses, and another one takes over what it left. */
  takeOver(dead: MortalEngine, o: EngineOpts): Promise<MortalEngine>;
  /** What reached the outside world, by name. */
  readonly sent: Map<string, number>;
  send(name: string): number;
  until(fact: () => Promise<boolean> | boolean): Promise<void>;
  /** The one record of a run. */
  record(e: MortalEngine, runId: string): Promise<EffectView>;
}

export function place(open: () => Promise<Bench>): Place {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 }); // a crowded machine is slow, not wrong
  let b: Bench;
  const engines: MortalEngine[] = [];
  const sent = new Map<string, number>();
  beforeEach(async () => {
    b = await open();
    sent.clear();
  });
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((e) => e.end().catch(() => {})));
    await b.close();
  });
  const engine = async (o: EngineOpts, fate: Fate = {}): Promise<MortalEngine> => {
    const e = await mortalEngine(
      { platform: b.platform as VirtualPlatform, connect: () => b.again(), closes: true, ...fate },
      { lease: "20s", ...o },
    );
    engines.push(e);
    return e;
  };
  return {
    bench: () => b,
    engine,
    takeOver: async (dead, o) => {
      dead.die();
      b.skip(25_000);
      return engine(o);
    },
    sent,
    send: (name) => {
      const n = (sent.get(name) ?? 0) + 1;
      sent.set(name, n);
      return n;
    },
    until: async (fact) => {
      const end = Date.now() + 60_000;
      while (!(await fact())) {
        if (Date.now() > end) throw new Error("it never became true");
        await new Promise((r) => setTimeout(r, 10));
      }
    },
    record: async (e, runId) => {
      const { effects } = await e.client.effects({ runId });
      if (effects.length !== 1) throw new Error(`${effects.length} records`);
      return effects[0]!;
    },
  };
}

/** A dispatch that is never answered. */
export const never = (): Promise<never> => new Promise(() => {});
