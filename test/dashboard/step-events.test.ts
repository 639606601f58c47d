// What the dashboard asks of a log, for everybody: the events of one step, also those of the run that name it, and events without their payloads, as pages and as a
// stream; the same in process and over HTTP.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contextOfEngine } from "../../src/client/engine.ts";
import { connect } from "../../src/http.ts";
import { localClient } from "../../src/client/local-client.ts";
import { workflow } from "../../src/index.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { serve, type Served } from "../server/serve.ts";

const paid: AnyWorkflow = workflow({ name: "paid" }, async (ctx) => {
  await ctx.step("first", () => 1, { repeatable: true });
  await ctx.step("pay", () => new Promise(() => {}), { key: "k", timeout: "20ms" });
}) as never;

describe("events of one step", () => {
  let s: Served;
  beforeAll(async () => {
    s = await serve({ workflows: [paid] });
    await s.post("/v1/runs", { workflow: "paid", id: "p" });
    while ((await s.get("/v1/decisions")).json.items.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  afterAll(() => s.close());

  it("are those of the step, and those that name it", async () => {
    const types = async (query: string): Promise<string[]> =>
      ((await s.get(`/v1/runs/p/events?${query}`)).json.items as { eventType: string }[]).map((e) => e.eventType);
    expect(await types("step=first")).toEqual(["StepStarted", "StepCompleted"]);
    expect(await types("step=pay")).toEqual(["StepStarted", "pawl.StepInDoubt"]);
    expect(await types("step=pay&types=StepStarted")).toEqual(["StepStarted"]);
    expect(await types("step=pay&before=1000&limit=1")).toEqual(["pawl.StepInDoubt"]);
    expect(await types("step=nobody")).toEqual([]);
  });

  it("may come without payloads, which are then listed as hidden", async () => {
    const [bare] = (await s.get("/v1/runs/p/events?payloads=none&limit=1")).json.items as Record<string, unknown>[];
    expect([Object.hasOwn(bare!, "payload"), bare!["hidden"]]).toEqual([false, ["/payload"]]);
    expect((await s.get("/v1/runs/p/events?payloads=some")).status).toBe(422);
  });

  it("are followed without payloads alike, in process and over HTTP", async () => {
    const http = await connect({ url: s.url });
    const seen: unknown[][] = [];
    for (const client of [localClient(contextOfEngine(s.app)), http]) {
      const events: unknown[] = [];
      const ending = new AbortController();
      for await (const item of client.follow((await client.get("p"))!.runId, { payloads: "none", signal: ending.signal })) {
        if (item.kind === "event") events.push(item.event);
        if (events.length === 4) break;
      }
      ending.abort();
      seen.push(events);
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]!.every((e) => (e as { payload?: unknown }).payload === undefined)).toBe(true);
    await http.close();
  });
});
