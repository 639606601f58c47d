// The one path of every request, whichever transport it came over: guard, authenticate, limits, body, schema, authorise, audit, client, encode. REST, RPC and MCP
// call `admit` once per request and `perform` once per operation; they read the body in between and encode what comes out. Nothing else in the
// server may call a handler.
import { type Operation, operationSpecs } from "../api/operations.ts";
import { statusOf } from "../api/statuses.ts";
import type { AuditWriter, AuditedAct } from "../access/audit-types.ts";
import type { OperationInput } from "../api/operation-types.ts";
import type { MessageToCheck } from "../client/messages/message-check.ts";
import type { Client } from "../client/types.ts";
import type { Principal } from "../core/principal.ts";
import type { Logger } from "../engine/run-host.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import type { AddressRanges } from "../platform/net/address-ranges.ts";
import type { Inbound } from "./http/inbound.ts";
import { actOf, isAudited, noteForeignRun, payloadRead, withRunId } from "./access/audited.ts";
import { authorise } from "./access/authorise.ts";
import type { Call, Handler, Reply, ServerFacts } from "./call.ts";
import { closeCursor, openCursor } from "./cursors.ts";
import type { Drain } from "./drain.ts";
import { guard, guardAmbient, type GuardOptions } from "./guard.ts";
import { handlers } from "./handlers/table.ts";
import { hidePayloads } from "./hide.ts";
import { clientAddress, FailedTries, InFlight, shownBy } from "./limits.ts";
import type { ServerMetrics } from "./metrics.ts";
import { failedWith, type Failed } from "./problem.ts";
import type { Authenticator, Caller } from "./access/caller.ts";
import { stillHolds } from "./access/still-holds.ts";

export interface PathParts {
  readonly facts: ServerFacts;
  readonly log: Logger;
  readonly authenticator: Authenticator;
  readonly guard: GuardOptions;
  readonly audit: AuditWriter | undefined;
  readonly drain: Drain;
  readonly metrics: ServerMetrics;
  /** Proxies whose word about the caller's address is believed. */
  readonly trusted: AddressRanges | undefined;
  /** A client that acts for this principal; cheap, and kept. */
  clientFor(p: Principal, tokenBy?: string): Client;
  /** Refuses a message that the run's workflow does not take; accepts nothing. */
  checkMessage(id: string, m: MessageToCheck): Promise<void>;
  /** Turns an input into what the operation takes, or refuses it (422) with the places that do not fit. */
  checkInput(operation: Operation, input: Readonly<Record<string, unknown>>): unknown;
}

/** A request that was let in. */
export interface Admitted {
  readonly inbound: Inbound;
  readonly caller: Caller;
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly traceId: string;
  readonly traceparent: string | undefined;
  /** The address that the caller is believed to have. */
  readonly address: string | undefined;
  /** Counts further operations of the same request against the caller's limit. */
  readonly count: (n: number) => void;
  /** Gives back what the request held; call it once, when the answer was made. */
  readonly end: () => void;
}

/** An answer that took so long was waited for: its caller may have lost its credential meanwhile. */
const waitedMs = 1_000;

/** An input that fits its operation's schema. */
type Checked = Readonly<Record<string, unknown>>;

export class RequestPath {
  readonly #parts: PathParts;
  readonly #inFlight = new InFlight();
  readonly #tries: FailedTries;

  constructor(parts: PathParts) {
    this.#parts = parts;
    this.#tries = new FailedTries(parts.facts.platform);
  }

  get facts(): ServerFacts {
    return this.#parts.facts;
  }

  /** Guard, authenticate, limits. */
  async admit(inbound: Inbound, traceId: string): Promise<Admitted> {
    try {
      return await this.#letIn(inbound, traceId);
    } catch (e) {
      this.#parts.metrics.countRequest(null, failedWith(e, traceId, true).problem.status);
      throw e;
    }
  }

  async #letIn(inbound: Inbound, traceId: string): Promise<Admitted> {
    const { clientFor, drain, trusted } = this.#parts;
    guard(inbound, this.#parts.guard);
    const address = clientAddress(inbound, trusted);
    const caller = await this.#authenticate(inbound, address);
    if (caller.ambient) guardAmbient(inbound, this.#parts.guard);
    const key = this.#inFlight.enter(caller);
    let counted = 1;
    const underWay = drain.begin(inbound);
    return {
      inbound,
      caller,
      client: clientFor(caller.principal, caller.createdBy),
      get signal() {
        return underWay.signal;
      },
      traceId,
      traceparent: inbound.headers.get("traceparent") ?? undefined,
      address,
      count: (n) => {
        this.#inFlight.enter(caller, n);
        counted += n;
      },
      end: () => {
        this.#inFlight.leave(key, counted);
        underWay.end();
      },
    };
  }

  /** An address that failed too often is refused before its credential is looked up. */
  async #authenticate(inbound: Inbound, address: string | undefined): Promise<Caller> {
    const shown = shownBy(inbound);
    this.#tries.check(address, shown);
    const found = this.#parts.authenticator.authenticate(inbound);
    const answer = found instanceof Promise ? await found : found;
    if (answer.kind === "caller") {
      this.#tries.accepted(shown);
      return answer.caller;
    }
    this.#tries.failed(address);
    const { error, principal, tokenId } = answer;
    const who = { ...(principal === undefined ? {} : { principal }), ...(tokenId === undefined ? {} : { tokenId }) };
    this.#parts.audit?.denied({ operation: "authenticate", ...who }, statusOf(error).http, error.code);
    throw error;
  }

