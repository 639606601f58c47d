// A workflow as the engine knows it: a name, a version, its code, and how to check what comes in from outside. The
// authoring layer above builds it; the engine never sees a schema library.
import type { JsonSchema } from "../core/json-schema.ts";
import type { Calls } from "./calls.ts";

/** Checks and transforms a value from outside, at once or as a promise; fails with PAWL1008, which names the first problem. */
export type Parse = (value: unknown, what: string) => unknown;
/** The same for values that are needed before the code continues. */
export type ParseNow = (value: unknown, what: string) => unknown;

/** What of a message's schema can be checked without the workflow's code. */
export interface MessageSchema {
  readonly schema: JsonSchema;
  /** A message without a payload is surely refused. */
  readonly required: boolean;
  /** It says all that the code checks: what it accepts, the code accepts. */
  readonly whole: boolean;
}
/** The messages that a workflow takes, by name; null where only the code can check the payload. */
export interface Messages {
  readonly signal: ReadonlyMap<string, MessageSchema | null>;
  readonly update: ReadonlyMap<string, MessageSchema | null>;
}

export interface Definition {
  readonly name: string;
  readonly version: string;
  readonly timeoutMs: number | null;
  readonly input: Parse;
  readonly signals: ReadonlyMap<string, Parse>;
  readonly updates: ReadonlyMap<string, Parse>;
  readonly views: ReadonlyMap<string, ParseNow>;
  /** The messages as data, for senders without this code. Made when it is asked for. */
  readonly messages: () => Messages;
  readonly idOf: ((input: unknown) => string) | null;
  readonly code: (calls: Calls, input: unknown) => Promise<unknown>;
}
