// What a graph says while it runs, in its stream: tokens, values of steps, what nodes emit. Given where the run is at work, to those who ask for it; never
// stored, and void when an attempt begins again.
import { afterEach, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { append, graph, sum, type GraphLiveItem, type GraphStreamItem, type GraphStreamMode } from "../../src/graph.ts";
import { engine, workflow } from "../../src/index.ts";
import { server } from "../../src/server.ts";
import { startClosableProxy } from "../support/closable-proxy.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";
import { testStores } from "../support/test-store.ts";

const fresh = testClusters();
const text = (delta: string) => ({ type: "text", id: "1", delta }) as const;

/** What code waits for, and a test opens. */
class Gate {
  open: () => void = () => {};
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

/** Says two tokens, then waits at the gate with its step under way; fails its first attempt if told to. */
function talker(gate: Gate, o: { readonly failsFirst?: boolean } = {}) {
  return graph({ name: "talker", state: { said: append<string>() } })
    .nodes(() => ({
      think: (_s, ctx) => ctx.emit({ thinking: ctx.at.superstep }),
      talk: async (_s, ctx) => ({
        said: await ctx.step(
          "talk",
          async (s) => {
            s.stream({ attempt: s.attempt.logical });
            for (const t of ["a", "b"]) s.stream(text(t));
            if (o.failsFirst === true && s.attempt.logical === 1) throw new Error("cut off");
            await gate.opened;
            s.stream(text("c"));
            return "abc";
          },
          { repeatable: true, retry: { attempts: 2 } },
        ),
      }),
    }))
    .edges({ start: "think", think: "talk", talk: "end" });
}

const live: readonly GraphStreamMode[] = ["updates", "tokens", "custom"];
function brief(i: GraphStreamItem): readonly unknown[] {
  if (i.mode === "updates") return [i.mode, i.node, i.update];
  if (i.mode === "tokens") return [i.mode, i.stepId, i.attempt, i.part.delta];
  if (i.mode === "custom") return [i.mode, i.item ?? i.stepId, i.value];
  return i.mode === "reset" ? [i.mode, i.stepId, i.attempt] : [i.mode];
}
/** Collects what a stream gives, and lets a test wait for one of its items. */
function collect(items: AsyncIterable<GraphStreamItem>) {
  const got: GraphStreamItem[] = [];
  let look = (): void => {};
  const over = (async () => {
    for await (const item of items) {
      got.push(item);
      look();
    }
  })();
  const until = (is: (i: GraphStreamItem) => boolean): Promise<void> =>
    new Promise((resolve) => {
      look = () => void (got.some(is) && resolve());
      look();
    });
  return { got, over, until, briefly: () => joined(got) };
}
/** Pieces of one text that follow each other as one: how they were cut says nothing. */
function joined(items: readonly GraphStreamItem[]): (readonly unknown[])[] {
  const all: unknown[][] = [];
  for (const b of items.map(brief)) {
    const last = all.at(-1);
    if (b[0] === "tokens" && last?.[0] === "tokens" && last[1] === b[1] && last[2] === b[2]) last[3] = `${String(last[3])}${String(b[3])}`;
    else all.push([...b]);
  }
  return all;
}
const isToken = (i: GraphStreamItem): boolean => i.mode === "tokens";

describe.each(storeKinds)("on %s", (kind) => {
  it("tokens and values come before the outcome; a late listener gets the text so far; others get only the log", async () => {
    const gate = new Gate();
    const wf = talker(gate);
    const l = await fresh(kind);
    const e = await l.engine([wf]);
    const other = await l.engine([]);
    const h = await e.engine.start(wf, {}, { id: "t" });
    const early = collect(h.stream({ modes: live }));
    const elsewhere = collect(other.client.streamGraph("t", { modes: live }));
    await l.advanceUntil(early.until(isToken));
    const late = collect(e.client.streamGraph("t", { modes: ["tokens"] }));
    await l.advanceUntil(late.until(isToken));
    gate.open();
    await l.advanceUntil(Promise.all([early.over, late.over, elsewhere.over]));
    const said = [
      ["custom", "2/talk/talk", { attempt: 1 }],
      ["tokens", "2/talk/talk", 1, "abc"],
      ["updates", "talk", { said: "abc" }],
      ["end"],
    ];
    expect(early.briefly().slice(-4)).toEqual(said);
    expect(late.briefly()).toEqual([said[1], said[3]]);
    expect(elsewhere.briefly()).toEqual(said.slice(2));
    // Nothing of it is in the log, and who comes afterwards hears nothing.
    const afterwards = collect(e.client.streamGraph("t", { modes: live }));
    await l.advanceUntil(afterwards.over);
    expect(afterwards.briefly()).toEqual(said.slice(2));
  });

  it("a new attempt voids what the last one said", async () => {
    const gate = new Gate();
    gate.open();
    const wf = talker(gate, { failsFirst: true });
    const l = await fresh(kind);
    const e = await l.engine([wf]);
    const h = await e.engine.start(wf, {}, { id: "t" });
    const tokens = collect(h.stream({ modes: ["tokens"] }));
    await l.advanceUntil(tokens.over);
    expect(tokens.briefly().slice(-3)).toEqual([["reset", "2/talk/talk", 2], ["tokens", "2/talk/talk", 2, "abc"], ["end"]]);
  });

  it("what a node emits is heard once, and not again when the next owner replays the record", async () => {
    const counter = graph({ name: "counter", state: { n: sum() } })
      .nodes(() => ({
        count: async (_s, ctx) => {
          ctx.emit("before");
          await ctx.sleep("nap", "1m");
          ctx.emit("after");
          return { n: 1 };
        },
      }))
      .edges({ start: "count", count: "end" });
    const l = await fresh(kind);
    const first = await l.engine([counter], { lease: "1s" });
    const h = await first.engine.start(counter, {}, { id: "c", delay: "1s" });
    const heard = collect(h.stream({ modes: ["custom"] }));
    await l.advanceUntil(heard.until((i) => i.mode === "custom"));
    await l.advanceUntilLine(h.runId, "StepStarted 1/count/nap");
    first.kill();
    const second = await l.engine([counter], { lease: "1s" });
    const next = collect(second.client.streamGraph("c", { modes: ["custom"] }));
    await l.advanceUntil(next.over);
    expect(heard.briefly()).toEqual([["custom", "1/count", "before"]]);
    expect(next.briefly()).toEqual([["custom", "1/count", "after"], ["end"]]);
  });

  it("what a child says is heard by those who listen to its parent, under its own run", async () => {
    const gate = new Gate();
    const inner = talker(gate);
    const middle = workflow({ name: "middle" }, async (ctx) => ctx.call(inner, {}));
    const outer = graph({ name: "outer", state: { said: append<string>() } })
      .nodes(({ sub }) => ({ ask: sub(middle, { in: () => undefined, out: (r) => ({ said: r.said[0]! }) }) }))
      .edges({ start: "ask", ask: "end" });
    const l = await fresh(kind);
    const e = await l.engine([outer, middle, inner]);
    const h = await e.engine.start(outer, {}, { id: "o" });
    const heard = collect(h.stream({ modes: ["tokens"] }));
    await l.advanceUntil(heard.until(isToken));
    gate.open();
    await l.advanceUntil(heard.over);
    expect(heard.briefly()).toEqual([["tokens", "2/talk/talk", 1, "abc"], ["end"]]);
    const { runId } = heard.got[0] as GraphLiveItem;
    expect((await e.client.get(runId))?.workflow).toBe("talker");
  });

  it("refuses to emit what has no encoding, as the node's failure", async () => {
    const bad = graph({ name: "bad", state: { n: sum() } })
      .nodes(() => ({ one: (_s, ctx) => ctx.emit(() => 1) }))
      .edges({ start: "one", one: "end" });
    const l = await fresh(kind);
    const e = await l.engine([bad]);
    const h = await e.engine.start(bad, {});
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({
      code: "PAWL1013",
      message: expect.stringContaining("what 1/one emits"),
    });
  });
});

it.each(testStores)("on a real %s: tokens before the outcome, then the log, to the end", async (_name, make) => {
  const s = await make();
  try {
    const gate = new Gate();
    const wf = talker(gate);
    const { engine: app } = await s.engine({ workflows: [wf] });
    const h = await app.start(wf, {});
    const heard = collect(h.stream({ modes: live }));
    await heard.until(isToken);
    gate.open();
    await heard.over;
    expect(heard.briefly().slice(-3)).toEqual([["tokens", "2/talk/talk", 1, "abc"], ["updates", "talk", { said: "abc" }], ["end"]]);
    const events = JSON.stringify(await s.store.events({ runId: h.runId, after: 0, limit: 100 }), (_k, v: unknown) =>
      typeof v === "bigint" ? String(v) : v,
    );
    expect(events).toContain("abc");
    expect(events).not.toContain("delta");
  } finally {
    await s.close();
  }
});

it("a reader that takes nothing holds no more than a bound, and still gets the log", async () => {
  const flood = graph({ name: "flood", state: { n: sum() } })
    .nodes(() => ({
      one: async (_s, ctx) => {
        await ctx.step(
          "flood",
          (s) => {
            for (let i = 0; i < 30; i++) s.stream(text("x".repeat(100_000)));
            for (let i = 0; i < 20_000; i++) s.stream(i);
          },
          { repeatable: true },
        );
        return { n: 1 };
      },
    }))
    .edges({ start: "one", one: "end" });
  const app = await engine({ workflows: [flood], store: "memory:", log: () => {} });
  const h = await app.start(flood, {}, { delay: "1s" });
  const items = h.stream({ modes: live })[Symbol.asyncIterator]();
  const first = items.next();
  await h.result();
  const got: GraphStreamItem[] = [(await first).value as GraphStreamItem];
  for (let next = await items.next(); next.done !== true; next = await items.next()) got.push(next.value);
  await app.stop();
  const tokens = got.filter(isToken).map((i) => (i.mode === "tokens" ? i.part.delta.length : 0));
  expect(tokens.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(2 * 1024 * 1024);
  expect(got.filter((i) => i.mode === "custom").length).toBeLessThanOrEqual(10_001);
  expect(got.slice(-2).map(brief)).toEqual([["updates", "one", { n: 1 }], ["end"]]);
});

describe("over HTTP", () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  it("the server of the process that runs it gives tokens; after a cut line, reset and the text from its start", async () => {
    const gate = new Gate();
    const wf = talker(gate);
    const app = await engine({ store: "memory:", workflows: [wf], log: () => {} });
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
    await app.start(wf, {}, { id: "t" });
    const heard = collect(http.streamGraph("t", { modes: live }));
    await heard.until(isToken);
    door.block();
    door.unblock();
    await heard.until((i) => i.mode === "reset");
    gate.open();
    await heard.over;
    const all = heard.briefly();
    const again = all.slice(all.findIndex(([mode]) => mode === "reset"));
    expect(again).toEqual([
      ["reset", "2/talk/talk", 1],
      ["custom", "2/talk/talk", { attempt: 1 }],
      ["tokens", "2/talk/talk", 1, "abc"],
      ["updates", "talk", { said: "abc" }],
      ["end"],
    ]);
    expect(
      await http
        .streamGraph("t", { modes: ["tokens"], follow: false })
        [Symbol.asyncIterator]()
        .next(),
    ).toEqual({
      done: false,
      value: { mode: "end", status: "COMPLETED" },
    });
  });
});
