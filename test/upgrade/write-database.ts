// Writes the database of today's format that later versions are tested with: `node --import ./test/support/typescript.mjs
// test/upgrade/write-database.ts`, once per format, before the first change of the next; `… write-database.ts sqlite` for one store. A kept
// database is never written again.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "../../src/client.ts";
import { engine } from "../../src/index.ts";
import { startMariadb } from "../support/mariadb.ts";
import { startPostgres } from "../support/postgres.ts";
import { freshDatabase } from "../mysql/bundle.ts";
import { all, kept } from "./workflows.ts";
import { dumpMysql, dumpPostgres, dumpSqlite, keptFile, type Kind, schemaPlaceholder } from "./database-dump.ts";

/** The first life: an effect that may not be repeated is under way when the process is killed. */
async function first(url: string): Promise<void> {
  const e = await engine({ store: url, workflows: all });
  await (await e.start(kept.doubtful, undefined, { id: "doubtful" })).result();
}

/** The second: finds that effect in doubt, leaves a run in each state, and is killed in the middle of one. */
async function second(url: string): Promise<void> {
  const e = await engine({ store: url, workflows: all });
  const client = await connect({ store: url });
  const until = async (id: string, fact: (r: { status: string; waiting?: string }) => boolean): Promise<void> => {
    for (;;) {
      const r = await client.get(id);
      if (r !== undefined && fact(r)) return;
      await client.waitForChange(id, { timeoutMs: 100 });
    }
  };
  const done = await e.start(kept.settled, 21, { id: "settled", idempotencyKey: "settled-once", tags: { kind: "kept" } });
  await done.result();
  await e.start(kept.sleeping, undefined, { id: "sleeping" });
  await e.start(kept.listening, undefined, { id: "listening" });
  await e.start(kept.parent, undefined, { id: "parent" });
  await client.signal("listening", "later", "first", { signalId: "later-1" });
  await client.update("listening", "rename", "Ada", { updateId: "rename-1" });
  await until("doubtful", (r) => r.waiting === "decision");
  await until("sleeping", (r) => r.waiting === "timer");
  await until("listening", (r) => r.waiting === "signal");
  await until("the-child", (r) => r.waiting === "signal");
  await until("parent", (r) => r.waiting === "child");
  await (await e.start(kept.halfway, undefined, { id: "halfway" })).result();
}

async function killedAt(point: string, life: string, url: string): Promise<void> {
  const hook = new URL("../support/typescript.mjs", import.meta.url).href;
  const args = ["--import", hook, fileURLToPath(import.meta.url), life, url];
  const child = spawn(process.execPath, args, { env: { ...process.env, PAWL_CRASH: point }, stdio: "inherit" });
  const signal = await new Promise<string | null>((resolve) => child.on("close", (_, s) => resolve(s)));
  if (signal !== "SIGKILL") throw new Error(`${life} ended without being killed at ${point}`);
}

async function lives(url: string): Promise<void> {
  await killedAt("charge:C", "first", url);
  await killedAt("two:C", "second", url);
}

async function writeSqlite(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-keep-"));
  const path = join(dir, "store.db");
  await lives(`sqlite:${path}`);
  writeFileSync(...keptFile("sqlite", await dumpSqlite(path)));
  rmSync(dir, { recursive: true });
}

async function writePostgres(): Promise<void> {
  const postgres = await startPostgres();
  const url = `${postgres.url}${postgres.url.includes("?") ? "&" : "?"}schema=${schemaPlaceholder}`;
  await lives(url);
  writeFileSync(...keptFile("postgres", await dumpPostgres(url)));
  await postgres.stop();
}

async function writeMysql(): Promise<void> {
  const mariadb = await startMariadb();
  const database = await freshDatabase(mariadb.url);
  await lives(database);
  writeFileSync(...keptFile("mysql", await dumpMysql(database)));
  await mariadb.stop();
}

const writers: Readonly<Record<Kind, () => Promise<void>>> = { sqlite: writeSqlite, postgres: writePostgres, mysql: writeMysql };

const [life = "", url = ""] = process.argv.slice(2);
if (life === "first") await first(url);
else if (life === "second") await second(url);
else for (const [kind, write] of Object.entries(writers)) if (life === "" || life === kind) await write();
process.exit(0);
