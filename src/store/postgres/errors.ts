// What a failure of Postgres means: refuse this content, somebody is in the way, or the store is unavailable, and what is
// known of the write that met it. The one place that reads SQLSTATE codes. A server that says ERROR has rolled back; a line
// that broke after the last word was sent leaves the outcome unknown (K10).
import { isPawlError, PawlError, type Outcome } from "../../errors/error.ts";
import { isUnreachable, type OpenProblem } from "../sql/open-error.ts";

interface ServerError {
  readonly code: string;
  readonly severity: string;
  readonly constraint?: string;
  readonly message: string;
}

/** An answer of the server, with its five-character code; anything else is the line or the driver. */
export function serverError(e: unknown): ServerError | undefined {
  const x = e as Partial<ServerError> | null;
  return typeof x?.code === "string" && /^[0-9A-Z]{5}$/.test(x.code) && typeof x.severity === "string" ? (x as ServerError) : undefined;
}

/** FATAL and PANIC end the session, possibly after the write was made durable and before its answer was sent. */
function ended(e: ServerError): boolean {
  return e.severity === "FATAL" || e.severity === "PANIC" || e.code.startsWith("57P");
}

/** The content is at fault, and would be again: data exceptions, constraints, limits such as the size of an index entry. */
export function isContent(e: unknown): boolean {
  if (isPawlError(e, "PAWL3005") || isPawlError(e, "PAWL3018")) return true; // found before it was sent
  const code = serverError(e)?.code;
  return code !== undefined && (code.startsWith("22") || code.startsWith("23") || code.startsWith("54"));
}

/** K9: an event that the log already holds. */
export function isClash(e: unknown): boolean {
  const s = serverError(e);
  return s?.code === "23505" && /^(events|checkpoints|dispatches)_/.test(s.constraint ?? "");
}

/** Found without the server's saying so: what is being written needs something that somebody else is just writing. */
export class LockConflict extends Error {
  override readonly name: string = "InTheWay";
}

const contention = new Set(["40001", "40P01", "55P03"]);

/** Serialization failure, deadlock, or a lock that did not come in time: rolled back, and worth asking again. */
export function isContention(e: unknown): boolean {
  const code = serverError(e)?.code;
  return e instanceof LockConflict || (code !== undefined && contention.has(code));
}

/** 25P01, 3B001: no transaction, no such savepoint: somebody ended the transaction. */
export function isNoTransaction(e: unknown): boolean {
  const code = serverError(e)?.code;
  return code === "25P01" || code === "3B001";
}

/** 25P02: an earlier statement of this transaction failed, and the error was swallowed. */
export function isAborted(e: unknown): boolean {
  return serverError(e)?.code === "25P02";
}

/** 08P01: settings sent with the first packet are refused, as poolers do. */
export function isStartupRefused(e: unknown): boolean {
  const s = serverError(e);
  return s?.code === "08P01" && s.message.includes("startup parameter");
}

/** 57014: the server stopped the statement because its time was up. */
export function isStatementTimeout(e: unknown): boolean {
  return serverError(e)?.code === "57014";
}

/** The line broke, or the server closed the session: nothing can be said about what was sent last. */
export function isLost(e: unknown): boolean {
  if (e instanceof PawlError) return false;
  const s = serverError(e);
  return s === undefined ? true : ended(s);
}

/** `during`: what was on its way. Only the last word of a write, COMMIT or a statement that commits itself, can be in doubt. */
export function storeError(e: unknown, during: "statement" | "commit"): PawlError {
  if (e instanceof PawlError) return e;
  const outcome: Outcome = during === "commit" && isLost(e) ? "unknown" : "none";
  const s = serverError(e);
  const message = e instanceof Error && e.message !== "" ? e.message : "the driver failed";
  const page = contention.has(s?.code ?? "") ? "PAWL3001" : "PAWL3002";
  return new PawlError(page, `postgres: ${message}`, { cause: e, outcome, ...(s === undefined ? {} : { data: { sqlstate: s.code } }) });
}

/** What stood in the way of the first session, if it is something that a person can put right. */
export function openProblem(e: unknown): OpenProblem | undefined {
  const s = serverError(e);
  const message = e instanceof Error ? e.message : "";
  if (s === undefined)
    return isUnreachable(e) || /connect.*timeout|timeout.*connect/i.test(message)
      ? "nobody"
      : /\bSSL\b|\bTLS\b/.test(message)
        ? "tls"
        : undefined;
  if (s.code === "28000" && /no encryption|SSL off/.test(s.message)) return "tls";
  if (s.code.startsWith("28")) return "login";
  if (s.code === "3D000") return "database";
  if (s.code === "53300") return "crowded";
  if (s.code === "42501") return "forbidden";
  return s.code === "25006" ? "read only" : undefined;
}
