// How far readers of the log may be behind, and what never gets into it: a run's row is as new as its log, projections follow within a second of waiting, a consumer that
// is behind shows in a metric on which the shipped alert rule fires; large values and secrets are refused, and only references are recorded.
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { connect } from "../../src/client.ts";
import { engine, workflow } from "../../src/index.ts";
import { server } from "../../src/server.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { proves } from "../support/proves.ts";
import { anySchema, testClusters } from "../support/test-cluster.ts";
import { testStores } from "../support/test-store.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const f of closing.splice(0).reverse()) await f();
});
const fresh = testClusters();

describe.each(testStores)("what a run's row says on %s", (_, open) => {
  it("is as new as its log after every Commit: it never lags", proves("P-42"), async () => {
    const b = await open();
    closing.push(() => b.close());
    const seen: string[] = [];
    const store = {
      ...b.store,
      commit: async (...q: Parameters<typeof b.store.commit>) => {
        const answer = await b.store.commit(...q);
        for (const c of q[0]) {
          const row = (await b.store.run({ runId: c.runId }))!;
          const last = c.events.at(-1);
          if (last !== undefined) seen.push(row.headSeq >= last.runSeq && row.persistedAt >= 0 ? "same" : `behind at ${last.runSeq}`);
        }
        return answer;
      },
    };
    const wf = workflow({ name: "wf" }, async (ctx) => [await ctx.step("a", () => 1), await ctx.step("b", () => 2)]);
    const app = await engine({ store, workflows: [wf], log: () => {} });
    closing.push(() => app.stop());
    await app.run(wf);
    expect(seen.length).toBeGreaterThan(1);
    expect([...new Set(seen)]).toEqual(["same"]);
  });
});

it("a projector that hears no hint is at most a second behind", proves("P-42"), async () => {
  const l = await fresh("memory");
  const wf = workflow({ name: "wf", signals: { go: anySchema() } }, (ctx) => ctx.receive("go"));
  const a = await l.engine([wf], {});
  const b = await l.engine([], { wrap: (s) => ({ ...s, watch: () => () => {} }) });
  await l.advanceUntil(b.engine.project());
  await l.platform.advance(60_000); // it is idle, and looks as rarely as it ever does
  const h = await a.engine.start(wf, undefined, { id: "w" });
  await l.platform.advance(1_000);
  expect(await b.client.projection("w")).toMatchObject({ status: "RUNNING" });
  expect(h.workflowId).toBe("w");
});

it(
  "a consumer that nobody serves shows how far it is behind, and the alert fires above five seconds and not before",
  proves("P-42"),
  async () => {
    const rule = readFileSync(new URL("../../docs/alerts.yml", import.meta.url), "utf8").match(
      /alert: PawlConsumerLags\n +expr: (.+)\n/,
    )?.[1];
    const [, metric, limit] = /^max by \(consumer\) \((pawl_\w+)\) > (\d+)$/.exec(rule ?? "") ?? [];
    expect([metric, limit]).toEqual(["pawl_consumer_lag_seconds", "5"]);
    let ahead = 0;
    const real = systemPlatform();
    const platform = { ...real, wallMs: () => real.wallMs() + ahead, uptimeMs: () => real.uptimeMs() + ahead };
    const store = memoryStore(platform);
    const wf = workflow({ name: "wf" }, (ctx) => ctx.step("s", () => 1));
    const app = await engine({ store, workflows: [wf], log: () => {} });
    closing.push(() => app.stop());
    const fires = async (): Promise<boolean> => {
      const api = await server({ engine: app, auth: "open", log: () => {} }); // a server keeps a reading for some seconds: each look is a new one
      const { url } = await api.listen({ port: 0 });
      const text = await (await fetch(`${url}/metrics`)).text();
      await api.stop();
      const value = new RegExp(`^${metric}\\{consumer="mine"\\} (.+)$`, "m").exec(text)?.[1];
      return Number(value) > Number(limit);
    };
    const reading = await app.subscribe({ consumer: "mine", from: "now", handler: () => {} });
    await app.run(wf);
    await expect.poll(async () => (await (await connect({ store })).consumers())[0]?.waiting, { timeout: 60_000 }).toBe(0);
    await reading.stop();
    expect(await fires()).toBe(false);
    await app.run(wf); // nobody takes it
    expect(await fires()).toBe(false); // it is young
    ahead = 6_000;
    expect(await fires()).toBe(true);
  },
);

