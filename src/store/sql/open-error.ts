// Why a store could not be opened: who refused, and what helps. Nothing tries again by itself there, unlike in an engine that runs, so
// these have codes of their own. Each store says by its driver's errors which it is; the words of the server stay in the message.
import type { Code } from "../../errors/catalogue.ts";
import { PawlError } from "../../errors/error.ts";

export type OpenProblem = "login" | "database" | "nobody" | "tls" | "crowded" | "forbidden" | "read only";

const codes: Readonly<Record<OpenProblem, Code>> = {
  login: "PAWL3030",
  database: "PAWL3031",
  nobody: "PAWL3032",
  tls: "PAWL3033",
  crowded: "PAWL3034",
  forbidden: "PAWL3035",
  "read only": "PAWL3036",
};

/** Nobody answers there, in the words of the system: alike for every driver. */
const unreachableCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
]);

export function isUnreachable(e: unknown): boolean {
  const { code, syscall } = (e ?? {}) as { code?: unknown; syscall?: unknown };
  return typeof code === "string" && (unreachableCodes.has(code) || (code === "ENOENT" && syscall === "connect")); // no such socket
}

/** `known`: the store's own error, where it is none of these. Whatever already has a page keeps it, but for "unavailable". */
export function openError(e: unknown, problemOf: (e: unknown) => OpenProblem | undefined, known: (e: unknown) => PawlError): PawlError {
  const seen = known(e);
  if (seen.page !== "PAWL3002") return seen;
  const problem = problemOf(e instanceof PawlError ? e.cause : e);
  return problem === undefined ? seen : new PawlError(codes[problem], seen.message, { cause: seen.cause, outcome: "none" });
}
