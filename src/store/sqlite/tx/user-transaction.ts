// A start or a signal inside a transaction of the user's own, on their handle: the same statements as everywhere, between a
// savepoint and its release, so that a refusal leaves their transaction as it was. It never begins, commits or rolls back
// that transaction, and gives no hints: nothing has happened until they commit.
import { PawlError } from "../../../errors/error.ts";
import { identityOf } from "../../../platform/files.ts";
import type { Platform } from "../../../platform/platform.ts";
import { type TransactionView, unusableTransaction } from "../../user-transaction.ts";
import type { Commit, CommitAnswer } from "../../port.ts";
import { checkPost, refusalReason } from "../../check-text.ts";
import { contentReason } from "../../batch-rules.ts";
import { applyCommit } from "../commit.ts";
import { type Connection, isHandle, type Statement } from "../wire/driver.ts";
import { isBusy, isClash, isContent, isDriverError, storeError } from "../errors.ts";
import { post } from "../inbox.ts";
import { oneRun, type Statements, statements, toRun } from "../rows.ts";
import type { Writer } from "../wire/writer.ts";

export interface UserTransactionOptions {
  readonly platform: Platform;
  /** The store's clock. */
  readonly now: () => number;
  /** The store's file. */
  readonly identity: string;
  readonly writer: Writer;
}

/** Handles that were seen to lead to the store's file, with their statements. */
const knownHandles = new WeakMap<object, { readonly identity: string; readonly st: Statements }>();

export async function joinTransaction(own: unknown, o: UserTransactionOptions): Promise<TransactionView> {
  if (!(await isHandle(own)))
    throw unusableTransaction("tx is not a handle of the SQLite that the store uses: open one with openHandle of pawl/sqlite");
  const db = plainConnection(own as Connection);
  if (!inTransaction(db)) throw unusableTransaction("no transaction is open on this handle: run BEGIN IMMEDIATE first");
  const st = statementsOf(own as object, db, o.identity);
  const { platform } = o;
  const guarded = <T>(body: () => T, keep: (value: T) => boolean): T => {
    const savepoint = `pawl_${platform.randomHex(8)}`;
    let kept = false;
    try {
      db.exec(`savepoint ${savepoint}`);
      const value = body();
      kept = keep(value);
      return value;
    } catch (e) {
      if (isBusy(e))
        throw new PawlError("PAWL3001", "sqlite: another transaction is writing; begin yours with BEGIN IMMEDIATE, which waits for it", {
          cause: e,
        });
      throw isDriverError(e) ? storeError(e, "statement") : e;
    } finally {
      endSavepoint(db, savepoint, kept);
    }
  };
  return {
    async create(c) {
      return guarded(() => apply(st, c, o.now()), isKept);
    },
    async post(p) {
      checkPost(p);
      return guarded(
        () => post(st, p, o.now()),
        () => true,
      );
    },
    async run(q) {
      const row = guarded(
        () => oneRun(st, q),
        () => true,
      );
      return row === undefined ? undefined : toRun(row);
    },
    // Who wrote holds the file's one write lock: when it can be had, that transaction is over.
    async hasEnded() {
      return o.writer.tryWrite(() => true, {}) ?? false;
    },
  };
}

const isKept = (a: CommitAnswer): boolean => a.kind === "committed" || a.kind === "duplicate";

function apply(st: Statements, c: Commit, now: number): CommitAnswer {
  const reason = refusalReason(c);
  if (reason !== null) return { kind: "refused", reason };
  try {
    return applyCommit(st, c, now);
  } catch (e) {
    if (isContent(e)) return { kind: "refused", reason: contentReason(e, isClash(e)) };
    throw e;
  }
}

/** A savepoint that is gone went with the transaction: SQLite takes all of it back when the disk fails it. */
function endSavepoint(db: Connection, savepoint: string, kept: boolean): void {
  try {
    if (!kept) db.exec(`rollback to ${savepoint}`);
    db.exec(`release ${savepoint}`);
  } catch {
    // The error that took it is on its way to the caller.
  }
}

/** A transaction cannot begin inside another; one that could begin is ended at once, before it touched anything. */
function inTransaction(db: Connection): boolean {
  try {
    db.exec("begin");
  } catch (e) {
    if (e instanceof Error && e.message.includes("within a transaction")) return true;
    throw unusableTransaction("this handle cannot be used now", e);
  }
  db.exec("rollback");
  return false;
}

function statementsOf(own: object, db: Connection, identity: string): Statements {
  const seen = knownHandles.get(own);
  if (seen?.identity === identity) return seen.st;
  const file = db
    .prepare("pragma database_list")
    .all()
    .find((r) => r["name"] === "main")?.["file"];
  if (typeof file !== "string" || file === "" || identityOf(file) !== identity) {
    throw unusableTransaction("this handle has another file open than the store's");
  }
  const st = statements(db);
  knownHandles.set(own, { identity, st });
  return st;
}

/** Rows as objects and whole numbers as numbers, however the user has set the handle. */
function plainConnection(own: Connection): Connection {
  return {
    exec: (sql) => own.exec(sql),
    prepare(sql) {
      const s = own.prepare(sql) as Statement & { setReturnArrays?: (on: boolean) => void };
      s.setReadBigInts(false);
      s.setReturnArrays?.(false);
      return s;
    },
    close: () => {},
  };
}
