// Effect stores of every kind behind one shape: a place that nobody has opened, opened as often as a test likes, removed
// afterwards. Where no MariaDB can be started its kind is left out, and that is said. For tests; nothing in the package imports it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileEffectStore, type EffectStore } from "../../src/index.ts";
import { mysqlEffectStore } from "../../src/mysql.ts";
import { postgresEffectStore } from "../../src/postgres.ts";
import { sqliteEffectStore } from "../../src/sqlite.ts";
import { skipsWithoutMariadb } from "./mariadb.ts";
import { openTestDatabase } from "./test-database.ts";

export interface TestEffectStore {
  open(): Promise<EffectStore>;
  remove(): Promise<void>;
}

async function inFolder(open: (dir: string) => Promise<EffectStore>): Promise<TestEffectStore> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-kept-"));
  return { open: () => open(dir), remove: async () => rmSync(dir, { recursive: true, force: true }) };
}

async function onServer(name: "postgres" | "mysql", open: (url: string) => Promise<EffectStore>): Promise<TestEffectStore> {
  const ground = await openTestDatabase(name, "");
  return { open: () => open(ground.url), remove: () => ground.remove() };
}

export const effectStoreKinds: readonly (readonly [string, () => Promise<TestEffectStore>])[] = [
  ["file", () => inFolder(async (dir) => fileEffectStore(join(dir, "kept")))],
  ["sqlite", () => inFolder((dir) => sqliteEffectStore(join(dir, "kept.db")))],
  ["postgres", () => onServer("postgres", (url) => postgresEffectStore(url))],
  ...(skipsWithoutMariadb() ? [] : ([["mysql", () => onServer("mysql", (url) => mysqlEffectStore(url))]] as const)),
];
