// The Commit as one statement: take the run's row where fence and version match, write it, insert its events; or insert the
// run. I3: nothing is written unless that row came back. Two shapes: arrays for many Commits, plain parameters for one.
// K7: many never wait for a row; one does, for as long as the session's lock time-out lets it. A Commit that settles a run or
// moves its inbox takes the row FOR UPDATE, which waits for messages that are just being accepted; a step does not (I9).
import { isSettled } from "../../core/model.ts";
import { scopeKey } from "../keys.ts";
import type { Commit, EffectWrite, EventWrite, NewRun, Renewal } from "../port.ts";
import { type Column, type ColumnKind, effectColumns, eventColumns, namesOf, runColumns } from "../sql/columns.ts";
import { putEffects } from "./effects.ts";
import { droppedPart, queueingOf, queueingParts, type QueueingShape, settling, unnestRows } from "./queues/commit-parts.ts";
import { ArrayParameter } from "./wire/array-parameters.ts";
import type { Bind, Query } from "./wire/driver.ts";
import { clockCte, nowSql, runNames, settledStatuses } from "./sql.ts";

type Advance = Commit & { readonly expect: { readonly fence: { epoch: number; token: string }; readonly stateVersion: number } };
type Create = Commit & { readonly expect: { readonly create: NewRun } };

export function isCreate(c: Commit): c is Create {
  return "create" in c.expect;
}

/** Must wait until no message for this run is under way. */
export function closesInbox(c: Commit): boolean {
  return isSettled(c.status) || c.moveInboxTo !== null;
}

const advanceColumns: readonly Column<Advance>[] = [
  { name: "run_id", kind: "text", of: (c) => c.runId },
  { name: "epoch", kind: "bigint", of: (c) => c.expect.fence.epoch },
  { name: "token", kind: "text", of: (c) => c.expect.fence.token },
  { name: "state_version", kind: "bigint", of: (c) => c.expect.stateVersion },
  { name: "commit_id", kind: "text", of: (c) => c.commitId },
  { name: "status", kind: "text", of: (c) => c.status },
  { name: "waiting", kind: "text", of: (c) => c.waiting },
  { name: "head_seq", kind: "bigint", of: (c) => c.events.at(-1)?.runSeq ?? null },
  { name: "head_link", kind: "text", of: (c) => c.events.at(-1)?.link ?? null },
  { name: "due_at", kind: "bigint", of: (c) => (isSettled(c.status) ? null : c.due.at) },
  { name: "due_in", kind: "bigint", of: (c) => (isSettled(c.status) ? null : c.due.inMs) },
  { name: "free", kind: "boolean", of: (c) => c.release || isSettled(c.status) },
  { name: "exact", kind: "boolean", of: (c) => c.exactVersion ?? null },
  { name: "not_before", kind: "bigint", of: (c) => c.notBefore },
];
/** Only of a Commit that ends its run: a step is spared the parameter. */
const errorColumn: Column<Advance> = { name: "error_code", kind: "text", of: (c) => c.errorCode ?? null };
const closingColumns: readonly Column<Advance>[] = [...advanceColumns, errorColumn];
const closesColumn: Column<Advance> = { name: "closes", kind: "boolean", of: closesInbox };

const createColumns: readonly Column<Create>[] = [
  { name: "run_id", kind: "text", of: (c) => c.runId },
  { name: "scope", kind: "text", of: (c) => scopeKey(c.expect.create.scope) },
  { name: "workflow_id", kind: "text", of: (c) => c.expect.create.workflowId },
  { name: "workflow", kind: "text", of: (c) => c.expect.create.workflow },
  { name: "version", kind: "text", of: (c) => c.expect.create.version },
  { name: "status", kind: "text", of: (c) => c.status },
  { name: "waiting", kind: "text", of: (c) => c.waiting },
  { name: "owner", kind: "text", of: (c) => (c.release || isSettled(c.status) ? null : c.expect.create.owner) },
  { name: "epoch", kind: "bigint", of: (c) => c.expect.create.fence.epoch },
  { name: "token", kind: "text", of: (c) => c.expect.create.fence.token },
  { name: "commit_id", kind: "text", of: (c) => c.commitId },
  { name: "head_seq", kind: "bigint", of: (c) => c.events.at(-1)?.runSeq ?? 0 },
  { name: "head_link", kind: "text", of: (c) => c.events.at(-1)?.link ?? "" },
  { name: "due_at", kind: "bigint", of: (c) => (isSettled(c.status) ? null : c.due.at) },
  { name: "due_in", kind: "bigint", of: (c) => (isSettled(c.status) ? null : c.due.inMs) },
  { name: "deadline_in", kind: "bigint", of: (c) => c.expect.create.deadlineInMs },
  { name: "tags", kind: "text", of: (c) => JSON.stringify(c.expect.create.tags) },
  { name: "input_digest", kind: "text", of: (c) => c.expect.create.inputDigest },
  { name: "idempotency_key", kind: "text", of: (c) => c.expect.create.idempotencyKey },
  { name: "original_run_id", kind: "text", of: (c) => c.expect.create.originalRunId },
  { name: "root_run_id", kind: "text", of: (c) => c.expect.create.rootRunId },
  { name: "parent_run_id", kind: "text", of: (c) => c.expect.create.parentRunId },
  { name: "parent_step_id", kind: "text", of: (c) => c.expect.create.parentStepId },
  { name: "exact_version", kind: "boolean", of: (c) => c.exactVersion === true },
  { name: "origin", kind: "text", of: (c) => c.expect.create.origin ?? "engine" },
  { name: "supersedes", kind: "text", of: (c) => c.expect.create.supersedes },
  { name: "error_code", kind: "text", of: (c) => c.errorCode ?? null },
];

