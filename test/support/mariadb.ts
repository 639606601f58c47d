// A throw-away MariaDB for tests: the server of this machine's packages with a data directory of its own, a free port,
// durable defaults, run by an unprivileged user. One server serves all test files of a run; a test that kills servers
// starts its own. PAWL_TEST_MYSQL (a URL) names a server to use instead. Never touches a server it did not start.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
} from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** The user that runs the server where the tests run as root: nobody. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const startMsMax = 30_000;
const prefix = "pawl-mariadb-";
const homeVariable = "PAWL_TEST_MARIADB_HOME";

export interface MariadbServer {
  /** Without a database. */
  readonly url: string;
  readonly port: number;
  pid(): number;
  /** Ends the server at once, as a power cut of the database would. */
  kill(): Promise<void>;
  /** Begins again on the same data and port. */
  start(): Promise<void>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function found(...names: string[]): string | undefined {
  const dirs = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin", "/usr/libexec"];
  return dirs.flatMap((d) => names.map((n) => join(d, n))).find((path) => existsSync(path));
}

/** Why tests on a MySQL or MariaDB server cannot run here; undefined when they can. */
export function noMariadb(): string | undefined {
  if (given() !== undefined || (found("mariadbd", "mysqld") !== undefined && found("mariadb-install-db", "mysql_install_db") !== undefined))
    return undefined;
  return "no mariadbd on this machine: apt-get install mariadb-server, or set PAWL_TEST_MYSQL";
}

/** Said once per test file, so that nobody takes a skipped test for a passed one. */
export function skipsWithoutMariadb(): boolean {
  const why = noMariadb();
  if (why !== undefined) console.warn(`skipped: ${why}`);
  return why !== undefined;
}

function given(): string | undefined {
  const url = process.env["PAWL_TEST_MYSQL"];
  return url === undefined || url === "" ? undefined : url;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return typeof address === "object" && address !== null ? address.port : 0;
}

function initialize(home: string): void {
  if (unprivileged.uid !== undefined) chownSync(home, unprivileged.uid, unprivileged.gid);
  const script = found("mariadb-install-db", "mysql_install_db");
  if (script === undefined) throw new Error(noMariadb());
  const args = [
    "--no-defaults",
    `--datadir=${join(home, "data")}`,
    `--tmpdir=${home}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ];
  const made = spawnSync(script, args, { ...unprivileged, cwd: home, env: { ...process.env, HOME: home }, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`mariadb-install-db: ${made.stderr}${made.stdout}`);
}

async function launch(home: string, port: number, settings: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const server = found("mariadbd", "mysqld");
  if (server === undefined) throw new Error(noMariadb());
  const all = {
    datadir: join(home, "data"),
    // Its own: servers that start at the same time trip over each other's temporary tables in a shared one.
    tmpdir: home,
    socket: join(home, "s"),
    port: String(port),
    "bind-address": "127.0.0.1",
    "pid-file": join(home, "pid"),
    "max-connections": "500",
    "innodb-buffer-pool-size": "64M",
    "innodb-log-file-size": "32M",
    ...settings,
  };
  const args = ["--no-defaults", "--skip-name-resolve", ...Object.entries(all).map(([k, v]) => `--${k}=${v}`)];
  const logFile = join(home, `log-${process.pid}-${Date.now()}`);
  const log = openSync(logFile, "a");
  const child = spawn(server, args, { ...unprivileged, cwd: home, env: { HOME: home }, stdio: ["ignore", log, log] });
  closeSync(log);
  child.unref();
  for (const until = Date.now() + startMsMax; Date.now() < until; await pause(20)) {
    if (readFileSync(logFile, "utf8").includes("ready for connections")) return child;
    if (child.exitCode !== null || child.signalCode !== null) break;
  }
  throw new Error(`mariadbd did not start: ${readFileSync(logFile, "utf8")}`);
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function end(pid: number | undefined): Promise<void> {
  if (pid === undefined || !alive(pid)) return;
  process.kill(pid, "SIGKILL");
  while (alive(pid)) await pause(10);
}

export async function startMariadb(settings: Readonly<Record<string, string>> = {}, parent: string = tmpdir()): Promise<MariadbServer> {
  const home = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  initialize(home);
  const port = await freePort();
  let child = await launch(home, port, settings);
  return {
    url: `mysql://root@127.0.0.1:${port}`,
    port,
    pid: () => child.pid ?? 0,
    kill: () => end(child.pid),
    async start(): Promise<void> {
      child = await launch(home, port, settings);
    },
    async stop(): Promise<void> {
      await end(child.pid);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The server that all test files of this run share: the first who asks starts it, the end of the run stops it. */
export async function sharedMariadb(): Promise<string> {
  const named = given();
  if (named !== undefined) return new URL(named).href.replace(/(:\/\/[^/]+).*$/, "$1");
  const home = process.env[homeVariable];
  if (home === undefined) throw new Error("the shared MariaDB belongs to a run of vitest");
  const file = join(home, "url");
  let mine = true;
  try {
    mkdirSync(join(home, "lock"));
  } catch {
    mine = false;
  }
  if (mine) {
    const server = await startMariadb({}, home).catch((e: unknown) => {
      writeFileSync(`${file}.failed`, String(e));
      throw e;
    });
    writeFileSync(`${file}.draft`, server.url);
    renameSync(`${file}.draft`, file);
  }
  for (const until = Date.now() + startMsMax; Date.now() < until; await pause(20)) {
    if (existsSync(file)) return readFileSync(file, "utf8");
    if (existsSync(`${file}.failed`)) throw new Error(readFileSync(`${file}.failed`, "utf8"));
  }
  throw new Error("the shared MariaDB did not start in time");
}

/** For vitest: gives the run its place, and ends the server, if one was started, with the run. */
export default function setup(): () => Promise<void> {
  const home = mkdtempSync(join(tmpdir(), `${prefix}run-${process.pid}-`));
  chmodSync(home, 0o755);
  process.env[homeVariable] = home;
  return async () => {
    for (const name of readdirSync(home)) {
      const pidFile = join(home, name, "pid");
      if (existsSync(pidFile)) await end(Number(readFileSync(pidFile, "utf8")));
    }
    rmSync(home, { recursive: true, force: true });
  };
}
