// Where each step of a plan stands, from its log and its dispatches alone (T-58): one label of fourteen. It is computed whenever it is asked for and
// stored nowhere, so it cannot disagree with the log. Pure; it must never say "ready" of a step that may not begin yet (T-59).
import { edgesInto, type PlanData, type PlanNode } from "../core/plan-data.ts";
import { triggerVerdict, type BranchCounts, type NeedCounts } from "../core/trigger.ts";
import type { StepFact } from "./plan-log.ts";

export type Readiness = (typeof readinessLabels)[number];
export const readinessLabels = [
  "waiting-for-dependencies",
  "blocked",
  "ready",
  "queued",
  "held",
  "running",
  "waiting-for-retry",
  "in-doubt",
  "waiting-for-approval",
  "waiting-for-decision",
  "succeeded",
  "failed",
  "skipped",
  "resolved",
] as const;

export interface PlanLog {
  readonly steps: ReadonlyMap<string, StepFact>;
  /** The steps that a group or a decision made, by the node that made them. */
  readonly planned: ReadonlyMap<string, readonly string[]>;
  readonly isPaused: boolean;
  /** The run has ended: what has not begun never will. */
  readonly isOver: boolean;
}
/** A row of the queue, if the step has one. */
export interface DispatchFact {
  readonly isClaimed: boolean;
  readonly isHeld: boolean;
}

type End = "ok" | "failed" | "unchosen" | "skipped";
/** Labels of steps that are under way, the most urgent first: a group has that of its most urgent step. */
const underWay: readonly Readiness[] = [
  "in-doubt",
  "waiting-for-decision",
  "waiting-for-approval",
  "running",
  "queued",
  "held",
  "waiting-for-retry",
  "ready",
];

/** The label of every node, in the order of the plan. */
export function planReadiness(plan: PlanData, log: PlanLog, dispatches: ReadonlyMap<string, DispatchFact>): ReadonlyMap<string, Readiness> {
  const labels = new Map<string, Readiness>();
  const ends = new Map<string, End>();
  const byId = new Map(plan.nodes.map((n) => [n.id, n]));
  for (const id of inOrder(plan)) {
    const n = byId.get(id)!;
    const label = isGroup(n) ? groupLabel(n, log, dispatches) : stepLabel(log.steps.get(id), dispatches.get(id));
    const { label: known, end } = label === undefined ? waitingLabel(n, log, ends) : { label, end: endOf(label, n, log, ends) };
    labels.set(id, known);
    if (end !== undefined) ends.set(id, end);
  }
  return new Map(plan.nodes.map((n) => [n.id, labels.get(n.id)!]));
}

function isGroup(n: PlanNode): boolean {
  return n.kind === "each" || n.kind === "batch";
}

/** What the record says of one step; undefined: nothing yet. */
function stepLabel(s: StepFact | undefined, d: DispatchFact | undefined): Readiness | undefined {
  if (s === undefined) return undefined;
  switch (s.state) {
    case "completed":
      return s.isResolved ? "resolved" : "succeeded";
    case "failed":
      return "failed";
    case "skipped":
      return "skipped";
    case "retrying":
      return "waiting-for-retry";
    case "held":
      return "waiting-for-decision";
    case "doubt":
      return "in-doubt";
    case "asked":
      return "waiting-for-approval";
    case "open":
      if (d === undefined || d.isClaimed) return "running";
      return d.isHeld ? "held" : "queued";
  }
}

/** A group has begun with its own step, or with what it planned; it has ended with the last of its steps, or with the last of those that begin. */
function groupLabel(n: PlanNode, log: PlanLog, dispatches: ReadonlyMap<string, DispatchFact>): Readiness | undefined {
  const own = log.steps.get(n.id);
  const made = log.planned.get(n.id);
  const label = stepLabel(own, dispatches.get(n.id));
  if (own !== undefined && (own.state !== "completed" || made === undefined))
    return label === "succeeded" ? (log.isOver ? "blocked" : "running") : label;
  if (made === undefined) return undefined;
  const begun = made.map((id) => stepLabel(log.steps.get(id), dispatches.get(id)));
  const hasFailed = begun.includes("failed");
  const noMore = log.isOver || (n.failFast === true && hasFailed);
  const labels = noMore ? begun : begun.map((l) => l ?? (log.isPaused ? "held" : "ready"));
  const open = underWay.find((w) => labels.includes(w));
  if (open !== undefined) return open === "ready" ? "running" : open;
  if (hasFailed) return "failed";
  return labels.includes(undefined) ? "blocked" : "succeeded";
}

