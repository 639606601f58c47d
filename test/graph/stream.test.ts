// A graph as a stream: every update once and in the order of the log, whoever listens and however often it is cut; on a store, after the engine has
// died, and over HTTP through a line that breaks.
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { connect } from "../../src/client.ts";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import { append, graph, reduce, send, sum, type GraphStreamItem } from "../../src/graph.ts";
import { engine, workflow } from "../../src/index.ts";
import { server } from "../../src/server.ts";
import { openSse } from "../server/sse.ts";
import { startClosableProxy } from "../support/closable-proxy.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();

const reader = graph({ name: "reader", state: { rounds: sum(), read: append<bigint>(), most: reduce(0, Math.max) } })
  .nodes(({ each }) => ({
    plan: (s) => ({ rounds: 1, most: s.rounds }),
    read: each(z.object({ n: z.number() }), async ({ n }, _s, ctx) => ({
      read: await ctx.step("get", () => BigInt(n), { repeatable: true }),
    })),
    check: async (_s, ctx) => {
      await ctx.ask("fine", { schema: z.boolean(), text: "Is it fine?" });
    },
  }))
  .edges({
    start: "plan",
    plan: (s) => (s.rounds < 3 ? "plan" : [1, 2, 3].map((n) => send("read", { n }))),
    read: "check",
    check: "end",
  });
const updates = [
  ["updates", 1, "plan", { rounds: 1 }],
  ["updates", 2, "plan", { rounds: 1 }],
  ["updates", 3, "plan", { rounds: 1 }],
  ["updates", 4, "read", { read: 1n }],
  ["updates", 4, "read", { read: 2n }],
  ["updates", 4, "read", { read: 3n }],
];
const end = ["end", "COMPLETED"];

function brief(i: GraphStreamItem): readonly unknown[] {
  if (i.mode === "updates") return [i.mode, i.superstep, i.node, i.update];
  if (i.mode === "values") return [i.mode, i.superstep, i.values];
  return i.mode === "questions" ? [i.mode, i.superstep, i.state, i.question.name] : [i.mode, "status" in i ? i.status : undefined];
}
async function all(items: AsyncIterable<GraphStreamItem>): Promise<(readonly unknown[])[]> {
  const got = [];
  for await (const item of items) got.push(brief(item));
  return got;
}

describe.each(storeKinds)("on %s", (kind) => {
  it("gives each update once, in order, from any superstep, while it runs and afterwards, without the code", async () => {
    const l = await fresh(kind);
    const e = await l.engine([reader], { lease: "1s" });
    const h = await e.engine.start(reader, {}, { id: "r" });
    const live = all(h.stream({ modes: ["updates", "questions"] }));
    await l.advanceUntilLine(h.runId, "StepStarted 5/check/fine");
    const [question] = await h.questions();
    const other = await l.engine([reader], { lease: "1s" });
    // What is there now, without waiting.
    expect(await l.advanceUntil(all(other.client.streamGraph("r", { follow: false })))).toEqual(updates);
    await l.advanceUntil(other.client.answer(question!.questionId, true, { by: "ann" }));
    await l.advanceUntil(h.result());
    expect(await l.advanceUntil(live)).toEqual([...updates, ["questions", 5, "asked", "fine"], ["questions", 5, "closed", "fine"], end]);
    e.kill();
    other.kill();

    const { client } = await l.engine([], { lease: "1s" });
    for (let after = 0; after <= 5; after++)
      expect(await l.advanceUntil(all(client.streamGraph("r", { after })))).toEqual([
        ...updates.filter((u) => (u[1] as number) > after),
        end,
      ]);
    const history = await client.history("r");
    expect(await l.advanceUntil(all(client.streamGraph("r", { modes: ["values"] })))).toEqual([
      ...history.toReversed().map((s) => ["values", s.superstep, s.values]),
      end,
    ]);
  });

  it("a listener who stops and comes back in another process misses nothing, over a killed engine", async () => {
    const l = await fresh(kind);
    const first = await l.engine([reader], { lease: "1s" });
    const h = await first.engine.start(reader, {}, { id: "r" });
    const got: (readonly unknown[])[] = [];
    await l.advanceUntil(
      (async () => {
        for await (const item of h.stream()) if (got.push(brief(item)) === 2) break;
      })(),
    );
    first.kill();
    const second = await l.engine([reader], { lease: "1s" });
    const rest = all(second.client.streamGraph("r", { after: 2 }));
    await l.advanceUntilLine(h.runId, "StepStarted 5/check/fine");
    const [question] = await second.client.questions("r");
    await l.advanceUntil(second.client.answer(question!.questionId, true, { by: "ann" }));
    expect([...got, ...(await l.advanceUntil(rest))]).toEqual([...updates, end]);
  });

  it("refuses what is no graph, no mode and no superstep", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "plain" }, async (ctx) => ctx.step("s", () => 1));
    const e = await l.engine([wf, reader]);
    const h = await e.engine.start(wf, undefined, { id: "p" });
    await l.advanceUntil(h.result());
    const g = await e.engine.start(reader, {}, { id: "r" });
    const refused = { code: "PAWL4011" };
    await expect(all(e.client.streamGraph("p"))).rejects.toMatchObject(refused);
    await expect(all(e.client.streamGraph("r", { modes: [] }))).rejects.toMatchObject(refused);
    await expect(all(e.client.streamGraph("r", { modes: ["anything" as never] }))).rejects.toMatchObject(refused);
    await expect(all(e.client.streamGraph("r", { after: -1 }))).rejects.toMatchObject(refused);
    await expect(all(e.client.streamGraph("r", { mode: ["values"] } as never))).rejects.toMatchObject({ code: "PAWL5001" });
    await expect(all(e.client.streamGraph("nobody"))).rejects.toMatchObject({ code: "PAWL4001" });
    await l.advanceUntil(g.cancel("done"));
  });
});

