// Stops between two supersteps that an author asked for: a person lets the run continue after nodes that have run, or before nodes that are due. Each is a
// question like any other, recorded after the superstep's event, so that the state which the person looks at is committed. It must depend on nothing
// but where the graph stands: a later owner asks the same question again.
import type { Calls } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import type { BuiltGraph } from "./built-graph.ts";
import type { Standing } from "./standing.ts";

/** Nodes of these, each once, that are in the list. */
export function interruptsOf(list: ReadonlySet<string>, nodes: readonly { readonly node: string }[]): readonly string[] {
  return list.size === 0 ? [] : [...new Set(nodes.map((w) => w.node))].filter((node) => list.has(node));
}

/** Undefined: nothing stops the graph here. */
export function interruption(g: BuiltGraph, calls: Calls, at: Standing): Promise<unknown> | undefined {
  const { after } = at;
  const before = interruptsOf(g.interruptBefore, at.frontier);
  if (after.length === 0 && before.length === 0) return undefined;
  const due = [...new Set(at.frontier.map((w) => w.node))];
  const ran = after.length === 0 ? "" : `${after.join(", ")} has run. `;
  const next = due.length === 0 ? "Nothing is left to do" : `Next: ${due.join(", ")}`;
  const text = `Graph ${g.name} after superstep ${at.n}: ${ran}${next}. Shall it continue?`;
  return askToContinue(calls, `${at.n + 1}/~interrupt`, "continue", text, { superstep: at.n, after, before, next: due }, true);
}

/** Waits until a person says true. */
export function askToContinue(
  calls: Calls,
  scope: string,
  name: string,
  text: string,
  data: Readonly<Record<string, unknown>>,
  isInterrupt: boolean,
): Promise<unknown> {
  return calls.ask(scope, name, {
    question: { text, data, schema: { const: true }, ...(isInterrupt ? { interrupt: true } : {}) },
    timeoutMs: null,
    check: (answer) => {
      if (answer === true) return Promise.resolve(true);
      throw new PawlError("PAWL1008", "answer true to continue; cancel the run to end it");
    },
  });
}
