// Retention and moving for the stores that speak SQL: one set of statements for all of them (dialect.ts). Each statement does one
// thing and costs a round trip. The run's row is locked first, in every verb.
import { isSettled } from "../../core/model.ts";
import { conflictingRun, keptByFacts, expiryExemptType, keptByItsRow, compareWithExisting } from "../archive.ts";
import type { Archive, CopiedMessage, PruneAnswer, PruneFacts, PruneQuery, InsertRunAnswer, RunCopy } from "../archive.ts";
import { acceptedResponse, noticeKey, scopeKey, storageKey } from "../keys.ts";
import type { EventRecord, InboxRow, RunRow } from "../port.ts";
import { checkText } from "../check-text.ts";
import { inboxColumnNames } from "./columns.ts";
import { type AcceptedCopy, chunks, type Dialect, insertRows, lockRun, type QueryFn, type SqlRow, textValue } from "./dialect.ts";

const eventsAtOnce = 1_000;

export function sqlArchive(d: Dialect): Archive {
  return {
    prune: (q) =>
      d.transact(
        (ask) => prune(d, ask, q),
        (a) => a.kind === "pruned",
      ),
    async move(q) {
      checkText("move", q.runId, q.token);
      return d.transact(
        async (ask) => {
          const run = await lockRun(d, ask, q.runId);
          if (run === undefined || run.origin !== q.from) return undefined;
          if (q.to === "moved" && (await hasDispatches(d, ask, q.runId))) return "queued";
          const due = isSettled(run.status) ? null : q.dueAt;
          const set = "origin = ?, epoch = epoch + 1, token = ?, owner = null, due_at = ?";
          await ask(`update ${d.table("runs")} set ${set} where run_id = ?`, [q.to, q.token, due, q.runId]);
          return run;
        },
        (run) => run !== undefined && run !== "queued",
      );
    },
    copyRun: (runId) =>
      d.transact(
        (ask) => copyOf(d, ask, runId),
        () => false,
      ),
    insertRun: (copy) =>
      d.transact(
        (ask) => insertRun(d, ask, copy),
        (a) => a.kind === "put",
      ),
  };
}

async function prune(d: Dialect, ask: QueryFn, q: PruneQuery): Promise<PruneAnswer> {
  const run = await lockRun(d, ask, q.runId);
  const out = keptByItsRow(run, q);
  if (out !== null || run === undefined) return { kind: "kept", because: out ?? "missing" };
  if (q.stage === "expire" && run.expiredAt !== null && !(await hasPayloads(d, ask, q.runId))) return { kind: "kept", because: "done" };
  const at = await d.nowMs(ask);
  const because = keptByFacts(run, await readFacts(d, ask, run, q), q, at);
  if (because !== null) return { kind: "kept", because };
  if (q.dryRun === true) return { kind: "pruned", more: false };
  if (q.stage === "expire") return { kind: "pruned", more: await expire(d, ask, run, q.limit, at) };
  if (q.stage === "purge") await purge(d, ask, run, at);
  else await forget(d, ask, run);
  return { kind: "pruned", more: false };
}

/** The runs of its workflowId, the last one first. */
async function runsOfWorkflowId(d: Dialect, ask: QueryFn, run: RunRow, tail: string): Promise<RunRow[]> {
  const where = `scope = ? and workflow_id = ? order by generation desc${tail}`;
  const values = [d.scopeValue(scopeKey(run.scope)), d.keyText(run.workflowId)];
  return (await ask(`select ${d.runs.names} from ${d.table("runs")} where ${where}`, values)).map((r) => d.toRun(r));
}

