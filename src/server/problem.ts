// From anything that was thrown to what a caller is answered: a status, a problem object (RFC 9457), and its JSON-RPC code. Errors of Pawl say what
// they say; everything else is masked, and goes to the log with the request's trace id. It must never let the text of an unexpected error out.
import type { Code } from "../errors/catalogue.ts";
import { PawlError } from "../errors/error.ts";

/** A refusal whose status its code alone does not determine: a body can be too large, malformed, or of the wrong type. */
export class Refusal extends Error {
  readonly error: PawlError;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, error: PawlError, headers: Readonly<Record<string, string>> = {}) {
    super(error.message);
    this.error = error;
    this.status = status;
    this.headers = headers;
  }
}

export interface FieldProblem {
  /** A JSON pointer into the input. */
  readonly pointer: string;
  readonly message: string;
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly page: Code;
  readonly outcome: PawlError["outcome"];
  readonly retryable: boolean;
  readonly fix: string;
  readonly data: PawlError["data"];
  readonly errors?: readonly FieldProblem[];
  readonly traceId: string;
}

/** A failure as it is answered. */
export interface Failed {
  readonly problem: Problem;
  readonly rpcCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What was thrown was not an error of Pawl: it belongs into the log. */
  readonly unexpected: boolean;
}

export function failedWith(thrown: unknown, traceId: string): Failed {
  const refusal = thrown instanceof Refusal ? thrown : undefined;
  const known = refusal?.error ?? (thrown instanceof PawlError ? thrown : undefined);
  const unexpected = known === undefined || known.page === "PAWL5010" || known.page === "PAWL3007";
  const e = unexpected ? new PawlError("PAWL5010", "the request failed unexpectedly", { outcome: "unknown" }) : known;
  const status = refusal?.status ?? statusOf(e.page);
  const errors = (known as { readonly errors?: readonly FieldProblem[] } | undefined)?.errors;
  const problem: Problem = {
    type: `https://pawl.dev/errors/${e.page}`,
    title: e.name,
    status,
    detail: e.message,
    code: e.code,
    page: e.page,
    outcome: e.outcome,
    retryable: status === 429 || status === 503,
    fix: e.fix,
    data: e.data,
    ...(errors === undefined ? {} : { errors }),
    traceId,
  };
  const wait = status === 429 || status === 503 ? { "retry-after": "1" } : {};
  const challenge = status === 401 ? { "www-authenticate": 'Bearer realm="pawl"' } : {};
  return { problem, rpcCode: rpcCodeOf(status), headers: { ...wait, ...challenge, ...refusal?.headers }, unexpected };
}

function rpcCodeOf(status: number): number {
  if (status === 400 || status === 413 || status === 415) return -32_600;
  if (status === 422) return -32_602;
  if (status === 409 || status === 412) return -32_009;
  if (status === 404 || status === 410) return -32_004;
  if (status === 401 || status === 403 || status === 421) return -32_001;
  return status === 429 ? -32_029 : -32_603;
}

const statuses: Readonly<Partial<Record<Code, number>>> = {
  PAWL1001: 422,
  PAWL1003: 422,
  PAWL1004: 422,
  PAWL1008: 422,
  PAWL1016: 422,
  PAWL3005: 422,
  PAWL4001: 404,
  PAWL4005: 422,
  PAWL4008: 404,
  PAWL4011: 422,
  PAWL4020: 422,
  PAWL4036: 404,
  PAWL4040: 410,
  PAWL4041: 410,
  PAWL4042: 410,
  PAWL4053: 422,
  PAWL4072: 404,
  PAWL4080: 401,
  PAWL4081: 403,
  PAWL4082: 422,
  PAWL4083: 412,
  PAWL4084: 429,
  PAWL4085: 503,
  PAWL4086: 404,
  PAWL4087: 400,
  PAWL4090: 422,
  PAWL4091: 403,
  PAWL4092: 403,
  PAWL4093: 404,
  PAWL5010: 500,
  PAWL5020: 422,
  PAWL5021: 422,
};

function statusOf(page: Code): number {
  return statuses[page] ?? (page.startsWith("PAWL3") ? 503 : 409);
}
