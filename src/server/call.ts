// What a handler works with and what it answers. A handler knows nothing of REST or JSON-RPC: it takes the operation's input, asks the client,
// and says which of the few outcomes it was. It must never build a Response or read a header.
import type { OperationInput, OperationOutput } from "../api/operation-types.ts";
import type { Operation } from "../api/operations.ts";
import type { Client } from "../client/types.ts";
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { Caller } from "./access/caller.ts";

/** What handlers know of the server around them. */
export interface ServerFacts {
  readonly platform: Platform;
  readonly scope: Scope;
  readonly store: FullStore;
  readonly version: string;
  /** Keys that evidence may be signed with, by name; PEM. */
  readonly signers: ReadonlyMap<string, string>;
  /** What is wrong with the engine of this process; null: nothing, or there is none. */
  engineTrouble(): string | null;
}

export interface Call {
  /** Acts for the caller: what it writes names the caller. */
  readonly client: Client;
  readonly caller: Caller;
  readonly server: ServerFacts;
  /** Aborted when the caller has gone, or the server stops. */
  readonly signal: AbortSignal;
  readonly traceId: string;
  /** W3C trace context of the request, to be recorded with what it starts. */
  readonly traceparent?: string;
}

/** The outcome of an operation; each transport says it in its own words. */
export interface Reply<T> {
  readonly body: T;
  /** created: REST 201. pending: REST 202. Else 200. */
  readonly outcome?: "created" | "pending";
  /** Where to look for it, as segments after /v1, each not yet encoded. */
  readonly at?: readonly string[];
  /** It had been done before, under the same id. */
  readonly replayed?: boolean;
  /** The body is bytes of this type, not a value. */
  readonly file?: { readonly type: string; readonly name: string };
}

export type Handler<O extends Operation> = (call: Call, input: OperationInput<O>) => Promise<Reply<OperationOutput<O>>>;

/** One handler for each operation: one that is missing does not compile. */
export type Handlers = { readonly [O in Operation]: Handler<O> };

/** Some of them, as one file has them. */
export type HandlersOf<O extends Operation> = Pick<Handlers, O>;

/** A wait was ended because the server stops, or its caller has gone: what was asked for stays asked for. */
export function isWaitEnded({ signal }: Pick<Call, "signal">, e: unknown): boolean {
  return signal.aborted && !(e instanceof PawlError);
}
