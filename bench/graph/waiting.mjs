// The graph that waits at a superstep and is taken over by a new process: the same code for the process that leaves it and for the one that
// continues it. It must never know which of the two it is in.
import { graph, last, sum } from "../../dist/graph.js";
import { z } from "zod";

/** @param {number[]} dispatched when the function of a step was called, in ms since the process began */
export const waiting = (dispatched) =>
  graph({ name: "waiting", state: { n: sum(), to: last(0) }, signals: { go: z.number() }, maxSteps: 100_000 })
    .nodes({
      a: async (s, ctx) => {
        if (s.n === s.to) await ctx.receive("go");
        await ctx.step("s", () => void dispatched.push(performance.now()), { repeatable: true });
        return { n: 1 };
      },
    })
    .edges({ start: "a", a: (s) => (s.n <= s.to ? "a" : "end") });
