// How MySQL and MariaDB speak the statements that the databases share (sql/dialect.ts). A transaction is short, on a writer's
// connection, and is run again when it met others. Long texts are hashed in their columns as everywhere in this folder.
import { codelessControls } from "../rules.ts";
import type { ScanOrder } from "../run-scan.ts";
import { acceptedColumns, inboxColumns } from "../sql/archive-columns.ts";
import { columnsOf, type Dialect, type QueryFn, type SqlParameter } from "../sql/dialect.ts";
import { retryOnConflict, type WriteDeps } from "./batch.ts";
import type { Connection } from "./wire/driver.ts";
import { dedupHash } from "./statements.ts";
import { keyText, lit, type Literal, scopeBytesMax } from "./wire/literal.ts";
import { transaction } from "./wire/pool.ts";
import { checkpointNames, checkpointValues, effectNames, effectValues, eventNames, eventValues, int, runNames, runValues } from "./rows.ts";
import { mappers, toRun } from "./rows.ts";
import { kvNames } from "./kv-rows.ts";
import type { ReadDeps } from "./kv.ts";

interface DialectDeps extends ReadDeps {
  readonly w: WriteDeps;
  readonly prefix: string;
}

const plain = (values: readonly Literal[]): readonly SqlParameter[] => values as readonly SqlParameter[];

const indexes: Readonly<Record<ScanOrder, string>> = {
  workflowId: "generation",
  parent: "parent",
  decision: "decision",
  status: "by_status",
  newest: "newest",
};

export function mysqlDialect({ w, prefix, read, open }: DialectDeps): Dialect {
  const { platform, sql } = w;
  return {
    async read(text, values) {
      open();
      return read((db) => queryFn(db)(text, values));
    },
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
    keyDigest: (stored) => stored,
    scopeValue: (scope) => keyText(scope, scopeBytesMax),
    keyText,
    kvNames,
    kvKeyColumn: "shelf_key",
    effectKeyColumn: "effect_key",
    inDoubt: "phase = 'doubt'",
    comparesRows: false,
    runsIndex: (order) => ` force index (${indexes[order]})`,
    listsStatuses: (statuses) => statuses.length === 1,
    ofStatuses: (statuses) => ({ text: "status = ?", values: statuses }),
    scopeBeside: "scope = ?",
    tag: (key, value) => ({ text: "json_contains(tags, ?)", values: [JSON.stringify({ [key]: value })] }),
    runs: { names: runNames, of: (r) => plain(runValues(r)) },
    events: { names: `run_id, ${eventNames}`, of: ({ runId, event }) => plain(eventValues(runId, event, event.persistedAt)) },
    inbox: columnsOf({
      ...inboxColumns,
      control: (i) => i.message.kind === "control" && codelessControls.includes(i.message.name),
      dedup_hash: (i) => (i.message.key === null ? null : dedupHash(i.message.key)),
    }),
    accepted: columnsOf({ ...acceptedColumns, key_hash: (a) => dedupHash(a.key) }),
    checkpoints: { names: checkpointNames, of: (c) => plain(checkpointValues(c, c.persistedAt)) },
    effects: { names: effectNames, of: (e) => plain(effectValues(e.runId, e, e.createdAt, e.updatedAt)) },
    ...mappers,
    toRun,
  };
}

function queryFn(db: Connection): QueryFn {
  return async (text, values = []) => {
    let n = 0;
    return (await db.query(text.replaceAll("?", () => lit(values[n++] ?? null)))).rows;
  };
}
