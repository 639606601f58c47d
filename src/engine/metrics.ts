// What the engine counts, in Prometheus' text exposition. Counters only ever rise; no run id is ever a label, since each
// would be a time series of its own.
import { GraphMetrics } from "./graphs/graph-metrics.ts";

const names = {
  pawl_runs_started_total: "Runs created or started by this engine",
  pawl_runs_settled_total: "Runs that reached a terminal event here",
  pawl_step_attempts_total: "Step functions called",
  pawl_recoveries_total: "Runs taken over from the log",
  pawl_recovery_skipped_total: "Live runs that no code here served when the engine started (recovery: skip)",
  pawl_fence_rejections_total: "Commits refused because another owner holds the run",
  pawl_commits_total: "Commits acknowledged",
  pawl_commit_batches_total: "Group commits flushed",
  pawl_commit_retries_total: "Batches asked again after a store error",
  pawl_divergences_total: "Runs stopped because code and log disagree, or a plan is not what its version was registered with",
  pawl_version_changes_total: "Recorded versions of workflows, tools and planners that the code no longer has",
  pawl_effects_in_doubt_total: "Effects put to a person",
  pawl_confirmation_replay_warn_total: "Recorded effects that were not confirmed on replay, and only warned of",
  pawl_drain_timeouts_total: "Pauses that waited too long for what was in flight",
  pawl_graph_supersteps_total: "Supersteps of graphs that were recorded",
  pawl_events_read_total: "Events read from the store to continue runs",
  pawl_snapshots_written_total: "Snapshots that went into the store with a Commit",
  pawl_snapshots_used_total: "Runs that were read from a snapshot on",
  pawl_snapshots_ignored_total: "Snapshots that could not be used: damaged, foreign, or of other code",
  pawl_snapshots_refused_total: "Snapshots that the store would not hold",
  pawl_signals_rejected_total: "Signals set aside because their payload does not fit",
  pawl_schedule_fires_started_total: "Due times of schedules that started a run",
  pawl_schedule_fires_skipped_total: "Due times that were skipped because the last run was open",
  pawl_schedule_fires_missed_total: "Due times that nobody fired in time",
  pawl_schedule_fires_failed_total: "Due times whose run could not be started",
} as const;
export type Counter = keyof typeof names;

export class Metrics {
  readonly graphs: GraphMetrics = new GraphMetrics();
  readonly #counts = new Map<Counter, number>();
  /** By guarantee, then by outcome. */
  readonly #effects = new Map<string, Map<string, number>>();

  add(name: Counter, n: number = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + n);
  }
  /** An effect came to an outcome. */
  countEffect(guarantee: string | undefined, outcome: string): void {
    const of = guarantee ?? "UNDECLARED";
    let counts = this.#effects.get(of);
    if (counts === undefined) this.#effects.set(of, (counts = new Map()));
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  get(name: Counter): number {
    return this.#counts.get(name) ?? 0;
  }
  /** `gauges` are what is true now: live runs, effects in flight. */
  toText(gauges: Readonly<Record<string, number>>): string {
    let out = "";
    for (const [name, what] of Object.entries(names))
      out += `# HELP ${name} ${what}\n# TYPE ${name} counter\n${name} ${this.get(name as Counter)}\n`;
    out += "# HELP pawl_effects_total Effects by guarantee and outcome\n# TYPE pawl_effects_total counter\n";
    for (const [guarantee, counts] of this.#effects)
      for (const [outcome, n] of counts) out += `pawl_effects_total{guarantee="${guarantee}",outcome="${outcome}"} ${n}\n`;
    for (const [name, value] of Object.entries(gauges)) out += `# TYPE ${name} gauge\n${name} ${value}\n`;
    return out + this.graphs.toText();
  }
}
