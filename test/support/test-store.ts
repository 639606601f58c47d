// A store with what a test may do to it from outside: a clock that can be moved, an accepted record that can be lost, a
// second store over the same data. Every store of this package behind one shape, so that a fact is stated once and holds on
// all; where no MariaDB can be started its bench is left out, and that is said.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine, type OpenEngine } from "../../src/client/engine.ts";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import { localClient } from "../../src/client/local-client.ts";
import { SharedParts } from "../../src/client/shared-parts.ts";
import type { Client } from "../../src/client/types.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { defaultScope } from "../../src/client/environment.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { openMysql } from "../../src/store/mysql/store.ts";
import { openPostgres } from "../../src/store/postgres/store.ts";
import { giveBackDatabase, rawConnection, takeDatabase } from "../mysql/places.ts";
import { giveBackSchema, raw, takeSchema } from "../postgres/places.ts";
import { verifyAllRuns } from "./verify-all-runs.ts";
import { skipsWithoutMariadb } from "./mariadb.ts";
import { memoryTamper, sqlTamper, type Tampering } from "./tamper.ts";

export interface TestStore {
  readonly name: "memory" | "sqlite" | "postgres" | "mysql";
  readonly platform: Platform;
  readonly store: FullStore;
  /** What another process would open. */
  reopen(): Promise<FullStore>;
  /** Moves the store's clock. */
  advanceClock(ms: number): void;
  /** The accepted record is gone, the payload stays (W-078). */
  forgetAccepted(storageKey: string): Promise<void>;
  /** What an operator does after looking: the payload gives up its claim on the key. */
  releaseKey(storageKey: string): Promise<void>;
  /** A table of the user's, defined past the store; nothing where there is no SQL. */
  createTable(statement: string): Promise<void>;
  /** What no store would ever do to its rows. */
  tamper(t: Tampering): Promise<void>;
  countRows(table: string): Promise<number>;
  engine(o: EngineOpts): Promise<OpenEngine>;
  /** A client without an engine. */
  client(store?: FullStore): Client;
  /** This test writes events that no engine would: its runs are not put to the proof at the end. */
  skipVerification(): void;
  close(): Promise<void>;
}

function clock(): { platform: Platform; skip(ms: number): void } {
  const real = systemPlatform();
  let ahead = 0;
  return {
    platform: { ...real, wallMs: () => real.wallMs() + ahead, uptimeMs: () => real.uptimeMs() + ahead },
    skip: (ms) => void (ahead += ms),
  };
}

type Outside = Pick<TestStore, "name" | "reopen" | "forgetAccepted" | "releaseKey" | "createTable" | "countRows" | "tamper"> & {
  readonly remove: () => void | Promise<void>;
};

async function testStoreOn(machine: ReturnType<typeof clock>, o: Outside): Promise<TestStore> {
  const { platform, skip } = machine;
  const { reopen: again, remove } = o;
  const store = await again();
  const opened: OpenEngine[] = [];
  const others: FullStore[] = [];
  const shared: SharedParts[] = [];
  let forged = false;
  return {
    ...o,
    platform,
    store,
    advanceClock: skip,
    reopen: async () => {
      const other = await again();
      others.push(other);
      return other;
    },
    engine: async (opts) => {
      const e = await openEngine({ platform, log: () => {}, open: again }, { store, ...opts });
      opened.push(e);
      return e;
    },
    client: (on = store) => {
      const parts = new SharedParts({ store: on, platform, scope: defaultScope });
      shared.push(parts);
      return localClient({ store: on, platform, scope: defaultScope, limits: checkLimits(), parts, engine: null, retainMs: null });
    },
    skipVerification: () => void (forged = true),
    close: async () => {
      await Promise.all([...opened.map((e) => e.engine.stop({ grace: 100 })), ...shared.map((x) => x.close())]);
      try {
        if (!forged) await verifyAllRuns(store, platform);
      } finally {
        for (const s of [...others, store]) await s.close();
      }
      await remove();
    },
  };
}

export async function memoryTestStore(): Promise<TestStore> {
  const machine = clock();
  const state = memoryState(machine.platform);
  return testStoreOn(machine, {
    name: "memory",
    reopen: async () => memoryStore(machine.platform, { state }),
    forgetAccepted: async (key) => void state.accepted.delete(key),
    releaseKey: async (key) => {
      for (const item of state.inbox.values()) if (item.dedupKey === key) state.inbox.set(item.row.inboxId, { ...item, dedupKey: null });
      state.dedup.delete(key);
    },
    createTable: async () => {},
    tamper: memoryTamper(state),
    countRows: async () => 0,
    remove: () => {},
  });
}

