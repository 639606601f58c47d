// A start that ends the run which has its id, over HTTP: it needs a reason, which the log of the run that was ended keeps, and sent again it is the
// same restart.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { connect } from "../../src/http.ts";
import { server } from "../../src/server.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { systemPlatform } from "../../src/platform/system.ts";
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

it("a restart whose old run is still ending answers 202 and says which; sent again it continues, and is one restart", async () => {
  const store = memoryStore(systemPlatform());
  const api = await server({ store, tenant: defaultScope, auth: "open", log: () => {} });
  try {
    const { url } = await api.listen({ port: 0 });
    const start = async (more: object): Promise<{ status: number; location: string | null; body: Record<string, unknown> }> => {
      const response = await fetch(`${url}/v1/runs`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ workflow: "approval", id: "a", allowUnknown: true, ...more }),
      });
      return { status: response.status, location: response.headers.get("location"), body: (await response.json()) as never };
    };
    const first = await start({});
    const again = { onConflict: "restart", idempotencyKey: "k", reason: "wrong address" };
    // Nobody works on it, and the caller does not wait.
    const ending = await start({ ...again, wait: 0 });
    expect([ending.status, ending.location]).toEqual([202, `runs/${String(first.body["runId"])}`]);
    expect(ending.body).toEqual({ ending: first.body["runId"], workflowId: "a", pending: true });
    expect((await start({ ...again, wait: 0 })).body).toEqual(ending.body);
    const second = await start(again);
    expect([second.status, second.body["created"]]).toEqual([201, true]);
    expect((await start(again)).body).toMatchObject({ runId: second.body["runId"], replayed: true });
  } finally {
    await api.stop();
    await store.close();
  }
});
