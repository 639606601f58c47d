// Walks a plan: the code of a DAG's run, written on the engine's calls like any other workflow code. It counts the open needs of each node,
// so an outcome costs as much as the node has dependents. It calls no function of the author's but `when`, `key`, `id` and `input`, which are pure;
// everything else runs in steps. What it does depends on recorded outcomes and their order alone (K13): no clock, no randomness.
import { encode } from "../codec/value.ts";
import { defaultLimits } from "../core/limits.ts";
import { edgesInto } from "../core/plan-data.ts";
import { triggerVerdict, type SkipReason } from "../core/trigger.ts";
import type { DagState, StepEnd } from "../core/fold/dag.ts";
import type { Calls, GivenByPlan, RecordedEnd } from "../engine/calls.ts";
import { PlanFailed } from "../engine/run/ending.ts";
import type { ResumePoint } from "../engine/style.ts";
import { StepError } from "../errors/step-errors.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import {
  callPure,
  openFailed,
  type BuiltNode,
  type BuiltPlan,
  type GivenValues,
  type NodeOpening,
  type ResumedGroup,
  type ResumedSteps,
} from "./built-node.ts";
import { chosenBranches } from "./decision.ts";
import { freezeDeep } from "../workflow/freeze.ts";
import { groupSteps, isBlind, nodeIdOf } from "./folded-steps.ts";
import { OpenGate } from "./open-gate.ts";
import { errorOfEnd } from "./recorded-error.ts";
import type { NodeOutcome } from "./types.ts";

type NodeState = "waiting" | "open" | "ok" | "failed" | "blocked" | "skipped";

/** A node and how far it is. */
interface WalkedNode {
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

const noLimit = { ...defaultLimits, valueBytesMax: Number.MAX_SAFE_INTEGER, depthMax: 256 };
const hashOf = (value: unknown): string => sha256Hex(value === undefined ? "" : encode(value, noLimit, "a result"));

/** The same, from the middle of a log. */
export function resumePlan(plan: BuiltPlan, calls: Calls, input: unknown, from: ResumePoint): Promise<unknown> {
  return new Promise((resolve, reject) => new Walker(plan, calls, input, resolve, reject).resume(from));
}

export function walkPlan(plan: BuiltPlan, calls: Calls, input: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => new Walker(plan, calls, input, resolve, reject).begin());
}

class Walker {
  readonly #plan: BuiltPlan;
  readonly #calls: Calls;
  readonly #input: unknown;
  readonly #inputHash: string;
  readonly #gate: OpenGate;
  readonly #nodes = new Map<string, WalkedNode>();
  readonly #resolve: (value: unknown) => void;
  readonly #reject: (error: unknown) => void;
  /** Nodes whose edges have all ended, in the order in which the last one did. */
  #ready: WalkedNode[] = [];
  #openNodes = 0;
  #failed: { readonly id: string; readonly error: unknown; readonly at: number }[] = [];
  /** While it is put where the log left it. */
  #groups: ReturnType<typeof groupSteps> | null = null;
  #isOver = false;

  constructor(plan: BuiltPlan, calls: Calls, input: unknown, resolve: (value: unknown) => void, reject: (error: unknown) => void) {
    this.#plan = plan;
    this.#calls = calls;
    this.#input = freezeDeep(input);
    this.#inputHash = hashOf(input);
    this.#gate = new OpenGate(calls.openStepsMax);
    this.#resolve = resolve;
    this.#reject = reject;
    for (const built of plan.nodes) this.#nodes.set(built.plan.id, walkedNode(built));
    const results = new Set(typeof plan.result === "string" ? [plan.result] : plan.result);
    for (const node of this.#nodes.values()) {
      const { plan: p } = node.built;
      if (results.has(p.id)) node.readers++;
      for (const id of edgesInto(p)) {
        const isNeed = p.needs.includes(id);
        const branches = (p.on ?? []).filter((b) => b.decision === id).map((b) => b.branch);
        const from = this.#nodes.get(id)!;
        from.dependents.push({ node, isNeed, branches });
        if (isNeed) from.readers++;
      }
    }
  }

