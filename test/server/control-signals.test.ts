// What the contract says of signals and controls, over a real socket: a payload is judged before its sender, a control has an id of its own that makes it
// one control, a cancel lets the code clean up and a terminate does not, and what has ended takes nothing more.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { server, type PawlServer, type ServerOpts } from "../../src/server.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { proves } from "../support/proves.ts";
import { type Answer, serve, type Served } from "./serve.ts";

const undone: string[] = [];
let stuck: (() => void) | undefined;
const gated = workflow({ name: "gated", signals: { go: z.object({ cents: z.number() }) } }, async (ctx) => ctx.receive("go"));
/** Reserves, then waits for a step that nobody ends. */
const booking = workflow({ name: "booking", input: z.string() }, async (ctx, id) => {
  await ctx.step("reserve", () => id, { compensate: { undo: () => void undone.push(id) } });
  await ctx.step(
    "stay",
    ({ signal }) =>
      new Promise<void>((resolve, reject) => {
        stuck = resolve;
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      }),
  );
});
const auth: ServerOpts["auth"] = (r) => ({
  kind: "service",
  subject: "caller",
  scopes: (r.headers.get("x-scopes") ?? "").split(",").filter((s) => s !== "") as never,
});
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

let store: FullStore;
let s: Served;
/** A server that has no code: it knows what the engine has published. */
let other: PawlServer;
let otherUrl: string;
beforeAll(async () => {
  store = memoryStore(systemPlatform());
  s = await serve({ on: store, workflows: [gated, booking], auth });
  other = await server({ store, tenant: defaultScope, auth, log: () => {} });
  otherUrl = (await other.listen({ port: 0 })).url;
});
afterAll(async () => {
  await other.stop();
  await s.close();
});

const all = { "x-scopes": "read,payloads,work,operate,export,admin" };
const start = async (name: string, id: string, input?: unknown): Promise<string> =>
  (await s.post("/v1/runs", { workflow: name, id, ...(input === undefined ? {} : { input }) }, all)).json.runId;
const until = async (path: string, fits: (json: Answer["json"]) => boolean): Promise<Answer["json"]> => {
  for (;;) {
    const { json } = await s.get(path, all);
    if (fits(json)) return json;
  }
};