async function readFacts(d: Dialect, ask: QueryFn, run: RunRow, q: PruneQuery): Promise<PruneFacts> {
  const line = await runsOfWorkflowId(d, ask, run, " limit 2");
  const keys = q.unlessHeld.keys.map(() => "?").join(", ");
  const held = await ask(`select 1 as found from ${d.table("shelves")} where shelf = ? and ${d.kvKeyColumn} in (${keys}) limit 1`, [
    q.unlessHeld.collection,
    ...q.unlessHeld.keys,
  ]);
  const awaited = await ask(`select 1 as found from ${d.table("feed")} where run_id = ? limit 1`, [run.runId]);
  const remembered = await ask(
    `select max(a.expires_at) as until from ${d.table("inbox")} i join ${d.table("accepted")} a on a.${d.acceptedKeyColumn} = i.${d.dedupColumn} where i.run_id = ?`,
    [run.runId],
  );
  const until = remembered[0]?.["until"] ?? null;
  return {
    latest: line[0] ?? run,
    hasOtherRuns: line.length > 1,
    held: held.length > 0,
    queued: await hasDispatches(d, ask, run.runId),
    awaitedByConsumer: awaited.length > 0,
    rememberUntil: until === null ? null : Number(until),
  };
}

async function hasDispatches(d: Dialect, ask: QueryFn, runId: string): Promise<boolean> {
  return (await ask(`select 1 as found from ${d.table("dispatches")} where run_id = ? limit 1`, [runId])).length > 0;
}

/** What was made of payloads, beside the log. */
const derivedTables = ["views", "checkpoints", "snapshots"] as const;

/** Seals show no value of a user and prove the rest: theirs stay as long as the log does. */
const withPayload = `run_id = ? and payload is not null and event_type <> '${expiryExemptType}'`;

async function hasPayloads(d: Dialect, ask: QueryFn, runId: string): Promise<boolean> {
  return (await ask(`select 1 as found from ${d.table("events")} where ${withPayload} limit 1`, [runId])).length > 0;
}

/** A digest of a short value could be guessed, and a reason may quote it. */
const expiredMessage = "payload = null, reply = null, payload_digest = null, rejected = null";

/** True when payloads are left: the next transaction continues. From the first one on the row says that they are being removed. */
async function expire(d: Dialect, ask: QueryFn, run: RunRow, limit: number, at: number): Promise<boolean> {
  const { runId } = run;
  const left = await ask(`select run_seq from ${d.table("events")} where ${withPayload} order by run_seq limit ${limit + 1}`, [runId]);
  const last = left[Math.min(left.length, limit) - 1];
  if (last !== undefined) {
    const tombstones = `payload = null, salt = null where ${withPayload} and run_seq <= ?`;
    await ask(`update ${d.table("events")} set ${tombstones}`, [runId, Number(last["run_seq"])]);
  }
  for (const table of derivedTables) await ask(`delete from ${d.table(table)} where run_id = ?`, [runId]);
  const told = "run_id = ? and (payload is not null or reply is not null or payload_digest is not null or rejected is not null)";
  await ask(`update ${d.table("inbox")} set ${expiredMessage} where ${told}`, [runId]);
  await ask(`update ${d.table("effects")} set error = null where run_id = ? and error is not null`, [runId]);
  await ask(`update ${d.table("runs")} set expired_at = ? where run_id = ?`, [at, runId]);
  return left.length > limit;
}

async function purge(d: Dialect, ask: QueryFn, run: RunRow, at: number): Promise<void> {
  const { runId } = run;
  // Under a new epoch: a Commit that was made from a look at the log before finds itself fenced.
  const set = "purged_at = ?, expired_at = coalesce(expired_at, ?), epoch = epoch + 1";
  await ask(`update ${d.table("runs")} set ${set} where run_id = ?`, [at, at, runId]);
  for (const table of ["events", ...derivedTables, "effects"] as const)
    await ask(`delete from ${d.table(table)} where run_id = ?`, [runId]);
  // A message whose acceptance is on record keeps its place: that is how the record is found again.
  const bare = (
    await ask(
      `select i.inbox_id from ${d.table("inbox")} i left join ${d.table("accepted")} a on a.${d.acceptedKeyColumn} = i.${d.dedupColumn} ` +
        `where i.run_id = ? and a.run_id is null`,
      [runId],
    )
  ).map((r) => Number(r["inbox_id"]));
  for (const some of chunks(bare)) await ask(`delete from ${d.table("inbox")} where inbox_id in (${some.join(", ")})`);
  await ask(`update ${d.table("inbox")} set ${expiredMessage}, sent_by = null where run_id = ?`, [runId]);
}

