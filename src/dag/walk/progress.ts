// How far a plan is: which nodes become ready when another one ends, and what they are given. It counts the open needs of each
// node, so an outcome costs as much as the node has dependents. It opens nothing (walker.ts does), and lets go of a value that nobody reads any more.
import { encode } from "../../codec/value.ts";
import { defaultLimits } from "../../core/limits.ts";
import { edgesInto } from "../../core/plan-data.ts";
import type { SkipReason } from "../../core/trigger.ts";
import type { Calls, GivenByPlan } from "../../engine/calls.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { freezeDeep } from "../../workflow/freeze.ts";
import type { BuiltPlan, GivenValues } from "../built-node.ts";
import { nodeIdOf } from "../folded-steps.ts";
import { givenValues, recordedValue, walkedNode, type NodeState, type WalkedNode } from "./walked-node.ts";

const noLimit = { ...defaultLimits, valueBytesMax: Number.MAX_SAFE_INTEGER, depthMax: 256 };
const hashOf = (value: unknown): string => sha256Hex(value === undefined ? "" : encode(value, noLimit, "a result"));

export class PlanProgress {
  readonly #plan: BuiltPlan;
  readonly #calls: Calls;
  readonly #inputHash: string;
  readonly input: unknown;
  readonly nodes: Map<string, WalkedNode> = new Map();
  /** Nodes whose edges have all ended, in the order in which the last one did. */
  ready: WalkedNode[] = [];

  constructor(plan: BuiltPlan, calls: Calls, input: unknown) {
    this.#plan = plan;
    this.#calls = calls;
    this.input = freezeDeep(input);
    this.#inputHash = hashOf(input);
    for (const built of plan.nodes) this.nodes.set(built.plan.id, walkedNode(built));
    const results = new Set(typeof plan.result === "string" ? [plan.result] : plan.result);
    for (const node of this.nodes.values()) {
      const { plan: p } = node.built;
      if (results.has(p.id)) node.readers++;
      for (const id of edgesInto(p)) {
        const isNeed = p.needs.includes(id);
        const branches = (p.on ?? []).filter((b) => b.decision === id).map((b) => b.branch);
        const from = this.nodes.get(id)!;
        from.dependents.push({ node, isNeed, branches });
        if (isNeed) from.readers++;
      }
    }
    for (const node of this.nodes.values()) if (node.pending === 0) this.ready.push(node);
  }

  givenNothing(node: WalkedNode): GivenByPlan {
    this.releaseNeeds(node);
    return { needs: node.built.plan.needs, hash: "", hold: false };
  }

  /** Which results the end of this step will have the walker look at: those of the needs of nodes that may begin then. */
  wants(stepId: string, outcome: "completed" | "failed", openNodes: number): readonly number[] {
    const node = this.nodes.get(nodeIdOf(stepId));
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
        for (const id of d.built.plan.needs) addPlaces(wanted, this.nodes.get(id)!);
        const runs = isOk && d.built.when === null && d.on.of === 0 && d.needs.ok === d.built.plan.needs.length - 1;
        if (!runs) queue.push({ node: d, isOk: false });
      }
    }
    const { result } = this.#plan;
    if (openNodes <= 1) for (const id of typeof result === "string" ? [result] : result) addPlaces(wanted, this.nodes.get(id)!);
    return [...wanted];
  }

  /** The value of a node that ended well: in memory, or at its place in the log. */
  valueOf(node: WalkedNode): unknown {
    if (node.places === null) return node.value;
    const { places } = node;
    const read = (seq: number): unknown => recordedValue(node.built, this.#calls.result(seq));
    node.value = freezeDeep(typeof places === "number" ? read(places) : places.map((seq) => (seq === 0 ? undefined : read(seq))));
    node.places = null;
    return node.value;
  }

  /** At most a few: the log should say why, not list a thousand needs. */
  reasons(node: WalkedNode, why: SkipReason): readonly string[] {
    const { plan } = node.built;
    const ids = why === "not-chosen" ? (plan.on ?? []).map((b) => b.decision) : edgesInto(plan);
    return [...new Set(ids)].filter((id) => why === "not-chosen" || this.nodes.get(id)!.state === "skipped").slice(0, 10);
  }

  ended(node: WalkedNode, state: NodeState): void {
    node.state = state;
    this.releaseNeeds(node); // of one that never began
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
      if (--d.node.pending === 0) this.ready.push(d.node);
    }
  }

  /** A value is kept until the last node that needs it has been given it, or will never be. */
  releaseNeeds(node: WalkedNode): void {
    if (node.wasGiven) return;
    node.wasGiven = true;
    for (const id of node.built.plan.needs) {
      const from = this.nodes.get(id)!;
      if (--from.readers > 0) continue;
      from.value = undefined;
      from.places = null;
    }
  }

  valuesFor(node: WalkedNode): GivenValues {
    return givenValues(node.built, this.input, (id) => {
      const from = this.nodes.get(id)!;
      if (from.state === "ok") return { is: "ok", value: this.valueOf(from) };
      return from.state === "skipped" ? { is: "skipped", why: from.why, error: null } : { is: "failed", error: from.error };
    });
  }

  /** K17: which steps it needs, and what they gave. The values are let go here: the node has them now. */
  givenTo(node: WalkedNode): GivenByPlan {
    const { needs } = node.built.plan;
    let text = this.#inputHash;
    for (const id of needs) {
      const from = this.nodes.get(id)!;
      text += `\n${id}:${from.state === "ok" ? (from.hash ??= hashOf(this.valueOf(from))) : from.state}`;
    }
    this.releaseNeeds(node);
    return { needs, hash: sha256Hex(text), hold: node.built.plan.hold === true };
  }
}

function addPlaces(wanted: Set<number>, { places }: WalkedNode): void {
  if (typeof places === "number") wanted.add(places);
  else for (const seq of places ?? []) if (seq !== 0) wanted.add(seq);
}
