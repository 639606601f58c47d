// A run as a tree for people: one line per step, nested by scope, with its time, tries, guarantee and what matters about
// it; above it what the run waits for, below it what to do next. Pure: the same run and the same time give the same text.
import type { Because, RunView, Standpoint, StepView } from "../../client/types.ts";
import type { ProjectionView } from "../../client/reader-types.ts";
import { isSettled } from "../../core/model.ts";
import { actsOutside } from "../../core/step-kind-facts.ts";
import type { RunDetail, StepDetail } from "../../client/run-details.ts";
import { paintStatus, type Paint } from "./colors.ts";
import { clip, formatTime, formatDuration, withoutControlChars } from "./format.ts";
import { graphLines } from "./graph-lines.ts";
import { runValueLines, stepValueLines } from "./run-values.ts";

export interface RunTreeInput {
  readonly run: RunView & { readonly because?: Because };
  readonly steps: readonly StepView[];
  readonly detail: RunDetail;
  readonly nowMs: number;
  /** What a projector made of it, when one did. */
  readonly projection?: ProjectionView;
  /** Whether a live engine has the workflow's code, and whether the run's owner lives; absent where nobody looked. */
  readonly served?: boolean;
  readonly ownerAlive?: boolean;
  /** What is wrong with its log, where somebody checked. */
  readonly damaged?: string;
  /** Of a graph: where it stands. */
  readonly graph?: Standpoint;
  /** Values whole, and those of every step. */
  readonly full?: boolean;
}

interface Node {
  readonly label: string;
  readonly step: StepView | undefined;
  readonly below: Map<string, Node>;
}

const nothing: StepDetail = { takeOvers: [] };

export function runTreeText(shown: RunTreeInput, p: Paint): string {
  const { run } = shown;
  const name = p.bold(withoutControlChars(run.workflowId));
  const head = [name, withoutControlChars(`${run.workflow}@${run.version}`), paintStatus(run.status, p), headNote(shown)]
    .filter((x) => x !== "")
    .join("  ");
  const rows = linesOf(nodesOf(shown.steps), "", shown, p);
  const widest = (of: (l: Line) => number): number => rows.reduce((n, l) => Math.max(n, of(l)), 0);
  const [left, times, tries] = [
    widest((l) => l.branch.length + l.label.length),
    widest((l) => l.time.length),
    widest((l) => l.tries.length),
  ];
  const body = rows.map((l) => {
    const columns = [
      l.label.padEnd(left - l.branch.length),
      l.time.padEnd(times),
      ...(tries > 0 ? [l.tries.padEnd(tries)] : []),
      p.dim(l.note),
    ];
    return `${p.dim(l.branch)}${l.mark} ${l.note === "" ? columns.slice(0, -1).join("  ").trimEnd() : columns.join("  ")}`;
  });
  const graph = shown.graph === undefined ? [] : graphLines(shown.graph, shown.steps, isSettled(run.status), p);
  return [head, ...body, ...graph, ...footOf(shown), ...(shown.full === true ? stepValueLines(shown) : [])].map((l) => `${l}\n`).join("");
}

/** Components of a stepId are scopes; the last is the step. A scope that is no step itself is a line of its own. */
function nodesOf(steps: readonly StepView[]): Map<string, Node> {
  const root = new Map<string, Node>();
  for (const step of steps) {
    const parts = step.stepId.split("/");
    let level = root;
    parts.forEach((part, i) => {
      const last = i === parts.length - 1;
      const known = level.get(part);
      const node: Node =
        known === undefined ? { label: labelOf(part), step: last ? step : undefined, below: new Map() } : last ? { ...known, step } : known;
      if (node !== known) level.set(part, node);
      level = node.below;
    });
  }
  return root;
}

function labelOf(component: string): string {
  if (component === "~compensate") return "(compensation)";
  const [name = component, occurrence] = component.split("~");
  let text = name;
  try {
    text = decodeURIComponent(name);
  } catch {
    // Shown as it is.
  }
  return clip(text, 48) + (occurrence === undefined ? "" : ` #${occurrence}`);
}

interface Line {
  readonly branch: string;
  readonly mark: string;
  readonly label: string;
  readonly time: string;
  readonly tries: string;
  readonly note: string;
}

function linesOf(nodes: ReadonlyMap<string, Node>, indent: string, shown: RunTreeInput, p: Paint): Line[] {
  const list = [...nodes.values()];
  return list.flatMap((node, i) => {
    const last = i === list.length - 1;
    const branch = `${indent}${last ? "└─" : "├─"} `;
    const line: Line =
      node.step === undefined
        ? { branch, mark: p.dim("·"), label: node.label, time: "", tries: "", note: "" }
        : stepLine(node.step, node.label, branch, shown, p);
    return [line, ...linesOf(node.below, `${indent}${last ? "   " : "│  "}`, shown, p)];
  });
}

