// Commits with all that hangs on them, inside an open transaction: the rows and events first, in one statement for all;
// then answers to messages, views, children, notices and moved messages, each in one statement for all. So the number of round
// trips does not grow with the batch. Commits that touch each other's runs are applied one group after the other, because
// within a statement none sees what another wrote.
import { goesAlone } from "../batch-rules.ts";
import { followsContinuation } from "../rules.ts";
import { noticeKey } from "../keys.ts";
import type { Commit, CommitAnswer, ChildCreateResult, Renewal } from "../port.ts";
import { isCreate, manyQuery } from "./commit-sql.ts";
import type { QueryResult, Row } from "./wire/driver.ts";
import { booleanArray, numberArray, textArray } from "./wire/array-parameters.ts";
import { LockConflict } from "./errors.ts";
import type { BoundSession } from "./wire/session.ts";
import { refusalsOf } from "./refusals.ts";
import { writeAlone } from "./queues/commit-alone.ts";
import { marksInStatement } from "./queues/commit-parts.ts";

export interface WrittenRun {
  readonly persistedAt: number;
  readonly dueAt: number | null;
}
/** A Commit of a group that was written, with its place. */
interface WrittenCommit {
  readonly c: Commit;
  readonly i: number;
  readonly w: WrittenRun;
}
type Committed = Extract<CommitAnswer, { kind: "committed" }>;

const noChildren: readonly ChildCreateResult[] = [];
/** How often a Commit without a reason for its refusal is tried inside one transaction. */
const triesMax = 3;

/** One statement does it all: the row, its events, what was taken from its inbox. */
export function isPlain(c: Commit): boolean {
  return c.views.length + c.children.length + c.notices.length === 0 && c.moveInboxTo === null && marksInStatement(c);
}

export function toWrittenRun(row: Row): WrittenRun {
  return { persistedAt: row["persisted_at"] as number, dueAt: row["due_at"] as number | null };
}

export function readWrittenRuns(a: QueryResult): { byRun: Map<string, WrittenRun>; renewed: boolean } {
  const byRun = new Map<string, WrittenRun>();
  let renewed = false;
  for (const row of a.rows) {
    const runId = row["run_id"] as string | null;
    if (runId === null) renewed = true;
    else byRun.set(runId, toWrittenRun(row));
  }
  return { byRun, renewed };
}

export function committedAnswer(w: WrittenRun, children: readonly ChildCreateResult[] = noChildren): Committed {
  return { kind: "committed", persistedAt: w.persistedAt, dueAt: w.dueAt, children };
}

/** Whether nothing hangs on any of them, and none speaks to another. Steps of as many runs as there are Commits never do. */
export function isOneStatement(batch: readonly Commit[]): boolean {
  const ids = new Set<string>();
  let alone = true;
  for (const c of batch) {
    if (!isPlain(c)) return false;
    ids.add(c.runId);
    alone &&= !isCreate(c) || c.expect.create.supersedes === null;
  }
  return (alone && ids.size === batch.length) || independentGroups(batch).length === 1;
}

/** Groups in which no Commit touches a run that another one of the group touches or speaks to. */
export function independentGroups(batch: readonly Commit[]): (readonly Commit[])[] {
  if (batch.length === 1) return [batch];
  const out: Commit[][] = [];
  let group: Commit[] = [];
  let written = new Set<string>();
  let spokenTo = new Set<string>();
  for (const c of batch) {
    const writes = [c.runId, ...c.children.map((x) => x.runId)];
    const speaks = c.notices.map((n) => n.toRunId);
    if (c.moveInboxTo !== null) speaks.push(c.moveInboxTo);
    for (const x of [c, ...c.children]) if (isCreate(x) && x.expect.create.supersedes !== null) speaks.push(x.expect.create.supersedes);
    const meets = writes.some((id) => written.has(id) || spokenTo.has(id)) || speaks.some((id) => written.has(id));
    if (meets) {
      out.push(group);
      [group, written, spokenTo] = [[], new Set(), new Set()];
    }
    group.push(c);
    for (const id of writes) written.add(id);
    for (const id of speaks) spokenTo.add(id);
  }
  if (group.length > 0) out.push(group);
  return out;
}

/** Inside a transaction: every Commit with its answer, in order. */
export async function applyAll(
  r: BoundSession,
  batch: readonly Commit[],
  renewal?: Renewal,
  born?: ReadonlyMap<Commit, number>,
): Promise<{ answers: CommitAnswer[]; renewed: boolean }> {
  const answers: CommitAnswer[] = [];
  let renewed = false;
  let ride = renewal;
  for (const group of independentGroups(batch)) {
    const done = await applyGroup(r, group, ride, born);
    answers.push(...done.answers);
    renewed ||= done.renewed;
    ride = undefined;
  }
  return { answers, renewed };
}

