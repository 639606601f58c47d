// What a follower of one run, or a watcher of many, is given, item by item. The same in process and over HTTP.
// Types only.
import type { RunEventRecord } from "../../core/contract.ts";
import type { RunStatus } from "../../core/model.ts";
import type { RunView } from "./run.ts";

export interface FollowOptions {
  /** Events up to this one are left out. */
  readonly after?: number;
  /** Of a workflowId: the run that `after` is about; its rest comes first, then the runs after it. */
  readonly run?: string;
  /** Leaves payloads out; ask for one event to see its own. */
  readonly payloads?: "none";
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** Something about a run that is followed, in the order of its log. */
export type FollowItem =
  /** Which run follows now: the first item, and the one after each `moved`. */
  | { readonly kind: "run"; readonly run: RunView }
  | { readonly kind: "event"; readonly event: RunEventRecord }
  /** The workflowId has a later run. */
  | { readonly kind: "moved"; readonly from: string; readonly to: string }
  /** A run that was asked for by its runId has ended: nothing follows. */
  | { readonly kind: "end"; readonly runId: string; readonly status: RunStatus };

/** Something about many runs: their latest state. States in between may be missing. */
export type WatchItem =
  /** What was known before may be out of date: the newest runs follow, then changes. */
  { readonly kind: "reset" } | { readonly kind: "run"; readonly run: RunView };
