// `npm run bench:dashboard`: the budgets of the dashboard, measured in a real browser and printed beside what was measured. Name parts behind `--` to measure only
// these: size, runs, events, dag, live, install. Times depend on the machine: one that is over its budget is printed as MISSED, but only sizes end it with 1.
import { dagBudget } from "./dag.ts";
import { eventsBudget } from "./events.ts";
import { installBudget } from "./install.ts";
import { liveBudget } from "./live.ts";
import { runsBudget } from "./runs.ts";
import { sizeBudget } from "./size.ts";
import type { Measured } from "./measure.ts";

const parts: Readonly<Record<string, () => Promise<readonly Measured[]>>> = {
  size: () => sizeBudget(),
  runs: () => runsBudget(Number(process.env["PAWL_BUDGET_RUNS"] ?? 100_000), 60),
  events: () => eventsBudget(10_000),
  dag: () => dagBudget(5_000),
  live: () => liveBudget(20_000, 10_000),
  install: () => installBudget(Number(process.env["PAWL_BUDGET_ROUNDS"] ?? 3)),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  process.stderr.write(`${unknown.join(", ")}: the parts are ${Object.keys(parts).join(", ")}\n`);
  process.exit(2);
}
let tooLarge = false;
let missed = 0;
for (const name of asked.length === 0 ? Object.keys(parts) : asked)
  for (const { what, measured, budget, kind, kept } of await parts[name]!()) {
    process.stdout.write(`${kept ? "kept  " : "MISSED"}  ${what}: ${measured} (${budget})\n`);
    if (!kept) missed++;
    if (!kept && kind === "bytes") tooLarge = true;
  }
process.stdout.write(missed === 0 ? "every budget was kept\n" : `${missed} missed\n`);
process.exitCode = tooLarge ? 1 : 0;
