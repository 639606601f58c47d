// replayGraph and firstDivergence: the supersteps of a real run, run again over its log with the code as it is now. No external call is made: every one is
// answered from the record. Strict stops at the first mismatch; lenient warns and continues from what was recorded; a callback decides in either.
import { checkOptions } from "../../core/guarantee.ts";
import { checkLimits, type Limits } from "../../core/limits.ts";
import { PawlError } from "../../errors/error.ts";
import { graphBehind } from "../../graph/built-graph.ts";
import type { AnyGraph } from "../../graph/types.ts";
import { writeErr } from "../../platform/terminal.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { definitionOf } from "../../workflow/registry.ts";
import { historyEvents, type RecordedHistory } from "../recorded-history.ts";
import { compareSuperstep, type GraphMismatch, type ReplayedGraph } from "./compare-superstep.ts";
import { readRecording, type RecordedSuperstep } from "./graph-recording.ts";

/** What the log does not say of the run. */
export interface RecordedRunFacts {
  /** What `ctx.run.workflowId` says; the run's id unless given. */
  workflowId?: string;
  /** Those of the engine that ran it, where it had others than an engine has. */
  limits?: Partial<Limits>;
}

export interface ReplayGraphOpts extends RecordedRunFacts {
  /** strict (unless given): the first mismatch is thrown. lenient: each is given to `warn`, and the replay continues. */
  mode?: "strict" | "lenient";
  /** Decides about each mismatch, whatever the mode. */
  onDivergence?: (m: GraphMismatch) => "fail" | "continue";
  /** Is given each mismatch that does not stop the replay; standard error unless given. */
  warn?: (m: GraphMismatch) => void;
  /** The first and the last superstep; all unless given. */
  from?: number;
  to?: number;
}

const factNames = ["workflowId", "limits"] as const;
const replayOptions = new Set([...factNames, "mode", "onDivergence", "warn", "from", "to"]);

export interface GraphReplay {
  /** How many supersteps were run again. */
  readonly supersteps: number;
  readonly externalCalls: 0;
  readonly mismatches: readonly GraphMismatch[];
}

export async function replayRecordedGraph(g: AnyGraph, history: RecordedHistory, o: ReplayGraphOpts): Promise<GraphReplay> {
  checkOptions(o, replayOptions, "replayGraph");
  const { mode = "strict", onDivergence, warn = warnOnTerminal, from = 0, to = Infinity } = o;
  if (mode !== "strict" && mode !== "lenient") throw new PawlError("PAWL4011", 'mode is "strict" or "lenient"');
  const replayed = await openRecording(g, history, o);
  const mismatches: GraphMismatch[] = [];
  const { supersteps } = replayed.recording;
  const chosen = supersteps.filter(({ n }) => n >= from && n <= to);
  // A replay of nothing would find no mismatch.
  if (chosen.length === 0)
    throw new PawlError(
      "PAWL4011",
      `nothing is from superstep ${from} to ${to}: the history has ${supersteps[0]!.n} to ${supersteps.at(-1)!.n}`,
    );
  for (const s of chosen)
    for (const m of await compareSuperstep(replayed, s)) {
      mismatches.push(m);
      const then: unknown = onDivergence?.(m) ?? (mode === "strict" ? "fail" : "continue");
      if (then !== "fail" && then !== "continue")
        throw new PawlError("PAWL4011", 'onDivergence returns "fail" or "continue"', { cause: mismatchError(m) });
      if (then === "fail") throw mismatchError(m);
      warn(m);
    }
  return { supersteps: chosen.length, externalCalls: 0, mismatches };
}

/** By bisection: each half is run again from the recorded state before it, so what is known to fit is never run twice. */
export async function findFirstDivergence(g: AnyGraph, history: RecordedHistory, o: RecordedRunFacts): Promise<GraphMismatch | undefined> {
  checkOptions(o, new Set(factNames), "firstDivergence");
  const replayed = await openRecording(g, history, o);
  const { supersteps } = replayed.recording;
  const known = new Map<number, readonly GraphMismatch[]>();
  const differs = async (s: RecordedSuperstep): Promise<boolean> => {
    let found = known.get(s.n);
    if (found === undefined) known.set(s.n, (found = await compareSuperstep(replayed, s)));
    return found.length > 0;
  };
  const anyDiffers = async (from: number, to: number): Promise<boolean> => {
    for (let i = from; i < to; i++) if (await differs(supersteps[i]!)) return true;
    return false;
  };
  let [low, high] = [0, supersteps.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await anyDiffers(low, middle)) high = middle;
    else low = middle;
  }
  return (await differs(supersteps[low]!)) ? known.get(supersteps[low]!.n)![0] : undefined;
}

async function openRecording(g: AnyGraph, history: RecordedHistory, o: RecordedRunFacts): Promise<ReplayedGraph> {
  const built = graphBehind(g);
  if (built === undefined) throw new PawlError("PAWL4011", "replayGraph takes what graph() made");
  const platform = virtualPlatform({ seed: 1 });
  return {
    g: built,
    d: definitionOf(g),
    limits: checkLimits(o.limits),
    workflowId: o.workflowId,
    recording: readRecording(await historyEvents(history), built.name),
    quiet: () => platform.settle(),
  };
}

export function describeMismatch(m: GraphMismatch): string {
  const where =
    m.diff.length === 0
      ? ""
      : `; at ${m.diff
          .map((d) => (d.path === "" ? "the whole" : d.path))
          .slice(0, 5)
          .join(", ")}`;
  const routes = m.what === "route" ? ` (${m.expectedRoute.join(", ")} / ${m.actualRoute.join(", ")})` : "";
  return `superstep ${m.superstep}, node ${m.node}, attempt ${m.attempt}: ${m.what} differs: recorded ${m.expected}, now ${m.actual}${routes}${where}`;
}

function mismatchError(m: GraphMismatch): PawlError {
  const { what, superstep, node, attempt, expected, actual, expectedRoute, actualRoute, at } = m;
  return new PawlError("PAWL1006", describeMismatch(m), {
    data: {
      what,
      superstep,
      node,
      attempt,
      expected,
      actual,
      expectedRoute: expectedRoute.join(", "),
      actualRoute: actualRoute.join(", "),
      at,
    },
  });
}

function warnOnTerminal(m: GraphMismatch): void {
  writeErr(`replay: ${describeMismatch(m)}\n`);
}