describe("values by reference", () => {
  const secret = 'sk-live-"canary"-4711';
  const wf = workflow({ name: "wf", input: z.any(), signals: { go: z.any() } }, async (ctx, input) => {
    if (input === "leak") return ctx.step("leak", () => ({ deep: [`Bearer ${secret}`] }), { once: true });
    if (input === "throw")
      return ctx.step("throw", () => {
        throw Object.assign(new Error(`401 for ${secret}`, { cause: new Error(secret) }), { code: secret, data: { secret } });
      });
    if (input === "large") return ctx.step("large", () => "x".repeat(5_000));
    if (input === "end") return { secret };
    return ctx.receive("go");
  });

  it("a secret is in no value, no error and no answer; what holds one is refused and named", proves("P-42"), async () => {
    const app = await engine({ store: "memory:", workflows: [wf], secrets: { bank: secret, unset: undefined }, log: () => {} });
    closing.push(() => app.stop());
    const api = await server({ engine: app, auth: "open", log: () => {} });
    closing.push(() => api.stop());
    const { url } = await api.listen({ port: 0 });
    const http = await connect({ url });
    closing.push(() => http.close());
    const refused = { code: "PAWL1087", data: { secret: "bank" }, outcome: "none" };
    await expect(app.start(wf, { key: secret }, { id: "in" })).rejects.toMatchObject(refused);
    await expect(http.start({ workflow: "wf", id: "in", input: { key: secret } })).rejects.toMatchObject(refused);
    expect(await http.get("in")).toBeUndefined();
    const h = await app.start(wf, "wait", { id: "w" });
    await expect(h.signal("go", secret)).rejects.toMatchObject(refused);
    for (const id of ["leak", "throw", "end"]) {
      const end = await (await app.start(wf, id, { id })).result().catch((e: unknown) => e as Error);
      expect(JSON.stringify([end, (end as Error).message, String((end as Error).cause)])).not.toContain("canary");
    }
    const said = await Promise.all(["leak", "throw", "end"].map(async (id) => JSON.stringify(await http.waitForEnd(id))));
    expect(said[0]).toContain("PAWL1087");
    expect(said[1]).toContain("401 for [secret bank]");
    expect(said[2]).toContain("PAWL1087");
    await h.signal("go", 1);
    await h.result();
    for (const id of ["w", "leak", "throw", "end"]) expect(JSON.stringify(await http.events(id))).not.toContain("canary");
  });

  it(
    "an artifact over the limit is refused before anything is written, or fails its step; a reference to it is kept",
    proves("P-42"),
    async () => {
      const app = await engine({ store: "memory:", workflows: [wf], limits: { valueBytesMax: 4_096 }, log: () => {} });
      closing.push(() => app.stop());
      const api = await server({ engine: app, auth: "open", log: () => {} });
      closing.push(() => api.stop());
      const { url } = await api.listen({ port: 0 });
      const big = JSON.stringify({ workflow: "wf", id: "big", input: "x".repeat(5_000) });
      const rest = await fetch(`${url}/v1/runs`, { method: "POST", headers: { "content-type": "application/json" }, body: big });
      expect([rest.status, ((await rest.json()) as { page: string }).page]).toEqual([413, "PAWL1004"]);
      expect((await fetch(`${url}/v1/runs/big`)).status).toBe(404);
      await expect((await app.start(wf, "large", { id: "large" })).result()).rejects.toMatchObject({
        cause: { cause: { code: "PAWL1004" } },
      });
      const http = await connect({ url });
      closing.push(() => http.close());
      expect(JSON.stringify(await http.events("large")).length).toBeLessThan(4_096);
    },
  );

  it("secrets that could not be looked for are refused", proves("P-42"), async () => {
    for (const secrets of [{ a: "short" }, { a: 12345678 }, ["12345678"], "12345678"])
      await expect(engine({ store: "memory:", secrets: secrets as never })).rejects.toMatchObject({ code: "PAWL5001" });
  });
});
