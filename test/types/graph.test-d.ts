// State graphs: what infers, and what must not compile. `npm run types` compiles this file and nothing ever runs it, so that a line marked as an
// error which no longer is one fails the check.
import type { Handle, InputOf, OutputOf } from "pawl";
import { append, byId, graph, last, reduce, send, sum, type ChannelsOf, type NodeFn, type StateOf, type UpdateOf } from "pawl/graph";
import { z } from "zod";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(): void => void (0 as unknown as T);

// A loop with a conditional edge.
interface Msg {
  role: "user" | "ai";
  text: string;
}
export const chat = graph({
  name: "chat",
  state: { messages: append<Msg>(), spent: reduce(0, (a: number, b: number) => a + b), verdict: last<"open" | "done">("open") },
})
  .nodes({
    plan: async (s, ctx) => {
      const t = await ctx.step("llm", () => "hi", { repeatable: true });
      is<Eq<typeof t, string>>();
      is<Eq<(typeof s.messages)[number]["text"], string>>();
      // @ts-expect-error state is read-only, nested parts too
      s.messages[0]!.text = "x";
      // @ts-expect-error no such channel
      void s.mesages;
      return { messages: { role: "ai", text: t }, spent: 1 };
    },
    act: (s) => ({ verdict: s.spent > 3 ? "done" : "open" }),
    note: async (_s, ctx) => void (await ctx.step("log", () => 1, { repeatable: true })),
  })
  .edges({ start: "plan", plan: ["act", "note"], note: "end", act: (s) => (s.verdict === "done" ? "end" : "plan") });
is<Eq<typeof chat.name, "chat">>();
is<Eq<OutputOf<typeof chat>["messages"], Msg[]>>();
is<Eq<OutputOf<typeof chat>["verdict"], "open" | "done">>();
is<Eq<StateOf<ChannelsOf<typeof chat>>["spent"], number>>();
is<Eq<UpdateOf<ChannelsOf<typeof chat>>["verdict"], "open" | "done" | undefined>>();

// Work with inputs, effect nodes, child runs, questions, joins.
export const inner = graph({ name: "inner", state: { n: sum() } })
  .nodes({ add: () => ({ n: 1 }) })
  .edges({ start: "add", add: "end" });
is<Eq<InputOf<typeof inner>, { readonly n?: number }>>();
export const research = graph({
  name: "research",
  input: z.object({ topic: z.string(), docs: z.array(z.string()) }),
  begin: (i) => ({ topic: i.topic, docs: i.docs }),
  id: (i) => i.topic,
  result: (s) => ({ report: s.report, notes: s.notes.length }),
  state: {
    topic: last(""),
    docs: append<string>(),
    notes: byId<{ id: string; text: string; tags: string[] }>(),
    found: append<string>(),
    report: last(""),
    depth: sum(),
  },
  concurrency: 4,
})
  .nodes(({ each, effect, sub, node }) => ({
    fetch: effect(async (s, scope) => ({ found: [`${s.topic}/${scope.key}`] }), { repeatable: true, retry: { attempts: 3 } }),
    read: each(z.object({ doc: z.string(), page: z.number().default(1) }), async (input, s, ctx) => {
      is<Eq<typeof input, { doc: string; page: number }>>();
      const text = await ctx.step("read", () => input.doc, { key: input.doc, dedup: "24h" });
      // @ts-expect-error in a graph only tasks and tools are undone
      await ctx.step("read", () => 1, { once: true, compensate: () => {} });
      return { notes: { id: input.doc, text, tags: s.found } };
    }),
    deeper: sub(inner, { in: (s) => ({ n: s.depth }), out: (r) => ({ depth: r.n }) }),
    review: node(
      async (s, ctx) => {
        const a = await ctx.ask("publish", { schema: z.object({ ok: z.boolean() }), text: `${s.notes.length} notes`, from: ["editors"] });
        is<Eq<typeof a.value, { ok: boolean }>>();
        const b = await ctx.ask("when", { schema: z.string(), text: "when?", timeout: "3d" });
        // @ts-expect-error a question with a timeout may stay without an answer
        void b.value;
        is<Eq<NonNullable<typeof b>["value"], string>>();
        // @ts-expect-error a run is finished by the version that began it: no patches
        ctx.patched("x");
        // @ts-expect-error nothing outlives its node
        await ctx.start(inner, {});
        return { report: a.value.ok ? (ctx.failures[0]?.message ?? "yes") : "no" };
      },
      { timeout: "7d" },
    ),
  }))
  .edges(
    {
      start: ["fetch", "deeper"],
      fetch: (s) => (s.docs.length === 0 ? "review" : s.docs.map((doc) => send("read", { doc }))),
      read: "review",
      deeper: "review",
      review: "end",
    },
    { joins: { review: ["read", "deeper"] }, catch: { read: "review" } },
  );
