// Pages of runs for the stores that speak SQL. A page is one statement along one index; where rows may not match, another one comes first
// and finds the row up to which is looked (run-scan.ts). It reads that index alone. Neither ever reads more than `scanMax` rows of it, but
// for those that were written between the two.
import { checkQuery } from "../check-text.ts";
import { decodeCursor, type ListCursor, scopeKey } from "../keys.ts";
import type { RunQuery, Store } from "../port.ts";
import { isFiltered, runsPage, scanMaxDefault, type ScanOrder, scanOrder, statusesAsked } from "../run-scan.ts";
import { type Dialect, marks, type SqlParameter, textValue } from "./dialect.ts";

export interface ListStatement {
  readonly text: string;
  readonly values: readonly SqlParameter[];
}

/** Conditions that must all hold, with their values. */
export class Conditions {
  readonly #texts: string[] = [];
  readonly values: SqlParameter[] = [];

  add(text: string, ...values: readonly SqlParameter[]): void {
    this.#texts.push(text);
    this.values.push(...values);
  }

  equal(column: string, value: SqlParameter | undefined): void {
    if (value !== undefined) this.add(`${column} = ?`, value);
  }

  get text(): string {
    return this.#texts.join(" and ");
  }
}

/** Rows of the order: what an index finds, between the cursor and where the listing began. */
function inOrder(d: Dialect, q: RunQuery, order: ScanOrder): Conditions {
  const where = new Conditions();
  const scope = d.scopeValue(scopeKey(q.scope));
  if (order === "parent") {
    where.add(d.scopeBeside, scope);
    where.equal("parent_run_id", q.parentRunId);
  } else where.equal("scope", scope);
  if (order === "workflowId") where.equal("workflow_id", d.keyText(q.workflowId ?? ""));
  // Written out, not passed: an index with a condition is used only where the statement says the same.
  if (order === "decision") where.add("waiting = 'decision'");
  if (order === "status") {
    const { text, values } = d.ofStatuses(statusesAsked(q) ?? []);
    where.add(text, ...values);
  }
  if (q.since !== undefined) where.add("created_at >= ?", q.since);
  if (q.until !== undefined) where.add("created_at < ?", q.until);
  if (q.cursor !== undefined) addPlace(d, where, "<", decodeCursor(q.cursor));
  return where;
}

function addPlace(d: Dialect, where: Conditions, compare: "<" | ">=", { createdAt, runId }: ListCursor): void {
  if (d.comparesRows) where.add(`(created_at, run_id) ${compare} (?, ?)`, createdAt, runId);
  else if (compare === "<") where.add("created_at <= ? and (created_at < ? or run_id < ?)", createdAt, createdAt, runId);
  else where.add("created_at >= ? and (created_at > ? or run_id >= ?)", createdAt, createdAt, runId);
}

function addFilter(d: Dialect, where: Conditions, q: RunQuery, order: ScanOrder): void {
  const statuses = statusesAsked(q);
  if (statuses !== undefined) where.add(statuses.length === 0 ? "1 = 0" : `status in (${marks(statuses)})`, ...statuses);
  where.equal("workflow", q.workflow);
  if (order !== "parent") where.equal("parent_run_id", q.parentRunId);
  if (order !== "decision") where.equal("waiting", q.waiting);
  where.equal("error_code", q.errorCode);
  for (const [key, value] of Object.entries(q.tags ?? {})) {
    const tag = d.tag(key, value);
    where.add(tag.text, ...tag.values);
  }
}

/** Runs of one workflowId have no index in this order: they are found by it, and then sorted, never looked for among all runs. */
const newestFirst = (order: ScanOrder): string => `order by created_at${order === "workflowId" ? " + 0" : ""} desc, run_id desc`;

function from(d: Dialect, order: ScanOrder): string {
  return `from ${d.table("runs")}${d.runsIndex(order)}`;
}

/** The last row that is looked at; undefined where every row of the order matches. */
export function scanEndStatement(d: Dialect, q: RunQuery): ListStatement | undefined {
  const order = scanOrder(q, d.listsStatuses);
  if (!isFiltered(q, order)) return undefined;
  const where = inOrder(d, q, order);
  const text = `select created_at, run_id ${from(d, order)} where ${where.text} ${newestFirst(order)} limit 1 offset ?`;
  return { text, values: [...where.values, Math.max(1, q.scanMax ?? scanMaxDefault) - 1] };
}

export function runsStatement(d: Dialect, q: RunQuery, end?: ListCursor): ListStatement {
  const order = scanOrder(q, d.listsStatuses);
  const where = inOrder(d, q, order);
  if (end !== undefined) addPlace(d, where, ">=", end);
  addFilter(d, where, q, order);
  const text = `select ${d.runs.names} ${from(d, order)} where ${where.text} ${newestFirst(order)} limit ?`;
  return { text, values: [...where.values, q.limit + 1] };
}

export function sqlRuns(d: Dialect): Store["runs"] {
  return async (q) => {
    checkQuery(q);
    const bound = scanEndStatement(d, q);
    const [row] = bound === undefined ? [] : await d.read(bound.text, bound.values);
    const end = row === undefined ? undefined : { createdAt: Number(row["created_at"]), runId: textValue(row["run_id"]) };
    const { text, values } = runsStatement(d, q, end);
    const found = (await d.read(text, values)).map((r) => d.toRun(r));
    return runsPage(found, q.limit, end);
  };
}
