// Where effects are tested: any store, an engine that can die on it, an outside world that counts what reached it. The clock
// of store and engine can be moved, so that nobody waits for a lease or a deadline.
import { afterEach, beforeEach, vi } from "vitest";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import type { EffectView } from "../../src/client/types.ts";
import type { VirtualPlatform } from "../../src/platform/virtual.ts";
import { killableEngine, type KillableEngine } from "../../src/testing/killable-engine.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { TestStore } from "../support/test-store.ts";

export interface EngineFaults {
  /** Told every crash point of this engine; true = die there. */
  readonly onHit?: (point: string) => boolean;
  /** Stands between this engine and its store. */
  readonly wrap?: (store: FullStore) => FullStore;
}

export interface EffectTest {
  readonly testStore: () => TestStore;
  engine(o: EngineOpts, fate?: EngineFaults): Promise<KillableEngine>;
  /** The engine dies, its lease lapses, and another one takes over what it left. */
  takeOver(dead: KillableEngine, o: EngineOpts): Promise<KillableEngine>;
  /** What reached the outside world, by name. */
  readonly sent: Map<string, number>;
  send(name: string): number;
  until(fact: () => Promise<boolean> | boolean): Promise<void>;
  /** The one record of a run. */
  record(e: KillableEngine, runId: string): Promise<EffectView>;
}

export function effectTest(open: () => Promise<TestStore>): EffectTest {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 }); // a crowded machine is slow, not wrong
  let b: TestStore;
  const engines: KillableEngine[] = [];
  const sent = new Map<string, number>();
  beforeEach(async () => {
    b = await open();
    sent.clear();
  });
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((e) => e.stop().catch(() => {})));
    await b.close();
  });
  const engine = async (o: EngineOpts, fate: EngineFaults = {}): Promise<KillableEngine> => {
    const e = await killableEngine(
      { platform: b.platform as VirtualPlatform, connect: () => b.reopen(), closes: true, ...fate },
      { lease: "20s", ...o },
    );
    engines.push(e);
    return e;
  };
  return {
    testStore: () => b,
    engine,
    takeOver: async (dead, o) => {
      dead.kill();
      b.advanceClock(25_000);
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
