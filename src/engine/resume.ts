// Work that goes on from checkpoints: a frontier of items, each done with a state of its own, each committed as one step with the
// state, what is to be done next, the seed and the recorded IO, under a key that whoever does the step again computes again
// (L-36). So a step that was committed is recognised, by a lost answer, by a second process, by a restart, and never done over.
// State graphs are to stand on this. It must never take another failure for a duplicate, nor go on from a row that its key belies.
import { canonicalJson } from "../codec/canonical.ts";
import { encode, revive } from "../codec/value.ts";
import { checkpointKey } from "../core/checkpoint-key.ts";
import type { Limits } from "../core/limits.ts";
import type { Fence } from "../core/model.ts";
import { seededRandom, type SeededRandom } from "../core/seeded-random.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import { jsonObject, jsonValue } from "../events/payload.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { Platform } from "../platform/platform.ts";
import { emptyCommit } from "../store/batch-rules.ts";
import type { Checkpoint, Commit, CommitAnswer, RunRow, Store } from "../store/port.ts";
import type { Logger } from "./run-host.ts";

/** Something to be done: a node of a graph, with the state that it was sent. */
export interface WorkItem {
  readonly nodeId: string;
  /** An unsigned 64-bit number: its place among its siblings. The frontier is done in this order. */
  readonly orderKey: bigint;
  readonly state: unknown;
}

/** Where a run stands after a step. */
export interface Standpoint {
  readonly stepId: number;
  readonly state: unknown;
  readonly frontier: readonly WorkItem[];
  /** 64 bits, signed. */
  readonly seed: bigint;
  readonly io: readonly unknown[];
  readonly label: string | null;
}

/** What doing one item came to: the state after it, and what it adds to the frontier. */
export interface Done {
  readonly state: unknown;
  readonly next: readonly WorkItem[];
  readonly io?: readonly unknown[];
  readonly label?: string;
}
/** Must come to the same from the same: `random` is the step's own, and begins where it began the last time (L-52). */
export type Work = (
  item: WorkItem,
  at: { readonly stepId: number; readonly state: unknown; readonly random: SeededRandom },
) => Promise<Done>;

export interface Owner {
  readonly store: Store;
  readonly platform: Pick<Platform, "timer">;
  readonly limits: Limits;
  readonly log: Logger;
  readonly runId: string;
  readonly fence: Fence;
}

/** How often a Commit is asked again that the store could not answer, and how long it is left alone in between. */
const tries = 20;
const pauseMs = 50;

/** The row of a standpoint. State that cannot be written has no key, and so no row (L-42). */
export function checkpointOf(runId: string, p: Standpoint, limits: Limits): Checkpoint {
  const text = (value: unknown, what: string): string => canonicalJson(JSON.parse(encode(value, limits, what)));
  const state = text(p.state, "state");
  const frontier = p.frontier.map((i) =>
    jsonObject({ nodeId: jsonValue(i.nodeId), orderKey: jsonValue(String(i.orderKey)), state: text(i.state, `state of ${i.nodeId}`) }),
  );
  return {
    stepId: p.stepId,
    key: checkpointKey(sha256Hex, { runId, stepId: p.stepId, frontier: p.frontier, stateJson: state }),
    label: p.label,
    body: jsonObject({ seed: jsonValue(String(p.seed)), state, frontier: `[${frontier.join(",")}]`, io: text(p.io, "recorded IO") }),
  };
}

interface Body {
  readonly seed: string;
  readonly state: unknown;
  readonly frontier: readonly { readonly nodeId: string; readonly orderKey: string; readonly state: unknown }[];
  readonly io: unknown;
}

/** L-51, L-52: the latest step that was committed, with its state, frontier and seed; undefined where there is none. */
export async function resumeFrom(store: Store, runId: string): Promise<Standpoint | undefined> {
  const row = await store.checkpoint({ runId });
  if (row === undefined) return undefined;
  const body = JSON.parse(row.body) as Body;
  const frontier = body.frontier.map((i) => ({ nodeId: i.nodeId, orderKey: BigInt(i.orderKey), state: revive(i.state) }));
  const key = checkpointKey(sha256Hex, { runId, stepId: row.stepId, frontier, stateJson: canonicalJson(body.state) });
  if (key !== row.key)
    throw new PawlError("PAWL2031", `the checkpoint of step ${row.stepId} of run ${runId} is not what its key was made of`, {
      data: { runId, stepId: row.stepId },
    });
  return {
    stepId: row.stepId,
    state: revive(body.state),
    frontier: frontier.toSorted(inOrder),
    seed: BigInt(body.seed),
    io: revive(body.io) as unknown[],
    label: row.label,
  };
}

