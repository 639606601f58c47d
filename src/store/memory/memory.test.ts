// What is particular to the memory store: what it admits about itself, and that a lesser store can be imitated. That it
// keeps the port's contract is shown by the suite.
import { describe, expect, it } from "vitest";
import { virtualPlatform } from "../../platform/virtual.ts";
import { create, event, message } from "../suite/build.ts";
import { memoryStore } from "./store.ts";
import { proves } from "../../../test/support/proves.ts";

describe("memory store", () => {
  it("says that it forgets, and keeps nothing between two stores", async () => {
    const platform = virtualPlatform();
    const [one, two] = [memoryStore(platform), memoryStore(platform)];
    expect(one.capabilities().persistence).toBe("volatile");
    await one.commit([create("a")]);
    expect(await two.run({ runId: "a" })).toBeUndefined();
    expect((await one.info()).storeId).not.toBe((await two.info()).storeId);
  });

  it("without conditionalBatch a message is refused at once, and nothing is written", proves("W-076"), async () => {
    const store = memoryStore(virtualPlatform(), { capabilities: { conditionalBatch: false } });
    expect(store.capabilities().conditionalBatch).toBe(false);
    await store.commit([create("a")]);
    await expect(store.post(message("s1"))).rejects.toMatchObject({
      page: "PAWL3006",
      name: "CheckpointOwnershipCapabilityError",
      message: expect.stringContaining("conditionalBatch"),
    });
    expect(await store.inbox({ runId: "a", all: true })).toEqual([]);
  });

  it("keeps a log in order even if events arrive out of order", async () => {
    const store = memoryStore(virtualPlatform());
    await store.commit([create("a", {}, { events: [event(5), event(2), event(9)] })]);
    expect((await store.events({ runId: "a", after: 0, limit: 9 })).map((e) => e.runSeq)).toEqual([2, 5, 9]);
  });
});
