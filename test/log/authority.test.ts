// The append authority on a run that an engine wrote: what is in its log is answered with its metadata, what is not is
// refused, and nothing is ever inserted beside the owner (K23).
import { describe, expect, it } from "vitest";
import { openEngine } from "../../src/client/engine.ts";
import { virtualPlatform } from "../../src/platform/virtual.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { idempotencyKey } from "../../src/events/event-key.ts";
import type { RunEventWrite } from "../../src/core/contract.ts";
import { workflow } from "../../src/workflow/define.ts";
import { proves } from "../support/proves.ts";

const hello = workflow({ name: "hello" }, async (ctx) => ctx.step("greet", () => ({ text: "hi" })));

async function ran() {
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  const { engine, client } = await openEngine({ platform, log: () => {}, open: async () => store }, { store, workflows: [hello] });
  const handle = await engine.start(hello, undefined, { id: "h" });
  await handle.result();
  const events = await client.events(handle.runId);
  await engine.stop();
  return { client, events, runId: handle.runId };
}

const asWrite = (e: RunEventWrite & { runSeq?: number; persistedAt?: string }): RunEventWrite => {
  const { runSeq: _, persistedAt: __, ...write } = e;
  return write as RunEventWrite;
};

describe("append", () => {
  it(
    "an event that is in the log is answered with its eventId, runSeq and persistedAt, and not inserted again",
    proves("D-046", "D-047", "D-048", "D-074", "D-075", "D-076", "D-077"),
    async () => {
      const { client, events, runId } = await ran();
      expect(events.length).toBeGreaterThan(3);
      for (const e of events) {
        const again = { ...asWrite(e), eventId: "00000000-0000-4000-8000-000000000000" };
        expect(await client.append(again)).toEqual({
          eventId: e.eventId,
          runSeq: e.runSeq,
          persistedAt: e.persistedAt,
          idempotent: true,
          persisted: false,
          replayed: true,
          samePayload: true,
        });
      }
      expect(await client.events(runId)).toEqual(events);
    },
  );

  it("another payload under a known key changes nothing and is told", proves("D-076"), async () => {
    const { client, events, runId } = await ran();
    const completed = events.find((e) => e.eventType === "StepCompleted")!;
    const answer = await client.append({ ...asWrite(completed), payload: { result: "another" } } as RunEventWrite);
    expect(answer).toMatchObject({ eventId: completed.eventId, samePayload: false });
    expect(await client.events(runId)).toEqual(events);
  });

  it("an event that is not in an engine's log is refused", proves("K23"), async () => {
    const { client, events, runId } = await ran();
    const e = asWrite(events[0]!);
    const write = { ...e, eventType: "RunPaused" } as RunEventWrite;
    const key = idempotencyKey({ ...write, stepId: null });
    await expect(client.append({ ...write, idempotencyKey: key })).rejects.toMatchObject({ code: "PAWL4023" });
    await expect(client.append({ ...e, idempotencyKey: key })).rejects.toMatchObject({ code: "SCHEMA_VALIDATION_FAILED" });
    expect(await client.events(runId)).toEqual(events);
  });
});
