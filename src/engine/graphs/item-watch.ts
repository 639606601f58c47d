// Measures the items of a graph's run for /metrics. The code only says what it does; nothing comes back to it, so a clock may be looked at here. What is
// replayed is at work again, and is not counted again.
import type { ItemWatch } from "../calls.ts";
import type { MeasuredGraph } from "./graph-metrics.ts";
import type { LiveRun } from "../run/live-run.ts";
import { inZone } from "../../platform/run-context.ts";

export function itemWatch(r: LiveRun): ItemWatch {
  const { metrics, platform } = r.host;
  const graph = r.row.workflow;
  const nowMs = (): number => inZone(null, () => platform.monotonicMs()); // the engine looks at the clock, not the author's code
  const measured: MeasuredGraph = { graph, atWork: new Map(), queued: 0, isOver: () => r.state.isUnloaded };
  metrics.graphs.enter(measured);
  const change = (node: string, by: number): void => {
    const n = (measured.atWork.get(node) ?? 0) + by;
    if (n > 0) measured.atWork.set(node, n);
    else measured.atWork.delete(node);
  };
  const latencies = new Map<string, (ms: number) => void>();
  const observe = (node: string, ms: number): void => {
    let latency = latencies.get(node);
    if (latency === undefined) latencies.set(node, (latency = metrics.graphs.latency(graph, node)));
    latency(ms);
  };
  return {
    queued: (n) => void (measured.queued = n),
    began: (node) => {
      const isReplayed = r.replay.isActive;
      const at = nowMs();
      change(node, 1);
      return () => {
        change(node, -1);
        if (!isReplayed) observe(node, nowMs() - at);
      };
    },
    conflicts: (n) => {
      if (!r.replay.isActive) metrics.graphs.add("pawl_graph_merge_conflicts_total", graph, undefined, n);
    },
    backpressure: () => {
      if (!r.replay.isActive) metrics.graphs.add("pawl_graph_backpressure_events_total", graph);
    },
  };
}

/** A step of a node is tried again. */
export function countRetry(r: LiveRun, stepId: string): void {
  if (r.definition?.style?.name !== "graph") return;
  const node = (stepId.split("/")[1] ?? "").replace(/~\d+$/, "");
  r.host.metrics.graphs.add("pawl_graph_retries_total", r.row.workflow, decodeURIComponent(node));
}