function stepLine(s: StepView, label: string, branch: string, shown: RunTreeInput, p: Paint): Line {
  const d = shown.detail.steps.get(s.stepId) ?? nothing;
  const tries = s.attempts > 1 ? `${s.attempts} tries` : "";
  return { branch, mark: markOf(s, d, p), label, time: timeOf(s, d, shown), tries, note: notesOf(s, d, shown).join(" · ") };
}

function markOf(s: StepView, d: StepDetail, p: Paint): string {
  if (d.doubt !== undefined || d.held !== undefined) return p.red("?");
  if (d.asked !== undefined) return p.yellow("?");
  if (s.retryAt !== undefined) return p.yellow("↻");
  switch (s.status) {
    case "SUCCESS":
      return p.green(s.kind === "timer" ? "⏲" : "✔");
    case "FAILED":
      // A wait that its node gave up, such as a deadline that was kept, is no failure.
      return d.category === "ABANDONED" && !actsOutside(s.kind) ? p.dim("-") : p.red("✖");
    case "SKIPPED":
      return p.dim("-");
    default:
      return actsOutside(s.kind) ? p.cyan("▶") : p.cyan("◌");
  }
}

function timeOf(s: StepView, d: StepDetail, { nowMs, run }: RunTreeInput): string {
  if (d.copied === true) return "kept";
  if (s.retryAt !== undefined && s.status === "FAILED" && !isSettled(run.status))
    return `retry in ${formatDuration(Date.parse(s.retryAt) - nowMs)}`;
  const from = Date.parse(s.startedAt);
  if (s.endedAt !== undefined) return formatDuration(Date.parse(s.endedAt) - from);
  if (d.doubt !== undefined) return "in doubt";
  if (d.held !== undefined) return "to decide";
  if (d.asked !== undefined) return "to approve";
  return actsOutside(s.kind) ? `${formatDuration(nowMs - from)} so far` : "waiting";
}

function notesOf(s: StepView, d: StepDetail, { nowMs, run }: RunTreeInput): string[] {
  const notes: string[] = [];
  if (s.class !== undefined) notes.push(`${s.class.toLowerCase()}${s.key === undefined ? "" : ` ${clip(s.key, 40)}`}`);
  for (const t of d.takeOvers)
    notes.push(`crash, taken over at +${formatDuration(Date.parse(t.at) - Date.parse(s.startedAt))} (fence ${t.fence})`);
  if (d.doubt !== undefined) notes.push(clip(d.doubt, 100));
  if (d.held !== undefined) notes.push(clip(`failed for good: ${d.held}`, 100));
  if (d.asked !== undefined) notes.push(clip(d.asked, 100));
  else if (s.status === "FAILED" && d.error !== undefined)
    notes.push(clip(`${d.category === undefined || d.category === "FAILED" ? "" : `${d.category}: `}${d.error}`, 100));
  if (s.kind === "timer" && d.until !== undefined)
    notes.push(
      s.endedAt === undefined
        ? `until ${formatTime(d.until, nowMs)}`
        : `slept ${formatTime(s.startedAt, nowMs)} → ${formatTime(s.endedAt, nowMs)}`,
    );
  if (s.kind === "signal" && s.endedAt === undefined && d.signal !== undefined) {
    if (d.until !== undefined) notes.push(`${formatDuration(Date.parse(d.until) - nowMs)} left`);
    notes.push(`send: pawl signal ${word(run.workflowId)} ${word(d.signal)}`);
  }
  if (d.timedOut === true) notes.push("timed out");
  if (d.child !== undefined) notes.push(`run ${clip(d.child.workflowId, 60)} of ${clip(d.child.workflow, 40)}`);
  return notes;
}

/** A word for a shell, quoted only if it must be. */
function word(text: string): string {
  return /^[\w.@:/+-]+$/.test(text) ? text : `'${withoutControlChars(text).replaceAll("'", "'\\''")}'`;
}

function headNote(shown: RunTreeInput): string {
  const note = statusNote(shown);
  if (shown.served !== false || isSettled(shown.run.status) || shown.run.moved === true || shown.run.origin === "external") return note;
  return `${note === "" ? "" : `${note}; `}no engine serves it`;
}

