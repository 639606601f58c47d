// The one path of every request, whichever transport it came over: guard, authenticate, limits, body, schema, authorise, audit, client, encode. REST, RPC and MCP
// call `admit` once per request and `perform` once per operation; they read the body in between and encode what comes out. Nothing else in the
// server may call a handler.
import { type Operation, operationSpecs } from "../api/operations.ts";
import type { Client } from "../client/types.ts";
import type { Principal } from "../core/principal.ts";
import type { Logger } from "../engine/run-host.ts";
import { PawlError } from "../errors/error.ts";
import type { Arrival } from "./arrival.ts";
import { authorise } from "./authorise.ts";
import type { AuditLog } from "./audit-log.ts";
import type { Call, Handler, Reply, ServerFacts } from "./call.ts";
import { guard, type GuardOptions } from "./guard.ts";
import { handlers } from "./handlers/table.ts";
import { hidePayloads } from "./hide.ts";
import { failedWith, type Failed } from "./problem.ts";
import type { Authenticator, Caller } from "./principal.ts";

export interface PathParts {
  readonly facts: ServerFacts;
  readonly log: Logger;
  readonly authenticator: Authenticator;
  readonly guard: GuardOptions;
  readonly audit: AuditLog | undefined;
  /** A client that acts for this principal; cheap, and kept. */
  clientFor(p: Principal): Client;
  /** Turns an input into what the operation takes, or refuses it (422) with the places that do not fit. */
  checkInput(operation: Operation, input: Readonly<Record<string, unknown>>): unknown;
}

/** A request that was let in. */
export interface Admitted {
  readonly arrival: Arrival;
  readonly caller: Caller;
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly traceId: string;
  readonly traceparent: string | undefined;
  /** Gives back what the request held; call it once, when the answer was sent. */
  readonly end: () => void;
}

export class RequestPath {
  readonly #parts: PathParts;

  constructor(parts: PathParts) {
    this.#parts = parts;
  }

  get facts(): ServerFacts {
    return this.#parts.facts;
  }

  /** Guard, authenticate, limits. */
  async admit(arrival: Arrival, traceId: string): Promise<Admitted> {
    const { authenticator, clientFor } = this.#parts;
    const { request } = arrival;
    guard(arrival, this.#parts.guard);
    const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
    const caller = await authenticator.authenticate({ header, address: arrival.peer, request });
    if (caller === null) throw new PawlError("PAWL4080", "this request has no valid credential");
    return {
      arrival,
      caller,
      client: clientFor(caller.principal),
      signal: request.signal,
      traceId,
      traceparent: header("traceparent"),
      end: () => {},
    };
  }

  /** Schema, authorise, audit, client. The answer's body shows what the caller may see. */
  async perform(admitted: Admitted, operation: Operation, input: Readonly<Record<string, unknown>>): Promise<Reply<unknown>> {
    const { caller } = admitted;
    const checked = this.#parts.checkInput(operation, input) as Readonly<Record<string, unknown>>;
    const audit = this.#parts.audit;
    try {
      authorise(caller, operation, checked);
    } catch (e) {
      if (e instanceof PawlError && e.page !== "PAWL4090") audit?.denied({ caller, operation, input: checked, code: e.page });
      throw e;
    }
    const record = audit !== undefined && isAudited(operation) ? await audit.granted({ caller, operation, input: checked }) : undefined;
    try {
      const handler = handlers[operation] as unknown as Handler<Operation>;
      const reply: Reply<unknown> = await handler(this.#callOf(admitted), checked as never);
      await record?.ended(reply.outcome === "created" ? 201 : reply.outcome === "pending" ? 202 : 200);
      return caller.scopes.has("payloads") ? reply : { ...reply, body: hidePayloads(operation, reply.body) };
    } catch (e) {
      const { problem } = failedWith(e, admitted.traceId);
      await record?.ended(problem.status, problem.page);
      throw e;
    }
  }

  /** A failure as it is answered; what nobody expected is logged. */
  fail(thrown: unknown, traceId: string): Failed {
    const failed = failedWith(thrown, traceId);
    if (failed.unexpected) this.#parts.log("error", "a request failed unexpectedly", { traceId, error: thrown });
    return failed;
  }

  #callOf({ client, caller, signal, traceId, traceparent }: Admitted): Call {
    return { client, caller, server: this.#parts.facts, signal, traceId, ...(traceparent === undefined ? {} : { traceparent }) };
  }
}

/** Operations that are recorded before they begin. */
function isAudited(operation: Operation): boolean {
  return ["operate", "resolve", "export", "admin"].includes(operationSpecs[operation].scope);
}

/** The trace that a request belongs to: its caller's, or a new one. */
export function traceIdOf({ headers }: Request, { platform }: ServerFacts): string {
  const given = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(headers.get("traceparent") ?? "")?.[1];
  return given === undefined || /^0+$/.test(given) ? platform.randomHex(16) : given;
}
