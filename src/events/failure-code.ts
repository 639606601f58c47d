// What a failed run is listed by: one short text out of the payload of its RunFailed. Total: a producer outside may write any payload,
// and a failure is never kept from being recorded by what it looks like. Pure.
import { isWellFormedText, utf8Length } from "../core/names.ts";

/** What every store can hold of it. */
const codeBytesMax = 256;

/** The category of an error that the workflow's code threw: it says nothing that its name does not say better. */
const plainCategory = "FAILED";

/** The failure's `code`, else its category, else its name; undefined when the payload has none of them. */
export function failureCode(payload: string | null): string | undefined {
  const top = objectOf(payload);
  const error = top["error"];
  const failure = typeof error === "object" && error !== null ? (error as Readonly<Record<string, unknown>>) : {};
  const category = top["category"] === plainCategory ? undefined : top["category"];
  for (const candidate of [failure["code"], top["code"], category, failure["name"]]) if (isCode(candidate)) return candidate;
  return undefined;
}

function isCode(x: unknown): x is string {
  return typeof x === "string" && x !== "" && utf8Length(x) <= codeBytesMax && isWellFormedText(x);
}

function objectOf(payload: string | null): Readonly<Record<string, unknown>> {
  if (payload === null) return {};
  try {
    const parsed: unknown = JSON.parse(payload);
    return typeof parsed === "object" && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {}; // a payload that is no JSON has no code
  }
}
