// Type tests of tasks on queues: what is taken, what infers, and what does not compile. `npm run types` compiles this file and nothing
// runs it.
import { z } from "zod";
import { engine, remoteTask, task, workflow } from "../../src/index.ts";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(_proof?: T): void => {};

const charge = task(
  { name: "charge", version: "2", input: z.object({ cents: z.number() }) },
  async ({ cents }, s) => ({ id: s.key, cents }),
  { queue: { name: "payments", priority: 3, within: "10m" }, key: (i) => `c-${i.cents}`, dedup: "24h" },
);
const resize = remoteTask(
  { name: "resize", input: z.object({ url: z.string() }), output: z.object({ width: z.number() }), queue: "images" },
  { verify: true, undo: true, timeout: "5m" },
);

export const order = workflow({ name: "order" }, async (ctx) => {
  const paid = await ctx.do(charge, { cents: 5 });
  is<Eq<typeof paid, { id: string; cents: number }>>();
  const image = await ctx.do(resize, { url: "x" });
  is<Eq<typeof image, { width: number }>>();
  // @ts-expect-error: only named work can run elsewhere
  await ctx.step("inline", () => 1, { queue: "payments" });
  return paid.id;
});

// @ts-expect-error: a priority is one of -9 … 9
task({ name: "t", input: z.string() }, () => 1, { queue: { name: "q", priority: 10 } });
// @ts-expect-error: a remote task needs a queue
remoteTask({ name: "t", input: z.string(), output: z.string() });
// @ts-expect-error: the code of verify is with the workers
remoteTask({ name: "t", input: z.string(), output: z.string(), queue: "q" }, { verify: async () => ({ state: "not-completed" }) });
// @ts-expect-error: once and a key contradict each other
remoteTask({ name: "t", input: z.string(), output: z.string(), queue: "q" }, { once: true, key: () => "k" });

export async function start(): Promise<void> {
  const app = await engine({ workflows: [order] });
  await app.start(order, undefined, { priority: -9 });
  // @ts-expect-error: out of range
  await app.start(order, undefined, { priority: 12 });
}