/** Nothing of it is left, nor of what is known by it. */
async function forget(d: Dialect, ask: QueryFn, run: RunRow): Promise<void> {
  const { runId } = run;
  const [inbox, accepted] = [d.table("inbox"), d.table("accepted")];
  const found = await ask(
    `select i.inbox_id from ${inbox} i join ${accepted} a on a.${d.acceptedKeyColumn} = i.${d.dedupColumn} where i.run_id = ?`,
    [runId],
  );
  for (const some of chunks(found.map((r) => Number(r["inbox_id"]))))
    await ask(
      `delete from ${accepted} where ${d.acceptedKeyColumn} in (select i.${d.dedupColumn} from ${inbox} i where i.inbox_id in (${some.join(", ")}))`,
    );
  for (const table of ["events", ...derivedTables, "effects", "inbox", "runs"] as const)
    await ask(`delete from ${d.table(table)} where run_id = ?`, [runId]);
}

async function copyOf(d: Dialect, ask: QueryFn, runId: string): Promise<RunCopy | undefined> {
  const [row] = await ask(`select ${d.runs.names} from ${d.table("runs")} where run_id = ?`, [runId]);
  if (row === undefined) return undefined;
  const run = d.toRun(row);
  const events: EventRecord[] = [];
  for (;;) {
    const text = `select ${d.events.names} from ${d.table("events")} where run_id = ? and run_seq > ? order by run_seq limit ${eventsAtOnce}`;
    const page = (await ask(text, [runId, events.at(-1)?.runSeq ?? 0])).map((r) => d.toEvent(r));
    events.push(...page);
    if (page.length < eventsAtOnce) break;
  }
  const all = (columns: string, table: "views" | "checkpoints" | "effects", order: string): Promise<readonly SqlRow[]> =>
    ask(`select ${columns} from ${d.table(table)} where run_id = ? order by ${order}`, [runId]);
  const views = await all("name, value", "views", "name");
  return {
    run,
    events,
    inbox: await messagesOf(d, ask, run),
    views: Object.fromEntries(views.map((r) => [textValue(r["name"]), textValue(r["value"])])),
    checkpoints: (await all(d.checkpoints.names, "checkpoints", "step_id")).map((r) => d.toCheckpoint(r)),
    effects: (await all(d.effects.names, "effects", "seq")).map((r) => d.toEffect(r, run.scope)),
  };
}

async function messagesOf(d: Dialect, ask: QueryFn, run: RunRow): Promise<CopiedMessage[]> {
  const rows = await ask(
    `select ${inboxColumnNames.replaceAll(/(\w+)/g, "i.$1")}, i.${d.dedupColumn} as dedup, a.accepted_at as record_at, a.expires_at as record_until ` +
      `from ${d.table("inbox")} i left join ${d.table("accepted")} a on a.${d.acceptedKeyColumn} = i.${d.dedupColumn} where i.run_id = ? order by i.inbox_id`,
    [run.runId],
  );
  return rows.map((r) => {
    const { inboxId: _, runId: __, ...rest } = d.toInbox(r);
    const dedup = r["dedup"] === null ? null : textValue(r["dedup"]);
    const at = r["record_at"] ?? null;
    const until = r["record_until"] ?? null;
    const accepted = at === null ? null : { acceptedAt: Number(at), expiresAt: until === null ? null : Number(until) };
    return { ...rest, key: dedup === null ? null : keyOf(d, run, rest, dedup), accepted };
  });
}

/** Where the column holds a hash, the key is the one of the few it can be that has this hash. */
function keyOf(d: Dialect, run: RunRow, m: Pick<InboxRow, "kind" | "name" | "id">, dedup: string): string | null {
  const message = { scope: run.scope, workflowId: run.workflowId, kind: m.kind, name: m.name, id: m.id };
  const notices = [run.runId, run.originalRunId ?? run.runId].map((toRunId) => noticeKey({ ...m, toRunId }));
  const possible = [dedup, storageKey(message), ...notices];
  return possible.find((key) => d.keyValue(key) === dedup) ?? null;
}

