// Checks a request against its operation's schema, and in tests an answer. What is refused is named by a JSON pointer and a sentence: never
// the value, which may be a payload or a secret. A destructive operation without a reason has a code of its own. It must never change a value.
import type { z } from "zod";
import { PawlError, type RefusedPlace } from "../../errors/error.ts";
import type { OperationInput, OperationOutput } from "../operation-types.ts";
import { operationSpecs, type Operation } from "../operations.ts";
import { quickCheck } from "./quick-check.ts";
import { schemas } from "./schemas.ts";

const placesMax = 20;
const nameCharsMax = 64;

/** The input of an operation, or PAWL4011 with every place that is wrong; PAWL4090 where only the reason is missing. */
export function checkInput<O extends Operation>(operation: O, given: unknown): OperationInput<O> {
  if (operationSpecs[operation].destructive !== true && quickFor(operation)(given)) return given as OperationInput<O>;
  const checked = schemas[operation].input.safeParse(given);
  const reasonless = operationSpecs[operation].destructive === true && reasonOf(given) === undefined;
  if (checked.success) {
    const lost = lostMember(given, checked.data);
    if (lost !== undefined)
      throw new PawlError("PAWL4011", `${operation}: ${lost} is not a name that a member may have`, {
        errors: [{ pointer: lost, message: "is not a name that a member may have" }],
      });
    // A dry run destroys nothing.
    if (reasonless && asObject(given)["dryRun"] !== true) throw reasonMissing(operation);
    return checked.data as OperationInput<O>;
  }
  const errors = placesOf(checked.error.issues, given);
  if (reasonless) {
    const others = errors.filter((e) => e.pointer !== "/reason" && e.pointer !== "/answer/reason" && e.pointer !== "/answer");
    if (others.length === 0) throw reasonMissing(operation);
  }
  const [first] = errors;
  throw new PawlError("PAWL4011", `${operation}: ${first?.pointer === "" ? "the input" : first?.pointer} ${first?.message}`, { errors });
}

const quick = new Map<Operation, (given: unknown) => boolean>();

function quickFor(operation: Operation): (given: unknown) => boolean {
  let check = quick.get(operation);
  if (check === undefined) quick.set(operation, (check = quickCheck(schemas[operation].input)));
  return check;
}

/** For tests: the answer, or an error that names what a schema and an answer do not agree on. */
export function checkAnswer<O extends Operation>(operation: O, answer: unknown): OperationOutput<O> {
  const checked = schemas[operation].output.safeParse(answer);
  if (checked.success) return checked.data as OperationOutput<O>;
  const said = placesOf(checked.error.issues, answer).map((e) => `${e.pointer} ${e.message}`);
  throw new Error(`the answer of ${operation} does not fit its schema: ${said.join("; ")}`);
}

/** Zod leaves a member called __proto__ out of a record without a word: a filter by such a tag would be no filter at all. The first that is missing. */
function lostMember(given: unknown, kept: unknown, at = ""): string | undefined {
  if (given === kept || typeof given !== "object" || given === null || typeof kept !== "object" || kept === null) return undefined;
  if (Object.hasOwn(given, "__proto__") && !Object.hasOwn(kept, "__proto__")) return `${at}/__proto__`;
  for (const [name, value] of Object.entries(kept)) {
    const lost = lostMember((given as Record<string, unknown>)[name], value, `${at}/${name}`);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

/** Why, where a request says so: `reason`, or that of the answer to a decision. */
function reasonOf(given: unknown): string | undefined {
  const members = asObject(given);
  const reason = members["reason"] ?? asObject(members["answer"])["reason"];
  return typeof reason === "string" && reason.trim() !== "" ? reason : undefined;
}

function asObject(x: unknown): Readonly<Record<string, unknown>> {
  return typeof x === "object" && x !== null ? (x as Record<string, unknown>) : {};
}

function reasonMissing(operation: Operation): PawlError {
  return new PawlError("PAWL4090", `${operation} needs a reason`, { errors: [{ pointer: "/reason", message: "is missing" }] });
}

function placesOf(issues: readonly z.core.$ZodIssue[], given: unknown): readonly RefusedPlace[] {
  return issues.flatMap((i) => placesOfIssue(i, [], given)).slice(0, placesMax);
}

function placesOfIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[], given: unknown): RefusedPlace[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys")
    return issue.keys.slice(0, placesMax).map((k) => ({ pointer: pointerOf([...path, k]), message: "is not a member of this operation" }));
  if (issue.code === "invalid_union") {
    // The form that came closest says it best; where several did, none of them does.
    const forms = issue.errors.map((of) => of.flatMap((i) => placesOfIssue(i as z.core.$ZodIssue, path, given)));
    const fewest = Math.min(...forms.map((f) => f.length));
    const closest = forms.filter((f) => f.length === fewest);
    return closest.length === 1 ? closest[0]! : [{ pointer: pointerOf(path), message: "has none of the permitted forms" }];
  }
  return [{ pointer: pointerOf(path), message: isAbsent(given, path) ? "is missing" : messageOf(issue) }];
}

/** Nothing is there; null is something. */
function isAbsent(given: unknown, path: readonly PropertyKey[]): boolean {
  let at = given;
  for (const p of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, p)) return true;
    at = (at as Record<PropertyKey, unknown>)[p];
  }
  return at === undefined;
}

/** RFC 6901. Names are cut: a pointer is for people and logs. */
function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((p) => `/${String(p).slice(0, nameCharsMax).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array" ? "must not be empty" : `must be at least ${String(issue.minimum)}`;
    case "too_big":
      if (issue.origin === "string") return `must have at most ${String(issue.maximum)} characters`;
      if (issue.origin === "array") return `must have at most ${String(issue.maximum)} items`;
      return `must be at most ${String(issue.maximum)}`;
    case "invalid_format":
      return formats[issue.format] ?? "has the wrong form";
    case "custom":
      return issue.message; // our own words (exact.ts)
    case "invalid_key":
      return "has a member whose name is not permitted";
    default:
      return "is not permitted";
  }
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'must be a time such as "2026-01-31T08:00:00Z"',
  uuid: "must be a UUID v4",
  template_literal: 'must be a number with a unit, such as "30s"',
};
