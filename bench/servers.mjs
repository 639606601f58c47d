// What a store is measured on: a new file, or a new database on a server that this run starts and ends itself, durable by
// its defaults and with its data on a real disk. Never a server that was there before, and never a setting that would make
// a commit cheaper than a user's.
import { mkdtempSync, rmSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import mysql from "mysql2/promise";
import pg from "pg";

/** @typedef {import("./workloads.mjs").StoreName} StoreName */
/**
 * Where one round happens.
 * @typedef {object} Place
 * @property {string} url what Pawl opens
 * @property {string} dir for files beside it
 * @property {(sql: string) => Promise<number>} count the first number of a query's first row, as somebody who looks from outside
 * @property {() => Promise<void>} remove
 */
/** @typedef {{ store: StoreName, pid: number | null, about: string, fresh: () => Promise<Place>, stop: () => Promise<void> }} Server */

/**
 * @param {StoreName} store
 * @param {string} parent
 * @returns {Promise<Server>}
 */
export async function serverFor(store, parent) {
  if (store === "sqlite") return files(parent);
  register("../test/support/typescript-loader.mjs", import.meta.url);
  return store === "postgres" ? postgres(parent) : mariadb(parent);
}

/** @param {string} parent */
const folder = (parent) => mkdtempSync(join(parent, "pawl-bench-"));
/** @param {string} dir */
const gone = (dir) => rmSync(dir, { recursive: true, force: true });

/** @param {string} parent @returns {Server} */
function files(parent) {
  return {
    store: "sqlite",
    pid: null,
    about: "synchronous=FULL",
    fresh: async () => {
      const dir = folder(parent);
      const count = () => Promise.reject(new Error("nobody looks at a file from outside here"));
      return { url: `sqlite:${join(dir, "pawl.db")}`, dir, count, remove: async () => gone(dir) };
    },
    stop: async () => {},
  };
}

/** @param {string} parent @returns {Promise<Server>} */
async function postgres(parent) {
  const { startPostgres } = await import("../test/support/postgres.ts");
  const server = await startPostgres({}, parent);
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  const { rows } = await admin.query(
    "select current_setting('server_version') v, current_setting('fsync') f, current_setting('synchronous_commit') s",
  );
  let n = 0;
  return {
    store: "postgres",
    pid: server.pid(),
    about: `Postgres ${rows[0].v}, fsync=${rows[0].f}, synchronous_commit=${rows[0].s}`,
    fresh: async () => {
      const name = `bench${++n}`;
      await admin.query(`create database ${name}`);
      const url = server.url.replace(/\/postgres$/, `/${name}`);
      const dir = folder(parent);
      const eyes = new pg.Client({ connectionString: url });
      await eyes.connect();
      return {
        url,
        dir,
        count: async (sql) => Number(Object.values((await eyes.query(sql)).rows[0] ?? { none: 0 })[0]),
        remove: async () => {
          await eyes.end();
          await admin.query(`drop database ${name} with (force)`);
          await admin.query("checkpoint"); // what this round left to be written is not the next one's to pay for
          gone(dir);
        },
      };
    },
    stop: async () => {
      await admin.end();
      await server.stop();
    },
  };
}

/** @param {string} parent @returns {Promise<Server>} */
async function mariadb(parent) {
  const { startMariadb } = await import("../test/support/mariadb.ts");
  const server = await startMariadb({ "innodb-buffer-pool-size": "128M", "innodb-log-file-size": "96M" }, parent);
  const admin = await mysql.createConnection(server.url);
  const [rows] = await admin.query("select version() v, @@innodb_flush_log_at_trx_commit f");
  const [said] = /** @type {{ v: string, f: number }[]} */ (rows);
  let n = 0;
  return {
    store: "mysql",
    pid: server.pid(),
    about: `${said?.v}, innodb_flush_log_at_trx_commit=${said?.f}`,
    fresh: async () => {
      const name = `bench${++n}`;
      await admin.query(`create database ${name}`);
      const dir = folder(parent);
      const url = `${server.url}/${name}`;
      const eyes = await mysql.createConnection(url);
      return {
        url,
        dir,
        count: async (sql) => {
          const [found] = await eyes.query(sql);
          return Number(Object.values(/** @type {Record<string, unknown>[]} */ (found)[0] ?? { none: 0 })[0]);
        },
        remove: async () => {
          await eyes.end();
          await admin.query(`drop database ${name}`);
          gone(dir);
        },
      };
    },
    stop: async () => {
      await admin.end();
      await server.stop();
    },
  };
}
