// Entry-point plumbing for tests: a store that nobody else has, on any database. A file, a schema or a database is made for it and
// removed with it; nothing that was there before is touched. Used by pawl/testing and by `pawl crashtest`.
import { PawlError } from "./errors/error.ts";
import { joinPath, removePath, temporaryDir } from "./platform/files.ts";
import { systemPlatform } from "./platform/system.ts";
import type { Platform } from "./platform/platform.ts";
import { memoryState } from "./store/memory/state.ts";
import { memoryStore } from "./store/memory/store.ts";
import { openSqlite } from "./store/sqlite/store.ts";
import { throwAwayFile } from "./store/sqlite/throw-away.ts";
import type { ThrowAway } from "./store/throw-away.ts";
import type { TestStore } from "./testing/test-bed.ts";

export { throwAwayFile } from "./store/sqlite/throw-away.ts";
export type { ThrowAway } from "./store/throw-away.ts";

const isPostgres = (url: string): boolean => /^postgres(ql)?:/.test(url);
const isMysql = (url: string): boolean => /^(mysql|mariadb):/.test(url);

/** A schema on a Postgres server, a database on a MySQL or MariaDB server; undefined where `url` names neither. */
export async function throwAwayOn(url: string): Promise<ThrowAway | undefined> {
  const platform = systemPlatform();
  if (isPostgres(url)) return (await import("./store/postgres/throw-away.ts")).throwAwaySchema(url, (n) => platform.randomHex(n));
  if (isMysql(url)) return (await import("./store/mysql/throw-away.ts")).throwAwayDatabase(url, platform);
  return undefined;
}

/** What a test engine runs on. Nothing waits for the disk: no power is lost in a test. */
export async function testStore(name: string, platform: Platform): Promise<TestStore> {
  if (name === "memory:") {
    const state = memoryState(platform);
    return { connect: async (p) => memoryStore(p, { state }), closes: false, remote: false, remove: async () => {} };
  }
  if (name === "sqlite:") return fileStore();
  const place = await throwAwayOn(name);
  if (place === undefined)
    throw new PawlError("PAWL5002", 'a test engine\'s store is "memory:", "sqlite:" (a throw-away file), or the URL of a server');
  return { ...serverStore(place.url), sql: place.sql, remove: place.remove };
}

function fileStore(): TestStore {
  const dir = temporaryDir();
  const path = joinPath(dir, "test.db");
  const file = throwAwayFile(path);
  return {
    connect: (p) => openSqlite(path, p, { synchronous: "off", acceptUnsafe: true }),
    closes: true,
    remote: false,
    sql: file.sql,
    async remove() {
      await file.remove();
      removePath(dir);
    },
  };
}

/** The store's own timers are real, since the server is; its clock is the test's. */
function serverStore(url: string): Pick<TestStore, "connect" | "closes" | "remote"> {
  const machine = (p: Platform): Platform => ({ ...systemPlatform(), wallMs: () => p.wallMs(), hit: (point) => p.hit(point) });
  const connect: TestStore["connect"] = async (p) => {
    const o = { acceptUnsafe: true, clock: () => p.wallMs() };
    return isPostgres(url)
      ? (await import("./store/postgres/store.ts")).openPostgres(url, machine(p), o)
      : (await import("./store/mysql/store.ts")).openMysql(url, machine(p), o);
  };
  return { connect, closes: true, remote: true };
}