is<Eq<InputOf<typeof research>, { topic: string; docs: string[] }>>();
is<Eq<OutputOf<typeof research>, { report: string; notes: number }>>();

// Nodes that several graphs share, and signals.
const shared = { n: sum(), log: append<string>() };
export const inc: NodeFn<typeof shared> = async (s) => ({ n: 1, log: `was ${s.n}` });
export const go = graph({ name: "go", state: shared, signals: { go: z.object({ at: z.string() }) } })
  .nodes({
    inc,
    wait: async (_s, ctx) => {
      // @ts-expect-error no such signal
      void ctx.receive("goo");
      return { log: (await ctx.receive("go")).at };
    },
  })
  .edges({ start: "wait", wait: "inc", inc: "end" });

// Channels.
const notes = graph({ name: "notes", state: { notes: byId<{ id: string; text: string }>(), n: sum() } });
notes.nodes({ drop: () => ({ notes: { remove: ["a"] } }) });
// @ts-expect-error an item needs its id
notes.nodes({ add: () => ({ notes: { text: "x" } }) });
// @ts-expect-error a sum takes numbers
notes.nodes({ add: () => ({ n: "1" }) });
// @ts-expect-error a list by id holds what has an id
byId<{ name: string }>();
// @ts-expect-error there is no such rule
last(0, { conflict: "lowest" });
// @ts-expect-error a channel cannot be written by hand
graph({ name: "four", state: { a: {} } });
// @ts-expect-error an input without begin would be dropped
graph({ name: "three", state: { a: last(0) }, input: z.object({ a: z.number() }) });
// @ts-expect-error begin sets channels that exist
graph({ name: "five", state: { a: last(0) }, input: z.object({ a: z.number() }), begin: (i) => ({ aa: i.a }) });
// @ts-expect-error a misspelt channel beside a right one
graph({ name: "seven", state: { a: last(0) }, input: z.object({ a: z.number() }), begin: (i) => ({ a: i.a, aa: i.a }) });
// @ts-expect-error begin sets them with what they take
graph({ name: "six", state: { a: last(0) }, input: z.object({ a: z.string() }), begin: (i) => ({ a: i.a }) });

// Nodes: a misspelt channel does not compile, wherever it stands.
const two = graph({ name: "two", state: { a: last(0), b: last<"x" | "y">("x") } });
// @ts-expect-error wrong type for the channel
two.nodes({ x: () => ({ a: "no" }) });
// @ts-expect-error a misspelt channel alone
two.nodes({ x: () => ({ aa: 1 }) });
// @ts-expect-error a misspelt channel beside a right one
two.nodes({ x: async () => ({ a: 1, aa: 1 }) });
// @ts-expect-error on one path only
two.nodes({ x: (s) => (s.a > 1 ? { a: 1 } : { a: 1, aa: 2 }) });
// @ts-expect-error in an each node
two.nodes(({ each }) => ({ w: each(z.object({}), () => ({ a: 1, aa: 1 })) }));
// @ts-expect-error in an effect node
two.nodes(({ effect }) => ({ w: effect(async () => ({ a: 1, aa: 1 }), { once: true }) }));
// @ts-expect-error in a node with a deadline
two.nodes(({ node }) => ({ w: node(async () => ({ a: 1, aa: 1 }), { timeout: "1d" }) }));
// @ts-expect-error in what a child run's result becomes
two.nodes(({ sub }) => ({ w: sub(inner, { in: () => ({}), out: (r) => ({ a: r.n, aa: r.n }) }) }));
// @ts-expect-error in a plain node that the builder's function returns
two.nodes(() => ({ w: () => ({ a: 1, aa: 1 }) }));
// @ts-expect-error a child run's input has its channels
two.nodes(({ sub }) => ({ w: sub(inner, { in: () => ({ m: 1 }), out: (r) => ({ a: r.n }) }) }));
// @ts-expect-error once and repeatable contradict each other
two.nodes(({ effect }) => ({ w: effect(() => ({ a: 1 }), { once: true, repeatable: true }) }));

