// Orders of operators to all engines of a tenant: pause a workflow, resume it, drain an engine. Each is a row that engines look at about once a
// second; asked for twice it is the same order. It changes no run.
import type { ExplainedEngine, WorkflowView } from "../../api/types/operate.ts";
import { checkName } from "../../core/names.ts";
import { readDrains, removePause, writeDrain, writePause, type OperatorOrder } from "../../engine/publish/operator-orders.ts";
import { PawlError } from "../../errors/error.ts";
import { toTimeText } from "../../events/envelope.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { storeView } from "../views.ts";
import { listWorkflows } from "./workflow-views.ts";

interface Why {
  readonly reason?: string;
}

export async function pauseWorkflow(c: LocalClientDeps, workflow: string, o: Why = {}): Promise<WorkflowView> {
  await requireWorkflow(c, workflow);
  await writePause(c.store, c.scope, workflow, orderOf(c, o));
  return requireWorkflow(c, workflow);
}

export async function resumeWorkflow(c: LocalClientDeps, workflow: string): Promise<WorkflowView> {
  await requireWorkflow(c, workflow);
  await removePause(c.store, c.scope, workflow);
  return requireWorkflow(c, workflow);
}

/** The engines of this tenant, those that are alive first. */
export async function listEngines(c: LocalClientDeps): Promise<readonly ExplainedEngine[]> {
  const info = await c.store.info();
  const { engines } = storeView(c.store, info, c.scope);
  const alive = engines.filter((e) => e.alive);
  const drains = await readDrains(
    c.store,
    c.scope,
    alive.map((e) => e.engineId),
  );
  const views = engines.map((e): ExplainedEngine => {
    const order = drains.get(e.engineId);
    if (order === undefined) return e;
    const { since, ...rest } = order;
    return { ...e, draining: { since: toTimeText(since), ...rest } };
  });
  return [...views.filter((e) => e.alive), ...views.filter((e) => !e.alive)];
}

export async function drainEngine(c: LocalClientDeps, engineId: string, o: Why = {}): Promise<ExplainedEngine> {
  const find = async (): Promise<ExplainedEngine> => {
    const engine = (await listEngines(c)).find((e) => e.engineId === engineId);
    if (engine === undefined) throw new PawlError("PAWL4132", `there is no engine ${engineId}`, { data: { engineId } });
    return engine;
  };
  if (!(await find()).alive) throw new PawlError("PAWL4010", `engine ${engineId} is not alive: its runs are taken over already`);
  await writeDrain(c.store, c.scope, engineId, orderOf(c, o));
  return find();
}

async function requireWorkflow(c: LocalClientDeps, workflow: string): Promise<WorkflowView> {
  const found = (await listWorkflows(c, checkName(workflow, "the workflow's name")))[0];
  if (found === undefined) throw new PawlError("PAWL4008", `no engine has published workflow ${workflow}`, { data: { workflow } });
  return found;
}

function orderOf(c: LocalClientDeps, { reason }: Why): OperatorOrder {
  return { ...(c.by === undefined ? {} : { by: c.by }), ...(reason === undefined ? {} : { reason }) };
}