describe("over HTTP", () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  async function open() {
    const app = await engine({ store: "memory:", workflows: [reader], log: () => {} });
    const api = await server({ engine: app, auth: "open", log: () => {} });
    const { url, port } = await api.listen({ port: 0 });
    const door = await startClosableProxy(port);
    const http = await connect({ url: door.urlThrough(url) });
    closing.push(
      () => app.stop(),
      () => api.stop(),
      () => door.close(),
      () => http.close(),
    );
    const local = localClient(contextOfEngine(app));
    const answer = async (): Promise<void> => {
      let [question] = await local.questions("r");
      while (question === undefined) {
        await local.waitForChange("r", { timeoutMs: 20 });
        [question] = await local.questions("r");
      }
      await local.answer(question.questionId, true, { by: "ann" });
    };
    return { app, url, door, http, local, answer };
  }

  it("a line that is cut loses no item and gives none twice; what is read at once is the same", async () => {
    const { app, door, http, local, answer } = await open();
    const h = await app.start(reader, {}, { id: "r" });
    const modes = ["updates", "values", "questions"] as const;
    const got: GraphStreamItem[] = [];
    const listening = (async () => {
      for await (const item of http.streamGraph(h.runId, { modes })) {
        got.push(item);
        if (got.length % 3 !== 0) continue;
        door.block();
        door.unblock();
      }
    })();
    await answer();
    await listening;
    const whole: GraphStreamItem[] = [];
    for await (const item of local.streamGraph("r", { modes })) whole.push(item);
    expect(got).toEqual(whole);
    expect(whole).toHaveLength(6 + 6 + 2 + 1);
    expect(await all(http.streamGraph("r", { follow: false, after: 2 }))).toEqual([...updates.slice(2), end]);
  });

  it("goes on behind any frame, also within a superstep; a foreign place is refused", async () => {
    const { app, url, answer } = await open();
    const h = await app.start(reader, {}, { id: "r" });
    await answer();
    await h.result();
    const read = async (place?: string) => {
      const sse = await openSse(`${url}/v1/runs/r/stream?modes=updates,values`, place === undefined ? {} : { "last-event-id": place });
      await sse.ended;
      return sse;
    };
    const { frames } = await read();
    expect(frames.filter((f) => f.data.superstep === 4).map((f) => f.id)).toEqual([1, 2, 3, 4].map((k) => `${h.runId}:4.${k}`));
    expect(frames.map((f) => f.event)).toEqual(frames.map(() => "item"));
    for (const [i, frame] of frames.entries())
      if (frame.id !== undefined) expect((await read(frame.id)).frames).toEqual(frames.slice(i + 1));
    for (const wrong of ["yesterday", "another-run:4.1", `${h.runId}:4`]) {
      const refused = await read(wrong);
      expect([refused.status, JSON.parse(await refused.text()).page]).toEqual([422, "PAWL4011"]);
    }
  });
});

it("what a step or an effect node streams reaches who listens, and is in no event", async () => {
  let open = (): void => {};
  const heard = new Promise<void>((resolve) => (open = resolve));
  const talker = graph({ name: "talker", state: { said: append<string>() } })
    .nodes(({ effect }) => ({
      hum: effect(
        async (_s, scope) => {
          scope.stream("from the effect");
          await heard;
          return { said: "hummed" };
        },
        { repeatable: true },
      ),
      talk: async (_s, ctx) => ({
        said: await ctx.step(
          "talk",
          (s) => {
            s.stream({ done: 40 });
            return "talked";
          },
          { repeatable: true },
        ),
      }),
    }))
    .edges({ start: "hum", hum: "talk", talk: "end" });
  const app = await engine({ workflows: [talker], store: "memory:" });
  const run = await app.start(talker, {});
  const values: unknown[] = [];
  const silent = run.listen((s) => {
    if (s.type !== "value") return;
    values.push([s.stepId, s.value]);
    open();
  });
  expect(await run.result()).toEqual({ said: ["hummed", "talked"] });
  silent();
  const texts: string[] = [];
  for await (const e of run.events()) texts.push(JSON.stringify(e, (_k, v: unknown) => (typeof v === "bigint" ? String(v) : v)));
  await app.stop();
  expect(values).toEqual([
    ["1/hum/hum", "from the effect"],
    ["2/talk/talk", { done: 40 }],
  ]);
  expect(texts.join("\n")).toContain("hummed");
  expect(texts.join("\n")).not.toContain("from the effect");
});
