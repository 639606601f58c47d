// `npm run cluster:setup`, `cluster:start`, `cluster:test`, `cluster:stop`: a cluster of two orchestrators and eight workers on one Postgres, tried from
// outside. Setup starts the database, start the ten services, test says what was seen and ends with 1 if something failed, stop ends all of it and
// removes its data. Everything listens on loopback, and ends by itself after an hour. Options of setup: --any-port (else 8080 and 8081,
// where they are free); of test: --runs 2000, --burst, --sustained 60s, --json.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { durationMs } from "../../src/core/duration.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { startPostgres } from "../support/postgres.ts";
import { clusterChecks } from "./checks.ts";
import { clusterHome, freePort, savedPlace, savePlace } from "./place.ts";
import { runChecks, reportTable } from "./report.ts";
import { endAll, isAlive, pidOf, serviceNames, startAll, urlOf, type ClusterPlace } from "./services.ts";

/** How long it may live, whatever happens. */
const lifeSeconds = Number(process.env["PAWL_CLUSTER_LIFE"] ?? 3_600);
const [command = "", ...rest] = process.argv.slice(2);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

function placeOrFail(): ClusterPlace {
  const p = savedPlace();
  if (p === undefined || !isAlive(p.keeper)) {
    say("there is no cluster here: npm run cluster:setup");
    process.exit(2);
  }
  return p;
}

/** The database's keeper: a process of its own, which stops it and removes its data when it is told to, or when its time is over. */
async function keep(): Promise<void> {
  const server = await startPostgres();
  const url = server.url;
  writeFileSync(join(clusterHome, "postgres.url"), url);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, lifeSeconds * 1_000);
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => (clearTimeout(timer), resolve()));
  });
  await server.stop();
}

async function setup(): Promise<void> {
  const old = savedPlace();
  if (isAlive(old?.keeper)) return say("the cluster is set up already: npm run cluster:start");
  rmSync(clusterHome, { recursive: true, force: true });
  mkdirSync(clusterHome, { recursive: true });
  const keeper = spawn(process.execPath, [...process.execArgv, process.argv[1]!, "keep"], { detached: true, stdio: "ignore" });
  keeper.unref();
  const urlFile = join(clusterHome, "postgres.url");
  while (!existsSync(urlFile)) {
    if (keeper.exitCode !== null) throw new Error("the database did not start");
    await pause(50);
  }
  const store = readFileSync(urlFile, "utf8");
  await (await openStore(store, systemPlatform())).close();
  const any = rest.includes("--any-port");
  const ports = [await freePort(any ? 0 : 8_080), await freePort(any ? 0 : 8_081)] as const;
  savePlace({ home: clusterHome, store, ports, attached: false, lifeSeconds, keeper: keeper.pid! });
  say(`Postgres is ready; orchestrators will listen on ${ports.join(" and ")}`);
}

async function start(): Promise<void> {
  const p = placeOrFail();
  const alive = serviceNames.filter((name) => isAlive(pidOf(p, name)));
  if (alive.length > 0) return say(`already at work: ${alive.join(", ")}`);
  await startAll(p);
  for (const name of serviceNames) say(`${name.padEnd(16)} process ${pidOf(p, name)}`);
  say(`ask them: ${urlOf(p, 0)}/v1/runs ${urlOf(p, 1)}/v1/runs`);
}

async function test(): Promise<void> {
  const { values } = parseArgs({
    args: rest,
    options: {
      runs: { type: "string" },
      burst: { type: "boolean" },
      sustained: { type: "string" },
      json: { type: "boolean" },
    },
  });
  const p = placeOrFail();
  const o = {
    runs: Number(values.runs ?? 2_000),
    sustainedMs: durationMs((values.sustained ?? "10s") as "10s", "sustained"),
    say,
  };
  if (!Number.isSafeInteger(o.runs) || o.runs < 20) {
    say("--runs needs a whole number, 20 or more");
    process.exit(2);
  }
  const only = values.burst === true ? ["burst"] : values.sustained !== undefined && values.runs === undefined ? ["sustained"] : undefined;
  const lines = await runChecks(clusterChecks(p, o), say, only);
  process.stdout.write(values.json === true ? `${JSON.stringify(lines)}\n` : `\n${reportTable(lines)}\n`);
  process.exitCode = lines.every((l) => l.failed === 0 && l.races === 0 && l.corruption === 0) ? 0 : 1;
}

async function stop(): Promise<void> {
  const p = savedPlace();
  if (p === undefined) return say("there is no cluster here");
  await endAll(p);
  if (isAlive(p.keeper)) {
    process.kill(p.keeper, "SIGTERM");
    while (isAlive(p.keeper)) await pause(50);
  }
  rmSync(clusterHome, { recursive: true, force: true });
  say("stopped, and removed");
}

const commands: Readonly<Record<string, () => Promise<void>>> = { setup, start, test, stop, keep };
const chosen = commands[command];
if (chosen === undefined) {
  say("setup, start, test or stop");
  process.exit(2);
}
await chosen();
