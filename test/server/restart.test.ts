// A start that ends the run which has its id, over HTTP: it needs a reason, which the log of the run that was ended keeps, and sent again it is the
// same restart.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/http.ts";
import { serve, type Served } from "./serve.ts";

let s: Served;
beforeAll(async () => (s = await serve()));
afterAll(() => s.close());

describe("a restart over HTTP", () => {
  it("without a reason is refused, and ends nothing", async () => {
    const client = await connect({ url: s.url });
    const { runId } = await client.start({ workflow: "approval", id: "a-1" });
    const again = { workflow: "approval", id: "a-1", onConflict: "restart", idempotencyKey: "k-1" } as const;
    await expect(client.start(again)).rejects.toMatchObject({ page: "PAWL4090" });
    expect(await client.get("a-1")).toMatchObject({ runId, status: "RUNNING" });
  });

  it("with one ends the run once, and the reason is in its log", async () => {
    const client = await connect({ url: s.url });
    const first = await client.start({ workflow: "approval", id: "a-2" });
    const again = { workflow: "approval", id: "a-2", onConflict: "restart", idempotencyKey: "k-2", reason: "wrong address" } as const;
    const second = await client.start(again);
    expect(second).toMatchObject({ created: true, replayed: false });
    expect(await client.start(again)).toMatchObject({ runId: second.runId, created: false, replayed: true });
    expect(await client.get("a-2")).toMatchObject({ runId: second.runId, originalRunId: first.runId });
    const ended = (await client.events(first.runId)).at(-1);
    expect(ended).toMatchObject({ eventType: "RunCancelled", payload: { reason: "wrong address" } });
  });
});