  /** Schema, authorise, audit, client. The answer's body shows what the caller may see. */
  async perform(admitted: Admitted, operation: Operation, input: Readonly<Record<string, unknown>>): Promise<Reply<unknown>> {
    const { metrics } = this.#parts;
    const startedMs = metrics.nowMs();
    try {
      const reply = await this.#performed(admitted, operation, input);
      if (metrics.nowMs() - startedMs >= waitedMs) await this.#checkAgain(admitted.caller, operation);
      metrics.countRequest(operation, statusOfReply(reply), startedMs);
      return reply;
    } catch (e) {
      metrics.countRequest(operation, failedWith(e, admitted.traceId, true).problem.status, startedMs);
      throw e;
    }
  }

  /** What came of a wait is shown to those who may still see it. What was asked for stays asked for. */
  async #checkAgain(caller: Caller, operation: Operation): Promise<void> {
    if (await stillHolds(caller, this.#parts.facts.platform)) return;
    const outcome = operationSpecs[operation].changes === true ? "unknown" : "none";
    const error = new PawlError("PAWL4080", "the credential of this request ended while it waited", { outcome });
    const { principal, tokenId } = caller;
    const who = { principal, ...(tokenId === undefined ? {} : { tokenId }) };
    this.#parts.audit?.denied({ operation, ...who }, statusOf(error).http, error.code);
    throw error;
  }

  async #performed(admitted: Admitted, operation: Operation, input: Readonly<Record<string, unknown>>): Promise<Reply<unknown>> {
    const { caller } = admitted;
    const checked = await this.#permitted(admitted, operation, input);
    const { audit } = this.#parts;
    const act = (): AuditedAct => ({ ...actOf(caller, operation, checked), traceId: admitted.traceId });
    const { changes } = operationSpecs[operation];
    const record =
      audit !== undefined && isAudited(operation, checked) ? await audit.begin(await withRunId(this.#parts.facts, act())) : undefined;
    try {
      const handler = handlers[operation] as unknown as Handler<Operation>;
      const reply: Reply<unknown> = await handler(this.#callOf(admitted), checked as never);
      record?.end(statusOfReply(reply));
      this.noteRead(admitted, operation, checked);
      const body = closeCursor(operation, checked, reply.body);
      return { ...reply, body: caller.scopes.includes("payloads") ? body : hidePayloads(operation, body) };
    } catch (e) {
      const { problem } = failedWith(e, admitted.traceId, changes !== true);
      record?.end(problem.status, problem.page);
      if (audit !== undefined && (problem.page === "PAWL4001" || problem.page === "PAWL4132"))
        noteForeignRun(this.#parts.facts, audit, act());
      throw e;
    }
  }

  /** P-26: a signal's payload is judged before its sender is. Who may send it has it judged where it is accepted. */
  async #permitted(admitted: Admitted, operation: Operation, input: Readonly<Record<string, unknown>>): Promise<Checked> {
    try {
      return this.permit(admitted, operation, input);
    } catch (e) {
      // A token for one run learns nothing of others.
      if (operation !== "runs.signal" || !isPawlError(e, "PAWL4081") || admitted.caller.run !== undefined) throw e;
      const { id, name, payload } = this.#parts.checkInput(operation, input) as OperationInput<"runs.signal">;
      await this.#parts.checkMessage(id, { kind: "signal", name, payload });
      throw e;
    }
  }

  /** Schema, authorise: the input of an operation that this caller may ask for. */
  permit({ caller }: Admitted, operation: Operation, input: Readonly<Record<string, unknown>>): Checked {
    const checked = openCursor(operation, this.#parts.checkInput(operation, input) as Readonly<Record<string, unknown>>);
    try {
      authorise(caller, operation, checked);
    } catch (e) {
      if (e instanceof PawlError && statusOf(e).http !== 422)
        this.#parts.audit?.denied(actOf(caller, operation, checked), statusOf(e).http, e.code);
      throw e;
    }
    return checked;
  }

  /** Payloads were shown, or are about to be: the audit log counts it. */
  noteRead({ caller }: Admitted, operation: Operation, checked: Readonly<Record<string, unknown>>): void {
    const read = payloadRead(caller, operation, checked);
    if (read !== undefined) this.#parts.audit?.read(read);
  }

  /** A failure as it is answered; what nobody expected is logged. */
  fail(thrown: unknown, traceId: string, reads = false): Failed {
    const failed = failedWith(thrown, traceId, reads);
    if (failed.masked) this.#parts.log("error", "a request failed unexpectedly", { traceId, error: thrown });
    return failed;
  }

  #callOf(admitted: Admitted): Call {
    const { client, caller, traceId, traceparent } = admitted;
    return {
      client,
      caller,
      server: this.#parts.facts,
      get signal() {
        return admitted.signal;
      },
      traceId,
      ...(traceparent === undefined ? {} : { traceparent }),
    };
  }
}

function statusOfReply({ outcome }: Reply<unknown>): number {
  return outcome === "created" ? 201 : outcome === "pending" ? 202 : 200;
}

/** The trace that a request belongs to: its caller's, or a new one. */
export function traceIdOf({ headers }: Inbound, { platform }: ServerFacts): string {
  const given = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(headers.get("traceparent") ?? "")?.[1];
  return given === undefined || /^0+$/.test(given) ? platform.randomHex(16) : given;
}