describe("a signal's payload is judged before its sender", () => {
  it("who may send nothing is told that the payload does not fit, then that it may not send", proves("P-26"), async () => {
    const runId = await start("gated", "judged");
    const [bad, good] = [
      { name: "go", payload: { cents: "7" } },
      { name: "go", payload: { cents: 7 } },
    ];
    for (const url of [s.url, otherUrl]) {
      for (const scopes of ["read", "admin", ""]) {
        const headers = { "content-type": "application/json", "x-scopes": scopes };
        const send = async (id: string, body: object): Promise<Answer["json"]> =>
          (await fetch(`${url}/v1/runs/${id}/signals`, { method: "POST", headers, body: JSON.stringify(body) })).json();
        expect(await send("judged", bad)).toMatchObject({ status: 422, page: "PAWL1008", data: { code: "SIGNAL_INVALID_PAYLOAD" } });
        expect(await send(runId, bad)).toMatchObject({ status: 422, data: { code: "SIGNAL_INVALID_PAYLOAD" } });
        expect(await send("judged", good)).toMatchObject({ status: 403, page: "PAWL4081" });
        // Of a run that is not there nothing is said.
        expect(await send("missing", bad)).toMatchObject({ status: 403, page: "PAWL4081" });
        const call = { jsonrpc: "2.0", id: 1, method: "runs.signal", params: { id: "judged", ...bad } };
        const rpc = (await (await fetch(`${url}/rpc`, { method: "POST", headers, body: JSON.stringify(call) })).json()) as Answer["json"];
        expect(rpc.error).toMatchObject({ code: -32_602, data: { data: { code: "SIGNAL_INVALID_PAYLOAD" } } });
      }
    }
    expect(await s.post("/v1/runs/judged/signals", bad, all)).toMatchObject({ status: 422 });
    expect(await store.inbox({ runId, all: true })).toEqual([]);
    expect(await s.post("/v1/runs/judged/signals", good, all)).toMatchObject({ status: 200 });
  });

  it("a stranger is judged before its payload", async () => {
    const closed = await server({ store, tenant: defaultScope, auth: () => null, log: () => {} });
    const { url } = await closed.listen({ port: 0 });
    const body = JSON.stringify({ name: "go", payload: "no" });
    const answer = await fetch(`${url}/v1/runs/judged/signals`, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(answer.status).toBe(401);
    await closed.stop();
  });
});

describe("controls", () => {
  it("an id of a control is a UUID v4; sent again it changes nothing, and its decision can be read", proves("P-25"), async () => {
    const a = await start("gated", "c-a");
    const b = await start("gated", "c-b");
    for (const requestId of ["", "x", 7, uuid(1).replace("-4", "-1")])
      expect((await s.post("/v1/runs/c-a/pause", { requestId }, all)).status).toBe(422);
    const pause = (id: string): Promise<Answer> => s.post(`/v1/runs/${id}/pause`, { requestId: uuid(1), wait: 30 }, all);
    const first = await pause("c-a");
    expect([first.status, first.json.run.status, first.json.replayed]).toEqual([200, "PAUSED", false]);
    expect((await s.post("/v1/runs/c-a/resume", { requestId: uuid(2), wait: 30 }, all)).json.run.status).toBe("RUNNING");
    // The same request, late: the run stays as it is.
    const again = await pause("c-a");
    expect([again.json.replayed, again.json.run.status]).toEqual([true, "RUNNING"]);
    // Of another run it is another control.
    expect((await pause("c-b")).json).toMatchObject({ replayed: false, run: { runId: b, status: "PAUSED" } });
    // It is of this run, whichever verb it was: another verb under it is refused, and does nothing.
    for (const verb of ["resume", "cancel", "terminate"])
      expect(await s.post(`/v1/runs/c-a/${verb}`, { requestId: uuid(1), reason: "why" }, all)).toMatchObject({
        status: 422,
        json: { page: "PAWL4011" },
      });
    expect((await s.get("/v1/runs/c-a", all)).json.status).toBe("RUNNING");
    const decisions = (await s.get(`/v1/audit?run=${a}`, all)).json.items as {
      operation: string;
      requestId?: string;
      policyDecisionId?: string;
    }[];
    const found = decisions.filter((d) => d.requestId === uuid(1) && d.operation === "runs.pause");
    expect(found.length).toBeGreaterThan(0);
    for (const d of found) expect(d.policyDecisionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("two verbs under one id that come at once are one control", proves("P-25"), async () => {
    for (let n = 0; n < 5; n++) {
      const id = `at-once-${n}`;
      await start("gated", id);
      const answers = await Promise.all(
        ["pause", "cancel"].map((verb) => s.post(`/v1/runs/${id}/${verb}`, { requestId: uuid(100 + n), wait: 30, reason: "why" }, all)),
      );
      expect(answers.filter((a) => a.status === 200)).toHaveLength(1);
      expect(answers.find((a) => a.status !== 200)).toMatchObject({ status: 422, json: { page: "PAWL4011" } });
    }
  });

  it("a second verb under a used id does nothing either where it got past the check of its client", proves("P-25"), async () => {
    const runId = await start("gated", "late");
    const post = (name: string, n: number): Promise<unknown> =>
      store.post({ scope: defaultScope, target: { runId }, kind: "control", name, id: uuid(n), payload: null, retainMs: null });
    const consumed = async (count: number): Promise<void> => {
      while ((await store.inbox({ runId, all: true })).filter((row) => row.consumed).length < count)
        await new Promise((r) => setTimeout(r, 5));
    };
    await post("pause", 200);
    await consumed(1);
    expect((await s.get("/v1/runs/late", all)).json.status).toBe("PAUSED");
    // A paused run leaves memory: another owner takes this.
    await post("cancel", 200);
    await consumed(2);
    expect((await s.get("/v1/runs/late", all)).json.status).toBe("PAUSED");
    await post("cancel", 201);
    await until("/v1/runs/late", (json) => json.status === "CANCELLED");
  });

  it(
    "a step that runs cannot be retried, one that has ended cannot be skipped, and a run that has ended takes nothing",
    proves("P-33"),
    async () => {
      await start("booking", "acts", "acts");
      await until("/v1/runs/acts/steps", (json) =>
        json.items.some((x: { name: string; status: string }) => x.name === "stay" && x.status === "RUNNING"),
      );
      const act = async (step: string, what: string): Promise<Answer> =>
        s.post(`/v1/runs/acts/steps/${step}/act`, { do: what, reason: "why" }, { "x-scopes": "read,resolve" });
      expect(await act("stay", "retry")).toMatchObject({ status: 409, json: { page: "PAWL4010", data: { code: "STEP_NOT_TERMINAL" } } });
      expect(await act("reserve", "skip")).toMatchObject({ status: 409, json: { page: "PAWL4010", data: { code: "STEP_TERMINAL" } } });
      await start("gated", "ended");
      await s.post("/v1/runs/ended/signals", { name: "go", payload: { cents: 1 } }, all);
      await until("/v1/runs/ended", (json) => json.status === "COMPLETED");
      const late = await s.post("/v1/runs/ended/signals", { name: "go", payload: { cents: 2 } }, all);
      expect([late.status, late.json.page, late.json.data.code]).toEqual([409, "PAWL4003", "RUN_TERMINAL"]);
      const { runId } = (await s.get("/v1/runs/ended", all)).json;
      expect(await store.inbox({ runId, all: true })).toHaveLength(1);
      const rpc = await s.rpc(
        { jsonrpc: "2.0", id: 1, method: "runs.signal", params: { id: "ended", name: "go", payload: { cents: 2 } } },
        all,
      );
      expect(rpc.json.error).toMatchObject({ code: -32_009, data: { data: { code: "RUN_TERMINAL" } } });
      await s.post("/v1/runs/acts/terminate", { reason: "over" }, all);
    },
  );

  it("a cancel lets the code clean up; a terminate ends it at once, and only that does", proves("P-31"), async () => {
    for (const [id, verb] of [
      ["soft", "cancel"],
      ["hard", "terminate"],
    ] as const) {
      const runId = await start("booking", id, id);
      await until(`/v1/runs/${id}/steps`, (json) =>
        json.items.some((x: { name: string; status: string }) => x.name === "stay" && x.status === "RUNNING"),
      );
      // Nothing but terminate has a way to end code that does not answer.
      expect((await s.post(`/v1/runs/${id}/cancel`, { forceKill: true }, all)).status).toBe(422);
      expect((await s.post(`/v1/runs/${id}/pause`, { forceKill: true }, all)).status).toBe(422);
      const answer = await s.post(`/v1/runs/${id}/${verb}`, { reason: "why", wait: 30 }, all);
      expect(answer.status, verb).toBeLessThan(300);
      const run = await until(`/v1/runs/${runId}`, (json) => ["CANCELLED", "FAILED", "COMPLETED"].includes(json.status));
      expect(run.status, verb).toBe("CANCELLED");
    }
    expect(undone).toEqual(["soft"]);
    stuck?.();
  });
});
