// The first and the last event of a run, as a caller of the server sees them: a run says that it started only when its code begins, before any
// work; one that is cancelled or refused before that never says so.
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { server } from "../../src/server.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { proves } from "../support/proves.ts";
import { serve, type Served } from "./serve.ts";

let calls = 0;
const even = workflow({ name: "even", input: z.number().refine((n) => n % 2 === 0, "must be even") }, async (ctx, n) =>
  ctx.step("work", () => ((calls += 1), n)),
);
let s: Served;
/** It knows what the engine published, which says nothing of refinements: what it accepts, the engine may refuse. */
let other: Served["api"];
let otherUrl: string;
beforeAll(async () => {
  const store = memoryStore(systemPlatform());
  s = await serve({ on: store, workflows: [even] });
  other = await server({ store, tenant: defaultScope, auth: "open", log: () => {} });
  otherUrl = (await other.listen({ port: 0 })).url;
});
afterAll(async () => {
  await other.stop();
  await s.close();
});

const start = async (url: string, body: object): Promise<void> => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/v1/runs`, { method: "POST", headers, body: JSON.stringify({ workflow: "even", ...body }) });
  expect(answer.status, await answer.text()).toBe(201);
};
const eventsOf = async (id: string): Promise<string[]> =>
  ((await s.get(`/v1/runs/${id}/events`)).json.items as { eventType: string }[])
    .map((e) => e.eventType)
    .filter((t) => !t.startsWith("pawl."));

it("a run that works says that it started before its first step", proves("P-21"), async () => {
  await start(s.url, { id: "worked", input: 2 });
  await s.get("/v1/runs/worked/result?wait=30");
  expect((await eventsOf("worked")).filter((t) => t !== "RunQueued")).toEqual([
    "RunStarted",
    "StepStarted",
    "StepCompleted",
    "RunCompleted",
  ]);
});

it("a queued run that is cancelled, and one whose input its code refuses, end without having started", proves("P-21"), async () => {
  const before = calls;
  await start(s.url, { id: "delayed", input: 2, delayMs: 3_600_000 });
  expect(await eventsOf("delayed")).toEqual(["RunQueued"]);
  expect((await s.post("/v1/runs/delayed/cancel", { wait: 30, reason: "not wanted" })).status).toBeLessThan(300);
  await s.get("/v1/runs/delayed/result?wait=30");
  expect(await eventsOf("delayed")).toEqual(["RunQueued", "RunCancelled"]);
  await start(otherUrl, { id: "refused", input: 3 });
  expect((await s.get("/v1/runs/refused/result?wait=30")).json).toMatchObject({ status: "FAILED" });
  expect(await eventsOf("refused")).toEqual(["RunQueued", "RunFailed"]);
  expect(calls).toBe(before);
});
