// run(): zero ceremony. Opens the nearest store, recovers what it knows, runs one workflow, returns when its run has
// settled, hands other runs back, and leaves nothing that keeps the process alive. The same id attaches or resumes.
import type { AnyWorkflow, InputArgs, OutputOf } from "../workflow/types.ts";
import type { Cancel } from "../platform/platform.ts";
import { definitionOf } from "../workflow/registry.ts";
import type { RunRow, Store } from "../store/port.ts";
import type { Client, WhenDiverged } from "./types.ts";
import { chooseStore } from "./choose-store.ts";
import { defaultScope, type Environment } from "./environment.ts";
import { openEngine } from "./engine.ts";
import type { SealOpts, StartOpts } from "./engine-types.ts";

export type RunOpts = Omit<StartOpts, "tx"> & { store?: string | Store; seal?: SealOpts | false; whenDiverged?: WhenDiverged };

/** How long steps of other runs may finish before they are handed back. */
const handBackMs = 5_000;
/** How often a run that has not ended is looked at. */
const waitNoticeMs = 1_000;

export async function runOnce<W extends AnyWorkflow>(around: Environment, wf: W, ...args: InputArgs<W, RunOpts>): Promise<OutputOf<W>> {
  const [input, opts = {}] = args as [unknown, RunOpts?];
  const { store: _, seal, whenDiverged = "reject", ...start } = opts;
  definitionOf(wf); // refused before anything is opened
  const ready = await chooseStore(around, opts, around.production ?? false, around.log);
  let waiting: readonly RunRow[];
  try {
    // Looked at before anything is claimed: what is continued may have ended a moment later.
    // Not on a store that the engine will refuse: that comes before anything is read (W-114).
    const admitted = ready.store.capabilities().conditionalBatch;
    waiting = admitted ? await unfinishedRuns(ready.store) : [];
  } catch (e) {
    if (ready.opened) await ready.store.close();
    throw e;
  }
  // Its own notices say what it waits for (logWhenWaiting).
  const { engine, core, client } = await openEngine(
    around,
    { workflows: [wf], onDecision: () => {}, ...(seal === undefined ? {} : { seal }) },
    ready,
  );
  try {
    const handle = await engine.start(wf, ...([input, start] as unknown as InputArgs<W, StartOpts>));
    logUnknownRuns(around, handle, waiting, (name) => core.definition(name) !== undefined);
    const leave = logWhenWaiting(around, client, handle.workflowId);
    try {
      return await handle.result({ whenDiverged });
    } finally {
      leave();
    }
  } finally {
    await engine.stop({ grace: handBackMs });
  }
}

/** At most a thousand of them, page by page: a page may be empty and not the last. */
async function unfinishedRuns(store: Store): Promise<readonly RunRow[]> {
  const found: RunRow[] = [];
  let cursor: string | undefined;
  do {
    const limit = 1_000 - found.length;
    const page = await store.runs({
      scope: defaultScope,
      status: ["PENDING", "RUNNING"],
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.runs);
    cursor = page.cursor;
  } while (cursor !== undefined && found.length < 1_000);
  return found;
}

/** Nobody asked for other runs: which ones continue here, and which are left, is logged. */
function logUnknownRuns(
  around: Environment,
  own: { readonly runId: string; readonly workflowId: string },
  waiting: readonly RunRow[],
  knows: (workflow: string) => boolean,
): void {
  const others = new Map<string, string[]>();
  for (const run of waiting) {
    if (run.parentRunId !== null || run.origin !== "engine" || run.workflowId === own.workflowId) continue;
    others.set(run.workflow, [...(others.get(run.workflow) ?? []), run.workflowId]);
  }
  for (const [name, ids] of others) {
    const runs = `${ids.length} unfinished run${ids.length === 1 ? "" : "s"} of workflow ${name}`;
    const shown = `${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}`;
    if (!knows(name)) around.log("warn", `skipped ${runs}: this process does not have its code`);
    else around.log("warn", `besides ${own.workflowId}, this process continues ${runs}, unless another engine has them: ${shown}`);
  }
}

/** A run that only a person can let continue would keep its program silent for good: it says so, each time that comes about. */
function logWhenWaiting(around: Environment, client: Client, id: string): Cancel {
  let over = false;
  let told: string | undefined;
  let next: Cancel = () => {};
  const look = async (): Promise<void> => {
    const run = await client.get(id).catch(() => undefined); // an unreachable store is reported elsewhere
    if (over) return;
    const says =
      run?.waiting === "decision"
        ? `${id} waits for a person: pawl decisions says what for`
        : run?.status === "PAUSED"
          ? `${id} is paused: pawl resume ${id}`
          : undefined;
    if (says !== undefined && says !== told) around.log("warn", says);
    told = says;
    next = around.platform.timer(waitNoticeMs, () => void look());
  };
  next = around.platform.timer(waitNoticeMs, () => void look());
  return () => {
    over = true;
    next();
  };
}
