// What the log of a graph says about each of its supersteps: the state after it, the work that came next, what its items returned, and what its
// external calls were given and gave. Pure: no code of the author's is run, so any process can read it. It must never be used to continue a run.
import { inputDigest } from "../codec/canonical.ts";
import { revive } from "../codec/value.ts";
import { graphFold } from "../core/fold/graph.ts";
import type { Trees } from "../core/graph/channels.ts";
import { itemOfStep, readSuperstep, type FrontierEntry, type SuperstepItem } from "../core/graph/superstep.ts";
import { actsOutside } from "../core/step-kind-facts.ts";
import { toTimeText } from "./envelope.ts";
import type { EventRecord } from "./event.ts";
import { pawlEvents, readPayload, type StepCompletedPayload, type StepFailedPayload, type StepStartedPayload } from "./payload.ts";

/** Where a graph stood after one of its supersteps. */
export interface Standpoint<V = Readonly<Record<string, unknown>>> {
  readonly superstep: number;
  /** What a node called it (`ctx.label`). */
  readonly label?: string;
  /** The checkpoint's key. */
  readonly key: string;
  readonly at: string;
  /** The place of the event that recorded it. */
  readonly runSeq: number;
  readonly values: V;
  /** The items that ended in it, in the order in which they were merged. */
  readonly items: readonly {
    readonly node: string;
    readonly item: string;
    readonly ok: boolean;
    readonly update?: unknown;
    readonly failure?: { readonly code: string; readonly message: string };
    readonly route: readonly string[];
  }[];
  /** The work that came next; none after the last one. */
  readonly next: readonly { readonly node: string; readonly item: string; readonly orderKey: string; readonly input?: unknown }[];
}

/** What one external call of a superstep was given and gave, as the log has it. */
export interface RecordedIO {
  readonly node: string;
  readonly item: string;
  readonly stepId: string;
  readonly attempt: number;
  /** The declared input. */
  readonly request?: unknown;
  readonly response?: unknown;
  readonly error?: { readonly category: string; readonly message: string };
  /** SHA-256 of the response, or of the error. */
  readonly hash: string;
  readonly at: string;
  readonly durationMs: number;
}

/** A superstep that has ended, as it was read. It shares with the others what did not change: who keeps many of them keeps many states. */
export interface EndedSuperstep extends Pick<Standpoint, "superstep" | "label" | "key" | "runSeq"> {
  readonly persistedAt: number;
  readonly values: Trees;
  readonly items: readonly SuperstepItem[];
  readonly next: readonly FrontierEntry[];
}

/** Every superstep that has ended, oldest first. */
export function* endedSupersteps(events: Iterable<EventRecord>): Generator<EndedSuperstep> {
  const state = graphFold.empty();
  for (const e of events) {
    const parts = state.parts;
    graphFold.add(state, e);
    if (e.eventType !== pawlEvents.superstep) continue;
    const { items, label } = readSuperstep(e.payload ?? "{}", parts);
    const { n: superstep, key, values, frontier: next } = state;
    const { runSeq, persistedAt } = e;
    yield { superstep, ...(label === undefined ? {} : { label }), key, runSeq, persistedAt, values, items, next };
  }
}

export function standpointOf({ superstep, label, key, runSeq, persistedAt, values, items, next }: EndedSuperstep): Standpoint {
  return {
    superstep,
    ...(label === undefined ? {} : { label }),
    key,
    at: toTimeText(persistedAt),
    runSeq,
    values: Object.fromEntries(Object.entries(values).map(([name, tree]) => [name, valueFrom(tree)])),
    items: items.map(({ node, item, ok, update, failure, route }) => ({
      node,
      item,
      ok,
      ...(update === undefined ? {} : { update: valueFrom(update) }),
      ...(failure === undefined ? {} : { failure }),
      route,
    })),
    next: next.map(({ node, item, orderKey, input }) => ({
      node,
      item,
      orderKey,
      ...(input === undefined ? {} : { input: valueFrom(input) }),
    })),
  };
}

/** A value of its own: reading one may change it in place. */
export function valueFrom(tree: unknown): unknown {
  return revive(JSON.parse(JSON.stringify(tree)));
}

/** The external calls of one superstep, in the order of their ends; those that are under way have none yet. */
export function recordedIO(events: readonly EventRecord[], superstep: number): readonly RecordedIO[] {
  const begun = new Map<string, { started: StepStartedPayload & { input?: unknown }; at: number }>();
  const found: RecordedIO[] = [];
  const nodes = nodesOf(events, superstep);
  for (const e of events) {
    const stepId = e.stepId ?? "";
    if (!stepId.startsWith(`${superstep}/`)) continue;
    const known = begun.get(stepId);
    if (e.eventType === "StepStarted") {
      const started = known?.started ?? readPayload<StepStartedPayload>(e.payload);
      if (actsOutside(started.kind)) begun.set(stepId, { started, at: e.persistedAt });
    }
    if (known === undefined || (e.eventType !== "StepCompleted" && e.eventType !== "StepFailed")) continue;
    const item = itemOfStep(stepId);
    const { input } = known.started;
    found.push({
      node: nodes.get(item) ?? item,
      item,
      stepId,
      attempt: e.logicalAttemptId,
      ...(input === undefined ? {} : { request: valueFrom(input) }),
      ...outcomeOf(e),
      at: toTimeText(known.at),
      durationMs: Math.max(0, e.persistedAt - known.at),
    });
  }
  return found;
}

/** Of each item of this superstep, its node: an id has the node's name in a form that fits into ids. */
function nodesOf(events: readonly EventRecord[], superstep: number): ReadonlyMap<string, string> {
  for (const s of endedSupersteps(events)) if (s.superstep === superstep - 1) return new Map(s.next.map(({ item, node }) => [item, node]));
  return new Map();
}

function outcomeOf(e: EventRecord): Pick<RecordedIO, "response" | "error" | "hash"> {
  if (e.eventType === "StepCompleted") {
    const { result } = readPayload<StepCompletedPayload>(e.payload);
    const hash = inputDigest(JSON.stringify(result ?? null));
    return result === undefined ? { hash } : { response: valueFrom(result), hash };
  }
  const { error, category } = readPayload<StepFailedPayload>(e.payload);
  const said = { category, message: error.message };
  return { error: said, hash: inputDigest(JSON.stringify(said)) };
}
