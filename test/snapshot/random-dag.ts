// A DAG made of a seed: nodes of every kind, with needs, triggers, conditions, failures, retries and compensations as the seed says. What a node
// does depends on its name and on what it is given alone, so that every owner, in every fork of a store, gets the same from it.
import { dag, Fatal, workflow, type DagNode } from "../../src/index.ts";
import { seededRandom, type SeededRandom } from "../../src/core/seeded-random.ts";
import { sha256Hex } from "../../src/platform/crypto/hash.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { anySchema } from "../support/test-cluster.ts";

type AnyNode = DagNode<any>;

const pickOf = (r: SeededRandom) => {
  const below = (n: number): number => Math.floor(r.random() * n);
  return { below, chance: (p: number): boolean => r.random() < p, of: <T>(list: readonly T[]): T => list[below(list.length)]! };
};
export type Pick = ReturnType<typeof pickOf>;
export function seededPick(seed: string): Pick {
  return pickOf(seededRandom(sha256Hex(seed)));
}

const go = anySchema<string>();
const triggers = ["all-ok", "all-ok", "all-ok", "none-failed", "converge", "all-done"] as const;

export function randomDag(seed: number, name: string = "random"): { readonly wf: AnyWorkflow; readonly child: AnyWorkflow } {
  const pick = seededPick(`dag ${seed}`);
  const child = workflow({ name: "child", input: anySchema<unknown>() }, async (ctx, n) => {
    await ctx.sleep("nap", "1s");
    return ctx.step("x", () => short(n));
  });
  const wf = dag({ name, version: "1", input: anySchema<unknown>() }, (t) => {
    const nodes: AnyNode[] = [];
    const lists: AnyNode[] = [];
    const branches: { on: any }[] = [];
    const total = 4 + pick.below(12);
    for (let i = 0; i < total; i++) {
      const id = `n${i}`;
      const needs: Record<string, AnyNode> = {};
      for (let k = pick.below(Math.min(4, nodes.length + 1)); k > 0; k--) {
        const need = pick.of(nodes);
        needs[need.id] = need;
      }
      const fails = pick.chance(0.08);
      const flaky = pick.chance(0.15);
      const run = (d: unknown, s: { attempt: { logical: number } }): unknown => {
        if (fails) throw new Fatal(`${id} fails`);
        if (flaky && s.attempt.logical < 2) throw new Error(`${id} fails at first`);
        return short([id, d]);
      };
      const placed: Record<string, unknown> = {
        trigger: pick.of(triggers),
        ...(pick.chance(0.3) ? { onFailure: "hold" } : {}),
        ...(pick.chance(0.15) ? { when: (d: unknown) => short([id, "when", d]) > "5" } : {}),
        ...(branches.length > 0 && pick.chance(0.4) ? { on: pick.of(branches).on } : {}),
      };
      const acts: Record<string, unknown> = {
        ...pick.of([{}, { repeatable: true }, { once: true }, { key: `k-${id}`, dedup: "1h" }]),
        ...(flaky ? { retry: { attempts: 3, initial: "2s" } } : {}),
        ...(pick.chance(0.3) ? { compensate: () => {} } : {}),
      };
      if (pick.chance(0.1)) acts["approve"] = true;
      const kind = pick.below(12);
      if (kind < 5) nodes.push(t.task(id, needs, run as never, { ...placed, ...acts } as never));
      else if (kind === 5) {
        const list = t.task(id, needs, (() => Array.from({ length: 1 + (i % 5) }, (_, k) => `i${k}`)) as never, placed as never);
        nodes.push(list);
        lists.push(list);
      } else if (kind === 6 && lists.length > 0) {
        const over = pick.of(lists);
        const o = { ...placed, ...acts, trigger: "all-ok", when: undefined, key: undefined, dedup: undefined };
        const each = (item: unknown, s: never): unknown => run(item, s);
        nodes.push(
          t.each(
            id,
            over,
            each as never,
            { id: (e: string) => e, concurrency: 1 + pick.below(3), failFast: pick.chance(0.3), ...o } as never,
          ),
        );
      } else if (kind === 7) {
        const d = t.decide(id, needs, ["l", "r"], ((x: unknown) => (short(x) > "8" ? "l" : ["l", "r"])) as never, placed as never) as any;
        nodes.push(d);
        branches.push({ on: d.on("l") }, { on: d.on("r") });
      } else if (kind === 8) nodes.push(t.sleep(id, needs, `${1 + pick.below(5)}s`));
      else if (kind === 9) nodes.push(t.receive(id, needs, { name: `go${i % 2}`, payload: go }, { timeout: "20s" }));
      else if (kind === 10) nodes.push(t.call(id, needs, child as never, ((d: unknown) => short(d)) as never));
      else {
        const work = (s: { cursor: number; yield(c: number): unknown }): unknown => (s.cursor % 3 === 0 ? s.yield(s.cursor + 1) : s.cursor);
        nodes.push(
          t.batch(id, needs, (() => Array.from({ length: i % 4 }, (_, k) => k)) as never, work as never, { workersMax: 2 } as never),
        );
      }
    }
    return t.task(
      "end",
      Object.fromEntries(nodes.slice(-3).map((n) => [n.id, n])),
      ((d: unknown) => short(d)) as never,
      {
        trigger: pick.of(["none-failed", "all-done"] as const),
      } as never,
    );
  });
  return { wf: wf as unknown as AnyWorkflow, child: child as unknown as AnyWorkflow };
}

function short(value: unknown): string {
  return sha256Hex(JSON.stringify(value) ?? "undefined").slice(0, 6);
}
