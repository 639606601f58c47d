// run(): zero ceremony. Opens the nearest store, recovers what it knows, runs one workflow, returns when its run has
// settled, hands other runs back, and leaves nothing that keeps the process alive. The same id attaches or resumes.
import type { AnyWorkflow, InputArgs, OutputOf } from "../workflow/types.ts";
import type { Cancel } from "../platform/platform.ts";
import type { Store } from "../store/port.ts";
import type { Client } from "./types.ts";
import { openEngine, type SealOpts, type StartOpts, type Surroundings } from "./engine.ts";

export type RunOpts = Omit<StartOpts, "tx"> & { store?: string | Store; seal?: SealOpts | false };

/** How long steps of other runs may finish before they are handed back. */
const handBackMs = 5_000;
/** How often a run that has not ended is looked at. */
const lookMs = 1_000;

export async function runOnce<W extends AnyWorkflow>(around: Surroundings, wf: W, ...args: InputArgs<W, RunOpts>): Promise<OutputOf<W>> {
  const [input, opts = {}] = args as [unknown, RunOpts?];
  const { store, seal, ...start } = opts;
  const { engine, core, client } = await openEngine(around, {
    workflows: [wf],
    ...(store === undefined ? {} : { store }),
    ...(seal === undefined ? {} : { seal }),
  });
  try {
    const handle = await engine.start(wf, ...([input, start] as unknown as InputArgs<W, StartOpts>));
    const left = new Map<string, number>();
    for (const run of (await client.list({ status: ["PENDING", "RUNNING"], limit: 1_000 })).runs)
      if (core.definition(run.workflow) === undefined && run.parentRunId === undefined)
        left.set(run.workflow, (left.get(run.workflow) ?? 0) + 1);
    for (const [name, n] of left)
      around.log("warn", `left alone: ${n} unfinished run${n === 1 ? "" : "s"} of workflow ${name}, whose code is not here`);
    const leave = tellOfWaits(around, client, handle.workflowId);
    try {
      return await handle.result();
    } finally {
      leave();
    }
  } finally {
    await engine.stop({ grace: handBackMs });
  }
}

/** A run that only a person can let go on would keep its program silent for good: it says so, each time that comes about. */
function tellOfWaits(around: Surroundings, client: Client, id: string): Cancel {
  let over = false;
  let told: string | undefined;
  let next: Cancel = () => {};
  const look = async (): Promise<void> => {
    const run = await client.get(id).catch(() => undefined); // a store that is away is told elsewhere
    if (over) return;
    const says =
      run?.waiting === "decision"
        ? `${id} waits for a person: pawl decisions says what for`
        : run?.status === "PAUSED"
          ? `${id} is paused: pawl resume ${id}`
          : undefined;
    if (says !== undefined && says !== told) around.log("warn", says);
    told = says;
    next = around.platform.timer(lookMs, () => void look());
  };
  next = around.platform.timer(lookMs, () => void look());
  return () => {
    over = true;
    next();
  };
}
