// The form of a template, member by member: what is not known is refused by name, what is missing is named, and nothing has a silent default
// (TX-24). The graph is checked after this, as that of every DAG (core/plan-data.ts). Pure; it changes nothing.
import { canonicalJson } from "../codec/canonical.ts";
import { durationMs, type Duration } from "../core/duration.ts";
import { checkName } from "../core/names.ts";
import { brokenPlan, checkNodeId } from "../core/plan-data.ts";
import { retryPolicy, type Retry } from "../core/retry.ts";
import { schemaProblem } from "../core/strict-schema.ts";
import { triggers, type Trigger } from "../core/trigger.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import { checkQueue } from "../workflow/queue-options.ts";
import { checkCondition } from "./condition.ts";
import { checkIdentity } from "./identity.ts";
import { checkKeyText, checkPointer, type PointerRoots } from "./pointer.ts";
import { checkStaleness } from "./staleness.ts";
import type { Template, TemplateStep } from "./template-types.ts";

type Members = Readonly<Record<string, unknown>>;

const templateKeys = [
  "namespace",
  "name",
  "version",
  "description",
  "input",
  "identity",
  "timeout",
  "onFailure",
  "stale",
  "steps",
  "result",
];
const baseKeys = ["name", "type", "needs", "on", "trigger", "when", "input", "queue", "retry", "timeout", "heartbeat", "onFailure"];
const placeKeys = ["name", "type", "needs", "on", "trigger", "when"];
/** What a step of each type may say. */
const stepKeys: Readonly<Record<string, readonly string[]>> = {
  task: [...baseKeys, "handler", "effect"],
  decision: [...baseKeys, "handler", "branches"],
  each: [...baseKeys, "handler", "over", "id", "concurrency", "failFast", "effect"],
  batch: [...baseKeys, "handler", "worker", "workersMax"],
  call: [...placeKeys, "input", "timeout", "workflow", "version"],
  sleep: [...placeKeys, "delay"],
  signal: [...placeKeys, "timeout", "signal"],
};
const stepsMax = 10_000;

/** Throws PAWL1025, PAWL1001 or PAWL1002 with the place of what is wrong. */
export function checkTemplate(given: unknown): Template {
  const t = members(given, "a template");
  onlyKeys(t, templateKeys, "a template");
  for (const name of ["namespace", "name", "version"] as const) checkName(t[name], `the template's ${name}`);
  if ((t["namespace"] as string).includes("/")) throw brokenPlan("the template's namespace must not contain '/'");
  if (t["description"] !== undefined && typeof t["description"] !== "string") throw brokenPlan("description must be text");
  if (t["input"] !== undefined) checkInputSchema(t["input"]);
  if (t["identity"] !== undefined) checkIdentity(t["identity"], "identity");
  optionalDuration(t, "timeout", "the template");
  oneOf(t["onFailure"], ["fail", "hold"], "onFailure");
  if (t["stale"] !== undefined) checkStaleness(t["stale"]);
  const steps = t["steps"];
  if (!Array.isArray(steps) || steps.length === 0) throw brokenPlan("a template needs steps: a list of at least one");
  if (steps.length > stepsMax) throw brokenPlan(`a template has at most ${stepsMax} steps, this one has ${steps.length}`);
  steps.forEach((s, i) => checkStep(s, i));
  if (t["result"] !== undefined && !steps.some((s) => (s as Members)["name"] === t["result"]))
    throw brokenPlan(`result names ${JSON.stringify(t["result"])}, which is not a step`);
  jsonOnly(t, "a template");
  return given as Template;
}

function checkStep(given: unknown, index: number): void {
  const s = members(given, `steps/${index}`);
  const name = checkNodeId(s["name"]);
  const where = `step ${name}`;
  const type = s["type"] === undefined ? "task" : s["type"];
  if (typeof type !== "string" || !Object.hasOwn(stepKeys, type))
    throw brokenPlan(`${where}: type is one of ${Object.keys(stepKeys).join(", ")}`);
  onlyKeys(s, stepKeys[type]!, `${where} (${type})`);
  const needs = s["needs"] ?? [];
  if (!Array.isArray(needs) || needs.some((n) => typeof n !== "string")) throw brokenPlan(`${where}: needs must be a list of names`);
  const roots = new Set(["input", ...(needs as string[])]);
  checkPlace(s, where, needs as string[], roots);
  checkWork(s, type, where, roots);
}

function checkPlace(s: Members, where: string, needs: readonly string[], roots: PointerRoots): void {
  oneOf(s["trigger"], triggers, `${where}: trigger`);
  if (s["when"] !== undefined) checkCondition(s["when"], `${where}: when`, roots);
  if (s["on"] === undefined) return;
  const on = members(s["on"], `${where}: on`);
  onlyKeys(on, ["decision", "branch"], `${where}: on`);
  if (typeof on["decision"] !== "string" || typeof on["branch"] !== "string")
    throw brokenPlan(`${where}: on needs a decision and a branch`);
  if (!needs.includes(on["decision"])) throw brokenPlan(`${where}: the decision ${on["decision"]} must be among its needs`);
}

