// What /metrics says, over a real socket, to whom, and that the alert rules which ship name nothing else.
// No label may be an id that callers make.
import { readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { remoteTask, workflow } from "../../src/workflow/define.ts";
import { serve, type Served } from "./serve.ts";
import { openSse } from "./sse.ts";

let served: Served | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});
const valueOf = (text: string, line: string): number =>
  Number(
    text
      .split("\n")
      .find((l) => l.startsWith(`${line} `))
      ?.slice(line.length + 1) ?? Number.NaN,
  );

it("counts requests by operation and status, over both transports, streams, and what the engine counts", async () => {
  served = await serve();
  const { runId } = (await served.post("/v1/runs", { workflow: "order", id: "canary-id", input: "canary-input" })).json;
  await served.get(`/v1/runs/${runId}/result?wait=30`);
  await served.get("/v1/runs/nobody");
  await served.rpc({ jsonrpc: "2.0", id: 1, method: "runs.get", params: { id: runId } });
  await served.post("/v1/runs", { workflow: "approval", id: "w" });
  const stream = await openSse(`${served.url}/v1/runs/w/events`);
  await stream.next();
  const answer = await served.get("/metrics");
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4");
  const { text } = answer;
  expect(valueOf(text, 'pawl_http_requests_total{operation="runs.start",status="201"}')).toBe(2);
  expect(valueOf(text, 'pawl_http_requests_total{operation="runs.get",status="404"}')).toBe(1);
  expect(valueOf(text, 'pawl_http_requests_total{operation="runs.get",status="200"}')).toBe(1);
  expect(valueOf(text, 'pawl_http_request_seconds_count{operation="runs.start"}')).toBe(2);
  expect(valueOf(text, "pawl_streams")).toBe(1);
  expect(valueOf(text, "pawl_runs_settled_total")).toBe(1);
  expect(valueOf(text, "pawl_oldest_runnable_seconds")).toBe(0);
  expect(text).not.toContain("canary");
  expect(text).not.toContain(runId);
  for (const line of text.split("\n")) expect(line).toMatch(/^$|^# (HELP|TYPE) pawl_\w+ .+|^pawl_\w+(\{[^}]*\})? [\d.e+-]+$/);
  stream.cut();
});

it("is for callers that may read; refusals before an operation is known are counted too", async () => {
  served = await serve({
    auth: (r) =>
      r.headers.get("x-who") === null
        ? null
        : { kind: "service", subject: "x", scopes: r.headers.get("x-who") === "r" ? ["read"] : ["work"] },
  });
  expect((await served.get("/metrics")).status).toBe(401);
  expect((await served.get("/metrics", { "x-who": "w" })).json).toMatchObject({ status: 403, page: "PAWL4081" });
  const { text } = await served.get("/metrics", { "x-who": "r" });
  expect(valueOf(text, 'pawl_http_requests_total{operation="none",status="401"}')).toBe(1);
});

it("says how long the oldest run has waited that no engine works on", async () => {
  served = await serve();
  const started = await served.post("/v1/runs", { workflow: "unknown-here", id: "o", allowUnknown: true });
  expect(started.status).toBe(201);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(valueOf((await served.get("/metrics")).text, "pawl_oldest_runnable_seconds")).toBeGreaterThan(0);
});

it("has every metric that the alert rules name", async () => {
  served = await serve();
  await served.get("/v1/runs");
  const { text } = await served.get("/metrics");
  const has = new Set([...text.matchAll(/^# TYPE (pawl_\w+)/gm)].map((m) => m[1]));
  const rules = readFileSync(new URL("../../docs/alerts.yml", import.meta.url), "utf8");
  const exprs = [...rules.matchAll(/^ +expr: (.+)$/gm)].map((m) => m[1]!);
  const named = new Set(exprs.flatMap((e) => [...e.matchAll(/\bpawl_\w+/g)].map((m) => m[0])));
  expect(exprs.length).toBeGreaterThan(10);
  expect([...named].filter((name) => !has.has(name))).toEqual([]);
  const labels = new Set([...rules.matchAll(/(\w+)=~?"/g)].map((m) => m[1]));
  expect([...labels].filter((l) => !["job", "operation", "status"].includes(l!))).toEqual([]);
});

it("says of each queue how much waits, is claimed and is held, and for how long", async () => {
  const mail = remoteTask({ name: "metrics-mail", input: z.string(), output: z.string(), queue: "mails" }, { repeatable: true });
  const mailing = workflow({ name: "metrics-mailing", input: z.string() }, async (ctx, to) => ctx.do(mail, to));
  served = await serve({ workflows: [mailing] });
  const hello = { lang: "test", works: [{ task: "metrics-mail" }], queues: { mails: { concurrency: 1 } } };
  const { workerId } = (await served.post("/v1/workers", hello)).json;
  const { post, get } = served;
  for (const id of ["a", "b", "c"])
    expect(await post("/v1/runs", { workflow: "metrics-mailing", id, input: id })).toMatchObject({ status: 201 });
  expect((await post(`/v1/workers/${workerId}/poll`, { free: { mails: 1 }, waitMs: 20_000, holds: [] })).json.claimed).toHaveLength(1);
  // An engine serves every queued task that its process has defined: other files of this process may have defined some.
  const mails = async (): Promise<unknown> => (await get("/v1/queues")).json.items.find((q: { name: string }) => q.name === "mails");
  await expect.poll(mails, { timeout: 60_000 }).toMatchObject({ ready: 2 });
  const { text } = await get("/metrics");
  expect(["ready", "claimed", "held", "paused"].map((what) => valueOf(text, `pawl_queue_${what}{queue="mails"}`))).toEqual([2, 1, 0, 0]);
  expect(valueOf(text, 'pawl_queue_oldest_seconds{queue="mails"}')).toBeGreaterThanOrEqual(0);
});
