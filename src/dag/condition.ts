// Conditions of templates: a pointer and a comparison, and "all", "any", "not" of them. There is no expression language. Pure and total: a
// condition that was checked answers true or false for every value, and never throws. Equality is that of canonical JSON.
import { canonicalJson } from "../codec/canonical.ts";
import { partAt } from "../core/input-ref.ts";
import { brokenPlan } from "../core/plan-data.ts";
import { checkPointer, type PointerRoots } from "./pointer.ts";
import type { TemplateCondition } from "./template-types.ts";

const comparisons = ["eq", "ne", "lt", "gt", "in", "exists"] as const;
const depthMax = 32;

/** Throws PAWL1025 with the place of what is wrong. */
export function checkCondition(c: unknown, where: string, roots: PointerRoots, depth = 0): TemplateCondition {
  if (depth > depthMax) throw brokenPlan(`${where}: conditions are nested too deeply`);
  if (typeof c !== "object" || c === null || Array.isArray(c)) throw brokenPlan(`${where} must be a condition: an object`);
  const keys = Object.keys(c);
  const o = c as Readonly<Record<string, unknown>>;
  const [first] = keys;
  if (keys.length === 1 && (first === "all" || first === "any")) {
    const list = o[first];
    if (!Array.isArray(list)) throw brokenPlan(`${where}/${first} must be a list of conditions`);
    list.forEach((inner, i) => checkCondition(inner, `${where}/${first}/${i}`, roots, depth + 1));
    return c as TemplateCondition;
  }
  if (keys.length === 1 && first === "not") {
    checkCondition(o["not"], `${where}/not`, roots, depth + 1);
    return c as TemplateCondition;
  }
  const word = comparisons.find((w) => Object.hasOwn(o, w));
  if (!Object.hasOwn(o, "at") || word === undefined || keys.length !== 2)
    throw brokenPlan(
      `${where} needs "at" and one of ${comparisons.join(", ")}, or one of all, any, not; it has ${keys.join(", ") || "nothing"}`,
    );
  checkPointer(o["at"], `${where}/at`, roots);
  checkOperand(word, o[word], `${where}/${word}`);
  return c as TemplateCondition;
}

function checkOperand(word: (typeof comparisons)[number], value: unknown, where: string): void {
  if ((word === "lt" || word === "gt") && (typeof value !== "number" || !Number.isFinite(value)))
    throw brokenPlan(`${where} must be a number`);
  if (word === "in" && !Array.isArray(value)) throw brokenPlan(`${where} must be a list`);
  if (word === "exists" && typeof value !== "boolean") throw brokenPlan(`${where} must be true or false`);
  try {
    canonicalJson(value);
  } catch {
    throw brokenPlan(`${where} must be JSON`);
  }
}

export function holds(c: TemplateCondition, scope: unknown): boolean {
  if ("all" in c) return c.all.every((inner) => holds(inner, scope));
  if ("any" in c) return c.any.some((inner) => holds(inner, scope));
  if ("not" in c) return !holds(c.not, scope);
  const found = partAt(scope, c.at);
  if ("exists" in c) return (found !== undefined) === c.exists;
  if ("eq" in c) return isSame(found, c.eq);
  if ("ne" in c) return !isSame(found, c.ne);
  if ("in" in c) return c.in.some((x) => isSame(found, x));
  if (typeof found !== "number") return false;
  return "lt" in c ? found < c.lt : found > c.gt;
}

/** What is not there, or has no JSON form, equals nothing. */
function isSame(found: unknown, wanted: unknown): boolean {
  if (found === wanted) return true;
  if (typeof found !== "object" || found === null || typeof wanted !== "object" || wanted === null) return false;
  try {
    return canonicalJson(found) === canonicalJson(wanted);
  } catch {
    return false;
  }
}