function checkWork(s: Members, type: string, where: string, roots: PointerRoots): void {
  if (type === "each" && roots.has("item"))
    throw brokenPlan(`${where}: in an each, item is the item: a step that it needs has another name`);
  const inside: PointerRoots = type === "each" ? new Set([...roots, "item"]) : roots;
  for (const key of ["handler", "worker", "workflow", "signal", "delay", "over", "id", "branches"])
    if (stepKeys[type]!.includes(key) && s[key] === undefined) throw brokenPlan(`${where} (${type}) needs ${key}`);
  for (const key of ["handler", "worker", "workflow", "signal", "version"]) if (s[key] !== undefined) checkName(s[key], `${where}: ${key}`);
  optionalDuration(s, "timeout", where);
  optionalDuration(s, "heartbeat", where);
  optionalDuration(s, "delay", where);
  oneOf(s["onFailure"], ["fail", "hold"], `${where}: onFailure`);
  if (s["queue"] !== undefined) checkQueue(s["queue"], where);
  if (s["retry"] !== undefined) checkRetry(s["retry"], where);
  if (s["input"] !== undefined) checkInput(s["input"], where, inside);
  if (s["over"] !== undefined) checkPointer(s["over"], `${where}: over`, roots);
  if (s["id"] !== undefined) checkPointer(s["id"], `${where}: id`, inside);
  if (s["failFast"] !== undefined && typeof s["failFast"] !== "boolean") throw brokenPlan(`${where}: failFast must be true or false`);
  for (const key of ["concurrency", "workersMax"])
    if (s[key] !== undefined && (!Number.isSafeInteger(s[key]) || (s[key] as number) < 1))
      throw brokenPlan(`${where}: ${key} must be a whole number of at least 1`);
  if (s["branches"] !== undefined && (!Array.isArray(s["branches"]) || s["branches"].some((b) => typeof b !== "string" || b === "")))
    throw brokenPlan(`${where}: branches must be a list of names`);
  if (s["effect"] !== undefined) checkEffect(s["effect"], where, inside);
}

function checkInput(given: unknown, where: string, roots: PointerRoots): void {
  for (const [name, from] of Object.entries(members(given, `${where}: input`))) {
    if (name === "__proto__") throw brokenPlan(`${where}: input has a member __proto__, which would be no member: name it otherwise`);
    if (typeof from === "string") checkPointer(from, `${where}: input/${name}`, roots);
    else onlyKeys(members(from, `${where}: input/${name}`, "a pointer, or an object with value"), ["value"], `${where}: input/${name}`);
  }
}

function checkEffect(given: unknown, where: string, roots: PointerRoots): void {
  const e = members(given, `${where}: effect`);
  onlyKeys(e, ["repeatable", "once", "key", "dedup", "verify"], `${where}: effect`);
  for (const flag of ["repeatable", "once", "verify"])
    if (e[flag] !== undefined && e[flag] !== true) throw brokenPlan(`${where}: ${flag} must be true or left out`);
  if (e["key"] !== undefined) checkKeyText(e["key"], `${where}: key`, roots);
  if (e["dedup"] !== undefined && e["dedup"] !== "forever") durationMs(e["dedup"] as Duration, `${where}: dedup`);
  if (Object.keys(e).length === 0)
    throw brokenPlan(`${where}: effect says nothing: leave it out, or give one of repeatable, once, key, verify`);
}

function checkRetry(given: unknown, where: string): void {
  onlyKeys(members(given, `${where}: retry`), ["attempts", "backoff", "initial", "max"], `${where}: retry`);
  try {
    retryPolicy(given as Retry);
  } catch (e) {
    throw isPawlError(e, "PAWL1011") ? new PawlError("PAWL1011", `${where}: ${e.message}`, { cause: e }) : e;
  }
}

function checkInputSchema(schema: unknown): void {
  const problem = typeof schema === "object" ? schemaProblem(schema) : { pointer: "", message: "expected a schema: an object" };
  if (problem !== undefined) throw brokenPlan(`input${problem.pointer}: ${problem.message}`, { pointer: `/input${problem.pointer}` });
}

function members(given: unknown, what: string, expected = "an object"): Members {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw brokenPlan(`${what} must be ${expected}`);
  return given as Members;
}

function onlyKeys(o: Members, known: readonly string[], what: string): void {
  const unknown = Object.keys(o).filter((k) => !known.includes(k));
  if (unknown.length > 0)
    throw brokenPlan(`${what} has no ${unknown.map((k) => JSON.stringify(k.slice(0, 60))).join(", ")}; it may have ${known.join(", ")}`, {
      unknown: unknown.slice(0, 20).join(","),
    });
}

function oneOf(value: unknown, allowed: readonly string[], what: string): asserts value is Trigger | undefined {
  if (value !== undefined && !allowed.includes(value as string)) throw brokenPlan(`${what} is one of ${allowed.join(", ")}`);
}

function optionalDuration(o: Members, key: string, where: string): void {
  if (o[key] !== undefined) durationMs(o[key] as Duration, `${where}: ${key}`);
}

/** It is stored and compared by its canonical form. */
function jsonOnly(t: unknown, what: string): void {
  try {
    canonicalJson(t);
  } catch {
    throw brokenPlan(`${what} must be JSON: texts, numbers, true, false, null, lists and objects`);
  }
}

/** Which type a step has; a task unless it says so. */
export function stepType(s: TemplateStep): NonNullable<TemplateStep["type"]> {
  return s.type ?? "task";
}
