// The ten services of the cluster: two orchestrators that run no step, and two workers of each of four types. Each is a process of its own, started
// from here by name, and found again by its process id, which is kept in a file, so that the commands that start, test and stop it can be different ones.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { compiledTree } from "../support/compiled-tree.ts";

export const orchestrators = ["orchestrator-1", "orchestrator-2"] as const;
export const workerTypes = ["tasks", "nodes", "http-node", "http-python"] as const;
export const workers = workerTypes.flatMap((t) => [`${t}-1`, `${t}-2`]);
export const serviceNames: readonly string[] = [...orchestrators, ...workers];

export interface ClusterPlace {
  /** A folder for logs, process ids and the effects. */
  readonly home: string;
  readonly store: string;
  /** Of the two orchestrators: an address that outlives a restart. */
  readonly ports: readonly [number, number];
  /** They end with the process that started them. */
  readonly attached: boolean;
  readonly lifeSeconds: number;
  readonly keeper?: number;
}

const tenant = "default/default/default";
const project = resolve(import.meta.dirname, "../..");
export const ledgerOf = (p: ClusterPlace): string => join(p.home, "effects");
export const urlOf = (p: ClusterPlace, n: 0 | 1): string => `http://127.0.0.1:${p.ports[n]}`;

interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** What it prints when it is at work. */
  readonly ready: string;
}

function commandOf(p: ClusterPlace, name: string): Command {
  const tree = compiledTree();
  const node = (...args: string[]): readonly string[] => ["--import", join(project, "test/cluster/lifetime.mjs"), ...args];
  const pawl = (...args: string[]): readonly string[] =>
    node(join(tree, "src/cli/main.js"), ...args, "--store", p.store, "--tenant", tenant);
  const program = (file: string): string => join(tree, "test/cluster/programs", file);
  const [type, which] = [name.slice(0, name.lastIndexOf("-")), name.endsWith("-1") ? 0 : 1] as const;
  const file = process.execPath;
  switch (type) {
    case "orchestrator": {
      const listen = `127.0.0.1:${p.ports[which]}`;
      return {
        file,
        args: pawl("start", program("definitions.js"), "--queue", "none", "--drain-delay", "1s", "--open", "--listen", listen),
        ready: "listening on",
      };
    }
    case "tasks":
      return { file, args: pawl("worker", program("tasks.js")), ready: "serves tasks" };
    case "nodes":
      return { file, args: pawl("worker", program("definitions.js"), "--queue", "nodes"), ready: "serves nodes" };
    case "http-node":
      return { file, args: node(program("http-worker.js")), ready: "ready" };
    case "http-python":
      return { file: "python3", args: [join(project, "test/cluster/programs/worker.py")], ready: "ready" };
    default:
      throw new Error(`there is no service ${name}`);
  }
}

const pidFile = (p: ClusterPlace, name: string): string => join(p.home, `${name}.pid`);
const logFile = (p: ClusterPlace, name: string): string => join(p.home, `${name}.log`);

export function pidOf(p: ClusterPlace, name: string): number | undefined {
  return existsSync(pidFile(p, name)) ? Number(readFileSync(pidFile(p, name), "utf8")) : undefined;
}

export function isAlive(pid: number | undefined): pid is number {
  if (pid === undefined || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // One that has ended and that nobody has asked about is no process any more.
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}

/** Resolves when it says that it is at work. */
export async function startService(p: ClusterPlace, name: string): Promise<void> {
  const { file, args, ready } = commandOf(p, name);
  const at = existsSync(logFile(p, name)) ? readFileSync(logFile(p, name)).length : 0;
  const log = openSync(logFile(p, name), "a");
  const which = name.endsWith("-1") ? 0 : 1;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: "production",
    PAWL_URL: urlOf(p, which),
    PAWL_CLUSTER_SERVICE: name,
    PAWL_CLUSTER_LEDGER: ledgerOf(p),
    PAWL_CLUSTER_SAMPLES: join(project, "examples/workers"),
    PAWL_CLUSTER_LIFE_SECONDS: String(p.lifeSeconds),
    ...(p.attached ? { PAWL_CLUSTER_ATTACHED: "1" } : {}),
  };
  for (const other of ["PAWL_CRASH", "PAWL_STORE", "PAWL_LOG"]) delete env[other];
  const child = spawn(file, args, { env, detached: !p.attached, stdio: ["ignore", log, log] });
  closeSync(log);
  child.unref();
  let over: string | undefined;
  child.once("exit", (code, signal) => (over = `${code ?? signal}`));
  child.once("error", (e) => (over = String(e)));
  if (child.pid !== undefined) writeFileSync(pidFile(p, name), String(child.pid));
  for (;;) {
    const said = readFileSync(logFile(p, name)).subarray(at).toString();
    if (said.includes(ready)) return;
    if (over !== undefined) throw new Error(`${name} ended (${over}): ${said}`);
    await pause(20);
  }
}

/** Resolves when it is gone. */
export async function endService(p: ClusterPlace, name: string, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  const pid = pidOf(p, name);
  if (!isAlive(pid)) return;
  process.kill(pid, signal);
  while (isAlive(pid)) await pause(10);
}

/** The orchestrators first: the others ask them. */
export async function startAll(p: ClusterPlace): Promise<void> {
  await Promise.all(orchestrators.map((name) => startService(p, name)));
  await Promise.all(workers.map((name) => startService(p, name)));
}

export async function endAll(p: ClusterPlace): Promise<void> {
  await Promise.all(serviceNames.map((name) => endService(p, name, "SIGKILL")));
}
