// Retention and moving on MySQL and MariaDB: the dialect of the shared statements. A transaction is short, on a writer's
// connection, and is run again when it met others. Long texts are hashed in their columns as everywhere in this folder.
import { codelessControls } from "../rules.ts";
import { sqlArchive, columnsOf, type QueryFn, type SqlParameter } from "../sql/archive.ts";
import type { Archive } from "../archive.ts";
import { retryOnConflict, type WriteDeps } from "./batch.ts";
import type { Connection, Row } from "./wire/driver.ts";
import { dedupHash } from "./statements.ts";
import { keyText, lit, type Literal, scopeBytesMax } from "./wire/literal.ts";
import { transaction } from "./wire/pool.ts";
import { checkpointNames, checkpointValues, effectNames, effectValues, eventNames, eventValues, int, runNames, runValues } from "./rows.ts";
import { toCheckpoint, toEffect, toEvent, toInbox, toRun } from "./rows.ts";

interface ArchiveDeps {
  readonly w: WriteDeps;
  readonly prefix: string;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

const plain = (values: readonly Literal[]): readonly SqlParameter[] => values as readonly SqlParameter[];

export function mysqlArchive({ w, prefix, open }: ArchiveDeps): Archive {
  const { platform, sql } = w;
  return sqlArchive({
    async transact(body, changed) {
      open();
      let told = false;
      const hit = (point: string): void => (told ? platform.hit(point) : undefined);
      const marks = { before: (): void => hit("engine:archive"), after: (): void => hit("engine:archived") };
      const once = async (db: Connection): ReturnType<typeof body> => {
        const value = await body(queryFn(db));
        told = changed(value);
        return value;
      };
      return retryOnConflict(platform, () => w.writers.with((db) => transaction(db, () => once(db), marks)));
    },
    nowMs: async (ask) => int((await ask(sql.now()))[0] ?? {}, "now_ms"),
    table: (name) => `${prefix}${name}`,
    forUpdate: " for update",
    dedupColumn: "dedup_hash",
    acceptedKeyColumn: "key_hash",
    keyValue: dedupHash,
    scopeValue: (scope) => keyText(scope, scopeBytesMax),
    keyText,
    kvKeyColumn: "shelf_key",
    runs: { names: runNames, of: (r) => plain(runValues(r)) },
    events: { names: `run_id, ${eventNames}`, of: ({ runId, event }) => plain(eventValues(runId, event, event.persistedAt)) },
    inbox: columnsOf({
      run_id: (i) => i.runId,
      kind: (i) => i.message.kind,
      name: (i) => i.message.name,
      id: (i) => i.message.id,
      payload: (i) => i.message.payload,
      accepted_at: (i) => i.message.acceptedAt,
      control: (i) => i.message.kind === "control" && codelessControls.includes(i.message.name),
      taken: (i) => i.message.taken,
      consumed: (i) => i.message.consumed,
      wakes: (i) => i.wakes,
      reply: (i) => i.message.reply,
      dedup_hash: (i) => (i.message.key === null ? null : dedupHash(i.message.key)),
    }),
    accepted: columnsOf({
      key_hash: (a) => dedupHash(a.key),
      storage_key: (a) => a.key,
      accepted_at: (a) => a.acceptedAt,
      expires_at: (a) => a.expiresAt,
      run_id: (a) => a.runId,
      inbox_id: (a) => a.inboxId,
      response: (a) => a.response,
    }),
    checkpoints: { names: checkpointNames, of: (c) => plain(checkpointValues(c, c.persistedAt)) },
    effects: { names: effectNames, of: (e) => plain(effectValues(e.runId, e, e.createdAt, e.updatedAt)) },
    toRun: (r) => toRun(r as Row),
    toEvent: (r) => toEvent(r as Row),
    toInbox: (r) => toInbox(r as Row),
    toCheckpoint: (r) => toCheckpoint(r as Row),
    toEffect: (r, run) => toEffect(r as Row, run.scope),
  });
}

function queryFn(db: Connection): QueryFn {
  return async (text, values = []) => {
    let n = 0;
    return (await db.query(text.replaceAll("?", () => lit(values[n++] ?? null)))).rows;
  };
}
