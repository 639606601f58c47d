// Random workflows as data, and the code that runs one: up to eight parallel branches of steps, sleeps, races, signals,
// retries and nested maps. The code writes down what it saw, in the order it saw it. Deterministic but for what is recorded.
import fc from "fast-check";
import type { StepError } from "../../src/errors/step-errors.ts";
import type { Ctx } from "../../src/workflow/types.ts";

export type Node =
  | { readonly kind: "step"; readonly name: string; readonly ms: number; readonly fails: number; readonly attempts: number }
  | { readonly kind: "once"; readonly name: string; readonly ms: number }
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "race"; readonly a: readonly Node[]; readonly b: readonly Node[] }
  | { readonly kind: "signal"; readonly ms: number }
  | { readonly kind: "map"; readonly items: readonly (readonly Node[])[]; readonly concurrency: number }
  | { readonly kind: "detached"; readonly node: Node };

const ms = fc.constantFrom(0, 1, 5, 40, 300, 1_200);
const name = fc.constantFrom("a", "b", "c");
const leaf: fc.Arbitrary<Node> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("step" as const),
      name,
      ms,
      fails: fc.constantFrom(0, 0, 0, 1, 2),
      attempts: fc.constantFrom(1, 3),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("sleep" as const), ms }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("signal" as const), ms }) },
);
const node: fc.Arbitrary<Node> = fc.oneof(
  { weight: 8, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("race" as const),
      a: fc.array(leaf, { minLength: 1, maxLength: 2 }),
      b: fc.array(leaf, { minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("detached" as const), node: leaf }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("map" as const),
      items: fc.array(fc.array(leaf, { maxLength: 2 }), { maxLength: 3 }),
      concurrency: fc.constantFrom(1, 2, 3),
    }),
  },
);
export const branches: fc.Arbitrary<readonly (readonly Node[])[]> = fc.array(fc.array(node, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 8,
});
/** The same with steps that must not happen twice among them. */
export const riskyBranches: fc.Arbitrary<readonly (readonly Node[])[]> = fc.array(
  fc.array(
    fc.oneof({ weight: 2, arbitrary: node }, { weight: 1, arbitrary: fc.record({ kind: fc.constant("once" as const), name, ms }) }),
    { minLength: 1, maxLength: 3 },
  ),
  { minLength: 1, maxLength: 5 },
);

/** What happened outside the engine: how often each step's function was called, by stepId and logical attempt. */
export interface World {
  wait(ms: number): Promise<void>;
  called(key: string): void;
}

type C = Ctx<any, any, any>;

export async function runShape(ctx: C, shape: readonly (readonly Node[])[], world: World, seen: string[]): Promise<void> {
  const walk = async (c: C, nodes: readonly Node[], at: string): Promise<string> => {
    let last = "";
    for (const [i, n] of nodes.entries()) seen.push(`${at}.${i} ${(last = await one(c, n, `${at}.${i}`))}`);
    return last;
  };
  const one = async (c: C, n: Node, at: string): Promise<string> => {
    switch (n.kind) {
      case "step":
      case "once":
        return c
          .step(
            n.name,
            (s) => {
              const work = async (): Promise<string> => {
                world.called(`${n.kind} ${s.traceKey.split(":")[2]} ${s.attempt.logical}`);
                if (n.ms > 0) await world.wait(n.ms);
                if (n.kind === "step" && s.attempt.logical <= n.fails) throw new Error(`no ${s.attempt.logical}`);
                return `${n.name}${s.attempt.logical}`;
              };
              const working = work();
              working.catch(() => {}); // an engine that died in window C hears nothing more of it
              return working;
            },
            n.kind === "once" ? { once: true } : { retry: { attempts: n.attempts, initial: 50 } },
          )
          .catch((e: StepError) => `${e.category} ${e.message}`);
      case "sleep":
        await c.sleep("nap", n.ms);
        return `slept ${c.now().getTime() > 0}`;
      case "signal":
        return `got ${String(await c.receive("s", { timeout: n.ms + 1 }))}`;
      case "race":
        return `race ${await Promise.race([walk(c, n.a, `${at}a`), walk(c, n.b, `${at}b`)])}`;
      case "map":
        return (
          await c.map(
            "m",
            n.items.map((nodes, i) => ({ nodes, i })),
            { key: (e) => `k${e.i}`, concurrency: n.concurrency },
            (e, inner) => walk(inner, e.nodes, `${at}m${e.i}`),
          )
        ).join();
      case "detached":
        void one(c, n.node, `${at}d`).then((x) => seen.push(`${at} detached ${x} ${c.random().toFixed(6)}`));
        return "let go";
    }
  };
  await Promise.all(shape.map((nodes, i) => walk(ctx, nodes, String(i))));
  seen.push(ctx.uuid());
}