  begin(): void {
    for (const node of this.#nodes.values()) if (node.pending === 0) this.#ready.push(node);
    this.#advance();
  }

  /** Where the log left it: what has ended is known without a value, what was open is called again in the order of the first calls. */
  resume({ state, open }: ResumePoint): void {
    const folded = state as DagState;
    this.#groups = groupSteps(folded);
    this.#calls.onWants((stepId, outcome) => this.#wants(stepId, outcome));
    const again = new Map<string, () => void>();
    for (const node of this.#nodes.values()) if (node.pending === 0) this.#ready.push(node);
    for (let i = 0; i < this.#ready.length; i++) this.#restore(this.#ready[i]!, folded, again);
    this.#ready = [];
    this.#failed.sort((a, b) => a.at - b.at);
    for (const { stepId } of open) again.get(stepId)!();
    this.#groups = null;
  }

  #restore(node: WalkedNode, folded: DagState, again: Map<string, () => void>): void {
    const { built } = node;
    const { id, kind, trigger } = built.plan;
    const verdict = triggerVerdict(trigger, node.needs, node.on);
    if (verdict.then === "blocked") return this.#ended(node, "blocked");
    if (verdict.then === "skip") {
      node.unchosen = verdict.unchosen;
      node.why = verdict.why;
      return this.#ended(node, "skipped");
    }
    const own = folded.steps.get(id);
    const items = this.#groups!.get(id) ?? [];
    if (own?.end === "s") {
      node.why = "when";
      return this.#ended(node, "skipped");
    }
    if (own?.end === "o") {
      node.why = "operator";
      return this.#ended(node, "skipped");
    }
    if (own?.end === "f") return this.#restoreFailure(node, id, own.seq, own.seq);
    const isWholeGroup = built.isGroup && folded.planned.has(id) && this.#isGroupOver(node, items, folded.planned.get(id)!);
    if (isWholeGroup) {
      const failed = items.filter(([, s]) => s.end === "f").toSorted((a, b) => a[1].seq - b[1].seq)[0];
      const last = Math.max(0, ...items.map(([, s]) => s.seq));
      if (failed !== undefined) return this.#restoreFailure(node, failed[0].slice(id.length + 1), failed[1].seq, last);
      const isEmpty = kind === "batch" && items[0]?.[0] === `${id}/placeholder`;
      node.places = isEmpty ? [] : items.map(([, s]) => (s.end === "c" ? s.seq : 0));
      return this.#ended(node, "ok");
    }
    if (!built.isGroup && own?.end === "c") {
      this.#releaseNeeds(node);
      if (kind !== "decide") {
        node.places = own.seq;
        return this.#ended(node, "ok");
      }
      const end = this.#calls.result(own.seq);
      try {
        node.chosen = chosenBranches(id, built.plan.branches ?? [], end.ok ? end.value : undefined);
      } catch (error) {
        return this.#addFailure(node, error, own.seq);
      }
      node.value = freezeDeep(node.chosen);
      return this.#ended(node, "ok");
    }
    this.#reopen(node, folded, again);
  }

  /** All of its steps have ended, or those that began and no more will. */
  #isGroupOver(node: WalkedNode, items: readonly (readonly [string, StepEnd])[], total: number): boolean {
    if (items.some(([, s]) => s.end === "-")) return false;
    return items.length >= total || (node.built.failFast === true && items.some(([, s]) => s.end === "f"));
  }

  #restoreFailure(node: WalkedNode, name: string, seq: number, at: number): void {
    this.#addFailure(node, errorOfEnd(name, this.#calls.result(seq)), at);
  }

  /** Its steps were open. */
  #reopen(node: WalkedNode, folded: DagState, again: Map<string, () => void>): void {
    const { built } = node;
    const blind = isBlind(built);
    const values = blind ? { input: this.#input } : this.#valuesFor(node);
    const resumed: ResumedSteps = {
      step: (stepId) => folded.steps.get(stepId),
      result: (seq) => this.#calls.result(seq),
      again: (stepId, open) => void again.set(stepId, open),
      onGroup: (group) => (node.group = group),
    };
    const o = {
      calls: this.#calls,
      node: built.plan,
      values,
      given: blind ? this.#givenNothing(node) : this.#givenTo(node),
      gate: this.#gate,
      resumed,
    };
    let problem: { readonly error: unknown } | null = null;
    try {
      if (built.when !== null) callPure(`when of ${built.plan.id}`, () => built.when!(values));
    } catch (error) {
      problem = { error };
    }
    this.#open(node, o, problem);
  }

