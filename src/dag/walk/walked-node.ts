// A node of a plan and how far it is, and what the nodes that need it are given of it. It must never decide whether a node runs:
// core/trigger.ts does.
import { edgesInto } from "../../core/plan-data.ts";
import type { SkipReason } from "../../core/trigger.ts";
import type { RecordedEnd } from "../../engine/calls.ts";
import type { BuiltNode, GivenValues, ResumedGroup } from "../built-node.ts";
import type { NodeOutcome } from "../types.ts";

export type NodeState = "waiting" | "open" | "ok" | "failed" | "blocked" | "skipped";

/** A node and how far it is. */
export interface WalkedNode {
  readonly built: BuiltNode;
  readonly dependents: { readonly node: WalkedNode; readonly isNeed: boolean; readonly branches: readonly string[] }[];
  state: NodeState;
  /** Edges whose other end has not ended. */
  pending: number;
  readonly needs: { ok: number; failed: number; unchosen: number; skipped: number };
  readonly on: { of: number; chosen: number; notChosen: number; failed: number; skipped: number };
  /** Of a skipped node: why, and whether only because another branch was chosen. */
  why: SkipReason;
  unchosen: boolean;
  value: unknown;
  /** Where its value is recorded, while it is not in memory; of a group, one place for each item (0: it has none). */
  places: number | readonly number[] | null;
  /** Of a group that was open where the log is continued. */
  group: ResumedGroup | null;
  error: { readonly message: string; readonly category: string } | null;
  /** Dependents that may still read the value. */
  readers: number;
  /** It was given what it needs: it no longer counts as a reader. */
  wasGiven: boolean;
  hash: string | null;
  chosen: readonly string[];
}

export function walkedNode(built: BuiltNode): WalkedNode {
  return {
    built,
    dependents: [],
    state: "waiting",
    pending: edgesInto(built.plan).length,
    needs: { ok: 0, failed: 0, unchosen: 0, skipped: 0 },
    on: { of: built.plan.on?.length ?? 0, chosen: 0, notChosen: 0, failed: 0, skipped: 0 },
    why: "when",
    unchosen: false,
    value: undefined,
    places: null,
    group: null,
    error: null,
    readers: 0,
    wasGiven: false,
    hash: null,
    chosen: [],
  };
}

/** How a need ended. */
export type ValueSource = (id: string) => {
  readonly is: "ok" | "failed" | "skipped";
  readonly value?: unknown;
  readonly why?: SkipReason;
  readonly error?: WalkedNode["error"];
};

/** What a node is given, by the names of its needs. */
export function givenValues(built: BuiltNode, input: unknown, source: ValueSource): GivenValues {
  const values: Record<string, unknown> = { input };
  for (const [name, id] of built.names) {
    const from = source(id);
    values[name] = built.plan.trigger === "all-done" ? outcomeOf(from) : from.is === "ok" ? from.value : undefined;
  }
  return values;
}

function outcomeOf(n: ReturnType<ValueSource>): NodeOutcome<unknown> {
  if (n.is === "ok") return { is: "ok", value: n.value };
  if (n.is === "skipped") return { is: "skipped", why: n.why ?? "when" };
  return { is: "failed", error: n.error ?? { message: "it never began: something that it needs failed", category: "BLOCKED" } };
}

/** The value of a node whose step completed: as its opening gives it. */
export function recordedValue(built: BuiltNode, end: RecordedEnd): unknown {
  const value = end.ok ? end.value : undefined;
  if (built.plan.kind === "sleep") return null;
  return built.plan.kind === "receive" ? (value ?? null) : value;
}