async function applyGroup(
  r: BoundSession,
  group: readonly Commit[],
  renewal: Renewal | undefined,
  born: ReadonlyMap<Commit, number> | undefined,
): Promise<{ answers: CommitAnswer[]; renewed: boolean }> {
  const { schema, clock } = r.settings;
  const answers: (CommitAnswer | undefined)[] = group.map(() => undefined);
  const done: WrittenCommit[] = [];
  let renewed = false;
  let left = group.map((c, i) => ({ c, i }));
  for (let n = 1; left.length > 0 && n <= triesMax; n++) {
    const commits = left.map((x) => x.c);
    const told = readWrittenRuns(await r.query(manyQuery(schema, clock(), commits, n === 1 ? renewal : undefined, born)));
    renewed ||= told.renewed;
    const refused: typeof left = [];
    for (const x of left) {
      const w = told.byRun.get(x.c.runId);
      if (w === undefined) refused.push(x);
      else done.push({ ...x, w });
    }
    const unwritten = refused.map((x) => x.c);
    const reasons = await refusalsOf(r, unwritten);
    for (const [k, x] of refused.entries()) answers[x.i] = reasons[k];
    // A create without a reason: what was in its way has just gone. A row that is locked is the caller's to ask again.
    left = refused.filter((x, k) => reasons[k] === undefined && isCreate(x.c));
  }
  done.sort((x, y) => x.i - y.i);
  const written = done.map((d) => d.c);
  // Rows beside the log come before dispatches, and both before what is put into an inbox: the one order of locks.
  for (const { c, w } of done) if (goesAlone(c)) await writeAlone(r, c, w.persistedAt);
  await markInbox(
    r,
    written.filter((c) => !marksInStatement(c)),
  );
  await putViews(r, written);
  const fates = await createChildren(r, done);
  for (const [k, d] of done.entries()) answers[d.i] = committedAnswer(d.w, fates[k]);
  await notify(r, done);
  await moveInbox(r, written);
  return { answers: answers.map((x) => x ?? { kind: "busy" }), renewed };
}

/** A child is a Commit of its own, with all that may hang on it; its fate is a value (K9). */
async function createChildren(r: BoundSession, done: readonly WrittenCommit[]): Promise<readonly (readonly ChildCreateResult[])[]> {
  const born = new Map<Commit, number>();
  for (const { c, w } of done) for (const child of c.children) if (isCreate(child)) born.set(child, w.persistedAt);
  if (born.size === 0) return done.map(({ c }) => (c.children.length === 0 ? noChildren : c.children.map(() => ({ kind: "created" }))));
  const children = [...born.keys()];
  const { answers } = await applyAll(r, children, undefined, born);
  const fates = new Map<Commit, ChildCreateResult>();
  for (const [i, child] of children.entries()) {
    const answer = answers[i];
    // Somebody is creating the same run at this moment, and may yet fail: the parent's Commit is asked again as a whole.
    if (answer === undefined || answer.kind === "busy") throw new LockConflict();
    fates.set(child, answer.kind === "conflict" ? { kind: "conflict", existing: answer.existing } : { kind: "created" });
  }
  return done.map(({ c }) => c.children.map((child) => fates.get(child) ?? { kind: "created" }));
}

/** What a Commit says about one row of its run's inbox. */
interface InboxMark {
  readonly inboxId: number;
  readonly runId: string;
  taken: boolean;
  consumed: boolean;
  reply: string | null;
  rejected: string | null;
}

async function markInbox(r: BoundSession, commits: readonly Commit[]): Promise<void> {
  const marks = new Map<string, InboxMark>();
  for (const { runId, taken, consumed, replies, rejected } of commits) {
    const of = (inboxId: number): InboxMark => {
      const key = `${inboxId}/${runId}`;
      let m = marks.get(key);
      if (m === undefined) marks.set(key, (m = { inboxId, runId, taken: false, consumed: false, reply: null, rejected: null }));
      return m;
    };
    for (const id of taken) of(id).taken = true;
    for (const id of consumed) Object.assign(of(id), { taken: true, consumed: true });
    for (const x of replies) of(x.inboxId).reply = x.reply;
    for (const x of rejected ?? []) of(x.inboxId).rejected = x.reason;
  }
  if (marks.size === 0) return;
  const all = [...marks.values()];
  await r.executeUnprepared(
    "mark",
    numberArray(all.map((m) => m.inboxId)),
    textArray(all.map((m) => m.runId)),
    booleanArray(all.map((m) => m.taken)),
    booleanArray(all.map((m) => m.consumed)),
    textArray(all.map((m) => m.reply)),
    textArray(all.map((m) => m.rejected)),
  );
}

async function putViews(r: BoundSession, commits: readonly Commit[]): Promise<void> {
  const last = new Map<string, { runId: string; name: string; value: string }>();
  for (const c of commits) for (const v of c.views) last.set(`${c.runId.length}/${c.runId}${v.name}`, { runId: c.runId, ...v });
  if (last.size === 0) return;
  const all = [...last.values()];
  await r.execute("putViews", textArray(all.map((v) => v.runId)), textArray(all.map((v) => v.name)), textArray(all.map((v) => v.value)));
}

async function notify(r: BoundSession, done: readonly { c: Commit; w: WrittenRun }[]): Promise<void> {
  const first = new Map<string, { n: Commit["notices"][number]; at: number }>();
  for (const { c, w } of done) {
    for (const n of c.notices) {
      const key = noticeKey(n);
      if (!first.has(key)) first.set(key, { n, at: w.persistedAt });
    }
  }
  if (first.size === 0) return;
  const all = [...first.values()];
  // Held first, by a statement of its own: a run that is just being continued is found settled by the next one, and followed.
  const followed = all.filter((x) => followsContinuation(x.n.kind)).map((x) => x.n.toRunId);
  if (followed.length > 0) await r.execute("hold", textArray(followed));
  await r.execute(
    "notify",
    textArray(all.map((x) => x.n.toRunId)),
    textArray(all.map((x) => x.n.kind)),
    textArray(all.map((x) => x.n.name)),
    textArray(all.map((x) => x.n.id)),
    textArray(all.map((x) => x.n.payload)),
    numberArray(all.map((x) => x.at)),
    textArray([...first.keys()]),
  );
}

async function moveInbox(r: BoundSession, commits: readonly Commit[]): Promise<void> {
  const moves = commits.filter((c) => c.moveInboxTo !== null);
  if (moves.length === 0) return;
  await r.executeUnprepared("moveInbox", textArray(moves.map((c) => c.runId)), textArray(moves.map((c) => c.moveInboxTo)));
}
