// What the orchestrators of the cluster know: the graph of an order, whose every step runs elsewhere, a list of items, and a run that waits. They are
// started with `--queue none`, so that they never run a step; `pawl worker` on this same file runs the inline nodes. Effects are lines in a file
// that no engine reads.
import { z } from "zod";
import { dag, remoteTask, workflow } from "../../../src/index.ts";
import { effect } from "./effects.ts";

const input = z.object({ id: z.string() });
const output = z.object({ id: z.string(), by: z.string() });

/** KEYED, by `pawl worker` on the store. */
const reserve = remoteTask(
  { name: "cluster.reserve", input, output, queue: "tasks" },
  { key: (i) => `reserve-${i.id}`, dedup: "1h", timeout: "30s" },
);
/** VERIFIED, by Node over HTTP. */
const price = remoteTask({ name: "cluster.price", input, output, queue: "http-node" }, { verify: true, timeout: "5s", settle: "500ms" });
/** REPEATABLE, by Python over HTTP. */
const mail = remoteTask({ name: "cluster.mail", input, output, queue: "http-python" }, { repeatable: true });

export const order = dag({ namespace: "cluster", name: "order", version: "1", input }, (t) => {
  const reserved = t.do("reserve", {}, reserve, (d) => d.input);
  const priced = t.do("price", {}, price, (d) => d.input);
  const packed = t.task("pack", { reserved, priced }, (d) => effect("pack", d.input.id), { queue: "nodes", repeatable: true });
  return t.do("mail", { packed }, mail, (d) => d.input);
});

/** A step for each of `n` items. */
export const list = dag({ namespace: "cluster", name: "list", version: "1", input: z.object({ id: z.string(), n: z.number() }) }, (t) => {
  const items = t.task("items", {}, (d) => Array.from({ length: d.input.n }, (_, i) => `${d.input.id}-${i}`), {
    queue: "nodes",
    repeatable: true,
  });
  const each = t.each("item", items, (id) => effect("item", id), { id: (i) => i, queue: "nodes", repeatable: true });
  return t.task("sum", { each }, ({ each: all }) => all.length, { queue: "nodes", repeatable: true });
});

export const waiting = workflow(
  { name: "cluster-waiting", input, signals: { go: z.object({ by: z.string() }) } },
  async (ctx) => (await ctx.receive("go")).by,
);

/** Its worker is the test itself, which reports what it likes. */
export const raw = dag({ namespace: "cluster", name: "raw", version: "1", input }, (t) => {
  const once = remoteTask({ name: "cluster.raw", input, output, queue: "raw" }, { repeatable: true });
  return t.do("raw", {}, once, (d) => d.input);
});
