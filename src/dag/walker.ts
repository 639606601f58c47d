// Walks a plan: the code of a DAG's run, written on the engine's calls like any other workflow code. walk/progress.ts says which nodes are ready;
// here they are opened, skipped or blocked. It calls no function of the author's but `when`, `key`, `id` and `input`, which are pure;
// everything else runs in steps. What it does depends on recorded outcomes and their order alone (K13): no clock, no randomness.
import { triggerVerdict, type SkipReason } from "../core/trigger.ts";
import type { DagState, StepEnd } from "../core/fold/dag.ts";
import type { Calls } from "../engine/calls.ts";
import { PlanFailed } from "../engine/run/ending.ts";
import type { ResumePoint } from "../engine/style.ts";
import { StepError } from "../errors/step-errors.ts";
import { callPure, openFailed, type BuiltPlan, type NodeOpening, type ResumedSteps } from "./built-node.ts";
import { chosenBranches } from "./decision.ts";
import { freezeDeep } from "../workflow/freeze.ts";
import { groupSteps, isBlind } from "./folded-steps.ts";
import { OpenGate } from "./open-gate.ts";
import { errorOfEnd } from "./recorded-error.ts";
import { PlanProgress } from "./walk/progress.ts";
import type { WalkedNode } from "./walk/walked-node.ts";

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
  readonly #progress: PlanProgress;
  readonly #gate: OpenGate;
  readonly #resolve: (value: unknown) => void;
  readonly #reject: (error: unknown) => void;
  #openNodes = 0;
  #failed: { readonly id: string; readonly error: unknown; readonly at: number }[] = [];
  /** While it is put where the log left it. */
  #groups: ReturnType<typeof groupSteps> | null = null;
  #isOver = false;

  constructor(plan: BuiltPlan, calls: Calls, input: unknown, resolve: (value: unknown) => void, reject: (error: unknown) => void) {
    this.#plan = plan;
    this.#calls = calls;
    this.#progress = new PlanProgress(plan, calls, input);
    this.#gate = new OpenGate(calls.openStepsMax);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin(): void {
    this.#advance();
  }

  /** Where the log left it: what has ended is known without a value, what was open is called again in the order of the first calls. */
  resume({ state, open }: ResumePoint): void {
    const folded = state as DagState;
    this.#groups = groupSteps(folded);
    this.#calls.onWants((stepId, outcome) => this.#progress.wants(stepId, outcome, this.#openNodes));
    const again = new Map<string, () => void>();
    for (let i = 0; i < this.#progress.ready.length; i++) this.#restore(this.#progress.ready[i]!, folded, again);
    this.#progress.ready = [];
    this.#failed.sort((a, b) => a.at - b.at);
    for (const { stepId } of open) again.get(stepId)!();
    this.#groups = null;
  }

  #restore(node: WalkedNode, folded: DagState, again: Map<string, () => void>): void {
    const { built } = node;
    const { id, kind, trigger } = built.plan;
    const verdict = triggerVerdict(trigger, node.needs, node.on);
    if (verdict.then === "blocked") return this.#progress.ended(node, "blocked");
    if (verdict.then === "skip") {
      node.unchosen = verdict.unchosen;
      node.why = verdict.why;
      return this.#progress.ended(node, "skipped");
    }
    const own = folded.steps.get(id);
    const items = this.#groups!.get(id) ?? [];
    if (own?.end === "s") {
      node.why = "when";
      return this.#progress.ended(node, "skipped");
    }
    if (own?.end === "o") {
      node.why = "operator";
      return this.#progress.ended(node, "skipped");
    }
    if (own?.end === "f") return this.#restoreFailure(node, id, own.seq, own.seq);
    const isWholeGroup = built.isGroup && folded.planned.has(id) && this.#isGroupOver(node, items, folded.planned.get(id)!);
    if (isWholeGroup) {
      const failed = items.filter(([, s]) => s.end === "f").toSorted((a, b) => a[1].seq - b[1].seq)[0];
      const last = Math.max(0, ...items.map(([, s]) => s.seq));
      if (failed !== undefined) return this.#restoreFailure(node, failed[0].slice(id.length + 1), failed[1].seq, last);
      const isEmpty = kind === "batch" && items[0]?.[0] === `${id}/placeholder`;
      node.places = isEmpty ? [] : items.map(([, s]) => (s.end === "c" ? s.seq : 0));
      return this.#progress.ended(node, "ok");
    }
    if (!built.isGroup && own?.end === "c") {
      this.#progress.releaseNeeds(node);
      if (kind !== "decide") {
        node.places = own.seq;
        return this.#progress.ended(node, "ok");
      }
      const end = this.#calls.result(own.seq);
      try {
        node.chosen = chosenBranches(id, built.plan.branches ?? [], end.ok ? end.value : undefined);
      } catch (error) {
        return this.#addFailure(node, error, own.seq);
      }
      node.value = freezeDeep(node.chosen);
      return this.#progress.ended(node, "ok");
    }
    this.#reopen(node, folded, again);
  }

  /** All of its steps have ended, or those that began and no more will. */
  #isGroupOver(node: WalkedNode, items: readonly (readonly [string, StepEnd])[], total: number): boolean {
    if (items.some(([, s]) => s.end === "-")) return false;
    return items.length >= total || (node.built.plan.failFast === true && items.some(([, s]) => s.end === "f"));
  }

  #restoreFailure(node: WalkedNode, name: string, seq: number, at: number): void {
    this.#addFailure(node, errorOfEnd(name, this.#calls.result(seq)), at);
  }

  /** Its steps were open. */
  #reopen(node: WalkedNode, folded: DagState, again: Map<string, () => void>): void {
    const { built } = node;
    const blind = isBlind(built);
    const values = blind ? { input: this.#progress.input } : this.#progress.valuesFor(node);
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
      given: blind ? this.#progress.givenNothing(node) : this.#progress.givenTo(node),
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

  /** Opens, skips or blocks what has become ready, and what becomes ready by that; a loop, since plans may be long. */
  #advance(): void {
    if (this.#isOver) return;
    try {
      for (let i = 0; i < this.#progress.ready.length; i++) {
        if (this.#calls.isEnding) break;
        this.#decide(this.#progress.ready[i]!);
      }
      this.#progress.ready = [];
      if (this.#openNodes === 0) this.#end();
    } catch (e) {
      this.#isOver = true;
      this.#reject(e);
    }
  }

  #decide(node: WalkedNode): void {
    const { plan } = node.built;
    const verdict = triggerVerdict(plan.trigger, node.needs, node.on);
    if (verdict.then === "blocked") return this.#progress.ended(node, "blocked");
    if (verdict.then === "skip") {
      node.unchosen = verdict.unchosen;
      return this.#skip(node, verdict.why, this.#progress.reasons(node, verdict.why));
    }
    const values = this.#progress.valuesFor(node);
    const o: NodeOpening = { calls: this.#calls, node: plan, values, given: this.#progress.givenTo(node), gate: this.#gate };
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
        this.#progress.ended(node, "ok");
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
      this.#progress.ended(node, "skipped");
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
    this.#progress.ended(node, "failed");
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
    this.#progress.ended(node, "ok");
  }

  #skip(node: WalkedNode, why: SkipReason, by: readonly string[]): void {
    node.why = why;
    this.#calls.skip(node.built.plan.id, why, by);
    this.#progress.ended(node, "skipped");
  }

  #end(): void {
    this.#isOver = true;
    if (this.#failed.length > 0) {
      const blocked = [...this.#progress.nodes.values()].filter((n) => n.state === "blocked").map((n) => n.built.plan.id);
      return this.#reject(
        new PlanFailed(
          this.#failed[0]!.error,
          this.#failed.map((f) => f.id),
          blocked,
        ),
      );
    }
    const { result } = this.#plan;
    const resultOf = (id: string): unknown => this.#progress.valueOf(this.#progress.nodes.get(id)!);
    if (typeof result === "string") return this.#resolve(resultOf(result));
    const ended = result.filter((id) => this.#progress.nodes.get(id)!.state === "ok");
    this.#resolve(Object.fromEntries(ended.map((id) => [id, resultOf(id)])));
  }
}
