// A state graph made of a seed: nodes with steps, tasks that are undone, sleeps, signals, questions, sends and child runs, and edges that lead where the seed
// says. What a node does depends on its name and on what it is given alone, so that every owner, in every fork of a store, gets the same
// from it. `delay` is called inside of steps: whatever it waits for, the result is the same.
import { append, byId, graph, last, reduce, send, sum, type Seen } from "../../src/graph.ts";
import { Fatal, task, workflow } from "../../src/index.ts";
import { sha256Hex } from "../../src/platform/crypto/hash.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { anySchema } from "../support/test-cluster.ts";
import { seededPick } from "./random-dag.ts";

const any = anySchema<unknown>();
const text = anySchema<string>();
const state = () => ({
  rounds: sum(),
  list: append<string>(),
  notes: byId<{ id: string; text: string }>(),
  top: last("", { conflict: "highest" }),
  most: reduce("", (a: string, b: string) => (b > a ? b : a)),
});
type State = Seen<ReturnType<typeof state>>;

export interface RandomGraphOptions {
  readonly delay?: () => Promise<void> | void;
  /** Nothing that waits for somebody outside, and nothing that fails the run. */
  readonly calm?: boolean;
}

export function randomGraph(
  seed: number,
  name: string = "random",
  { delay = () => {}, calm = false }: RandomGraphOptions = {},
): { readonly wf: AnyWorkflow; readonly child: AnyWorkflow } {
  const pick = seededPick(`graph ${seed}`);
  const child = workflow({ name: "child", input: any }, async (ctx, n) => {
    await ctx.sleep("nap", "1s");
    return ctx.step("x", () => short(n));
  });
  const booked = task({ name: "booked", input: text }, async (input) => (await delay(), short(input)), {
    repeatable: true,
    compensate: () => {},
  });
  const count = 2 + pick.below(4);
  const limit = 6 + pick.below(20);
  const kinds = Array.from({ length: count }, () => pick.below(calm ? 5 : 8));
  const wild = Array.from({ length: count }, () => ({
    fails: !calm && pick.chance(0.03),
    flaky: pick.chance(0.2),
    once: pick.chance(0.3),
  }));
  const nameOf = (i: number): string => `n${i}`;
  const targets = (s: State, from: string): unknown => {
    if (s.rounds >= limit) return "end";
    const hash = sha256Hex(`${seed} ${from} ${s.rounds} ${s.list.length} ${s.most}`);
    const found = Array.from({ length: count }, (_, i) => i).filter((i) => Number.parseInt(hash[i]!, 16) < 5);
    const sends = hash.endsWith("a") || hash.endsWith("b") ? [0, 1, 2].map((k) => send("many", `${s.rounds}.${k}`)) : [];
    const all = [...found.map(nameOf), ...sends];
    return all.length === 0 ? nameOf(s.rounds % count) : all;
  };
  const wf = graph({ name, state: state(), signals: { go0: text, go1: text }, tasks: [booked], concurrency: 1 + pick.below(4) })
    .nodes(({ each, effect, sub }) => ({
      ...Object.fromEntries(
        kinds.map((kind, i): [string, any] => {
          const id = nameOf(i);
          const { fails, once } = wild[i]!;
          const flaky = wild[i]!.flaky && !once;
          const act = (s: State, scope: { attempt: { logical: number } }, what: string): Promise<string> => heard(say(s, scope, what));
          const say = async (s: State, scope: { attempt: { logical: number } }, what: string): Promise<string> => {
            await delay();
            if (fails && s.rounds > 4) throw new Fatal(`${id} fails`);
            if (flaky && scope.attempt.logical < 2) throw new Error(`${id} fails at first`);
            return short([id, what, s.rounds, s.list.length]);
          };
          const opts = {
            ...(once ? { once: true } : { repeatable: true }),
            ...(flaky ? { retry: { attempts: 3, initial: "2s" } } : {}),
          } as never;
          const says = (v: string) => ({ rounds: 1, list: v, top: v, most: v, notes: { id: v.slice(0, 1), text: v } });
          if (kind === 0) return [id, effect((s: any, scope: any) => heard(act(s, scope, "whole").then(says)), opts)];
          if (kind === 1) return [id, sub(child as never, { in: (s: any) => s.rounds, out: (r: any) => says(String(r)) } as never)];
          return [
            id,
            async (s: State, ctx: any) => {
              const steps = ["a", "b"].slice(0, 1 + (kind % 2)).map((n) => ctx.step(n, (scope: never) => act(s, scope, n), opts));
              const done = (await Promise.all(steps)) as string[];
              if (kind === 3) await ctx.do(booked, `${id} ${s.rounds}`);
              if (kind === 4) await ctx.sleep("nap", `${1 + (s.rounds % 3)}s`);
              if (kind === 5) await ctx.receive(`go${i % 2}`, { timeout: "10s" }).catch(() => undefined);
              if (kind === 6) await ctx.ask("fine", { schema: any, text: "Fine?", timeout: "10s" });
              return { ...says(done.join("")), list: done };
            },
          ];
        }),
      ),
      many: each(text, async (input, s, ctx) => {
        const got = await ctx.step("get", async () => (await delay(), short([input, s.rounds])), { repeatable: true });
        return { rounds: 1, list: got, most: got };
      }),
    }))
    .edges({
      start: nameOf(0),
      many: (s: never) => targets(s, "many"),
      ...Object.fromEntries(kinds.map((_, i) => [nameOf(i), (s: never) => targets(s, nameOf(i))])),
    } as never);
  return { wf: wf as unknown as AnyWorkflow, child: child as unknown as AnyWorkflow };
}

/** An engine that died right after it had called a step's function does not hear how that ends. */
function heard<T>(p: Promise<T>): Promise<T> {
  p.catch(() => {});
  return p;
}

function short(value: unknown): string {
  return sha256Hex(JSON.stringify(value) ?? "undefined").slice(0, 6);
}
