// Following a run and watching many over HTTP: the items are those of a client on the store, and a line that is cut again and again loses nothing and
// gives nothing twice. Facts are awaited, not times.
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { connect, type Client, type HttpClient } from "../../src/client.ts";
import { engine, workflow, type Engine } from "../../src/index.ts";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import { server, type PawlServer } from "../../src/server.ts";
import { startClosableProxy, type ClosableProxy } from "../support/closable-proxy.ts";

const steps = workflow({ name: "steps", input: z.number(), signals: { go: z.any() } }, async (ctx, n) => {
  for (let i = 0; i < n; i++) {
    await ctx.step(`s${i}`, async () => BigInt(i), { repeatable: true });
    if (i % 5 === 4) await ctx.receive("go");
  }
});

let app: Engine;
let api: PawlServer;
let local: Client;
let http: HttpClient;
let door: ClosableProxy;
beforeEach(async () => {
  app = await engine({ store: "memory:", workflows: [steps], log: () => {} });
  api = await server({ engine: app, auth: "open", log: () => {} });
  const { url, port } = await api.listen({ port: 0 });
  door = await startClosableProxy(port);
  local = localClient(contextOfEngine(app));
  http = await connect({ url: door.urlThrough(url) });
});
afterEach(async () => {
  await http.close();
  await door.close();
  await api.stop();
  await app.stop();
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const item of items) got.push(item);
  return got;
}

it("a run that has ended is followed to its end, alike on both clients, from any place", async () => {
  const { runId } = await local.start({ workflow: "steps", input: 3, id: "w" });
  await local.waitForEnd(runId);
  for (const after of [0, 2, 5]) expect(await all(http.follow(runId, { after }))).toEqual(await all(local.follow(runId, { after })));
  await expect(all(http.follow("nobody"))).rejects.toMatchObject({ page: "PAWL4001" });
});

it("a line that is cut while the run goes on loses no event and gives none twice", async () => {
  const { runId } = await local.start({ workflow: "steps", input: 20, id: "w" });
  const seen: number[] = [];
  const following = (async () => {
    for await (const item of http.follow(runId)) if (item.kind === "event") seen.push(item.event.runSeq);
  })();
  for (let i = 0; i < 4; i++) {
    const waits = async (): Promise<boolean> =>
      (await local.get(runId))?.waiting === "signal" || (await local.get(runId))?.status === "COMPLETED";
    while (!(await waits())) await local.waitForChange(runId, { timeoutMs: 20 });
    door.block();
    await local.signal(runId, "go", i, { signalId: `s${i}` });
    door.unblock();
  }
  await local.waitForEnd(runId);
  await following;
  expect(seen).toEqual((await local.events(runId)).map((e) => e.runSeq));
});

it("a follower ends when its signal says so, and when its reader stops", async () => {
  await local.start({ workflow: "steps", input: 5, id: "w" });
  const stop = new AbortController();
  const following = all(http.follow("w", { signal: stop.signal }));
  for await (const item of http.follow("w")) if (item.kind === "event") break;
  stop.abort();
  expect((await following).every((item) => item.kind === "run" || item.kind === "event")).toBe(true);
});

it("watching shows the newest runs, then what changes, and begins again after a cut", async () => {
  await local.start({ workflow: "steps", input: 1, id: "first" });
  await local.waitForEnd("first");
  const stop = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    for await (const item of http.watch({ workflow: "steps" }, { signal: stop.signal }))
      seen.push(item.kind === "reset" ? "reset" : `${item.run.workflowId} ${item.run.status}`);
  })();
  const until = async (text: string, times = 1): Promise<void> => {
    while (seen.filter((s) => s === text).length < times) await local.waitForChange(undefined, { timeoutMs: 20 });
  };
  await until("first COMPLETED");
  expect(seen[0]).toBe("reset");
  await local.start({ workflow: "steps", input: 1, id: "second" });
  await until("second COMPLETED");
  door.block();
  door.unblock();
  await until("reset", 2);
  stop.abort();
  await watching;
});
