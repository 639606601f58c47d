// When does a node of a plan run? One pure table over how the nodes that it needs have ended, and over the branches that it stands on.
// It is asked once, when all of them have ended, and costs the same however many there are. It must never look at values.

/**
 * all-ok: every need succeeded; one skipped: skipped; one failed: blocked · converge: the chosen needs succeeded, needs that were not
 * chosen do not count (TX-10) · none-failed: each succeeded or was skipped · all-done: each ended, in whatever way.
 */
export type Trigger = (typeof triggers)[number];
export const triggers = ["all-ok", "converge", "none-failed", "all-done"] as const;

/** Why a node was skipped: its condition, another branch was chosen, what it needs was skipped, a person. */
export type SkipReason = (typeof skipReasons)[number];
export const skipReasons = ["when", "not-chosen", "upstream-skipped", "operator"] as const;

/** How many of a node's needs ended in which way. */
export interface NeedCounts {
  readonly ok: number;
  /** Failed for good, or blocked by one that did. */
  readonly failed: number;
  /** Skipped only because another branch was chosen. */
  readonly unchosen: number;
  /** Skipped for any other reason. */
  readonly skipped: number;
}

/** The branches that a node stands on: none means that it stands on no decision. One that was chosen is enough. */
export interface BranchCounts {
  readonly of: number;
  readonly chosen: number;
  readonly notChosen: number;
  /** Their decision failed, or is blocked. */
  readonly failed: number;
  /** Their decision was skipped. */
  readonly skipped: number;
}

export type TriggerVerdict =
  | { readonly then: "run" }
  | { readonly then: "blocked" }
  /** `unchosen`: only because another branch was chosen, so a node that converges does not count it. */
  | { readonly then: "skip"; readonly why: "not-chosen" | "upstream-skipped"; readonly unchosen: boolean };

const run: TriggerVerdict = { then: "run" };
const blocked: TriggerVerdict = { then: "blocked" };
const notChosen: TriggerVerdict = { then: "skip", why: "not-chosen", unchosen: true };
const skipUnchosen: TriggerVerdict = { then: "skip", why: "upstream-skipped", unchosen: true };
const skip: TriggerVerdict = { then: "skip", why: "upstream-skipped", unchosen: false };

/** TX-03: a failure outranks everything but a branch that was not chosen, which would never have run. */
export function triggerVerdict(trigger: Trigger, needs: NeedCounts, on: BranchCounts): TriggerVerdict {
  if (on.of > 0 && on.chosen === 0) {
    if (on.failed > 0) return blocked;
    return on.notChosen > 0 ? notChosen : skip;
  }
  if (trigger === "all-done") return run;
  if (needs.failed > 0) return blocked;
  if (trigger === "none-failed") return run;
  if (trigger === "converge") {
    if (needs.skipped > 0) return skip;
    return needs.ok === 0 && needs.unchosen > 0 ? skipUnchosen : run;
  }
  if (needs.skipped > 0) return skip;
  return needs.unchosen > 0 ? skipUnchosen : run;
}
