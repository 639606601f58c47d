// MariaDB's way to say it all in one round trip: what a batch decided, the renewal that rides with it and the COMMIT go out
// as one compound statement; a plain Commit alone needs nothing before it either. Whatever is out of the ordinary (a fence
// that does not hold, a duplicate, content that is refused) is left to the way of many steps, which can tell which
// statement met it. An error after which the COMMIT may have happened is reported as unknown (K10).
import type { BatchAnswer, Commit, CommitAnswer, Renewal } from "../port.ts";
import { committedAnswer, decideBatch, isPlain, plainStatements } from "./commit.ts";
import type { Connection, Row } from "./wire/driver.ts";
import { isContent, isLockWait, isRetryable, storeError } from "./errors.ts";
import { type StatementLimits, statementBytesMax } from "./statements.ts";
import type { CrashPoints } from "../batch-rules.ts";
import { rollback } from "./wire/pool.ts";
import { int } from "./rows.ts";

/** This batch must go statement by statement; nothing was written. */
export class NeedsSteppedCommit extends Error {}

export async function commitCompound(
  db: Connection,
  s: StatementLimits,
  batch: readonly Commit[],
  renewal: Renewal | undefined,
  careful: boolean,
  marks: CrashPoints,
): Promise<BatchAnswer> {
  const [only] = batch;
  const ride = renewal === undefined ? "" : `${s.sql.renew(renewal.engineId, renewal.leaseMs)}; set @pawl_renewed = row_count(); `;
  const told = renewal === undefined ? "" : ", @pawl_renewed as renewed";
  const renewed = (row: Row): BatchAnswer["renewal"] => (renewal === undefined ? null : int(row, "renewed") === 1 ? "renewed" : "dead");

  if (batch.length === 1 && only !== undefined && isPlain(only)) {
    const { update, restAt } = plainStatements(s, only);
    const rest = restAt({ sql: "@pawl_at" })
      .map((x) => `${x.text}; `)
      .join("");
    // The time is kept aside: a statement after the update may set another insert id.
    const text =
      `begin not atomic ${update}; if row_count() = 1 then set @pawl_at = last_insert_id(); ${rest}${ride}commit; ` +
      `select 1 as done, @pawl_at as at_ms${told}; else select 0 as done; end if; end`;
    const row = await sendWithCommit(db, s, text, marks);
    if (row === "busy") return { answers: [{ kind: "busy" }], renewal: null };
    return { answers: [committedAnswer(only, int(row, "at_ms"))], renewal: renewed(row) };
  }
  let texts: string;
  let answers: readonly CommitAnswer[];
  try {
    const decided = await decideBatch(db, s, batch, careful);
    answers = decided.answers;
    texts = decided.rest.map((x) => `${x.text}; `).join("");
  } catch (e) {
    await rollback(db);
    throw e;
  }
  const row = await sendWithCommit(db, s, `begin not atomic ${texts}${ride}commit; select 1 as done${told}; end`, marks);
  if (row === "busy") throw new NeedsSteppedCommit();
  return { answers, renewal: renewed(row) };
}

async function sendWithCommit(db: Connection, s: StatementLimits, text: string, marks: CrashPoints): Promise<Row | "busy"> {
  try {
    if (text.length * 3 > Math.min(s.packetBytesMax, statementBytesMax)) throw new NeedsSteppedCommit();
    marks.before?.();
  } catch (e) {
    await rollback(db);
    throw e;
  }
  let row: Row | undefined;
  try {
    row = (await db.query(text)).rows[0];
  } catch (e) {
    await rollback(db);
    if (isLockWait(e)) return "busy";
    if (isRetryable(e)) throw e;
    if (isContent(e)) throw new NeedsSteppedCommit();
    throw storeError(e, "commit");
  }
  if (row === undefined || int(row, "done") !== 1) {
    await rollback(db);
    throw new NeedsSteppedCommit();
  }
  marks.after?.();
  return row;
}