  #givenNothing(node: WalkedNode): GivenByPlan {
    this.#releaseNeeds(node);
    return { needs: [], hash: "", hold: false };
  }

  /** Which results the end of this step will have the walker look at: those of the needs of nodes that may begin then. */
  #wants(stepId: string, outcome: "completed" | "failed"): readonly number[] {
    const node = this.#nodes.get(nodeIdOf(stepId));
    if (node === undefined) return [];
    const wanted = new Set<number>();
    if (node.group !== null && node.built.plan.id !== stepId) {
      if (!node.group.mayEnd) return [];
      for (const seq of node.group.places) wanted.add(seq);
    }
    const left = new Map<WalkedNode, number>();
    const queue: { readonly node: WalkedNode; readonly isOk: boolean }[] = [{ node, isOk: outcome === "completed" && !node.built.isGroup }];
    for (let i = 0; i < queue.length; i++) {
      const { node: ended, isOk } = queue[i]!;
      for (const { node: d } of ended.dependents) {
        const pending = (left.get(d) ?? d.pending) - 1;
        left.set(d, pending);
        if (pending > 0) continue;
        for (const id of d.built.plan.needs) addPlaces(wanted, this.#nodes.get(id)!);
        const runs = isOk && d.built.when === null && d.on.of === 0 && d.needs.ok === d.built.plan.needs.length - 1;
        if (!runs) queue.push({ node: d, isOk: false });
      }
    }
    const { result } = this.#plan;
    if (this.#openNodes <= 1) for (const id of typeof result === "string" ? [result] : result) addPlaces(wanted, this.#nodes.get(id)!);
    return [...wanted];
  }

  /** The value of a node that ended well: in memory, or at its place in the log. */
  #valueOf(node: WalkedNode): unknown {
    if (node.places === null) return node.value;
    const { places } = node;
    const read = (seq: number): unknown => recordedValue(node.built, this.#calls.result(seq));
    node.value = freezeDeep(typeof places === "number" ? read(places) : places.map((seq) => (seq === 0 ? undefined : read(seq))));
    node.places = null;
    return node.value;
  }

  /** Opens, skips or blocks what has become ready, and what becomes ready by that; a loop, since plans may be long. */
  #advance(): void {
    if (this.#isOver) return;
    try {
      for (let i = 0; i < this.#ready.length; i++) {
        if (this.#calls.isEnding) break;
        this.#decide(this.#ready[i]!);
      }
      this.#ready = [];
      if (this.#openNodes === 0) this.#end();
    } catch (e) {
      this.#isOver = true;
      this.#reject(e);
    }
  }

  #decide(node: WalkedNode): void {
    const { plan } = node.built;
    const verdict = triggerVerdict(plan.trigger, node.needs, node.on);
    if (verdict.then === "blocked") return this.#ended(node, "blocked");
    if (verdict.then === "skip") {
      node.unchosen = verdict.unchosen;
      return this.#skip(node, verdict.why, this.#reasons(node, verdict.why));
    }
    const values = this.#valuesFor(node);
    const o: NodeOpening = { calls: this.#calls, node: plan, values, given: this.#givenTo(node), gate: this.#gate };
    let problem: { readonly error: unknown } | null = null;
    try {
      const { when } = node.built;
      if (when !== null && callPure(`when of ${plan.id}`, () => when(values)) !== true) return this.#skip(node, "when", []);
    } catch (error) {
      problem = { error };
    }
    this.#open(node, o, problem);
  }

  #open(node: WalkedNode, o: NodeOpening, problem: { readonly error: unknown } | null): void {
    node.state = "open";
    this.#openNodes++;
    const { built } = node;
    const isOneStep = !built.isGroup || problem !== null;
    const openNow = (): void => {
      let opened: Promise<unknown>;
      try {
        opened = problem === null ? built.open(o) : openFailed(o, problem.error);
      } catch (error) {
        opened = openFailed(o, error);
      }
      opened.then(
        (value) => {
          if (isOneStep) this.#gate.leave();
          this.#completed(node, value);
        },
        (error: unknown) => {
          if (isOneStep) this.#gate.leave();
          this.#broke(node, error);
        },
      );
    };
    const { resumed } = o;
    const open = resumed === undefined || !isOneStep ? openNow : (): void => resumed.again(built.plan.id, openNow);
    if (isOneStep) this.#gate.enter(open);
    else open();
  }

  #completed(node: WalkedNode, value: unknown): void {
    this.#openNodes--;
    try {
      if (node.built.plan.kind === "decide") this.#choose(node, value);
      else {
        node.value = freezeDeep(value);
        this.#ended(node, "ok");
      }
    } catch (error) {
      return this.#failNode(node, error);
    }
    this.#advance();
  }

  /** A step of it failed for good, or could not be opened. */
  #broke(node: WalkedNode, error: unknown): void {
    this.#openNodes--;
    if (error instanceof StepError && error.category === "SKIPPED") {
      node.why = "operator";
      this.#ended(node, "skipped");
      return this.#advance();
    }
    this.#failNode(node, error);
  }

  #failNode(node: WalkedNode, error: unknown): void {
    this.#addFailure(node, error, 0);
    this.#advance();
  }

  /** `at`: when, of one that was read from the log. */
  #addFailure(node: WalkedNode, error: unknown, at: number): void {
    this.#failed.push({ id: node.built.plan.id, error, at });
    const category = error instanceof StepError ? error.category : "FAILED";
    node.error = { message: error instanceof Error ? error.message : String(error), category };
    this.#ended(node, "failed");
  }

  /** TX-10: what a decision chose is one event, beside its outcome. Nodes of other branches are skipped in their turn. */
  #choose(node: WalkedNode, value: unknown): void {
    const { id, branches } = node.built.plan;
    node.chosen = chosenBranches(id, branches ?? [], value);
    node.value = freezeDeep(node.chosen);
    const steps: string[] = [];
    const skipped: string[] = [];
    for (const d of node.dependents) {
      if (d.branches.length === 0) continue;
      const isChosen = d.branches.some((b) => node.chosen.includes(b));
      (isChosen ? steps : skipped).push(d.node.built.plan.id);
    }
    this.#calls.plan(id, { steps, skipped });
    this.#ended(node, "ok");
  }

  #skip(node: WalkedNode, why: SkipReason, by: readonly string[]): void {
    node.why = why;
    this.#calls.skip(node.built.plan.id, why, by);
    this.#ended(node, "skipped");
  }

  /** At most a few: the log should say why, not list a thousand needs. */
  #reasons(node: WalkedNode, why: SkipReason): readonly string[] {
    const { plan } = node.built;
    const ids = why === "not-chosen" ? (plan.on ?? []).map((b) => b.decision) : edgesInto(plan);
    return [...new Set(ids)].filter((id) => why === "not-chosen" || this.#nodes.get(id)!.state === "skipped").slice(0, 10);
  }

  #ended(node: WalkedNode, state: NodeState): void {
    node.state = state;
    this.#releaseNeeds(node); // of one that never began
    const { unchosen } = node;
    for (const d of node.dependents) {
      const { needs, on } = d.node;
      if (d.isNeed) {
        if (state === "ok") needs.ok++;
        else if (state === "skipped") needs[unchosen ? "unchosen" : "skipped"]++;
        else needs.failed++;
      }
      for (const b of d.branches) {
        if (state === "ok") on[node.chosen.includes(b) ? "chosen" : "notChosen"]++;
        else if (state === "skipped") on[unchosen ? "notChosen" : "skipped"]++;
        else on.failed++;
      }
      if (--d.node.pending === 0) this.#ready.push(d.node);
    }
  }

  /** A value is kept until the last node that needs it has been given it, or will never be. */
  #releaseNeeds(node: WalkedNode): void {
    if (node.wasGiven) return;
    node.wasGiven = true;
    for (const id of node.built.plan.needs) {
      const from = this.#nodes.get(id)!;
      if (--from.readers > 0) continue;
      from.value = undefined;
      from.places = null;
    }
  }

  #valuesFor(node: WalkedNode): GivenValues {
    return givenValues(node.built, this.#input, (id) => {
      const from = this.#nodes.get(id)!;
      if (from.state === "ok") return { is: "ok", value: this.#valueOf(from) };
      return from.state === "skipped" ? { is: "skipped", why: from.why, error: null } : { is: "failed", error: from.error };
    });
  }

  /** K17: which steps it needs, and what they gave. The values are let go here: the node has them now. */
  #givenTo(node: WalkedNode): GivenByPlan {
    const { needs } = node.built.plan;
    let text = this.#inputHash;
    for (const id of needs) {
      const from = this.#nodes.get(id)!;
      text += `\n${id}:${from.state === "ok" ? (from.hash ??= hashOf(this.#valueOf(from))) : from.state}`;
    }
    this.#releaseNeeds(node);
    return { needs, hash: sha256Hex(text), hold: node.built.plan.hold === true };
  }

  #end(): void {
    this.#isOver = true;
    if (this.#failed.length > 0) {
      const blocked = [...this.#nodes.values()].filter((n) => n.state === "blocked").map((n) => n.built.plan.id);
      return this.#reject(
        new PlanFailed(
          this.#failed[0]!.error,
          this.#failed.map((f) => f.id),
          blocked,
        ),
      );
    }
    const { result } = this.#plan;
    const resultOf = (id: string): unknown => this.#valueOf(this.#nodes.get(id)!);
    if (typeof result === "string") return this.#resolve(resultOf(result));
    const ended = result.filter((id) => this.#nodes.get(id)!.state === "ok");
    this.#resolve(Object.fromEntries(ended.map((id) => [id, resultOf(id)])));
  }
}

function walkedNode(built: BuiltNode): WalkedNode {
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

function addPlaces(wanted: Set<number>, { places }: WalkedNode): void {
  if (typeof places === "number") wanted.add(places);
  else for (const seq of places ?? []) if (seq !== 0) wanted.add(seq);
}
