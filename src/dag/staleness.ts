// When a run of a DAG is stale, as an author writes it and as the engine keeps it. Everything is checked when the module is loaded. It must never be
// empty: then every run would be stale.
import { durationMs, type Duration } from "../core/duration.ts";
import { brokenPlan } from "../core/plan-data.ts";
import type { PlanStaleness } from "../engine/definition.ts";

const times = ["waitingForDependencies", "waitingForRetry", "inProcess"] as const;
const members: readonly string[] = [...times, "then"];

export function checkStaleness(given: unknown): PlanStaleness {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw brokenPlan("stale must be an object");
  const said = given as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(said).filter((k) => !members.includes(k));
  if (unknown.length > 0)
    throw brokenPlan(`stale has no ${unknown.map((k) => JSON.stringify(k.slice(0, 60))).join(", ")}; it may have ${members.join(", ")}`);
  const { then } = said;
  if (then !== undefined && then !== "investigate" && then !== "fail") throw brokenPlan("stale: then is one of investigate, fail");
  const checked: Record<string, number | string> = then === undefined ? {} : { then };
  for (const name of times) {
    if (said[name] === undefined) continue;
    const ms = durationMs(said[name] as Duration, `stale: ${name}`);
    if (ms === 0) throw brokenPlan(`stale: ${name} must be more than 0: every run would be stale at once`);
    checked[name] = ms;
  }
  return checked;
}