/** When a child is created: at its parent's time, which may be ahead of a clock that was set back. */
const bornAtColumn = { name: "born_at", kind: "bigint" } as const;

const eventNames = namesOf(eventColumns);

function arrayOf<T>({ kind, of }: Column<T>, rows: readonly T[]): ArrayParameter<T> {
  return new ArrayParameter(kind, of, rows);
}

const itself = (id: string): string => id;

/** I3, I8, I10: what must hold for `r` before the Commit `i` may write. */
const fence =
  `r.run_id = i.run_id and r.epoch = i.epoch and r.token = i.token and r.state_version = i.state_version and r.commit_id <> i.commit_id ` +
  `and not (r.status in ${settledStatuses} and r.origin = 'engine') and (i.not_before is null or i.not_before <= clock.now)`;

/** The row's new values. P-12: persisted_at never goes back, even if the clock did; least() steps over nulls. */
const advanceExpressions: Readonly<Record<string, string>> = {
  status: "i.status",
  waiting: "i.waiting",
  owner: "case when i.free then null else r.owner end",
  state_version: "r.state_version + 1",
  commit_id: "i.commit_id",
  head_seq: "coalesce(i.head_seq, r.head_seq)",
  head_link: "coalesce(i.head_link, r.head_link)",
  persisted_at: "greatest(clock.now, r.persisted_at)",
  due_at: "least(i.due_at, greatest(clock.now, r.persisted_at) + i.due_in)",
  idle_claims: "0",
  exact_version: "coalesce(i.exact, r.exact_version)",
};
/** The same of a Commit that ends its run. */
const closingExpressions: Readonly<Record<string, string>> = { ...advanceExpressions, error_code: "coalesce(i.error_code, r.error_code)" };
const answerColumns = "run_id, persisted_at, due_at, state_version";

const createExpressions: Readonly<Record<string, string>> = {
  generation: "coalesce(x.generation, 0) + 1",
  state_version: "1",
  persisted_at: "coalesce(c.born_at, clock.now)",
  created_at: "coalesce(c.born_at, clock.now)",
  due_at: "least(c.due_at, coalesce(c.born_at, clock.now) + c.due_in)",
  deadline_at: "coalesce(c.born_at, clock.now) + c.deadline_in",
  idle_claims: "0",
  expired_at: "null::bigint",
  purged_at: "null::bigint",
};

/** A dispatch is of its run's scope. */
function answersOf(q: QueueingShape): string {
  return q.dispatches ? `${answerColumns}, scope` : answerColumns;
}

function createSql(s: string, from: string, answers: string): string {
  return (
    `insert into ${s}.runs (${runNames}) select ${runColumns.map(({ name }) => createExpressions[name] ?? `c.${name}`).join(", ")} from ${from} cross join clock ` +
    `left join lateral (select x.run_id, x.status, x.generation from ${s}.runs x where x.scope = c.scope and x.workflow_id = c.workflow_id ` +
    `order by x.generation desc limit 1) x on true where x.run_id is null or (x.run_id = c.supersedes and x.status in ${settledStatuses}) ` +
    `on conflict do nothing returning ${answers}`
  );
}

interface Shape extends QueueingShape {
  readonly advances: boolean;
  readonly closes: boolean;
  readonly creates: boolean;
  readonly events: boolean;
  readonly effects: boolean;
  readonly renews: boolean;
}

function manyColumns(closes: boolean): readonly Column<Advance>[] {
  return [...(closes ? closingColumns : advanceColumns), closesColumn];
}

