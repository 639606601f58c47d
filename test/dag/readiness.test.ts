// Readiness against brute force: 10,000 random plans with random records. The brute force knows no counts and no order: it asks of each node, again and
// again from the sentences of the contract, whether it may begin. Whatever the plan, both must say the same.
import { expect, it } from "vitest";
import { seededRandom } from "../../src/core/seeded-random.ts";
import type { PlanNode } from "../../src/core/plan-data.ts";
import { triggers, type SkipReason, type Trigger } from "../../src/core/trigger.ts";
import { PlanLogFold, type StepFact } from "../../src/events/plan-log.ts";
import { planReadiness, planStatus, type Readiness } from "../../src/events/plan-readiness.ts";
import { sha256Hex } from "../../src/platform/crypto/hash.ts";
import { proves } from "../support/proves.ts";

interface World {
  readonly nodes: PlanNode[];
  readonly facts: Map<string, StepFact>;
}

function fact(state: StepFact["state"], more: Partial<StepFact> = {}): StepFact {
  return { state, isResolved: false, why: null, chosen: [], attempt: 1, retryAt: null, since: 0, error: null, ...more };
}

// ---- brute force: the sentences, one by one, on nothing but the plan and what is recorded

type Ended = "ok" | "failed" | "unchosen" | "skipped" | undefined;

class BruteForce {
  readonly #w: World;
  readonly #known = new Map<string, Readiness>();
  constructor(w: World) {
    this.#w = w;
  }
  #node(id: string): PlanNode {
    return this.#w.nodes.find((n) => n.id === id)!;
  }
  label(id: string): Readiness {
    const known = this.#known.get(id) ?? this.#find(id);
    this.#known.set(id, known);
    return known;
  }
  #find(id: string): Readiness {
    const f = this.#w.facts.get(id);
    if (f !== undefined) {
      const table: Record<StepFact["state"], Readiness> = {
        open: "running",
        retrying: "waiting-for-retry",
        held: "waiting-for-decision",
        doubt: "in-doubt",
        asked: "waiting-for-approval",
        completed: f.isResolved ? "resolved" : "succeeded",
        failed: "failed",
        skipped: "skipped",
      };
      return table[f.state];
    }
    const n = this.#node(id);
    const needs = n.needs.map((x) => this.ended(x));
    const branches = (n.on ?? []).map((b) => {
      const end = this.ended(b.decision);
      if (end !== "ok") return end === "unchosen" ? "no" : end === "skipped" ? "gone" : end === "failed" ? "broken" : undefined;
      return this.#w.facts.get(b.decision)!.chosen.includes(b.branch) ? "yes" : "no";
    });
    const stands = branches.length === 0 || branches.includes("yes");
    const everything = [...needs, ...(n.on ?? []).map((b) => this.ended(b.decision))];
    // One failed need blocks everything but a node that runs in any case, as soon as it is known that the node would run at all.
    if (stands && n.trigger !== "all-done" && needs.includes("failed")) return "blocked";
    if (everything.includes(undefined)) return "waiting-for-dependencies";
    if (!stands) return branches.includes("broken") ? "blocked" : "skipped";
    const skipped = needs.includes("skipped");
    const unchosen = needs.includes("unchosen");
    if (n.trigger === "all-ok") return skipped || unchosen ? "skipped" : "ready";
    if (n.trigger === "converge") return skipped || (unchosen && !needs.includes("ok")) ? "skipped" : "ready";
    return "ready";
  }
  ended(id: string): Ended {
    const l = this.label(id);
    if (l === "succeeded" || l === "resolved") return "ok";
    if (l === "failed" || l === "blocked") return "failed";
    if (l !== "skipped") return undefined;
    return this.#byBranch(id) ? "unchosen" : "skipped";
  }
  /** Skipped only because another branch was chosen. */
  #byBranch(id: string): boolean {
    const n = this.#node(id);
    const f = this.#w.facts.get(id);
    if (f !== undefined && f.why !== "not-chosen" && f.why !== "upstream-skipped") return false;
    if (f?.why === "not-chosen") return true;
    const on = n.on ?? [];
    const isOff =
      on.length > 0 && !on.some((b) => this.ended(b.decision) === "ok" && this.#w.facts.get(b.decision)!.chosen.includes(b.branch));
    if (f === undefined && isOff) return on.some((b) => this.ended(b.decision) === "ok" || this.ended(b.decision) === "unchosen");
    return [...n.needs, ...on.map((b) => b.decision)].every((x) => this.ended(x) !== "skipped");
  }
}

