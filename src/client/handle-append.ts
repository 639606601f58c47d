// The append as a port: plain JSON in, plain JSON out, for whatever carries it (a server's `/v1/events` is a thin shell around
// this). Every answer is a value: what was refused is returned with its code, and whether the same request may be sent again. It must
// never let an exception through, and never show more of an unexpected one than that it happened.
import { maySendAgain } from "../api/statuses.ts";
import { PawlError } from "../errors/error.ts";
import type { AppendAuthority, Appended, AppendedBatch, AppendOptions } from "../log/append-types.ts";
import type { RunEventWrite } from "../core/contract.ts";

/** One event, or many; further members are the options of `append`. */
export type AppendRequest = AppendOptions & ({ readonly event: RunEventWrite } | { readonly events: readonly RunEventWrite[] });

/** The answer as plain JSON: the records, or the error and whether the same request may be sent again. */
export type AppendResponse =
  | { readonly ok: true; readonly result: Appended | AppendedBatch }
  | {
      readonly ok: false;
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly data: PawlError["data"];
        /** The same request may be sent again: what was written of it is found, and answered. */
        readonly retryable: boolean;
      };
    };

/**
 * Answers an append request that came over a wire: plain JSON in, plain JSON out. It never throws.
 *
 * @example
 * const answer = await handleAppend(client, JSON.parse(body));
 * response.statusCode = answer.ok ? 200 : 400;
 */
export async function handleAppend(to: Pick<AppendAuthority, "append">, request: unknown): Promise<AppendResponse> {
  try {
    const { given, options } = readRequest(request);
    // The cast only chooses the overload: every event is checked, whatever it is.
    return { ok: true, result: await to.append(given as RunEventWrite, options) };
  } catch (e) {
    const known = e instanceof PawlError ? e : new PawlError("PAWL5010", "the append failed unexpectedly", { outcome: "unknown" });
    return { ok: false, error: { code: known.code, message: known.message, data: known.data, retryable: maySendAgain(known) } };
  }
}

function readRequest(request: unknown): { given: unknown; options: AppendOptions } {
  if (typeof request !== "object" || request === null || Array.isArray(request)) throw badRequest("a request is an object");
  const { event, events, validate, workflowId, first } = request as Readonly<Record<string, unknown>>;
  if ((event === undefined) === (events === undefined)) throw badRequest("a request has either event or events");
  if (events !== undefined && !Array.isArray(events)) throw badRequest("events must be a list");
  if (Array.isArray(event)) throw badRequest("event must be one event");
  const options = {
    ...(validate === undefined ? {} : { validate: readFlag(validate, "validate") }),
    ...(first === undefined ? {} : { first: readFlag(first, "first") }),
    ...(workflowId === undefined ? {} : { workflowId: readText(workflowId, "workflowId") }),
  };
  return { given: events ?? event, options };
}

function readFlag(x: unknown, what: string): boolean {
  if (typeof x !== "boolean") throw badRequest(`${what} must be true or false`);
  return x;
}

function readText(x: unknown, what: string): string {
  if (typeof x !== "string") throw badRequest(`${what} must be text`);
  return x;
}

function badRequest(message: string): PawlError {
  return new PawlError("PAWL4011", message);
}