function manyText(s: string, shape: Shape): string {
  const parts: string[] = [clockCte];
  const answers = answersOf(shape);
  let next = 2;
  const take = (columns: readonly { name: string; kind: ColumnKind }[]): string => {
    const text = unnestRows(columns, next);
    next += columns.length;
    return text;
  };
  const written: string[] = [];
  if (shape.advances) {
    const expressions = shape.closes ? closingExpressions : advanceExpressions;
    parts.push(`i as materialized (${take(manyColumns(shape.closes))})`);
    const columns = runColumns.map(({ name }) => `${expressions[name] ?? `r.${name}`} as ${name}`).join(", ");
    const locked = (mode: string, which: string): string =>
      `select ${columns} from i cross join clock cross join lateral (select ${runNames} from ${s}.runs r where ${fence} for ${mode} skip locked) r where ${which}`;
    const both = shape.closes ? ` union all ${locked("update", "i.closes")}` : "";
    parts.push(`locked as materialized (${locked("no key update", "not i.closes")}${both})`);
    // Rows that are locked, written through their key: an upsert that always finds its row is an update that the planner
    // cannot turn into a scan of all runs, however small the table was when the statement was prepared.
    const set = Object.keys(expressions).map((c) => `${c} = excluded.${c}`);
    parts.push(
      `advanced as (insert into ${s}.runs (${runNames}) select ${runNames} from locked on conflict (run_id) do update set ${set.join(", ")} returning ${answers})`,
    );
    written.push(`select ${answers} from advanced`);
  }
  if (shape.creates) {
    parts.push(`created as (${createSql(s, `(${take([...createColumns, bornAtColumn])}) c`, answers)})`);
    written.push(`select ${answers} from created`);
  }
  parts.push(
    `written as materialized (${written.length === 0 ? `select ${answers} from ${s}.runs where false` : written.join(" union all ")})`,
  );
  if (shape.events) {
    const from = take([{ name: "run_id", kind: "text" }, ...eventColumns]);
    const names = eventNames.replaceAll(/(\w+)/g, "e.$1");
    parts.push(
      `logged as (insert into ${s}.events (run_id, ${eventNames}, persisted_at, state_version) ` +
        `select w.run_id, ${names}, w.persisted_at, w.state_version from (${from}) e join written w on w.run_id = e.run_id)`,
    );
  }
  if (shape.effects) {
    const from = take([{ name: "run_id", kind: "text" }, ...effectColumns]);
    parts.push(`ledgered as (${putEffects(s, `(${from}) f join written w on w.run_id = f.run_id`)})`);
  }
  if (shape.closes) parts.push(droppedPart(s, settling));
  parts.push(...queueingParts(s, shape, take));
  if (shape.renews) {
    parts.push(
      `renewed as (update ${s}.engines g set lease_until = clock.now + $${next + 1}, renewed_at = clock.now from clock ` +
        `where g.engine_id = $${next} and not g.dead returning g.engine_id)`,
    );
  }
  const renewal = shape.renews ? " union all select null, null, null from renewed" : "";
  return `with ${parts.join(", ")} select run_id, persisted_at, due_at from written${renewal}`;
}

const cache = new Map<string, string>();
function cached(key: string, make: () => string): string {
  let text = cache.get(key);
  if (text === undefined) cache.set(key, (text = make()));
  return text;
}

/** Rows are taken in the order of their ids, in every batch alike; runs are created in the order they were asked for (K9). */
export function manyQuery(
  s: string,
  at: number | null,
  commits: readonly Commit[],
  renewal: Renewal | undefined,
  born?: ReadonlyMap<Commit, number>,
): Query {
  const advances = commits.filter((c): c is Advance => !isCreate(c)).toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
  const creates = commits.filter(isCreate);
  const events: EventWrite[] = [];
  const runIds: string[] = [];
  const effects: EffectWrite[] = [];
  const effectRuns: string[] = [];
  for (const c of commits) {
    for (const e of c.events) {
      events.push(e);
      runIds.push(c.runId);
    }
    if (c.effects === undefined) continue;
    for (const e of c.effects) {
      effects.push(e);
      effectRuns.push(c.runId);
    }
  }
  const queueing = queueingOf(commits, "batch");
  const shape: Shape = {
    advances: advances.length > 0,
    closes: advances.some(closesInbox),
    creates: creates.length > 0,
    events: events.length > 0,
    effects: effects.length > 0,
    renews: renewal !== undefined,
    ...queueing.shape,
  };
  const values: Bind[] = [at];
  if (shape.advances) for (const c of manyColumns(shape.closes)) values.push(arrayOf(c, advances));
  if (shape.creates) {
    for (const c of createColumns) values.push(arrayOf(c, creates));
    values.push(new ArrayParameter(bornAtColumn.kind, (c: Commit) => born?.get(c) ?? null, creates));
  }
  if (shape.events) {
    values.push(new ArrayParameter("text", itself, runIds));
    for (const c of eventColumns) values.push(arrayOf(c, events));
  }
  if (shape.effects) {
    values.push(new ArrayParameter("text", itself, effectRuns));
    for (const c of effectColumns) values.push(arrayOf(c, effects));
  }
  values.push(...queueing.values);
  if (renewal !== undefined) values.push(renewal.engineId, renewal.leaseMs);
  const name = `many${Object.values(shape).map(Number).join("")}`;
  return { name: `pawl_${name}`, text: cached(`${s}/${name}`, () => manyText(s, shape)), values };
}

