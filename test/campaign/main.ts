// `npm run campaign`: the long form of what the tests do in small doses. Real processes are killed and stopped, servers are
// killed, answers are lost; the effects are counted outside. Options: --only kills,zombies, --store sqlite,postgres, --seed N,
// --scale 0.02 (a share of the figures), --json. Ends with 1 on any violation, and when a planted bug is not noticed.
import { parseArgs } from "node:util";
import { noFaketime } from "../support/faketime.ts";
import { noMariadb, startMariadb } from "../support/mariadb.ts";
import { startPostgres } from "../support/postgres.ts";
import { killChildren } from "../support/child-process.ts";
import { anySeed } from "./engine-processes.ts";
import { storeNames, type StoreName } from "../support/test-database.ts";
import { figures, partNames, parts, runPart, type Line } from "./parts.ts";
import { table } from "./report.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    store: { type: "string", multiple: true },
    seed: { type: "string" },
    scale: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const say = (text: string): void => void process.stderr.write(`${text}\n`);
function refuse(why: string): never {
  say(why);
  process.exit(2);
}
function chosen<T extends string>(option: string, given: readonly string[] | undefined, all: readonly T[]): readonly T[] {
  const names = (given ?? []).flatMap((list) => list.split(",")) as T[];
  const unknown = names.filter((n) => !all.includes(n));
  if (unknown.length > 0) refuse(`--${option} ${unknown.join(", ")}: one of ${all.join(", ")}`);
  return names.length === 0 ? all : all.filter((n) => names.includes(n));
}

let only = chosen("only", values.only, partNames);
let stores = chosen("store", values.store, storeNames);
const seed = values.seed === undefined ? anySeed() : Number(values.seed);
const scale = Number(values.scale);
if (!Number.isSafeInteger(seed)) refuse("--seed needs a whole number");
if (!(scale > 0)) refuse("--scale needs a number above 0");

const without = stores.includes("mysql") ? noMariadb() : undefined;
if (without !== undefined) {
  say(`mysql is left out: ${without}`);
  stores = stores.filter((s) => s !== "mysql");
}

const clockless = only.includes("clocks") ? noFaketime() : undefined;
if (clockless !== undefined) {
  say(`clocks is left out: ${clockless}`);
  only = only.filter((p) => p !== "clocks");
}

const servers: { stop(): Promise<void> }[] = [];
if (stores.includes("postgres") && process.env["PAWL_TEST_POSTGRES"] === undefined) {
  const server = await startPostgres();
  servers.push(server);
  process.env["PAWL_TEST_POSTGRES"] = server.url;
}
if (stores.includes("mysql") && process.env["PAWL_TEST_MYSQL"] === undefined) {
  const server = await startMariadb();
  servers.push(server);
  process.env["PAWL_TEST_MYSQL"] = server.url;
}

async function leave(): Promise<void> {
  await killChildren();
  for (const s of servers.splice(0)) await s.stop();
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void leave().finally(() => process.exit(130)));

const lines: Line[] = [];
try {
  for (const name of only) {
    const part = parts[name];
    const here = part.stores.filter((s: StoreName) => stores.includes(s));
    for (const store of here) {
      const share = name === "database" ? figures[name] : figures[name] / part.stores.length;
      const faults = Math.max(1, Math.ceil(share * scale));
      const again = `npm run campaign -- --only ${name} --store ${store} --seed ${seed} --scale ${scale}`;
      say(`\n${name} on ${store}: ${faults} wanted, seed ${seed}\n  again: ${again}`);
      const line = await runPart(part, { store, faults, seed, say: (text) => say(`  ${name} on ${store}: ${text}`) });
      for (const v of line.violations.slice(0, 20)) say([`  VIOLATION ${v.kind}: ${v.what}`, ...(v.log ?? [])].join("\n    "));
      if (!line.canaryCaught) say(`  the planted bug "${part.canary.bug}" was not noticed`);
      lines.push(line);
      if (values.json) process.stdout.write(`${JSON.stringify({ ...line, seed, again })}\n`);
    }
  }
} finally {
  await leave();
}
if (!values.json) process.stdout.write(`\n${table(lines)}\n`);
const bad = lines.filter((l) => l.violations.length > 0 || !l.canaryCaught);
say(
  bad.length === 0
    ? "Nothing lost, nothing twice, no zombie wrote; every planted bug was noticed."
    : `${bad.length} of ${lines.length} failed.`,
);
process.exitCode = bad.length === 0 ? 0 : 1;
