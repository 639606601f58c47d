// An error on a wire: a PawlError becomes a problem object (RFC 9457) and the HTTP client makes a PawlError of it again. What is not an answer
// to the caller, such as a thrown TypeError or a database's own words, is masked: it may quote payloads, paths and addresses, and belongs into
// the server's log only. Browsers load this file: no Node, no package.
import { catalogue, type Code } from "../errors/catalogue.ts";
import { PawlError, type ContractCode, type Outcome, type RefusedPlace } from "../errors/error.ts";
import { maySendAgain, statusOf } from "./statuses.ts";

/** The media type of problems. */
export const problemType = "application/problem+json";

/** An error as the server answers it; also `error.data` of JSON-RPC. */
export interface Problem {
  /** `urn:pawl:error:` and the page: stable. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The contract's name where it has one, else the page. */
  readonly code: Code | ContractCode;
  /** What programs switch on: always a PAWL code. */
  readonly page: Code;
  readonly outcome: Outcome;
  /** The same request, with the same id, may be sent again. */
  readonly retryable: boolean;
  readonly fix: string;
  readonly data: PawlError["data"];
  readonly errors: readonly RefusedPlace[];
  /** Under which the server's log has more. */
  readonly traceId?: string;
}

export interface ProblemOptions {
  readonly traceId?: string;
  /** The request changes nothing, so that its outcome is known even when it failed unexpectedly. */
  readonly reads?: boolean;
}

/** The problem of whatever was thrown. Log the thrown value itself: a masked problem has nothing of it. */
export function toProblem(thrown: unknown, o: ProblemOptions = {}): Problem {
  const known = isShown(thrown) ? thrown : masked(thrown, o);
  return {
    type: `urn:pawl:error:${known.page}`,
    title: catalogue[known.page].name,
    status: statusOf(known).http,
    detail: known.message,
    code: known.code,
    page: known.page,
    outcome: known.outcome,
    retryable: maySendAgain(known),
    fix: known.fix,
    data: known.data,
    errors: known.errors,
    ...(o.traceId === undefined ? {} : { traceId: o.traceId }),
  };
}

/** Codes with a status of 500 and more whose words are Pawl's own, for the caller. */
const ownWords: ReadonlySet<Code> = new Set(["PAWL3006", "PAWL4006", "PAWL4085", "PAWL4088", "PAWL4094", "PAWL5003", "PAWL5041"] as const);

function isShown(thrown: unknown): thrown is PawlError {
  return thrown instanceof PawlError && (statusOf(thrown).http < 500 || ownWords.has(thrown.page));
}

function masked(thrown: unknown, o: ProblemOptions): PawlError {
  const page = thrown instanceof PawlError ? thrown.page : "PAWL5010";
  const what = page === "PAWL5010" ? "the server met an unexpected error" : `the server could not do this (${catalogue[page].name})`;
  const outcome = o.reads === true ? "none" : thrown instanceof PawlError ? thrown.outcome : "unknown";
  return new PawlError(page, `${what}; its log says more${o.traceId === undefined ? "" : ` under trace ${o.traceId}`}`, { outcome });
}

/** The error that a server answered with; undefined if this is no problem of Pawl's. Everything in it is checked: servers can lie. */
export function fromProblem(body: unknown): PawlError | undefined {
  if (!isObject(body)) return undefined;
  const { page, detail, outcome, data, errors, traceId } = body;
  if (typeof page !== "string" || !/^PAWL\d{4}$/.test(page)) return undefined;
  const said = typeof detail === "string" ? detail : "the server did not say what happened";
  const facts = { ...(isObject(data) ? scalarsOf(data) : {}), ...(typeof traceId === "string" ? { traceId } : {}) };
  const known: Outcome = outcome === "applied" || outcome === "unknown" ? outcome : "none";
  const options = {
    outcome: known,
    errors: Array.isArray(errors) ? errors.filter(isPlace).map(({ pointer, message }) => ({ pointer, message })) : [],
  };
  if (isCode(page)) return new PawlError(page, said, { ...options, data: facts });
  // A newer server's code: its name survives as a fact.
  return new PawlError("PAWL5010", `${page}: ${said}`, { ...options, data: { ...facts, page } });
}

function isCode(page: string): page is Code {
  return Object.hasOwn(catalogue, page);
}

function isPlace(x: unknown): x is RefusedPlace {
  return isObject(x) && typeof x["pointer"] === "string" && typeof x["message"] === "string";
}

function scalarsOf(data: Readonly<Record<string, unknown>>): Record<string, string | number | boolean | null> {
  const scalars: [string, string | number | boolean | null][] = [];
  for (const [name, value] of Object.entries(data))
    if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") scalars.push([name, value]);
  return Object.fromEntries(scalars);
}

function isObject(x: unknown): x is Readonly<Record<string, unknown>> {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}
