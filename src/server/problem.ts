// From anything that was thrown to what a caller is answered: the problem object, its JSON-RPC code, and headers. What a problem shows is decided in api/problem.ts; here are
// refusals that need a header, and whether the log must hear of it. It must never let the text of an unexpected error out.
import { type Problem, toProblem } from "../api/problem.ts";
import { statusOf } from "../api/statuses.ts";
import { PawlError } from "../errors/error.ts";

/** A refusal that needs headers, or a status that its code does not have: 405 is one of a path, not of an error. */
export class Refusal extends Error {
  readonly error: PawlError;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;
  constructor(error: PawlError, headers: Readonly<Record<string, string>>, status?: number) {
    super(error.message);
    this.error = error;
    this.headers = headers;
    this.status = status;
  }
}

/** A body that is not taken: malformed (400), too large (413), or not JSON (415). */
export function bodyRefused(status: 400 | 413 | 415, message: string): PawlError {
  return new PawlError("PAWL4087", message, { data: { status } });
}

/** A failure as it is answered. */
export interface Failed {
  readonly problem: Problem;
  readonly rpcCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The answer does not say what happened: the log must. */
  readonly masked: boolean;
}

export function failedWith(thrown: unknown, traceId: string, reads: boolean): Failed {
  const refusal = thrown instanceof Refusal ? thrown : undefined;
  const e = refusal?.error ?? thrown;
  const found = toProblem(e, { traceId, reads });
  const problem = refusal?.status === undefined ? found : { ...found, status: refusal.status };
  const wait = problem.status === 429 || problem.status === 503 ? { "retry-after": "1" } : {};
  const challenge = problem.status === 401 ? { "www-authenticate": 'Bearer realm="pawl"' } : {};
  const masked = !(e instanceof PawlError) || e.message !== problem.detail;
  return { problem, rpcCode: statusOf(problem).rpc, headers: { ...wait, ...challenge, ...refusal?.headers }, masked };
}
