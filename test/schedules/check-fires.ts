// What must be true of a schedule's records and runs at any moment, as somebody sees it who only looks: each due time once, none early, each started
// one has its run, and no run is without a record. It must never change anything.
import type { Client } from "../../src/client/types.ts";

/** `everyMs`: due times are its multiples, one after the other without a gap. */
export async function scheduleProblems(client: Pick<Client, "schedules" | "list">, name: string, everyMs: number): Promise<string[]> {
  const problems: string[] = [];
  const { fires } = await client.schedules.get(name, { fires: 1000 });
  const runs = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const page = await client.list({ tags: { schedule: name }, limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
    for (const r of page.runs) {
      if (runs.has(r.workflowId)) problems.push(`${r.workflowId} has two runs`);
      runs.set(r.workflowId, r.runId);
      if (Date.parse(r.createdAt) < Date.parse(r.workflowId.slice(name.length + 1))) problems.push(`${r.workflowId} is early`);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  let last: number | undefined;
  for (const f of fires.toReversed()) {
    const due = Date.parse(f.due);
    if (last !== undefined && due !== last + everyMs && f.before === undefined)
      problems.push(`${f.due} does not follow ${new Date(last).toISOString()}`);
    last = f.before === undefined ? due : Date.parse(f.before) - everyMs;
    if (Date.parse(f.at) < due) problems.push(`${f.due} was recorded early`);
    const id = `${name}/${f.due}`;
    if (f.did === "started" && runs.get(id) !== f.runId)
      problems.push(`${f.due} started ${f.runId}, and its id has ${runs.get(id) ?? "no run"}`);
    if (f.did === "started") runs.delete(id);
  }
  for (const id of runs.keys()) problems.push(`${id} has a run and no record`);
  return problems;
}
