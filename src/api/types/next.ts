// The shapes of `next`: the next turn of a graph. Public: what stands here is a promise, and nothing of a store or an engine
// shows through.
export interface NextOptions {
  /** A UUID of version 4: the same request again is answered with the run that it made. */
  readonly requestId?: string;
}

/** The new run. */
export interface NextTurn {
  readonly runId: string;
  readonly workflowId: string;
  /** The run whose state it took over, and the superstep after which that run stood. */
  readonly after: { readonly runId: string; readonly superstep: number };
  /** It had been asked for before, under this requestId. */
  readonly replayed: boolean;
}
