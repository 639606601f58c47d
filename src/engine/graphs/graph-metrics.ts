// What graphs do in this process, as Prometheus text: nodes at work, items that wait, how long nodes took, retries, conflicts, back-pressure. Labels are
// names that an author wrote, of graphs and nodes; never an id of a run. Nothing that is measured comes back to the code that runs.
const buckets = [1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000] as const;

interface Latency {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** One run of a graph that is in memory. */
export interface MeasuredGraph {
  readonly graph: string;
  /** Items at work, by node. */
  readonly atWork: Map<string, number>;
  /** Items that wait in the queue. */
  queued: number;
  /** The run has left memory: what it says is void. */
  readonly isOver: () => boolean;
}

type CountedInGraph = "pawl_graph_retries_total" | "pawl_graph_merge_conflicts_total" | "pawl_graph_backpressure_events_total";
const counted: Readonly<Record<CountedInGraph, string>> = {
  pawl_graph_retries_total: "Attempts of steps of a node after the first",
  pawl_graph_merge_conflicts_total: "Values that two items of a superstep set, of which the higher order key won",
  pawl_graph_backpressure_events_total: "Supersteps whose queue was full for too long",
};

export class GraphMetrics {
  readonly #measured = new Set<MeasuredGraph>();
  readonly #latencies = new Map<string, Latency>();
  readonly #counts = new Map<CountedInGraph, Map<string, number>>();
  #pruneAbove = 64;

  enter(a: MeasuredGraph): void {
    this.#measured.add(a);
    if (this.#measured.size <= this.#pruneAbove) return;
    this.#prune();
    this.#pruneAbove = Math.max(64, this.#measured.size * 2);
  }
  add(name: CountedInGraph, graph: string, node?: string, n: number = 1): void {
    let of = this.#counts.get(name);
    if (of === undefined) this.#counts.set(name, (of = new Map()));
    const labels = labelText(graph, node);
    of.set(labels, (of.get(labels) ?? 0) + n);
  }
  /** Says how long an item of this node took. */
  latency(graph: string, node: string): (ms: number) => void {
    const labels = labelText(graph, node);
    let l = this.#latencies.get(labels);
    if (l === undefined) this.#latencies.set(labels, (l = { counts: buckets.map(() => 0), sum: 0, count: 0 }));
    const latency = l;
    return (ms) => {
      latency.sum += ms;
      latency.count++;
      const at = buckets.findIndex((le) => ms <= le);
      if (at >= 0) latency.counts[at]!++;
    };
  }

  toText(): string {
    this.#prune();
    const atWork = new Map<string, number>();
    const queued = new Map<string, number>();
    const more = (to: Map<string, number>, labels: string, n: number): void => void to.set(labels, (to.get(labels) ?? 0) + n);
    for (const a of this.#measured) {
      for (const [node, n] of a.atWork) more(atWork, labelText(a.graph, node), n);
      more(queued, labelText(a.graph), a.queued);
    }
    return [
      ...lines("pawl_graph_inflight_nodes", "gauge", "Items of graphs at work", atWork),
      ...lines("pawl_graph_queue_depth", "gauge", "Items of graphs that wait for their turn", queued),
      ...Object.entries(counted).flatMap(([name, help]) => lines(name, "counter", help, this.#counts.get(name as CountedInGraph))),
      ...described("pawl_graph_step_latency_ms", "histogram", "How long items of graphs took, from their begin to their end"),
      ...[...this.#latencies].flatMap(([labels, l]) => histogram("pawl_graph_step_latency_ms", labels, l)),
      "",
    ].join("\n");
  }

  #prune(): void {
    for (const a of this.#measured) if (a.isOver()) this.#measured.delete(a);
  }
}

function lines(name: string, type: string, help: string, values: ReadonlyMap<string, number> = new Map()): string[] {
  return [...described(name, type, help), ...[...values].map(([labels, n]) => `${name}{${labels}} ${n}`)];
}
function histogram(name: string, labels: string, { counts, sum, count }: Latency): string[] {
  let below = 0;
  const of = buckets.map((le, i) => `${name}_bucket{${labels},le="${le}"} ${(below += counts[i]!)}`);
  return [...of, `${name}_bucket{${labels},le="+Inf"} ${count}`, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`];
}
function described(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
function labelText(graph: string, node?: string): string {
  const text = (s: string): string => s.replaceAll(/["\\\n}]/g, "_");
  return `graph="${text(graph)}"${node === undefined ? "" : `,node="${text(node)}"`}`;
}