function endOf(label: Readiness, n: PlanNode, log: PlanLog, ends: ReadonlyMap<string, End>): End | undefined {
  if (label === "succeeded" || label === "resolved") return "ok";
  if (label === "failed" || label === "blocked") return "failed";
  if (label !== "skipped") return undefined;
  const why = log.steps.get(n.id)?.why;
  if (why === "not-chosen") return "unchosen";
  // Skipped for what it needs: only because of a branch, if everything that was skipped before it was.
  return why === "upstream-skipped" && edgesInto(n).every((e) => ends.get(e) !== "skipped") ? "unchosen" : "skipped";
}

/** A node that has not begun: by how what it needs has ended, as the trigger says. */
function waitingLabel(n: PlanNode, log: PlanLog, ends: ReadonlyMap<string, End>): { readonly label: Readiness; readonly end?: End } {
  const { needs, on } = countsFor(n, log, ends);
  const onSettled = on.of === 0 || on.chosen > 0;
  const all = edgesInto(n).every((e) => ends.has(e));
  // It can never run any more, whatever the rest does.
  if (!all)
    return log.isOver || (needs.failed > 0 && n.trigger !== "all-done" && onSettled)
      ? { label: "blocked", end: "failed" }
      : { label: "waiting-for-dependencies" };
  const verdict = triggerVerdict(n.trigger, needs, on);
  if (verdict.then === "run" && !log.isOver) return { label: log.isPaused ? "held" : "ready" };
  return verdict.then !== "skip"
    ? { label: "blocked", end: "failed" }
    : { label: "skipped", end: verdict.unchosen ? "unchosen" : "skipped" };
}

function countsFor(n: PlanNode, log: PlanLog, ends: ReadonlyMap<string, End>): { readonly needs: NeedCounts; readonly on: BranchCounts } {
  const needs = { ok: 0, failed: 0, unchosen: 0, skipped: 0 };
  for (const id of n.needs) {
    const end = ends.get(id);
    if (end !== undefined) needs[end]++;
  }
  const on = { of: n.on?.length ?? 0, chosen: 0, notChosen: 0, failed: 0, skipped: 0 };
  for (const { decision, branch } of n.on ?? []) {
    const end = ends.get(decision);
    if (end === "ok") on[log.steps.get(decision)?.chosen.includes(branch) === true ? "chosen" : "notChosen"]++;
    else if (end === "unchosen") on.notChosen++;
    else if (end !== undefined) on[end]++;
  }
  return { needs, on };
}

/** What a node needs comes before it. */
function inOrder(plan: PlanData): readonly string[] {
  const open = new Map(plan.nodes.map((n) => [n.id, edgesInto(n).length]));
  const dependents = new Map<string, string[]>();
  for (const n of plan.nodes) for (const e of edgesInto(n)) dependents.set(e, [...(dependents.get(e) ?? []), n.id]);
  const order = plan.nodes.filter((n) => open.get(n.id) === 0).map((n) => n.id);
  for (let i = 0; i < order.length; i++)
    for (const d of dependents.get(order[i]!) ?? []) {
      open.set(d, open.get(d)! - 1);
      if (open.get(d) === 0) order.push(d);
    }
  return order;
}

/** TX-03: a final failure outranks ready work. */
export type PlanStatus = "blocked-by-failures" | "has-ready-steps" | "processing" | "all-complete" | "waiting-for-dependencies";

export function planStatus(labels: ReadonlyMap<string, Readiness>): {
  readonly status: PlanStatus;
  readonly counts: Readonly<Partial<Record<Readiness, number>>>;
} {
  const counts: Partial<Record<Readiness, number>> = {};
  for (const l of labels.values()) counts[l] = (counts[l] ?? 0) + 1;
  const some = (...of: readonly Readiness[]): boolean => of.some((l) => (counts[l] ?? 0) > 0);
  const status: PlanStatus = some("failed", "blocked")
    ? "blocked-by-failures"
    : some("ready")
      ? "has-ready-steps"
      : some("running", "queued", "held", "waiting-for-retry", "in-doubt", "waiting-for-approval", "waiting-for-decision")
        ? "processing"
        : some("waiting-for-dependencies")
          ? "waiting-for-dependencies"
          : "all-complete";
  return { status, counts };
}