/** More events than this in one Commit, and the arrays are the better form. */
export const plainEventsMax = 4;

function oneText(s: string, kind: "step" | "close" | "create", events: number, effects: number, queueing: QueueingShape): string {
  const columns: readonly { name: string; kind: ColumnKind }[] =
    kind === "create" ? [...createColumns, bornAtColumn] : kind === "close" ? closingColumns : advanceColumns;
  const place = (name: string): string => {
    const at = columns.findIndex((c) => c.name === name);
    return `$${at + 2}::${columns[at]!.kind}`;
  };
  const name = kind === "create" ? "c" : "i";
  const row = `(select ${columns.map((c) => `${place(c.name)} as ${c.name}`).join(", ")}) ${name}`;
  const set = Object.entries(kind === "close" ? closingExpressions : advanceExpressions).map(([c, value]) => `${c} = ${value}`);
  const answers = answersOf(queueing);
  const returning = answers.replaceAll(/(\w+)/g, "r.$1");
  const parts: string[] = [];
  if (kind === "create") parts.push(clockCte, `written as (${createSql(s, row, answers)})`);
  else if (kind === "close")
    parts.push(
      clockCte,
      `held as materialized (select r.run_id from ${s}.runs r, ${row}, clock where ${fence} for update of r)`,
      `written as (update ${s}.runs r set ${set.join(", ")} from ${row}, clock where ${fence} and exists (select 1 from held) returning ${returning})`,
      droppedPart(s, "written w"),
    );
  else {
    // Every step passes here: with nothing to join, the server sets up no more than a look into one index.
    const inline = (sql: string): string => sql.replaceAll(/\bi\.(\w+)/g, (_, c: string) => place(c)).replaceAll("clock.now", nowSql);
    parts.push(`written as (update ${s}.runs r set ${inline(set.join(", "))} where ${inline(fence)} returning ${returning})`);
  }
  let next = columns.length + 2;
  const rowsOf = (n: number, of: readonly { name: string; kind: ColumnKind }[]): string =>
    Array.from({ length: n }, () => `(${of.map((c) => `$${next++}::${c.kind}`).join(", ")})`).join(", ");
  const logged = rowsOf(events, eventColumns);
  if (effects > 0) {
    const from = `written w cross join (values ${rowsOf(effects, effectColumns)}) f (${namesOf(effectColumns)})`;
    parts.push(`ledgered as (${putEffects(s, from)})`);
  }
  const take = (of: readonly { name: string; kind: ColumnKind }[]): string => {
    const text = unnestRows(of, next);
    next += of.length;
    return text;
  };
  parts.push(...queueingParts(s, queueing, take));
  if (events === 0) return `with ${parts.join(", ")} select run_id, persisted_at, due_at from written`;
  // The answer is read off the events, which know when they were written: one thing less to set up.
  return (
    `with ${parts.join(", ")} insert into ${s}.events (run_id, ${eventNames}, persisted_at, state_version) select w.run_id, e.*, ` +
    `w.persisted_at, w.state_version from written w cross join (values ${logged}) e (${eventNames}) ` +
    `returning run_id, persisted_at, least(${place("due_at")}, persisted_at + ${place("due_in")}) as due_at`
  );
}

function suffixOf(q: QueueingShape): string {
  return q.dispatches || q.ends || q.snapshots || q.marks || q.checkpoints
    ? `_${Number(q.dispatches)}${Number(q.ends)}${Number(q.snapshots)}${Number(q.marks)}${Number(q.checkpoints)}`
    : "";
}

/** A batch of one, without arrays: half the work of the other form for the server and the driver. */
export function oneQuery(s: string, at: number | null, c: Commit): Query {
  const kind = isCreate(c) ? "create" : closesInbox(c) ? "close" : "step";
  const values: Bind[] = [at];
  if (isCreate(c)) {
    for (const column of createColumns) values.push(column.of(c));
    values.push(null);
  } else for (const column of kind === "close" ? closingColumns : advanceColumns) values.push(column.of(c as Advance));
  for (const e of c.events) for (const column of eventColumns) values.push(column.of(e));
  const effects = c.effects ?? [];
  for (const e of effects) for (const column of effectColumns) values.push(column.of(e));
  const queueing = queueingOf([c], "batch");
  values.push(...queueing.values);
  const name = `one_${kind}_${c.events.length}_${effects.length}${suffixOf(queueing.shape)}`;
  const text = cached(`${s}/${name}`, () => oneText(s, kind, c.events.length, effects.length, queueing.shape));
  return { name: `pawl_${name}`, text, values };
}
