// Waiting for something in the store: who follows one run is woken by each Commit with events, who waits for its end is not, and all
// clients of a store share one subscription of each kind.
import { expect, it } from "vitest";
import { virtualPlatform } from "../platform/virtual.ts";
import { memoryStore } from "../store/memory/store.ts";
import type { FullStore } from "../store/full-store.ts";
import { commitOne, create, event, next, owned } from "../store/suite/build.ts";
import { watcherOf } from "./store-watcher.ts";

it("who follows a run wakes with each Commit that adds events, who waits for a fact does not", async () => {
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  const row = await owned(store, "a");
  const watcher = watcherOf(store, platform);
  let [woken, checks] = [0, 0];
  const followed = watcher.waitForChange("a", 60_000).then(() => woken++);
  const ended = watcher.until("a", 60_000, async () => ++checks > 1);
  await commitOne(store, next(row, { events: [event(1)] }));
  await followed;
  expect([woken, checks]).toEqual([1, 1]);
  await commitOne(store, next({ ...row, stateVersion: row.stateVersion + 1 }, { status: "COMPLETED" }));
  await ended;
  expect(checks).toBe(2);
});

it("of any run, a step wakes nobody: only what somebody may have to act on", async () => {
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  const row = await owned(store, "a");
  let woken = 0;
  const any = watcherOf(store, platform)
    .waitForChange(undefined, 60_000)
    .then(() => woken++);
  await commitOne(store, next(row, { events: [event(1)] }));
  await platform.settle();
  expect(woken).toBe(0);
  await commitOne(store, create("b"));
  await any;
});

it("all clients of a store share a watcher, and it leaves when nobody waits", async () => {
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  let watching = 0;
  const counted: FullStore = {
    ...store,
    watch(listener, o) {
      watching++;
      const off = store.watch(listener, o);
      return () => {
        watching--;
        off();
      };
    },
  };
  expect(watcherOf(counted, platform)).toBe(watcherOf(counted, platform));
  expect(watcherOf(counted, platform)).not.toBe(watcherOf(store, platform));
  const waits = Array.from({ length: 50 }, (_, i) => watcherOf(counted, platform).waitForChange(`r${i}`, 100));
  expect(watching).toBe(1);
  await platform.advance(100);
  await Promise.all(waits);
  expect(watching).toBe(0);
});