export async function sqliteTestStore(): Promise<TestStore> {
  const machine = clock();
  const dir = mkdtempSync(join(tmpdir(), "pawl-bench-"));
  const path = join(dir, "store.db");
  const exec = async (text: string, ...keys: string[]): Promise<void> => {
    const db = await openConnection(path);
    db.prepare(text).run(...keys);
    db.close();
  };
  return testStoreOn(machine, {
    name: "sqlite",
    reopen: async () => openSqlite(path, machine.platform, { synchronous: "off", acceptUnsafe: true }),
    forgetAccepted: (key) => exec("delete from pawl_accepted where storage_key = ?", key),
    releaseKey: (key) => exec("update pawl_inbox set dedup_key = null where dedup_key = ?", key),
    createTable: async (statement) => {
      const db = await openConnection(path);
      db.exec(statement);
      db.close();
    },
    tamper: sqlTamper("sqlite", (t) => `pawl_${t}`, exec),
    countRows: async (table) => {
      const db = await openConnection(path);
      const n = Number(db.prepare(`select count(*) as n from ${table}`).get()?.["n"]);
      db.close();
      return n;
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  });
}

export async function postgresTestStore(): Promise<TestStore> {
  const machine = clock();
  const place = await takeSchema();
  const { url, schema } = place;
  let asMade = true;
  const unsafe = new URL(url);
  unsafe.searchParams.set("options", `${unsafe.searchParams.get("options") ?? ""} -c synchronous_commit=off`);
  const past = async (text: string, key: string): Promise<void> => {
    const c = await raw(url);
    await c.query({ text, values: [key] });
    await c.end();
  };
  const ask = async (text: string): Promise<Record<string, unknown>[]> => {
    if (!text.startsWith("select ")) asMade = false;
    const c = await raw(url);
    const { rows } = await c.exec(text);
    await c.end();
    return rows;
  };
  return testStoreOn(machine, {
    name: "postgres",
    reopen: async () => openPostgres(unsafe.href, machine.platform, { acceptUnsafe: true, clock: () => machine.platform.wallMs() }),
    forgetAccepted: (key) => past(`delete from ${schema}.accepted where storage_key = $1`, key),
    releaseKey: (key) => past(`update ${schema}.inbox set dedup_key = null where dedup_key = $1`, key),
    createTable: (statement) => ask(statement).then(() => {}),
    tamper: sqlTamper(
      "postgres",
      (t) => `${schema}.${t}`,
      async (text) => void (await ask(text)),
    ),
    countRows: async (table) => Number((await ask(`select count(*) as n from ${table}`))[0]?.["n"]),
    remove: () => giveBackSchema(place, asMade),
  });
}

export async function mysqlTestStore(): Promise<TestStore> {
  const machine = clock();
  const url = await takeDatabase();
  let asMade = true;
  const past = async (text: string, key: string): Promise<void> => {
    const c = await rawConnection(url);
    await c.execute(text, [key]);
    await c.close();
  };
  const ask = async (text: string): Promise<readonly Record<string, unknown>[]> => {
    if (!text.startsWith("select ")) asMade = false;
    const c = await rawConnection(url);
    const { rows } = await c.query(text);
    await c.close();
    return rows;
  };
  return testStoreOn(machine, {
    name: "mysql",
    reopen: async () => openMysql(url, machine.platform, { clock: () => machine.platform.wallMs() }),
    forgetAccepted: (key) => past("delete from pawl_accepted where storage_key = ?", key),
    releaseKey: (key) => past("update pawl_inbox set dedup_hash = null where dedup_hash = sha2(?, 256)", key),
    createTable: (statement) => ask(statement).then(() => {}),
    tamper: sqlTamper(
      "mysql",
      (t) => `pawl_${t}`,
      async (text) => void (await ask(text)),
    ),
    countRows: async (table) => Number((await ask(`select count(*) as n from ${table}`))[0]?.["n"]),
    remove: () => giveBackDatabase(url, asMade),
  });
}

export const testStores: readonly (readonly [string, () => Promise<TestStore>])[] = [
  ["memory", memoryTestStore],
  ["sqlite", sqliteTestStore],
  ["postgres", postgresTestStore],
  ...(skipsWithoutMariadb() ? [] : ([["mysql", mysqlTestStore]] as const)),
];