function statusNote({ run, steps, detail, nowMs }: RunTreeInput): string {
  if (isSettled(run.status)) return `in ${formatDuration(Date.parse(run.updatedAt) - Date.parse(run.createdAt))}`;
  if (run.status === "PAUSED") return detail.pausedBecause === undefined ? "" : clip(detail.pausedBecause, 100);
  const open = steps.filter((s) => s.endedAt === undefined || s.retryAt !== undefined);
  const named = (kind: string): string =>
    open
      .filter((s) => s.kind === kind)
      .map((s) => detail.steps.get(s.stepId)?.signal ?? s.name)
      .slice(0, 3)
      .join(", ");
  const left = run.dueAt === undefined ? "" : ` (${formatDuration(Date.parse(run.dueAt) - nowMs)} left)`;
  switch (run.waiting) {
    case "signal":
      return clip(`waiting for signal ${named("signal")}`, 100) + left;
    case "timer":
      return clip(`waiting for timer ${named("timer")}`, 100) + left;
    case "child":
      return "waiting for a run it called";
    case "retry":
      return `waiting to try again${left}`;
    case "decision":
      return "needs a decision";
    case "drain":
      return "waiting for steps in flight";
    default:
      return "";
  }
}

/** Why it is not further, and what to do about it. Its code is for programs: `--json` has it. */
function becauseLines({ run }: RunTreeInput): string[] {
  const { because } = run;
  if (because === undefined || isSettled(run.status)) return [];
  const { text, fix } = because;
  return [`why: ${clip(withoutControlChars(text), 300)}`, ...(fix === undefined ? [] : [`what to do: ${withoutControlChars(fix)}`])];
}

const takeOversShown = 5;

/** The last ones: a run that every deployment takes over may have had many. */
function takeOverLines({ run, detail }: RunTreeInput): string[] {
  const all = detail.takeOvers ?? [];
  const since = (at: string): string => formatDuration(Date.parse(at) - Date.parse(run.createdAt));
  const lines = all
    .slice(-takeOversShown)
    .map((t) => withoutControlChars(`crash: engine ${clip(t.engine, 60)} took over from ${clip(t.lost, 60)} at +${since(t.at)}`));
  return all.length > takeOversShown ? [`crashes: ${all.length}, the last of them:`, ...lines] : lines;
}

function footOf(shown: RunTreeInput): string[] {
  const { run, detail, projection } = shown;
  const id = word(run.workflowId);
  const foot: string[] = [];
  if (shown.damaged !== undefined)
    foot.push(`its log was changed or is damaged: ${withoutControlChars(shown.damaged)}: pawl doctor --verify`);
  if (projection?.condition !== undefined)
    foot.push(
      `${projection.condition}: invalid events: ${projection.invalidEvents}, the first at ${projection.firstInvalid?.runSeq ?? 0}: pawl alerts --run ${id}`,
    );
  if (run.moved === true) foot.push(`moved to another store by export ${run.exportId ?? "(unknown)"}: it does not run here`);
  if (run.purgedAt !== undefined) return [...foot, `its log was removed on ${run.purgedAt}`];
  if (run.expiredAt !== undefined) foot.push(`its payloads were removed on ${run.expiredAt}`);
  if (detail.startedBy !== undefined) foot.push(`started by ${clip(detail.startedBy, 200)}`);
  if (detail.continuedFrom !== undefined) foot.push(`continues ${detail.continuedFrom}`);
  if (detail.continuedAs !== undefined) foot.push(`continued as ${detail.continuedAs}`);
  foot.push(...takeOverLines(shown));
  if (detail.abandoned !== undefined)
    foot.push(`abandoned: ${clip(detail.abandoned.join(", "), 200)} (open when the code returned: pawl explain PAWL1031)`);
  foot.push(...runValueLines(shown));
  if (run.owner !== undefined) foot.push(`owner: engine ${run.owner}${shown.ownerAlive === false ? ", which is dead" : ""}`);
  if (run.status === "FAILED") {
    if (shown.full !== true) foot.push(`failed: ${clip(detail.error ?? "", 200)}`);
    foot.push(`retry: pawl retry ${id}`);
  }
  const byWhom = (who: string | undefined): string => (who === undefined ? "" : ` by ${clip(who, 200)}`);
  if (run.status === "CANCELLED")
    foot.push(`cancelled${byWhom(detail.endedBy)}${detail.reason === undefined ? "" : `: ${clip(detail.reason, 200)}`}`);
  for (const c of detail.refused)
    foot.push(clip(`refused: ${c.kind} ${c.name}: the run was ending (${c.why}); see pawl explain PAWL1020`, 200));
  if (run.status === "PAUSED" && detail.pausedBy !== undefined) foot.push(`paused${byWhom(detail.pausedBy)}`);
  if (run.status === "PAUSED") foot.push(`continue: pawl resume ${id}`);
  else foot.push(...becauseLines(shown));
  return foot;
}
