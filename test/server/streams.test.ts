// Streams over real sockets: what a follower sees of a run and of the runs after it,
// what it sees after being cut, and how a stream ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { connect } from "../../src/client.ts";
import { contextOfEngine } from "../../src/client/engine.ts";
import { workflow } from "../../src/index.ts";
import { assembleServer } from "../../src/server/assemble.ts";
import { serverAuthenticator } from "../../src/server/access/principal.ts";
import type { Caller } from "../../src/server/access/caller.ts";
import { cutFollower } from "./cut-follower.ts";
import { serve, type Served } from "./serve.ts";
import { openSse, type Frame, type SseReader } from "./sse.ts";
import { proves } from "../support/proves.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-streams-"));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const count = workflow({ name: "count", input: z.number() }, async (ctx, steps) => {
  for (let i = 0; i < steps; i++) await ctx.step("s", () => i);
});
const gate = workflow({ name: "gate", signals: { go: z.number() } }, async (ctx) => {
  for (let i = 0; ; i++) if ((await ctx.receive("go")) === 0) return i;
});
const big = workflow({ name: "big", input: z.number() }, async (ctx, steps) => {
  for (let i = 0; i < steps; i++) await ctx.step("s", () => "x".repeat(20_000));
});

async function open(o: Parameters<typeof serve>[0] = {}): Promise<Served> {
  const served = await serve({ workflows: [count, gate, big], ...o });
  closing.push(served.close);
  return served;
}
/** A server whose heartbeat is quick, and whose callers' credentials can be revoked. */
async function openQuick(holds: () => boolean = () => true): Promise<Served> {
  const s = await open();
  const context = contextOfEngine(s.app);
  const caller: Caller = {
    principal: { kind: "service", subject: "x" },
    scopes: ["read", "payloads", "work"],
    tenant: context.scope,
    by: "host",
    ambient: true,
    recheck: () => Promise.resolve(holds()),
  };
  const authenticator = {
    ...serverAuthenticator({ store: context.store, platform: context.platform, scope: context.scope }),
    authenticate: () => Promise.resolve({ kind: "caller", caller } as const),
  };
  const api = assembleServer({
    client: context,
    log: () => {},
    authenticator,
    signers: new Map(),
    base: "",
    hosts: [],
    cors: [],
    heartbeatMs: 100,
  });
  const { url } = await api.listen({ port: 0 });
  closing.push(() => api.stop());
  const get: Served["get"] = async (path) => {
    const response = await fetch(`${url}${path}`);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: undefined };
  };
  return { ...s, url, api, get };
}
async function follow(url: string, headers?: Record<string, string>): Promise<SseReader> {
  const reader = await openSse(url, headers);
  closing.push(() => Promise.resolve(reader.cut()));
  return reader;
}
const start = async (s: Served, workflowName: string, id: string, input?: unknown): Promise<string> =>
  (await s.post("/v1/runs", { workflow: workflowName, id, input })).json.runId as string;
const isEvent = (f: Frame): boolean => f.event === "event";

