// The picture of a DAG: its steps as boxes in layers, what each needs as lines, and where each stands. Up to 300 steps are drawn at once, more when the reader asks;
// where they go is computed beside the page, in a worker. Other runs have no picture.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLoad } from "../../data/load.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { cutText, stepText, visibleText } from "../../parts/text.tsx";
import type { PlacedPlan, PlanNode } from "./layers.ts";
import { placePlan } from "./place-plan.ts";

const drawnAtOnce = 300;
const nodesMax = 5_000;
const groupEdgesMax = 200;
const eventsAtOnce = 200;
const stepsAtOnce = 500;
const whyMax = 1_000;

interface PlanProps {
  readonly runId: string;
  readonly head: number;
  /** The run has ended: no step of it begins any more. */
  readonly ended: boolean;
}

export function Plan({ runId, head, ended }: PlanProps): JSX.Element | null {
  const [asked, ask] = useState(false);
  const { value: nodes } = useLoad(`plan ${runId} ${Math.floor(head / 20)} ${String(ended)}`, (signal) => readPlan(runId, ended, signal));
  const [placed, setPlaced] = useState<PlacedPlan | undefined>(undefined);
  const drawn = nodes !== undefined && nodes.length > 0 && (asked || nodes.length <= drawnAtOnce);
  useEffect(() => {
    let left = false;
    if (drawn) void placePlan(nodes.slice(0, nodesMax)).then((p) => left || setPlaced(p));
    return () => {
      left = true;
    };
  }, [nodes, drawn]);
  if (nodes === undefined || nodes.length === 0) return null;
  return (
    <section class="card plan" aria-labelledby="plan-title">
      <h2 id="plan-title">Plan</h2>
      {!drawn ? (
        <button type="button" onClick={() => ask(true)}>
          Draw {nodes.length.toLocaleString("en")} steps
        </button>
      ) : placed === undefined ? (
        <p class="quiet">Laying it out …</p>
      ) : (
        <Picture placed={placed} runId={runId} />
      )}
    </section>
  );
}

async function readPlan(runId: string, ended: boolean, signal: AbortSignal): Promise<readonly PlanNode[]> {
  if (!may("payloads")) return [];
  const nodes = new Map<string, PlanNode>();
  let isPlan = false;
  // So many at a time that an answer stays small. A run of which none of these needs another is no DAG.
  for (let after = 0; nodes.size < nodesMax;) {
    const { items } = await call("runs.events", { id: runId, after, types: ["StepStarted"], limit: eventsAtOnce }, { signal });
    for (const e of items) {
      const { needs } = (e.payload ?? {}) as { readonly needs?: readonly string[] };
      isPlan ||= Array.isArray(needs);
      if (e.stepId !== undefined) nodes.set(e.stepId, { id: e.stepId, needs: Array.isArray(needs) ? needs : [], state: "running" });
    }
    if (!isPlan) return [];
    if (items.length < eventsAtOnce) break;
    after = items.at(-1)!.runSeq;
  }
  if (nodes.size === 0) return [];
  for (let cursor: string | undefined; ;) {
    const page = await call("runs.steps", { id: runId, limit: stepsAtOnce, ...(cursor === undefined ? {} : { cursor }) }, { signal });
    for (const { stepId, status } of page.items) {
      const known = nodes.get(stepId);
      if (known !== undefined) nodes.set(stepId, { ...known, state: status.toLowerCase() });
    }
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  // Those that have not begun. Of a large run that has ended it would say nothing new.
  for (let cursor: string | undefined; !(ended && nodes.size >= whyMax) && nodes.size < nodesMax;) {
    const page = await call("runs.why", { id: runId, ...(cursor === undefined ? {} : { cursor }) }, { signal });
    for (const { stepId, waitsFor, readiness } of page.items)
      if (!nodes.has(stepId)) nodes.set(stepId, { id: stepId, needs: waitsFor, state: readiness });
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  const groups = membersByGroup([...nodes.keys()]);
  return [...nodes.values()].map((n) => ({ ...n, needs: needsOf(n, nodes, groups) }));
}

/** The steps whose id begins with another one's: "clean/7" is one of "clean". */
function membersByGroup(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    for (let at = id.lastIndexOf("/"); at > 0; at = id.lastIndexOf("/", at - 1)) {
      const members = groups.get(id.slice(0, at)) ?? [];
      if (members.length < groupEdgesMax) members.push(id);
      groups.set(id.slice(0, at), members);
    }
  }
  return groups;
}

/** A group comes after its members. What needs a group that is no step of its own needs each of its members. */
function needsOf(n: PlanNode, nodes: ReadonlyMap<string, PlanNode>, groups: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const own = groups.get(n.id) ?? [];
  const others = n.needs.filter((id) => id !== n.id).flatMap((id) => (nodes.has(id) ? [id] : (groups.get(id) ?? [])));
  return [...own, ...others];
}

function boxText(name: string): string {
  return name.length > 17 ? `${cutText(name, 16)}…` : name;
}

const boxWidth = 132;
const boxHeight = 30;

/** As wide as there is room for, but never so small that nobody can read it: what does not fit then is scrolled to. */
const smallest = 0.65;
const fitting = (width: number): string => `min(${width}px, max(100%, ${Math.ceil(width * smallest)}px))`;

function Picture({ placed, runId }: { readonly placed: PlacedPlan; readonly runId: string }): JSX.Element {
  return (
    <div class="picture" tabIndex={0} role="group" aria-label={`${placed.nodes.length} steps`}>
      <svg style={{ width: fitting(placed.width) }} viewBox={`0 0 ${placed.width} ${placed.height}`}>
        {placed.edges.map((e, i) => (
          <path key={i} class="edge" d={`M${e.x1} ${e.y1} C${(e.x1 + e.x2) / 2} ${e.y1} ${(e.x1 + e.x2) / 2} ${e.y2} ${e.x2} ${e.y2}`} />
        ))}
        {placed.nodes.map((n) => (
          <a key={n.id} href={linkTo(["runs", runId], { step: n.id })} aria-label={`${visibleText(stepText(n.id))}, ${n.state}`}>
            <rect class={`box ${n.state}`} x={n.x} y={n.y} width={boxWidth} height={boxHeight} rx="6" />
            <text x={n.x + 10} y={n.y + 19}>
              {visibleText(boxText(stepText(n.id)))}
            </text>
          </a>
        ))}
      </svg>
    </div>
  );
}