// ---- random plans, and records that a run of them could have

function randomWorld(seed: number): World {
  const r = seededRandom(sha256Hex(`readiness ${seed}`));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(r.random() * list.length)]!;
  const size = 1 + Math.floor(r.random() * 14);
  const nodes: PlanNode[] = [];
  const facts = new Map<string, StepFact>();
  const w: World = { nodes, facts };
  for (let i = 0; i < size; i++) {
    const before = nodes.map((n) => n.id);
    const needs = [...new Set(Array.from({ length: Math.floor(r.random() * 4) }, () => (before.length === 0 ? "" : pick(before))))].filter(
      (x) => x !== "",
    );
    const decisions = nodes.filter((n) => n.kind === "decide");
    const on =
      decisions.length > 0 && r.random() < 0.4
        ? Array.from({ length: r.random() < 0.2 ? 2 : 1 }, () => ({ decision: pick(decisions).id, branch: pick(["x", "y"]) }))
        : [];
    const isDecision = r.random() < 0.25;
    nodes.push({
      id: `n${i}`,
      kind: isDecision ? "decide" : "task",
      needs,
      trigger: isDecision ? "all-ok" : pick(triggers as readonly Trigger[]),
      ...(isDecision ? { branches: ["x", "y"] } : {}),
      ...(on.length === 0 ? {} : { on }),
    });
    // A record may say something of a node only once it could have begun, or was skipped.
    const label = new BruteForce(w).label(`n${i}`);
    if (label === "ready" && r.random() < 0.85) facts.set(`n${i}`, randomFact(r.random, isDecision));
    else if (label === "skipped" && r.random() < 0.5) facts.set(`n${i}`, recordedSkip(w, `n${i}`));
  }
  return w;
}

function randomFact(random: () => number, isDecision: boolean): StepFact {
  const x = random();
  if (x < 0.5) return fact("completed", { chosen: isDecision ? [["x"], ["y"], ["x", "y"], []][Math.floor(random() * 4)]! : [] });
  if (x < 0.62) return fact("failed");
  if (x < 0.68) return fact("skipped", { why: random() < 0.5 ? "when" : "operator" });
  const states = ["open", "retrying", "held", "doubt", "asked"] as const;
  return x < 0.95 ? fact(states[Math.floor(random() * 5)]!) : fact("completed", { isResolved: true });
}

function recordedSkip(w: World, id: string): StepFact {
  const n = w.nodes.find((x) => x.id === id)!;
  const b = new BruteForce(w);
  const on = n.on ?? [];
  const off = on.length > 0 && !on.some((x) => b.ended(x.decision) === "ok" && w.facts.get(x.decision)!.chosen.includes(x.branch));
  const byChoice = off && on.some((x) => b.ended(x.decision) === "ok" || b.ended(x.decision) === "unchosen");
  const why: SkipReason = byChoice ? "not-chosen" : "upstream-skipped";
  return fact("skipped", { why });
}

it("readiness of 10,000 random plans is what brute force says", proves("T-58", "T-59", "TX-03", "TX-10"), () => {
  const seen = new Map<Readiness, number>();
  for (let seed = 1; seed <= 10_000; seed++) {
    const w = randomWorld(seed);
    const log = Object.assign(new PlanLogFold(), { steps: w.facts });
    const labels = planReadiness({ digest: "", nodes: w.nodes, result: w.nodes[0]!.id }, log, new Map());
    const brute = new BruteForce(w);
    for (const n of w.nodes) {
      const label = labels.get(n.id)!;
      seen.set(label, (seen.get(label) ?? 0) + 1);
      if (label !== brute.label(n.id))
        expect([seed, n.id, label, JSON.stringify(w.nodes), [...w.facts]]).toEqual([seed, n.id, brute.label(n.id)]);
    }
    // TX-03: a final failure outranks ready work, and nothing else does.
    const { status } = planStatus(labels);
    const all = [...labels.values()];
    const expected = all.some((l) => l === "failed" || l === "blocked")
      ? "blocked-by-failures"
      : all.includes("ready")
        ? "has-ready-steps"
        : status;
    expect(status).toBe(expected);
  }
  // The records were worth comparing: every label but those of queues occurred, often.
  for (const l of [
    "blocked",
    "ready",
    "running",
    "skipped",
    "succeeded",
    "failed",
    "resolved",
    "waiting-for-dependencies",
    "waiting-for-retry",
  ] as const)
    expect(seen.get(l) ?? 0, l).toBeGreaterThan(100);
});
