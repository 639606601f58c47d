// The supersteps of a graph's log: the state is folded again, without the author's code, and the key of each one computed from it. A key that does not fit,
// or items that were not to be done, is a finding, and so is a checkpoint that is gone, has another key, or that no superstep made: the log says what each
// one is. It must never report what an engine may have written.
import { checkpointBody, checkpointKey } from "../../core/checkpoint-key.ts";
import { graphFold, type GraphState } from "../../core/fold/graph.ts";
import { readSuperstep, type FrontierEntry } from "../../core/graph/superstep.ts";
import type { EventRecord } from "../../events/event.ts";
import { firstSuperstep, pawlEvents, readPayload, type RunStartPayload } from "../../events/payload.ts";
import { stateText } from "../../graph/state.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { Repair } from "../../store/audit.ts";
import type { CheckpointRecord, RunRow } from "../../store/port.ts";
import type { Findings } from "./finding.ts";

const compared = ["key", "label", "body"] as const;

export class SuperstepCheck {
  readonly #row: RunRow;
  readonly #findings: Findings;
  readonly #state: GraphState = graphFold.empty();
  readonly #rows = new Map<number, CheckpointRecord>();
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
    const { stateVersion, persistedAt } = e;
    const { runId } = this.#row;
    this.#rows.set(s.n, { runId, stepId: s.n, key: s.key, label, body: checkpointBody(e.runSeq), stateVersion, persistedAt });
  }

  /** What is to be written where a row is not as the log says. `isWhole`: the log has all of its payloads. */
  compare(checkpoints: readonly CheckpointRecord[], isWhole: boolean): NonNullable<Repair["checkpoints"]> {
    const put: CheckpointRecord[] = [];
    const remove: number[] = [];
    const there = new Map(checkpoints.map((c) => [c.stepId, c]));
    const knowsAll = isWhole && !this.#isLost;
    for (const expected of this.#rows.values()) {
      const { stepId, key } = expected;
      const found = there.get(stepId);
      const differs = found === undefined ? [] : compared.filter((field) => found[field] !== expected[field]);
      for (const field of differs) this.#findings.add("checkpoints", field, expected[field], found![field], stepId);
      const isGone = found === undefined && knowsAll;
      if (isGone) this.#findings.add("checkpoints", "row", key, null, stepId);
      if (isGone || differs.length > 0) put.push(expected);
    }
    if (knowsAll && this.#rows.size > 0)
      for (const { stepId, key } of checkpoints)
        if (!this.#rows.has(stepId)) {
          this.#findings.add("checkpoints", "row", null, key, stepId);
          remove.push(stepId);
        }
    return { put, remove };
  }
}

/** A digest: names of nodes are few, items may be many. */
function namesOf(items: readonly Pick<FrontierEntry, "item" | "node" | "orderKey">[]): string {
  return `sha256:${sha256Hex(JSON.stringify(items.map(({ item, node, orderKey }) => [item, node, orderKey])))}`;
}
