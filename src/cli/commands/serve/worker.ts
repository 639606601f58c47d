// `pawl worker <file>`: runs queued steps of the tasks that a file exports, until it is interrupted; then it finishes what it has begun. Without
// --queue it serves the queues of those tasks, and of the nodes of its DAGs. It must never start or own a run.
import { openWorker } from "../../../client/worker.ts";
import { PawlError } from "../../../errors/error.ts";
import { defaultEnvironment, openStore } from "../../../open.ts";
import { systemPlatform } from "../../../platform/system.ts";
import { definitionOf, isTask, isWorkflow, taskOf } from "../../../workflow/registry.ts";
import type { AnyWorkflow, Task } from "../../../workflow/types.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes, withLocation } from "../../output/report-error.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { loadUserModule } from "../../runs/load-file.ts";
import { resolveStoreUrl, resolveTenant } from "../../session.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";

export interface WorkerCommandOptions extends JsonOption, Pick<StoreOptions, "store" | "tenant"> {
  readonly queue?: readonly string[];
  readonly concurrency?: string;
}

/** Queues that were named, and that none of the code names: misspelt, perhaps. */
function unusedQueues(named: readonly string[], tasks: readonly Task<any, any>[], workflows: readonly AnyWorkflow[]): readonly string[] {
  const nodes = workflows.flatMap((wf) => definitionOf(wf).tasks?.() ?? []);
  const used = new Set([...tasks.map((t) => taskOf(t).queue?.queue), ...nodes.map((n) => n.queue?.queue)]);
  return named.filter((q) => !used.has(q));
}

export async function workerCommand([path]: readonly string[], o: WorkerCommandOptions): Promise<number> {
  const exported = Object.values(await loadUserModule(path!));
  const tasks: Task<any, any>[] = [...new Set(exported.filter(isTask))].filter((t) => taskOf(t).hasCode);
  const workflows: AnyWorkflow[] = [...new Set(exported.filter(isWorkflow))];
  if (tasks.length === 0 && workflows.length === 0)
    throw new PawlError("PAWL5005", `${path}: it exports no task`, { data: { path: path! } });
  const work = [...tasks.map(taskOf), ...workflows.flatMap((wf) => definitionOf(wf).tasks?.() ?? [])];
  const named = o.queue ?? [...new Set(work.flatMap((t) => t.queue?.queue ?? []))];
  if (named.length === 0)
    throw new PawlError(
      "PAWL4011",
      `${path}: it exports no task and no DAG with a queue; export what is to run, or name the queues to serve, such as --queue payments`,
    );
  const concurrency = o.concurrency === undefined ? undefined : Number(o.concurrency);
  const url = resolveStoreUrl(o, false);
  const platform = systemPlatform();
  const interrupt = listenForInterrupt();
  try {
    const worker = await openWorker(
      { ...defaultEnvironment(), platform, nearest: () => url, open: () => openStore(url, platform) },
      {
        tenant: resolveTenant(o),
        tasks,
        workflows,
        queues: Object.fromEntries(named.map((q) => [q, concurrency === undefined ? {} : { concurrency }])),
      },
    );
    const works = work.map((t) => t.id);
    if (o.json === true) printJson({ workerId: worker.workerId, queues: named, tasks: works });
    else {
      printNote(`worker ${worker.workerId} serves ${named.join(", ")}: ${works.join(", ")}`);
      for (const q of unusedQueues(named, tasks, workflows))
        printNote(`no task of ${path!} names queue ${q}: it gets only steps that a DAG sends there by name`);
    }
    await interrupt.requested;
    await worker.stop({ grace: "30s" });
    return exitCodes.ok;
  } catch (e) {
    throw withLocation(e, url);
  } finally {
    interrupt.stopListening();
  }
}
