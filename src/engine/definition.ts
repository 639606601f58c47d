// A workflow as the engine knows it: a name, a version, its code, and how to check what comes in from outside. The
// authoring layer above builds it; the engine never sees a schema library.
import type { Calls } from "./calls.ts";

/** Checks and transforms a value from outside, at once or as a promise; fails with PAWL1008, which names the first problem. */
export type Parse = (value: unknown, what: string) => unknown;
/** The same for values that are needed before the code goes on. */
export type ParseNow = (value: unknown, what: string) => unknown;

export interface Definition {
  readonly name: string;
  readonly version: string;
  readonly timeoutMs: number | null;
  readonly input: Parse;
  readonly signals: ReadonlyMap<string, Parse>;
  readonly updates: ReadonlyMap<string, Parse>;
  readonly views: ReadonlyMap<string, ParseNow>;
  readonly idOf: ((input: unknown) => string) | null;
  readonly code: (calls: Calls, input: unknown) => Promise<unknown>;
}
