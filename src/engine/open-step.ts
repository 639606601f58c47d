// A step that was asked for and has no outcome yet, as the owner holds it in memory. Its durable truth is the log; this
// is only what the owner needs to go on: the promise of the code, the author's functions, where it stands.
import type { StepStartedPayload } from "../log/payload.ts";
import type { EffectSpec, StartedChild } from "./calls.ts";
import type { TxSql } from "../store/port.ts";

/** What the author gave for each kind of step. */
export type Work =
  | { readonly kind: "effect"; readonly spec: EffectSpec }
  | { readonly kind: "compensation"; readonly spec: EffectSpec; readonly of: string }
  | { readonly kind: "tx"; readonly fn: (sql: TxSql) => Promise<unknown> }
  | { readonly kind: "timer" }
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "child"; readonly childStepId: string; readonly cancels: boolean }
  | { readonly kind: "start"; readonly child: StartedChild }
  | { readonly kind: "send" };

export interface OpenStep {
  readonly stepId: string;
  readonly name: string;
  readonly work: Work;
  readonly started: StepStartedPayload;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /**
   * starting: its StepStarted is not acknowledged · running: its function runs here · waiting: for a timer, a signal, a
   * child · retrying: until dueAt · recovering: started by an earlier owner, what to do is being found out · doubt: a
   * person decides (K27)
   */
  state: "starting" | "running" | "waiting" | "retrying" | "recovering" | "doubt";
  attempt: number;
  engineAttempt: number;
  /** Store time of the first and of the latest dispatch. */
  firstAt: number;
  lastAt: number;
  dueAt: number | null;
  heartbeat: unknown;
  /** An earlier run of this line left it unknown: recovered by its class before anything is sent (K19). */
  carried: boolean;
  /** Stops the running function; null when none runs. */
  abort: ((reason: unknown) => void) | null;
}

export function isEffect(s: OpenStep): boolean {
  return s.work.kind === "effect" || s.work.kind === "compensation" || s.work.kind === "tx";
}
