// Workflows as their engines published them, for people and for programs without the code: versions, schemas, whether somebody serves them.
// It only reads.
import type { WorkflowVersionView, WorkflowView } from "../../api/types/operate.ts";
import type { MessageSchema } from "../../engine/definition.ts";
import { listPublished, type PublishedWorkflow } from "../../engine/publish/published-workflows.ts";
import { readPauses, type PausedWorkflow } from "../../engine/publish/operator-orders.ts";
import { toTimeText } from "../../events/envelope.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { newestVersion, servedVersions } from "../../engine/publish/live-engines.ts";

/** Ordered by name, each with its versions, the one that was published last first. */
export async function listWorkflows(c: LocalClientDeps, only?: string): Promise<readonly WorkflowView[]> {
  const { store, scope } = c;
  const [info, published, pauses] = await Promise.all([store.info(), listPublished(store, scope, only), readPauses(store, scope)]);
  const names = [...new Set(published.map((p) => p.name))].sort();
  return names.map((workflow) => {
    const rows = published.filter((p) => p.name === workflow);
    const serving = servedVersions(info, c.scope, workflow);
    const latest = newestVersion(rows, serving) ?? "";
    const versions = [...rows].sort((a, b) => b.publishedAt - a.publishedAt).map((p) => versionView(p, serving.has(p.version)));
    const pause = pauses.find((p) => p.workflow === workflow);
    return { workflow, versions, latest, served: serving.has(latest), ...(pause === undefined ? {} : { paused: pauseView(pause) }) };
  });
}

function pauseView({ since, by, reason }: PausedWorkflow): NonNullable<WorkflowView["paused"]> {
  return { since: toTimeText(since), ...(by === undefined ? {} : { by }), ...(reason === undefined ? {} : { reason }) };
}

function versionView(p: PublishedWorkflow, served: boolean): WorkflowVersionView {
  const all = (of: ReadonlyMap<string, MessageSchema | null>): Record<string, unknown> =>
    Object.fromEntries([...of].map(([name, schema]) => [name, shownSchema(schema)]));
  return {
    version: p.version,
    served,
    publishedAt: toTimeText(p.publishedAt),
    input: shownSchema(p.input),
    signals: all(p.signals),
    updates: all(p.updates),
    views: all(p.views),
    derivesId: p.derivesId,
  };
}

/** null: JSON Schema says nothing about it, and only the code can check it. */
function shownSchema(m: MessageSchema | null): unknown {
  if (m === null) return null;
  const empty = typeof m.schema === "object" && Object.keys(m.schema).every((k) => k === "$schema");
  return empty && !m.whole ? null : m.schema;
}
