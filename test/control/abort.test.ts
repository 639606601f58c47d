// Waits that their caller ends: each rejects with the signal's own reason, and leaves no timer, no subscription and no listener behind. What was
// asked for stays asked for.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { openEngine, type OpenEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import { SharedParts } from "../../src/client/shared-parts.ts";
import type { Client } from "../../src/client/types.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { workflow } from "../../src/index.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { memoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { anySchema, deferred } from "../support/test-cluster.ts";

const held = workflow(
  { name: "held", signals: { go: anySchema() }, updates: { ask: { input: anySchema(), output: anySchema() } } },
  async (ctx) => ctx.receive("go"),
);

/** Counts what a client has open: timers, subscriptions, listeners of signals. */
class Open {
  timers = 0;
  watches = 0;
  listeners = 0;

  platform(real: Platform): Platform {
    return {
      ...real,
      timer: (ms, f, keep) => {
        this.timers++;
        let over = false;
        const end = (): void => {
          if (!over) this.timers--;
          over = true;
        };
        const cancel = real.timer(
          ms,
          () => {
            end();
            f();
          },
          keep,
        );
        return () => {
          end();
          cancel();
        };
      },
    };
  }
  store(real: FullStore): FullStore {
    return {
      ...real,
      watch: (l) => {
        this.watches++;
        const stop = real.watch(l);
        return () => {
          this.watches--;
          stop();
        };
      },
    };
  }
  signal(): { controller: AbortController; signal: AbortSignal } {
    const controller = new AbortController();
    const { signal } = controller;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      this.listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      this.listeners--;
      remove(...args);
    };
    return { controller, signal };
  }
  get all(): readonly number[] {
    return [this.timers, this.watches, this.listeners];
  }
}

describe("a wait that its caller ends", () => {
  let count: Open;
  let client: Client;
  let engine: OpenEngine;
  let parts: SharedParts;
  beforeEach(async () => {
    const real = systemPlatform();
    const state = memoryState(real);
    count = new Open();
    const platform = count.platform(real);
    const store = count.store(memoryStore(real, { state }));
    parts = new SharedParts({ store, platform, scope: defaultScope });
    client = localClient({ store, platform, parts, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null });
    const own = memoryStore(real, { state });
    engine = await openEngine({ platform: real, log: () => {}, open: async () => own }, { store: own, workflows: [held] });
    await engine.engine.start(held, undefined, { id: "w" });
  });
  afterEach(async () => {
    await parts.close();
    await engine.engine.stop({ grace: 100 });
  });

  /** What waits share among them is given back a moment after the last of them has gone. */
  const nothingLeft = (): Promise<void> => expect.poll(() => count.all, { timeout: 20_000 }).toEqual([0, 0, 0]);

  const waits: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
    waitForEnd: (signal) => client.waitForEnd("w", { signal, timeoutMs: 60_000 }),
    "waitForEnd without a limit": (signal) => client.waitForEnd("w", { signal }),
    waitForChange: (signal) => client.waitForChange("w", { signal, timeoutMs: 60_000 }),
    update: (signal) => client.update("w", "ask", 1, { signal, timeoutMs: 60_000 }),
    "control that nobody takes": async (signal) => {
      await engine.engine.stop({ grace: 100 });
      return client.control("w", "pause", { signal, timeoutMs: 60_000 });
    },
  };

  it.each(Object.keys(waits))("%s", async (verb) => {
    const { controller, signal } = count.signal();
    if (verb.startsWith("control")) parts.applier.applyWhile = (wait) => wait();
    const wait = waits[verb]!(signal);
    const reason = new Error("the caller has gone");
    await expect.poll(() => count.listeners, { timeout: 20_000 }).toBeGreaterThan(0);
    controller.abort(reason);
    await expect(wait).rejects.toBe(reason);
    await nothingLeft();
    await expect(waits[verb === "control that nobody takes" ? "waitForEnd" : verb]!(AbortSignal.abort(reason))).rejects.toBe(reason);
    await nothingLeft();
  });

  it("a wait that ends by itself leaves nothing behind either", async () => {
    const { signal } = count.signal();
    const wait = client.waitForEnd("w", { signal });
    await client.signal("w", "go", 1);
    await wait;
    await nothingLeft();
    await expect(client.waitForEnd("w", { signal, timeoutMs: 10 })).resolves.toMatchObject({ status: "COMPLETED" });
    await nothingLeft();
  });

  it("the result of a handle and of engine.run, where the run is live here", async () => {
    const { controller, signal } = count.signal();
    const gate = deferred();
    const busy = workflow({ name: "busy" }, async (ctx) => ctx.step("wait", () => gate.promise));
    const handle = await engine.engine.start(busy, undefined, { id: "b" });
    const both = [handle.result({ signal }), engine.engine.run(busy, undefined, { id: "b", signal })];
    await expect.poll(() => count.listeners, { timeout: 20_000 }).toBe(2);
    const reason = new Error("the caller has gone");
    controller.abort(reason);
    for (const wait of both) await expect(wait).rejects.toBe(reason);
    expect(count.listeners).toBe(0);
    gate.open();
    expect((await engine.client.waitForEnd("b")).status).toBe("COMPLETED");
  });
});
