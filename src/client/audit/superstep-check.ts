// The supersteps of a graph's log: the state is folded again, without the author's code, and the key of each one computed from it. A key that does not fit,
// or items that were not to be done, is a finding, and so is a checkpoint with another key. It must never report what an engine may have written.
import { checkpointKey } from "../../core/checkpoint-key.ts";
import { graphFold, type GraphState } from "../../core/fold/graph.ts";
import { readSuperstep, type FrontierEntry } from "../../core/graph/superstep.ts";
import type { EventRecord } from "../../events/event.ts";
import { firstSuperstep, pawlEvents, readPayload, type RunStartPayload } from "../../events/payload.ts";
import { stateText } from "../../graph/state.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { CheckpointRecord, RunRow } from "../../store/port.ts";
import type { Findings } from "./finding.ts";

export class SuperstepCheck {
  readonly #row: RunRow;
  readonly #findings: Findings;
  readonly #state: GraphState = graphFold.empty();
  readonly #rows = new Map<number, { readonly key: string; readonly label: string | null }>();
  /** Something could not be read: nothing more is known of the state. */
  #isLost = false;
  /** A run that was forked, or that retries another, begins with the superstep that it continues. */
  #first = 0;

  constructor(row: RunRow, findings: Findings) {
    this.#row = row;
    this.#findings = findings;
  }

  add(e: EventRecord): void {
    if (e.eventType === "RunQueued") this.#first = firstSuperstep(readPayload<RunStartPayload>(e.payload));
    if (e.eventType !== pawlEvents.superstep && e.eventType !== pawlEvents.superstepPart) return;
    if (e.payload === null) this.#isLost = true; // retention took it
    if (this.#isLost) return;
    try {
      this.#add(e);
    } catch {
      this.#isLost = true;
      this.#findings.add("events", "superstep", "a superstep that can be read", null, e.runSeq);
    }
  }

  #add(e: EventRecord): void {
    const s = this.#state;
    const { n, frontier, parts } = s;
    graphFold.add(s, e);
    if (e.eventType === pawlEvents.superstepPart) return;
    const { items, label = null } = readSuperstep(e.payload ?? "{}", parts);
    this.#findings.same("events", "superstep", n < 0 ? this.#first : n + 1, s.n, e.runSeq);
    if (n >= 0) this.#findings.same("events", "superstep.items", namesOf(frontier), namesOf(items), e.runSeq);
    const key = checkpointKey(sha256Hex, {
      runId: this.#row.runId,
      stepId: s.n,
      frontier: s.frontier.map((w) => ({ nodeId: w.node, orderKey: BigInt(w.orderKey) })),
      stateJson: stateText(s.values),
    });
    this.#findings.same("events", "superstep.key", key, s.key, e.runSeq);
    this.#rows.set(s.n, { key: s.key, label });
  }

  compare(checkpoints: readonly CheckpointRecord[]): void {
    for (const { stepId, key, label } of checkpoints) {
      const expected = this.#rows.get(stepId);
      if (expected === undefined) continue;
      this.#findings.same("checkpoints", "key", expected.key, key, stepId);
      this.#findings.same("checkpoints", "label", expected.label, label, stepId);
    }
  }
}

/** A digest: names of nodes are few, items may be many. */
function namesOf(items: readonly Pick<FrontierEntry, "item" | "node" | "orderKey">[]): string {
  return `sha256:${sha256Hex(JSON.stringify(items.map(({ item, node, orderKey }) => [item, node, orderKey])))}`;
}
