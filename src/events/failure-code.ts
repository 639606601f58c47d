// What a failed run is listed by: one short text out of the payload of its RunFailed. Total: a producer outside may write any payload,
// and a failure is never kept from being recorded by what it looks like. Pure.
import { isWellFormedText, utf8Length } from "../core/names.ts";

/** What every store can hold of it. */
const codeBytesMax = 256;

/** Categories that say no more than that something failed: an error's name says it better. */
const plainCategories: readonly unknown[] = ["FAILED", "CHILD_FAILED"];
/** The code of every failure of a step (StepFailed): what it failed with is its cause. */
const stepFailed = "PAWL1012";
/** A failure has no more causes than this (codec/failure.ts). */
const causesMax = 5;

type Members = Readonly<Record<string, unknown>>;

/**
 * The failure's `code`, else its category, else its name; undefined when the payload has none of them. Of a step that failed, what it
 * failed with: that a step failed is true of nearly every run that did.
 */
export function failureCode(payload: string | null): string | undefined {
  const top = membersOf(parsed(payload));
  return codeOf(membersOf(top["error"]), top["category"], 0) ?? (isCode(top["code"]) ? top["code"] : undefined);
}

function codeOf(failure: Members, category: unknown, depth: number): string | undefined {
  if (failure["code"] === stepFailed && depth < causesMax) {
    const inner = codeOf(membersOf(failure["cause"]), membersOf(failure["data"])["category"], depth + 1);
    if (inner !== undefined) return inner;
  }
  const candidates = [failure["code"], plainCategories.includes(category) ? undefined : category, failure["name"]];
  return candidates.find(isCode);
}

function isCode(x: unknown): x is string {
  return typeof x === "string" && x !== "" && utf8Length(x) <= codeBytesMax && isWellFormedText(x);
}

function membersOf(x: unknown): Members {
  return typeof x === "object" && x !== null ? (x as Members) : {};
}

function parsed(payload: string | null): unknown {
  try {
    return payload === null ? null : (JSON.parse(payload) as unknown);
  } catch {
    return null; // a payload that is no JSON has no code
  }
}
