// What a listener to a graph is given, item by item: what its log says, in the order of the log, and what its steps and nodes say while they run. The same
// in process and over HTTP. Types only.
import type { RunStatus } from "../../core/model.ts";
import type { StreamPart } from "../../tools/models.ts";
import type { OpenQuestion } from "./questions.ts";

/** Of the log, in any process and at any time; and what is only heard while it is said, where the run is at work. */
export type GraphStreamMode = GraphLogMode | GraphLiveMode;
export type GraphLogMode = "updates" | "values" | "questions";
export type GraphLiveMode = "tokens" | "custom";

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
  | GraphLogItem<V, U>
  | GraphLiveItem
  /** The run has ended: nothing follows. */
  | { readonly mode: "end"; readonly status: RunStatus };

/** Committed: it has a place in the log, and a reader can continue behind it. */
export type GraphLogItem<V = Readonly<Record<string, unknown>>, U = Readonly<Record<string, unknown>>> =
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
  | { readonly mode: "questions"; readonly superstep: number; readonly state: "asked" | "closed"; readonly question: OpenQuestion };

/** Provisional and never stored: of the run, or of a child (`runId`) that this process runs. */
export type GraphLiveItem =
  /** A piece of a model's reply, of one attempt. The first one that a new listener gets has the text so far. */
  | { readonly mode: "tokens"; readonly runId: string; readonly stepId: string; readonly attempt: number; readonly part: StreamPart }
  /** A new attempt began, or the line was cut: what this step said before is void. Comes with `tokens` and `custom`. */
  | { readonly mode: "reset"; readonly runId: string; readonly stepId: string; readonly attempt: number }
  /** What a step said with `s.stream` (`stepId`, `attempt`), or a node with `ctx.emit` (`item`). */
  | {
      readonly mode: "custom";
      readonly runId: string;
      readonly item?: string;
      readonly stepId?: string;
      readonly attempt?: number;
      readonly value: unknown;
    };