/** Does what is left of the frontier, item by item, from the latest step on, until nothing is left (L-53). */
export async function resume(o: Owner, work: Work): Promise<Standpoint> {
  for (;;) {
    const from = await resumeFrom(o.store, o.runId);
    if (from === undefined) throw new PawlError("PAWL4001", `run ${o.runId} has no checkpoint`, { data: { runId: o.runId } });
    const [item, ...rest] = from.frontier;
    if (item === undefined) return from;
    const stepId = from.stepId + 1;
    const { state, next, io = [], label = null } = await work(item, { stepId, state: from.state, random: randomOf(from) });
    const about = { runId: o.runId, stepId };
    try {
      await commitStep(o, { stepId, state, frontier: [...rest, ...next], seed: seedAfter(from), io, label });
      o.log("info", `step ${stepId} of run ${o.runId} is committed`, about); // L-56
    } catch (e) {
      if (!isAlreadyCommitted(e)) throw e; // L-55
      o.log("info", `step ${stepId} of run ${o.runId} was committed already, and is skipped`, about); // L-54
    }
  }
}

/** L-57: whether this is the error of a step that stands already, under the same key. Nothing else is, and no error is not. */
export function isAlreadyCommitted(e: unknown): boolean {
  return isPawlError(e, "PAWL2030");
}

/** One write, or none. PAWL2030: it was made already, by whomever. PAWL2031: the step stands, and came to something else. */
export async function commitStep(o: Owner, p: Standpoint): Promise<void> {
  const checkpoint = checkpointOf(o.runId, p, o.limits);
  for (let n = 1; ; n++) {
    const row = await o.store.run({ runId: o.runId });
    if (row === undefined) throw new PawlError("PAWL4001", `there is no run ${o.runId}`, { data: { runId: o.runId } });
    const answer = await ask(o, commitOf(row, o.fence, checkpoint), n);
    if (answer?.kind === "committed") return;
    // Whatever the answer, lost ones too: what the store holds for this step says whether it was made.
    const there = await o.store.checkpoint({ runId: o.runId, stepId: p.stepId });
    if (there !== undefined) throw standing(o.runId, checkpoint, there.key);
    if (answer?.kind === "fenced") throw new PawlError("PAWL2032", `run ${o.runId} has another owner`, { data: { runId: o.runId } });
    if (answer !== undefined && answer.kind !== "stale" && answer.kind !== "busy")
      throw new PawlError("PAWL3007", `step ${p.stepId} of run ${o.runId} was not written: ${reasonOf(answer)}`);
    if (n === tries) throw new PawlError("PAWL3001", `step ${p.stepId} of run ${o.runId} was not written: other writers were in its way`);
    await new Promise<void>((go) => void o.platform.timer(pauseMs, go));
  }
}

/** Undefined: nobody knows what became of it (K10). */
async function ask(o: Owner, c: Commit, n: number): Promise<CommitAnswer | undefined> {
  try {
    return (await o.store.commit([c])).answers[0];
  } catch (e) {
    if (!isPawlError(e) || e.outcome !== "unknown" || n === tries) throw e;
    return undefined;
  }
}

function commitOf(row: RunRow, fence: Fence, checkpoint: Checkpoint): Commit {
  const { runId, status, waiting, stateVersion, dueAt } = row;
  return {
    ...emptyCommit,
    commitId: checkpoint.key,
    runId,
    expect: { fence, stateVersion },
    status,
    waiting,
    due: { at: dueAt, inMs: null },
    checkpoint,
  };
}

function standing(runId: string, c: Checkpoint, key: string): PawlError {
  const data = { runId, stepId: c.stepId };
  return key === c.key
    ? new PawlError("PAWL2030", `step ${c.stepId} of run ${runId} is committed already`, { data })
    : new PawlError("PAWL2031", `step ${c.stepId} of run ${runId} is committed, and came to something else`, { data });
}

function reasonOf(a: CommitAnswer): string {
  return a.kind === "refused" ? a.reason : a.kind;
}

function inOrder(a: WorkItem, b: WorkItem): number {
  if (a.orderKey !== b.orderKey) return a.orderKey < b.orderKey ? -1 : 1;
  return a.nodeId < b.nodeId ? -1 : a.nodeId > b.nodeId ? 1 : 0;
}

function randomOf({ seed }: Standpoint): SeededRandom {
  return seededRandom(BigInt.asUintN(64, seed).toString(16).padStart(16, "0"));
}

/** Each step has a seed of its own, made from the one before. */
function seedAfter({ seed, stepId }: Standpoint): bigint {
  return BigInt.asIntN(64, BigInt(`0x${sha256Hex(`${seed}|${stepId}`).slice(0, 16)}`));
}
