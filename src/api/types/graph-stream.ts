// What a listener to a graph is given, item by item, in the order of its log. The same in process and over HTTP.
// Types only.
import type { RunStatus } from "../../core/model.ts";
import type { OpenQuestion } from "./questions.ts";

export type GraphStreamMode = "updates" | "values" | "questions";

export interface GraphStreamOptions {
  /** Which items: updates unless given. */
  readonly modes?: readonly GraphStreamMode[];
  /** Supersteps up to this one are left out. */
  readonly after?: number;
  /** False: what is there now, and no waiting for more. */
  readonly follow?: boolean;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

export type GraphStreamItem<V = Readonly<Record<string, unknown>>, U = Readonly<Record<string, unknown>>> =
  /** What a node returned, as its superstep merged it; without channels of kind reduce, whose new values are in `values`. */
  | {
      readonly mode: "updates";
      readonly superstep: number;
      readonly node: string;
      readonly item: string;
      readonly update?: U;
      readonly failure?: { readonly code: string; readonly message: string };
    }
  /** The state after a superstep. */
  | { readonly mode: "values"; readonly superstep: number; readonly key: string; readonly values: V }
  /** A node asked a person, or its question closed: answered, out of time, or given up. `superstep` is the one under way. */
  | { readonly mode: "questions"; readonly superstep: number; readonly state: "asked" | "closed"; readonly question: OpenQuestion }
  /** The run has ended: nothing follows. */
  | { readonly mode: "end"; readonly status: RunStatus };
