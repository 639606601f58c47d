// Retention and moving on MySQL and MariaDB: the dialect of the shared statements. A transaction is short, on a writer's
// connection, and is run again when it met others. Long texts are hashed in their columns as everywhere in this folder.
import { bareControls } from "../rules.ts";
import { archiveOver, type Ask, type Value } from "../archive-sql.ts";
import type { Archive } from "../archive.ts";
import { again, type Writing } from "./batch.ts";
import type { Connection, Row } from "./driver.ts";
import { effectColumns, fromEffect, toEffect } from "./effects.ts";
import { dedupHash } from "./flush.ts";
import { keyText, lit, type Literal, scopeBytesMax } from "./literal.ts";
import { transaction } from "./pool.ts";
import { checkpointColumns, eventColumns, fromCheckpoint, fromEvent, fromRun, int, runColumns } from "./rows.ts";
import { toCheckpoint, toEvent, toInbox, toRun } from "./rows.ts";

interface Parts {
  readonly w: Writing;
  readonly prefix: string;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

const plain = (values: readonly Literal[]): readonly Value[] => values as readonly Value[];

export function mysqlArchive({ w, prefix, open }: Parts): Archive {
  const { platform, sql } = w;
  const marks = { before: (): void => platform.hit("engine:archive"), after: (): void => platform.hit("engine:archived") };
  return archiveOver({
    async transact(body) {
      open();
      return again(platform, () => w.writers.with((db) => transaction(db, () => body(asking(db)), marks)));
    },
    nowMs: async (ask) => int((await ask(sql.now()))[0] ?? {}, "now_ms"),
    table: (name) => `${prefix}${name}`,
    forUpdate: " for update",
    dedup: "dedup_hash",
    acceptedBy: "key_hash",
    keyValue: dedupHash,
    scopeValue: (scope) => keyText(scope, scopeBytesMax),
    keyText,
    shelfKey: "shelf_key",
    runs: { names: runColumns, of: (r) => plain(fromRun(r)) },
    events: { names: eventColumns, of: ({ runId, event }) => plain(fromEvent(runId, event, event.persistedAt)) },
    inbox: {
      names: "run_id, kind, name, id, payload, accepted_at, control, taken, consumed, wakes, reply, dedup_hash",
      of: ({ runId, message: m, wakes }) => [
        ...[runId, m.kind, m.name, m.id, m.payload, m.acceptedAt, m.kind === "control" && bareControls.includes(m.name)],
        ...[m.taken, m.consumed, wakes, m.reply, m.key === null ? null : dedupHash(m.key)],
      ],
    },
    accepted: {
      names: "key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id",
      of: ({ runId, inboxId, key, message: m }) => [
        ...[dedupHash(key), key, m.accepted?.acceptedAt ?? 0, m.accepted?.expiresAt ?? null, runId, inboxId],
      ],
    },
    checkpoints: { names: checkpointColumns, of: (c) => plain(fromCheckpoint(c, c.persistedAt)) },
    effects: { names: effectColumns, of: (e) => plain([...fromEffect(e.runId, e, 0).slice(0, -2), e.createdAt, e.updatedAt]) },
    toRun: (r) => toRun(r as Row),
    toEvent: (r) => toEvent(r as Row),
    toInbox: (r) => toInbox(r as Row),
    toCheckpoint: (r) => toCheckpoint(r as Row),
    toEffect: (r, run) => toEffect(r as Row, run),
  });
}

function asking(db: Connection): Ask {
  return async (text, values = []) => {
    let n = 0;
    return (await db.query(text.replaceAll("?", () => lit(values[n++] ?? null)))).rows;
  };
}
