// What workers over HTTP report late, in doubt or at all costs: under whose name it counts, what is recorded of it, and what a worker does whose report
// is refused. Over real sockets, on a real engine.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { engine, worker } from "../../src/index.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { server } from "../../src/server.ts";
import { RemoteWorkers } from "../../src/server/workers/remote-workers.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { task as defineTask, workflow } from "../../src/workflow/define.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { proves } from "../support/proves.ts";
import type { Served } from "../server/serve.ts";
import { held, hello, mailing, poll, registered, startMailing } from "./mailing.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const start = async (wf: AnyWorkflow): Promise<Served> => {
  const s = await startMailing(wf);
  closing.push(() => s.close());
  return s;
};

describe("reports over HTTP", () => {
  it(
    "a late report counts under the token of the claim: also from a worker that has registered again, and from nobody who guesses",
    proves("Q-15"),
    async () => {
      const { wf, task } = mailing({ once: true });
      const s = await start(wf);
      const id = await registered(s, task);
      const handle = await s.app.start(wf, { to: "ann" }, { id: "one" });
      const claim = (await poll(s, id)).json.claimed[0];
      await s.post(`/v1/workers/${id}/leave`);
      await expect.poll(async () => (await s.app.decisions()).length, { timeout: 20_000 }).toBe(1);
      const again = await registered(s, task);
      const say = async (who: string, token: string, sent: string): Promise<unknown> =>
        (await s.post(`/v1/workers/${who}/results`, { results: [{ dispatchId: claim.dispatchId, token, ok: true, result: { sent } }] }))
          .json.noted[0].as;
      expect(await say(id, "guessed", "forged")).toBe("lost");
      expect(await say(again, "guessed", "forged")).toBe("lost");
      expect((await s.app.decisions()).length).toBe(1);
      expect(await say(again, claim.token, "m-9")).toBe("late");
      await expect(handle.result()).resolves.toEqual({ sent: "m-9" });
    },
  );

  it(
    "a worker that leaves while its poll is open at another server keeps nothing of what that poll had claimed",
    proves("C5"),
    async () => {
      const { wf, task } = mailing({ once: true });
      const [platform, scope] = [systemPlatform(), defaultScope];
      const store = memoryStore(platform);
      const app = await engine({ store, workflows: [wf], queues: {}, log: () => {} });
      closing.push(() => app.stop());
      const handle = await app.start(wf, { to: "ann" }, { id: "one" });
      const elsewhere = new RemoteWorkers(store, scope, platform);
      // The poll at the other server claims between the last look of this one and the end of the worker.
      const here = new RemoteWorkers(
        {
          ...store,
          declareDead: async (q: Parameters<typeof store.declareDead>[0]) => {
            if ("self" in q)
              await elsewhere.poll(q.self, { free: { mails: 1 }, waitMs: 0, holds: [] }, undefined, AbortSignal.timeout(5_000));
            return store.declareDead(q);
          },
        },
        scope,
        platform,
      );
      const [{ workerId }, next] = [await here.register(hello(task), undefined), await here.register(hello(task), undefined)];
      await expect.poll(async () => (await store.queues.depth(scope, "mails", 9)).ready).toBe(1);
      await here.leave(workerId, [], undefined);
      const polled = await here.poll(
        next.workerId,
        { free: { mails: 1 }, waitMs: 5_000, holds: [] },
        undefined,
        AbortSignal.timeout(10_000),
      );
      await here.results(next.workerId, [{ ...held(polled.claimed[0]!), ok: true, result: { sent: "ann" } }], undefined);
      await expect(handle.result()).resolves.toEqual({ sent: "ann" });
    },
  );

  it("a worker says that its time limit passed, or that it happened and its result cannot be kept: each is recorded as that", async () => {
    for (const [said, category] of [
      [{ timedOut: true }, "TIMEOUT"],
      [{ notEncodable: true, retryable: false }, "NOT_ENCODABLE"],
    ] as const) {
      const { wf, task } = mailing();
      const s = await start(wf);
      const id = await registered(s, task);
      const { runId, ...handle } = await s.app.start(wf, { to: "ann" }, { id: "one" });
      const claim = (await poll(s, id)).json.claimed[0];
      await s.post(`/v1/workers/${id}/results`, { results: [{ ...held(claim), ok: false, error: { name: "E", message: "m" }, ...said }] });
      await expect.poll(async () => (await s.get(`/v1/runs/${runId}`)).json.status, { timeout: 20_000 }).toBe("FAILED");
      const { items } = (await s.get(`/v1/runs/${runId}/events`)).json as { items: { eventType: string; payload: object }[] };
      expect(items.find((e) => e.eventType === "StepFailed")?.payload, category).toMatchObject({ category });
      void handle;
    }
  });

  it("a Node worker whose report is refused says instead that the step ended, and goes on with the next", async () => {
    const name = "bigMail";
    const t = defineTask({ name, input: z.number() }, (i) => (i === 1 ? "x".repeat(1_040_000) : i), { queue: "mails", repeatable: true });
    const wf = workflow({ name: "bigMailing", input: z.number() }, (ctx, i) => ctx.do(t, i));
    const app = await engine({ store: "memory:", workflows: [wf], queues: {}, log: () => {} });
    const api = await server({ engine: app, auth: "open", log: () => {} });
    const { url } = await api.listen({ port: 0 });
    closing.push(async () => (await api.stop(), await app.stop()));
    // What stands before the server takes less than the server does.
    let refused = 0;
    const before = await inFrontOf(url, (_, body, response) => {
      if (body.length <= 500_000) return false;
      refused++;
      response.writeHead(413, { "content-type": "text/html" }).end("<h1>413 Request Entity Too Large</h1>");
      return true;
    });
    const w = await worker({ url: before, tasks: [t], queues: { mails: { concurrency: 1 } }, log: () => {} });
    closing.push(() => w.stop({ grace: 0 }));
    const big = await app.start(wf, 1, { id: "big" });
    await expect(big.result()).rejects.toThrow("refused the report");
    await expect((await app.start(wf, 2, { id: "small" })).result()).resolves.toBe(2);
    expect(refused).toBe(1);
  });

  it("a Node worker registers as soon as its server lets it in, and says why it waits", async () => {
    const t = defineTask({ name: "greet", input: z.string() }, (who) => `hello ${who}`, { queue: "mails", repeatable: true });
    const wf = workflow({ name: "greeting", input: z.string() }, (ctx, who) => ctx.do(t, who));
    const app = await engine({ store: "memory:", workflows: [wf], queues: {}, log: () => {} });
    const api = await server({ engine: app, auth: "open", log: () => {} });
    const { url } = await api.listen({ port: 0 });
    closing.push(async () => (await api.stop(), await app.stop()));
    // Too many requests under way, a server that stops, a line that breaks before and after the server has heard: each passes.
    const hears = (body: Buffer): Promise<unknown> =>
      fetch(`${url}/v1/workers`, { method: "POST", headers: { "content-type": "application/json" }, body: new Uint8Array(body) });
    const troubles: ((response: ServerResponse, body: Buffer) => void)[] = [
      (r) =>
        void r
          .writeHead(429, { "content-type": "application/problem+json", "retry-after": "1" })
          .end('{"page":"PAWL4084","detail":"too many"}'),
      (r) => void r.writeHead(503, { "content-type": "text/html" }).end("<h1>503</h1>"),
      (r) => void r.destroy(),
      (r, body) => void hears(body).then(() => r.destroy()),
    ];
    const before = await inFrontOf(url, (path, body, response) => {
      const trouble = path === "/v1/workers" ? troubles.shift() : undefined;
      trouble?.(response, body);
      return trouble !== undefined;
    });
    const said: string[] = [];
    const log = (level: string, message: string): void => void said.push(`${level}: ${message}`);
    const w = await worker({ url: before, tasks: [t], queues: { mails: { concurrency: 1 } }, log });
    closing.push(() => w.stop({ grace: 0 }));
    await expect((await app.start(wf, "ann", { id: "one" })).result()).resolves.toBe("hello ann");
    expect(troubles).toEqual([]);
    expect(said).toEqual([`warn: a request to the server failed and is sent again: too many`]);
  });
});

/** A proxy; what `refuses` answers itself does not reach the server. */
async function inFrontOf(url: string, refuses: (path: string, body: Buffer, response: ServerResponse) => boolean): Promise<string> {
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (d: Buffer) => chunks.push(d));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      if (refuses(request.url ?? "", body, response)) return;
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([k]) => /^(content-type|accept|authorization)$/.test(k)));
      fetch(`${url}${request.url}`, { method: request.method!, headers: headers as Record<string, string>, body }).then(
        async (answer) => {
          response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
          response.end(Buffer.from(await answer.arrayBuffer()));
        },
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  closing.push(() => (proxy.closeAllConnections(), proxy.close()));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