describe("the log of a run as a stream", () => {
  it("begins with the run, has every event with its place, and ends with the run if it was asked for by runId", async () => {
    const s = await open();
    const runId = await start(s, "count", "a", 5);
    const reader = await follow(`${s.url}/v1/runs/${runId}/events`);
    await reader.ended;
    expect(reader.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    const [first, ...rest] = reader.frames;
    expect(first).toMatchObject({ event: "run", data: { runId, workflowId: "a" } });
    const events = rest.filter(isEvent);
    const page = (await s.get(`/v1/runs/${runId}/events?limit=100`)).json.items;
    expect(events.map((f) => f.data)).toEqual(page);
    expect(events.map((f) => f.id)).toEqual(page.map((e: { runSeq: number }) => `${runId}:${e.runSeq}`));
    expect(rest.at(-1)).toEqual({ event: "end", data: { runId, status: "COMPLETED" } });
  });

  it("is resumed at Last-Event-ID, and at `after`; what is no place is refused", async () => {
    const s = await open();
    const runId = await start(s, "count", "a", 5);
    await s.get(`/v1/runs/${runId}/result?wait=30`);
    const resumed = await follow(`${s.url}/v1/runs/${runId}/events`, { "last-event-id": `${runId}:3` });
    await resumed.ended;
    expect(resumed.frames.filter(isEvent)[0]?.id).toBe(`${runId}:4`);
    const after = await follow(`${s.url}/v1/runs/${runId}/events?after=4`);
    await after.ended;
    expect(after.frames.filter(isEvent)[0]?.id).toBe(`${runId}:5`);
    const wrong = await follow(`${s.url}/v1/runs/${runId}/events`, { "last-event-id": "yesterday" });
    expect([wrong.status, JSON.parse(await wrong.text()).page]).toEqual([422, "PAWL4011"]);
    const foreign = await follow(`${s.url}/v1/runs/a/events`, { "last-event-id": "no-such-run:3" });
    expect(foreign.status).toBe(404);
    const missing = await follow(`${s.url}/v1/runs/nobody/events`);
    expect(missing.status).toBe(404);
  });

  it("by workflowId continues with each later run from its first event", async () => {
    const s = await open();
    const first = await start(s, "count", "a", 1);
    const reader = await follow(`${s.url}/v1/runs/a/events`);
    await reader.next((f) => f.event === "event" && f.data.eventType === "RunCompleted");
    const { runId: second } = (await s.post("/v1/runs/a/retry", { fromStep: "s" })).json;
    expect((await reader.next((f) => f.event === "moved"))?.data).toEqual({ from: first, to: second });
    expect((await reader.next())?.data).toMatchObject({ runId: second });
    expect((await reader.next())?.id).toBe(`${second}:1`);
    await reader.next((f) => f.event === "event" && f.data.eventType === "RunCompleted");
  });

  it("says who is there although nothing happens, and what happens while it is open", async () => {
    const s = await open();
    const runId = await start(s, "gate", "g");
    const reader = await follow(`${s.url}/v1/runs/g/events`);
    await reader.next((f) => f.event === "event" && f.data.eventType === "StepStarted");
    await s.post("/v1/runs/g/signals", { name: "go", payload: 1 });
    const got = await reader.next((f) => f.event === "event" && f.data.eventType === "StepCompleted");
    expect(got?.data).toMatchObject({ runId, payload: { result: 1 } });
  });

  it("shows no payloads to a caller without the scope for them, although another follower sees them", async () => {
    const s = await open({
      auth: (r) => ({ kind: "service", subject: "x", scopes: r.headers.get("x-all") === "1" ? ["read", "payloads", "work"] : ["read"] }),
    });
    const runId = (await s.post("/v1/runs", { workflow: "count", id: "a", input: 2 }, { "x-all": "1" })).json.runId;
    const [all, some] = await Promise.all([
      follow(`${s.url}/v1/runs/${runId}/events`, { "x-all": "1" }),
      follow(`${s.url}/v1/runs/${runId}/events`),
    ]);
    await Promise.all([all.ended, some.ended]);
    expect(all.frames.filter(isEvent)[0]?.data.payload).toMatchObject({ input: 2 });
    for (const f of some.frames.filter(isEvent)) {
      expect(f.data.payload).toBeUndefined();
      expect(f.data.hidden ?? ["/payload"]).toEqual(["/payload"]);
    }
  });
});

describe("followers that are cut", () => {
  it("again and again see every event once, through a retry and a run that continues as new", async () => {
    const { missing, twice, cuts, events } = await cutFollower({ cuts: 50, steps: 120 });
    expect({ missing, twice }).toEqual({ missing: [], twice: [] });
    expect(cuts).toBeGreaterThanOrEqual(50);
    expect(events).toBeGreaterThan(700);
  });
});

describe("a reader that does not read", () => {
  it("gets overrun, holds no more than its queue, and can resume where it was", proves("Q-12"), async () => {
    const s = await openQuick();
    const runId = await start(s, "big", "b", 400); // 8 MB
    await s.get(`/v1/runs/${runId}/result?wait=30`);
    const reader = await follow(`${s.url}/v1/runs/b/events`);
    reader.pause();
    await overrunSent(s, 1);
    reader.resume();
    await reader.ended;
    expect(reader.frames.at(-1)?.event).toBe("overrun");
    const again = await follow(`${s.url}/v1/runs/${runId}/events`, { "last-event-id": reader.lastId()! });
    await again.ended;
    const all = [...reader.frames, ...again.frames].filter(isEvent).map((f) => f.data.runSeq as number);
    expect(all).toEqual(all.map((_, i) => i + 1));
  });
});

describe("the end of a stream", () => {
  it("comes with bye when its credential no longer holds, and when the server drains", async () => {
    let holds = true;
    const s = await openQuick(() => holds);
    await start(s, "gate", "g");
    const revoked = await follow(`${s.url}/v1/runs/g/events`);
    await revoked.next(isEvent);
    holds = false;
    expect((await revoked.next((f) => f.event === "bye"))?.data).toEqual({ reason: "credential" });
    await revoked.ended;
    holds = true;
    const drained = await follow(`${s.url}/v1/runs/g/events`);
    await drained.next(isEvent);
    const stopped = s.api.stop();
    expect((await drained.next((f) => f.event === "bye"))?.data).toEqual({ reason: "draining" });
    await stopped;
  });

  it("is refused to a caller that has too many", proves("Q-12"), async () => {
    const s = await open();
    await start(s, "gate", "g");
    for (let i = 0; i < 200; i++) await follow(`${s.url}/v1/runs/g/events`);
    const one = await follow(`${s.url}/v1/runs/g/events`);
    expect([one.status, JSON.parse(await one.text()).page]).toEqual([429, "PAWL4084"]);
  });
});

describe("changes of many runs", () => {
  it("are a reset, the newest runs, then each run that changes; follow adds the events of one", proves("TX-19"), async () => {
    const s = await open();
    const old = await start(s, "gate", "g");
    const reader = await follow(`${s.url}/v1/changes?follow=g`);
    expect((await reader.next())?.event).toBe("run"); // of the run that is followed
    await reader.next((f) => f.event === "reset");
    await reader.next((f) => f.event === "run" && f.data.runId === old && f.data.status === "RUNNING");
    const runId = await start(s, "count", "a", 3);
    await reader.next((f) => f.event === "run" && f.data.runId === runId && f.data.status === "COMPLETED");
    await s.post("/v1/runs/g/signals", { name: "go", payload: 0 });
    await reader.next((f) => f.event === "event" && f.data.runId === old && f.data.eventType === "RunCompleted");
    await reader.next((f) => f.event === "run" && f.data.runId === old && f.data.status === "COMPLETED");
  });

  it("are those of the filter", async () => {
    const s = await open();
    await start(s, "gate", "g");
    const reader = await follow(`${s.url}/v1/changes?workflow=count`);
    await reader.next((f) => f.event === "reset");
    const runId = await start(s, "count", "a", 1);
    await reader.next((f) => f.event === "run" && f.data.runId === runId && f.data.status === "COMPLETED");
    expect(reader.frames.filter((f) => f.event === "run" && f.data.workflow !== "count")).toEqual([]);
  });
});

describe("an engine in another process", () => {
  it("is followed through the store", async () => {
    const store = `sqlite:${join(home, "shared.db")}`;
    const s = await open({ on: store });
    const other = await connect({ store });
    closing.push(() => other.close());
    const runId = await start(s, "count", "a", 30);
    const seen: number[] = [];
    for await (const item of other.follow(runId)) if (item.kind === "event") seen.push(item.event.runSeq);
    expect(seen).toEqual(seen.map((_, i) => i + 1));
    const states: string[] = [];
    for await (const item of other.watch({ workflow: "count" })) {
      if (item.kind === "run") states.push(item.run.status);
      if (states.includes("COMPLETED")) break;
    }
    expect(states).toContain("COMPLETED");
  });
});

async function overrunSent(s: Served, times: number): Promise<void> {
  for (let n = 0; n < times;) {
    const text = (await s.get("/metrics")).text;
    n = Number(/^pawl_stream_overruns_total (\d+)$/m.exec(text)?.[1] ?? 0);
    if (n < times) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
