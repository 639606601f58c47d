// DAGs in code: what infers, and what must not compile. `npm run types` compiles this file and nothing ever runs it, so that a line marked
// as an error which no longer is one fails the check.
import { dag, task, type DagNode, type NodeOutcome, type StepScope } from "pawl";
import { z } from "zod";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(): void => void (0 as unknown as T);

export const charge = task(
  { name: "payments.charge", input: z.object({ orderId: z.string(), cents: z.number() }) },
  async (i) => ({ id: i.orderId, cents: i.cents }),
  { key: (i) => `order-${i.orderId}`, dedup: "24h", retry: { attempts: 3 } },
);
export const score = task({ name: "ml.score", input: z.object({ text: z.string() }) }, () => ({ risk: 1 }), { repeatable: true });

export const hasty = dag(
  { name: "hasty", stale: { waitingForDependencies: "10m", waitingForRetry: "5m", inProcess: 60_000, then: "fail" } },
  (t) => t.task("a", {}, () => 1),
);
// @ts-expect-error what is stale is looked at or fails: it is never sent again
export const requeued = dag({ name: "requeued", stale: { then: "requeue" } }, (t) => t.task("a", {}, () => 1));
// @ts-expect-error a time that nothing is measured by
export const unknownTime = dag({ name: "unknown", stale: { waiting: "10m" } }, (t) => t.task("a", {}, () => 1));

export const approval = dag(
  {
    name: "approval",
    namespace: "conditional",
    version: "1.0.0",
    input: z.object({ amount: z.number(), rows: z.array(z.object({ id: z.string(), text: z.string() })) }),
    identity: { strategy: "strict" },
  },
  (t) => {
    const validate = t.task("validate", {}, async ({ input }) => {
      is<Eq<typeof input.amount, number>>();
      return { amount: input.amount, rows: input.rows };
    });
    const route = t.decide("route", { validate }, ["auto", "boss", "finance"], ({ validate }) =>
      validate.amount < 1000 ? "auto" : ["boss", "finance"],
    );
    const auto = t.task(
      "auto_approve",
      { validate },
      (d) => {
        is<Eq<keyof typeof d, "input" | "validate">>();
        return { by: "rule" as const };
      },
      { on: route.on("auto") },
    );
    const boss = t.task("boss", {}, () => ({ by: "ann" }), {
      on: [route.on("boss"), route.on("finance")],
      onFailure: "hold",
      once: true,
    });
    // @ts-expect-error no such branch
    route.on("ceo");
    // @ts-expect-error `input` is the run's input
    t.task("bad_name", { input: validate }, () => 1);
    // @ts-expect-error key and repeatable contradict each other
    t.task("bad_class", { validate }, () => 1, { key: "k", repeatable: true });
    // @ts-expect-error there is no such trigger
    t.task("bad_trigger", { validate }, () => 1, { trigger: "any-ok" });

    const joined = t.task(
      "finalize",
      { auto, boss },
      ({ auto, boss }) => {
        is<Eq<typeof auto, { by: "rule" } | undefined>>();
        return auto?.by ?? boss?.by ?? "nobody";
      },
      { trigger: "converge", when: ({ auto }) => auto?.by !== undefined, key: ({ input }) => `fin-${input.amount}`, dedup: "1d" },
    );
    // @ts-expect-error a need that was not chosen has no value
    t.task("bad_join", { auto }, ({ auto }) => auto.by, { trigger: "converge" });

    const rows = t.task("rows", { validate }, ({ validate }) => validate.rows);
    const labels = t.each("label", rows, async (r) => ({ id: r.id }), {
      id: (r) => r.id,
      key: (r) => `label-${r.id}`,
      dedup: "24h",
      verify: async (r) => ({ state: "completed-with-result", result: { id: r.id } }),
      compensate: (result, item) => is<Eq<[typeof result.id, typeof item.text], [string, string]>>(),
      concurrency: 8,
      queue: "labels",
      trigger: "none-failed",
      onFailure: "hold",
    });
    is<Eq<typeof labels, DagNode<{ id: string }[]>>>();
    const scores = t.each("score_all", rows, score, { id: (r) => r.id, input: (r) => ({ text: r.text }), failFast: true });
    is<Eq<typeof scores, DagNode<{ risk: number }[]>>>();
    // @ts-expect-error wrong input for the task
    t.each("bad_fan", rows, score, { id: (r) => r.id, input: (r) => ({ text: r.id.length }) });
    // @ts-expect-error an item needs a name
    t.each("bad_id", rows, async (r) => r.id, { concurrency: 2 });

    const sums = t.batch(
      "sum",
      { validate },
      ({ validate }) => [{ from: 0, to: validate.amount }],
      async (s) => {
        is<Eq<typeof s.cursor, { from: number; to: number }>>();
        is<Eq<typeof s.carried, number | undefined>>();
        await s.checkpoint({ from: 10, to: s.cursor.to }, (s.carried ?? 0) + 1);
        return s.cursor.from > 5 ? s.yield({ from: 20, to: s.cursor.to }) : { rows: 1 };
      },
      { workersMax: 4, carried: 0 as number },
    );
    const paid = t.do(
      "charge",
      { validate },
      charge,
      ({ validate, input }) => ({ orderId: String(input.amount), cents: validate.amount }),
      { when: ({ validate }) => validate.amount > 0 },
    );
    // @ts-expect-error wrong input for the task
    t.do("bad_do", { validate }, charge, () => ({ orderId: 1 }));
    const cleanup = t.task(
      "cleanup",
      { paid, labels },
      ({ paid, labels }, s) => {
        is<Eq<typeof paid, NodeOutcome<{ id: string; cents: number }>>>();
        is<Eq<typeof s, StepScope>>();
        return labels.is;
      },
      { trigger: "all-done" },
    );
    const risky = t.do("score", {}, score, () => ({ text: "x" }), { onFailure: "hold", queue: "gpu" });
    return t.task("end", { joined, sums, cleanup, risky, scores }, ({ joined, sums, risky }) => {
      is<Eq<typeof sums, { rows: number }[]>>();
      return { joined, n: sums.length, risk: risky.risk };
    });
  },
);
is<Eq<typeof approval.name, "conditional/approval">>();
export const nested = dag({ name: "nested" }, (t) => t.call("inner", {}, approval, () => ({ amount: 1, rows: [] })));
is<Eq<typeof nested.name, "nested">>();
