// The append as a port: every request, whatever it is, is answered by a value that survives JSON, and none by an exception. On
// the memory store, since the port adds nothing of its own to the authority behind it.
import { describe, expect, it } from "vitest";
import { checkLimits } from "../core/limits.ts";
import { PawlError } from "../errors/error.ts";
import { buildEvent } from "../log/producer.ts";
import { virtualPlatform } from "../platform/virtual.ts";
import { memoryStore } from "../store/memory/store.ts";
import { handleAppend } from "./handle-append.ts";
import { localClient } from "./local-client.ts";
import { proves } from "../../test/support/proves.ts";

const scope = { tenantId: "t", projectId: "p", environmentId: "e" };

function lab() {
  const platform = virtualPlatform();
  const client = localClient({ store: memoryStore(platform), platform, scope, limits: checkLimits(), engine: null, retainMs: null });
  const event = (eventType: string): object => ({
    ...buildEvent(scope, { runId: "r", planId: "p", planVersion: "1" }, { eventType }, platform.wallMs()),
    eventId: platform.uuidV4(),
  });
  const ask = async (request: unknown): Promise<any> => JSON.parse(JSON.stringify(await handleAppend(client, request))) as unknown;
  return { event, ask };
}

describe("the port", () => {
  it("one event or many: plain JSON in, plain JSON out", proves("P-11", "P-19"), async () => {
    const { event, ask } = lab();
    const [a, b] = [event("RunStarted"), event("RunCompleted")];
    expect(await ask({ event: a })).toMatchObject({ ok: true, result: { runSeq: 1, persisted: true, idempotent: false } });
    const both = await ask({ events: [a, b], validate: true });
    expect(both).toMatchObject({ ok: true, result: { appended: [{ runSeq: 2 }], deduped: [{ runSeq: 1 }], rejected: [] } });
    expect(await ask({ events: [event("Late")], validate: true })).toMatchObject({
      ok: true,
      result: { rejected: [{ code: "INVALID_TRANSITION", data: { attemptedEventType: "Late" } }] },
    });
    expect(await ask({ event: event("RunPaused"), first: true })).toMatchObject({ ok: false, error: { code: "RUN_ALREADY_EXISTS" } });
  });

  it("what is no request, or no event, is refused with a code and its place", proves("P-41"), async () => {
    const { event, ask } = lab();
    const start = event("RunStarted");
    for (const request of [null, 7, "x", [], {}, { event: start, events: [start] }, { events: start }, { event: [start] }])
      expect(await ask(request)).toMatchObject({ ok: false, error: { code: "PAWL4011", retryable: false } });
    for (const o of [{ validate: "yes" }, { first: 1 }, { workflowId: 7 }])
      expect(await ask({ event: start, ...o })).toMatchObject({ ok: false, error: { code: "PAWL4011" } });
    expect(await ask({ event: start, workflowId: "a|b" })).toMatchObject({ ok: false, error: { code: "PAWL1001" } });
    expect(await ask({ events: [start, { ...start, runId: 7 }] })).toMatchObject({
      ok: false,
      error: { code: "SCHEMA_VALIDATION_FAILED", data: { pointer: "/1/runId" }, retryable: false },
    });
  });

  it("says when the same request may be sent again, and nothing of an unexpected failure", async () => {
    const failing = (e: unknown): Promise<unknown> => handleAppend({ append: () => Promise.reject(e) } as never, { event: {} });
    expect(await failing(new PawlError("PAWL3002", "away"))).toMatchObject({ ok: false, error: { code: "PAWL3002", retryable: true } });
    const unexpected = await failing(new Error("secret"));
    expect(unexpected).toMatchObject({ ok: false, error: { code: "PAWL5010", retryable: true } });
    expect(JSON.stringify(unexpected)).not.toContain("secret");
  });
});