// Edges: a misspelt node does not compile.
const one = two.nodes({ x: () => ({ a: 1 }), y: () => ({ a: 1 }) });
// @ts-expect-error unknown node
one.edges({ start: "z", x: "y", y: "end" });
// @ts-expect-error unknown node in a list
one.edges({ start: ["x", "z"], x: "y", y: "end" });
// @ts-expect-error unknown node that a function returns
one.edges({ start: "x", x: (s) => (s.a > 1 ? "z" : "y"), y: "end" });
// @ts-expect-error a node without an edge
one.edges({ start: "x", x: "y" });
// @ts-expect-error no start
one.edges({ x: "y", y: "end" });
// @ts-expect-error an edge of a node that is not there
one.edges({ start: "x", x: "y", y: "end", z: "end" });
// @ts-expect-error a join of an unknown node
one.edges({ start: "x", x: "y", y: "end" }, { joins: { y: ["z"] } });
// @ts-expect-error a failure leads to a node that is there
one.edges({ start: "x", x: "y", y: "end" }, { catch: { x: "z" } });
// @ts-expect-error a failure of a node that is there
one.edges({ start: "x", x: "y", y: "end" }, { catch: { z: "y" } });
one.edges({ start: "x", x: "y", y: "end" }, { interruptBefore: ["x"], interruptAfter: ["x", "y"] });
// @ts-expect-error a stop before a node that is there
one.edges({ start: "x", x: "y", y: "end" }, { interruptBefore: ["z"] });
// @ts-expect-error a stop after a node that is there
one.edges({ start: "x", x: "y", y: "end" }, { interruptAfter: ["z"] });

// Sends.
two
  .nodes(({ each }) => ({ x: () => ({ b: "y" }), w: each(z.object({ n: z.number() }), (i) => ({ a: i.n })) }))
  .edges({
    // @ts-expect-error a node with its own inputs is reached by send only
    start: "w",
    // @ts-expect-error the input does not fit
    x: () => [send("w", { n: "1" })],
    w: "end",
  });
two
  .nodes(({ each }) => ({ x: () => ({ b: "y" }), w: each(z.object({ n: z.number() }), (i) => ({ a: i.n })) }))
  .edges({
    // @ts-expect-error no such node
    start: (s) => send("ww", { n: s.a }),
    // @ts-expect-error a node without inputs takes no send
    x: () => send("x", {}),
    w: "end",
  });

// A step and an effect node can show progress.
export const progress = graph({ name: "progress", state: { a: last(0) } })
  .nodes(({ effect }) => ({
    one: effect(async (_s, scope) => scope.stream({ done: 40 }), { repeatable: true }),
    two: async (_s, ctx) => ctx.step("two", (s) => s.stream("half"), { repeatable: true }),
    three: (_s, ctx) => ctx.emit({ done: 90 }),
  }))
  .edges({ start: "one", one: "two", two: "three", three: "end" });

// Items of a stream: those of the log are typed by the graph's channels, live ones have the run that said them.
export async function read(h: Handle<typeof progress>): Promise<void> {
  for await (const item of h.stream({ modes: ["updates", "tokens", "custom"], after: 1 })) {
    if (item.mode === "updates") is<Eq<NonNullable<typeof item.update>["a"], number | undefined>>();
    if (item.mode === "tokens") is<Eq<typeof item.part.delta, string>>();
    if (item.mode === "custom") is<Eq<typeof item.value, unknown>>();
    if (item.mode === "reset") is<Eq<typeof item.stepId, string>>();
  }
  // @ts-expect-error no such mode
  h.stream({ modes: ["reset"] });
}