async function insertRun(d: Dialect, ask: QueryFn, copy: RunCopy): Promise<InsertRunAnswer> {
  const { run } = copy;
  const there = await lockRun(d, ask, run.runId);
  if (there !== undefined) {
    const [at] = await ask(`select link from ${d.table("events")} where run_id = ? and run_seq = ?`, [run.runId, run.headSeq]);
    const standing = compareWithExisting(there, at === undefined ? undefined : textValue(at["link"]), copy);
    if (standing === "known") return { kind: "known" };
    if (standing === "conflict") return { kind: "conflict", by: "runId" };
  }
  const by = conflictingRun(copy, await runsOfWorkflowId(d, ask, run, "")) ?? (await findTakenKey(d, ask, copy));
  if (by !== null) return { kind: "conflict", by };
  if (there !== undefined) await forget(d, ask, there);
  await insert(d, ask, copy);
  return { kind: "put" };
}

async function findTakenKey(d: Dialect, ask: QueryFn, { run, inbox }: RunCopy): Promise<"idempotencyKey" | "message" | null> {
  if (run.idempotencyKey !== null) {
    const text = `select run_id from ${d.table("runs")} where scope = ? and idempotency_key = ? and run_id <> ?`;
    const values = [d.scopeValue(scopeKey(run.scope)), d.keyText(run.idempotencyKey), run.runId];
    if ((await ask(text, values)).length > 0) return "idempotencyKey";
  }
  for (const some of chunks(inbox.flatMap((m) => (m.key === null ? [] : [m.key])))) {
    const marks = some.map(() => "?").join(", ");
    const text = `select 1 as found from ${d.table("inbox")} where ${d.dedupColumn} in (${marks}) and run_id <> ? limit 1`;
    if ((await ask(text, [...some.map((k) => d.keyValue(k)), run.runId])).length > 0) return "message";
  }
  return null;
}

/** The same answer as where it was accepted: it is made of the same names and the same time. */
function acceptedCopy(
  run: RunRow,
  m: CopiedMessage,
  key: string,
  at: NonNullable<CopiedMessage["accepted"]>,
  inboxId: number,
): AcceptedCopy {
  const response = acceptedResponse({ workflowId: run.workflowId, name: m.name, id: m.id, storageKey: key, acceptedAt: at.acceptedAt });
  return { runId: run.runId, inboxId, key, ...at, response };
}

async function insert(d: Dialect, ask: QueryFn, copy: RunCopy): Promise<void> {
  const { run } = copy;
  const { runId } = run;
  await insertRows(d, ask, "runs", d.runs, [{ ...run, owner: null }]);
  await insertRows(
    d,
    ask,
    "events",
    d.events,
    copy.events.map((event) => ({ runId, event })),
  );
  const views = Object.entries(copy.views).map(([name, value]) => [runId, name, value]);
  await insertRows(d, ask, "views", { names: "run_id, name, value", of: (v: readonly string[]) => v }, views);
  await insertRows(d, ask, "checkpoints", d.checkpoints, copy.checkpoints);
  await insertRows(d, ask, "effects", d.effects, copy.effects);
  // Also while the run is closed to engines: it is opened by its origin alone, and what nobody has taken must wake it then.
  const wakes = !isSettled(run.status);
  await insertRows(
    d,
    ask,
    "inbox",
    d.inbox,
    copy.inbox.map((message) => ({ runId, message, wakes: wakes && !message.taken })),
  );
  // Numbers are given in the order of the rows.
  const numbers = await ask(`select inbox_id from ${d.table("inbox")} where run_id = ? order by inbox_id`, [runId]);
  const records = copy.inbox.flatMap((message, i) =>
    message.accepted === null || message.key === null
      ? []
      : [acceptedCopy(run, message, message.key, message.accepted, Number(numbers[i]?.["inbox_id"]))],
  );
  await insertRows(d, ask, "accepted", d.accepted, records);
}
