// What a dispatch says to its worker, and what the worker reports: JSON text in a row of the queue and in the inbox. It travels between
// processes of different versions: members are added, never given another meaning. Values of users are encoded trees (codec/value.ts).
import type { Failure } from "../../codec/failure.ts";
import type { InputRef } from "../../core/input-ref.ts";
import type { GuaranteeClass } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";

export interface DispatchSpec {
  readonly v: 1;
  /** The step's name, for people. */
  readonly name: string;
  readonly workflow: string;
  readonly workflowId: string;
  readonly class: GuaranteeClass;
  /** The stable key of the effect (K24). */
  readonly key: string;
  readonly heartbeatMs?: number;
  /** When it was first claimed, in an earlier dispatch; absent: this is the first. */
  readonly firstAt?: number;
  /** The detail of the last heartbeat before this dispatch. */
  readonly last?: unknown;
  /** Absent: undefined. */
  readonly input?: InputRef;
  /** Of a request to undo: the result that is undone; absent: undefined. */
  readonly result?: InputRef;
  readonly traceparent?: string;
}

/** The row's `beat`: what the worker says while it is at work. */
export interface DispatchBeat {
  readonly detail?: unknown;
}

/** What a worker says of a step that it ran. */
export type RunReport =
  | { readonly ok: true; readonly result?: unknown }
  | {
      readonly ok: false;
      readonly error: Failure;
      /** No more attempts, whatever the policy says. */
      readonly retryable?: false;
      readonly retryAfterMs?: number;
      /** Nothing left the worker. */
      readonly notSent?: true;
      /** It happened, and its result cannot be stored. */
      readonly notEncodable?: true;
      /** It passed its time limit, or that between two heartbeats. */
      readonly timedOut?: true;
    };

/** The answer of `verify`, with the result encoded. */
export type VerdictReport =
  | { readonly state: "not-completed" }
  | { readonly state: "completed-with-result"; readonly result?: unknown }
  | { readonly state: "completed-result-unavailable" }
  | { readonly state: "indeterminate"; readonly reason?: string };

export function readDispatchSpec(text: string): DispatchSpec {
  const spec = JSON.parse(text) as DispatchSpec;
  if (spec.v !== 1) throw new PawlError("PAWL3004", "a dispatch was written by a later version of Pawl");
  return spec;
}

/** Null: it is none. Workers may be written in any language. */
export function readRunReport(report: unknown): RunReport | null {
  if (typeof report !== "object" || report === null) return null;
  const { ok, error } = report as { ok?: unknown; error?: { name?: unknown; message?: unknown } };
  if (ok === true) return report as RunReport;
  if (ok !== false || typeof error !== "object" || error === null || typeof error.message !== "string") return null;
  if (typeof error.name === "string") return report as RunReport;
  return { ...(report as RunReport & { ok: false }), error: { ...(error as Failure), name: "Error" } };
}
