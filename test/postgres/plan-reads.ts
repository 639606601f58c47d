// What a plan reads: which lines of it go through more of a table than is asked for. An index that is not listed here counts as read from end
// to end. For tests; nothing in the package imports it.
import { type Bind, bindable, type Connection } from "../../src/store/postgres/wire/driver.ts";

/** What an index must be asked for: less would go through more than the rows that are wanted. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  runs_pkey: ["run_id"],
  runs_generation: ["scope", "workflow_id"],
  runs_start_key: ["scope", "idempotency_key"],
  runs_due: ["owner"],
  events_pkey: ["run_id"],
  events_key: ["run_id", "idempotency_key"],
  inbox_pkey: ["inbox_id"],
  inbox_run: ["run_id"],
  inbox_dedup: ["dedup_key"],
  accepted_pkey: ["storage_key"],
  queues_pkey: ["scope", "queue"],
  dispatches_pkey: ["dispatch_id"],
  dispatches_seq: ["run_id"],
  dispatches_ready: ["scope", "queue"],
  dispatches_claimed: ["scope", "queue"],
  dispatches_held: ["scope", "queue"],
  dispatches_deadline: ["deadline_at"],
  dispatches_expires: ["expires_at"],
  // By one worker, or one step from a worker to the next.
  dispatches_worker: [],
  snapshots_pkey: ["run_id"],
  // A handful of rows: engines, and the messages that wake somebody.
  engines_pkey: [],
  inbox_wakes: [],
};

/** Lines of a plan that read more of a table than is asked for. */
export function broadReads(plan: readonly string[]): string[] {
  return plan.filter((l, n) => {
    if (/Seq Scan on (runs|events|inbox|accepted|queues|dispatches|snapshots)\b/.test(l)) return true;
    const index = /Scan (?:Backward )?using (\w+) on|Bitmap Index Scan on (\w+)/.exec(l);
    const name = index?.[1] ?? index?.[2];
    if (name === undefined) return false;
    const condition = /Index Cond: (.*)/.exec(plan[n + 1] ?? "")?.[1] ?? "";
    return !(wanted[name] ?? ["no such index"]).every((column) => condition.includes(column));
  });
}

const literal = (x: Bind): string => (x === null ? "null" : `'${String(bindable(x)).replaceAll("'", "''")}'`);

let made = 0;

/** The plan of a statement that was prepared without knowing its values, as the store's are. `how`: options of EXPLAIN. */
export async function planOf(c: Connection, text: string, values: readonly Bind[], how = ""): Promise<string[]> {
  const name = `plan_${++made}`;
  await c.exec(`prepare ${name} as ${text}`);
  const { rows } = await c.exec(`explain ${how} execute ${name}(${values.map(literal).join(", ")})`);
  return rows.map((r) => String(r["QUERY PLAN"]));
}
