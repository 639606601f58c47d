// What `pawl dev` and its children say to each other. The supervisor owns the port and starts one child for each version of the code; a child
// loads the files, serves on a port of its own, and ends when it is asked to. Types only.
import type { Scope } from "../../core/model.ts";

/** What a child is started with; one JSON argument. */
export interface DevChildRequest {
  readonly files: readonly string[];
  readonly store: string;
  readonly tenant: Scope;
  /** Names under which browsers reach the supervisor. */
  readonly hosts: readonly string[];
  /** Nobody is asked who they are. */
  readonly open: boolean;
  /** Where the steps of watched runs are written down; it outlives a kill. */
  readonly report: string;
  readonly watched: readonly string[];
}

/** A step's window in which the process is to die. */
export interface ArmedCrash {
  readonly workflowId: string;
  readonly stepId: string;
  readonly window: string;
}

export type ToChild =
  | { readonly stop: { readonly graceMs: number } }
  /** null: none any more. `watched` runs have their calls counted. */
  | { readonly arm: ArmedCrash | null; readonly watched: readonly string[] };

/** Why code could not be loaded. */
export interface LoadProblem {
  readonly code: string;
  /** The first line is a sentence, the rest a code frame. */
  readonly message: string;
  readonly fix: string;
}

export type FromChild =
  /** A file was imported, with its stamp right before it was read. */
  | { readonly imported: string; readonly stamp: string }
  | { readonly ready: { readonly port: number; readonly workflows: readonly string[] } }
  | { readonly failed: LoadProblem }
  | { readonly armed: ArmedCrash | null };

/** A line of the report: a step's function began, or the process died here. */
export type DevReportLine =
  | { readonly begun: string; readonly workflowId: string }
  | { readonly called: string; readonly workflowId: string; readonly line: string }
  | { readonly killed: string; readonly workflowId: string };
