// Continue-as-new begins a new line, but a key that an author gave names the same effect in every generation: before a step with one is
// sent, the ledger says whether an earlier generation began it, and the table of sending again decides as everywhere. Only runs that
// continue another pay for it. It must never send: what it finds is taken over, asked for, or recovered by class (I6, I7).
import { mayRepeat } from "../../core/guarantee.ts";
import { compensationId } from "../../core/step-id.ts";
import { copiedOutcome } from "./adopt.ts";
import { readHistory, type RecordedStep } from "../run/history.ts";
import { authorKey, RunChain, type EarlierRun, type ChainVerdict } from "./run-chain.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { readEvents } from "../run/read-events.ts";

const askedSteps = new WeakSet<OpenStep>();
/** So many records of one key are looked at, the newest. */
const recordsMax = 100;

/** Whether earlier generations must be asked before this step is sent, or recovered. */
export function mustAskEarlierGenerations(r: LiveRun, step: OpenStep): boolean {
  const { class: cls, key } = step.started;
  if (!r.isContinuation || step.spec === null || step.undoes !== null || key === undefined || cls === undefined || mayRepeat(cls))
    return false;
  const unknown = step.chain === null || step.chain.before.recorded === "nothing";
  return unknown && step.attempt === 1 && step.engineAttempt === 1 && !askedSteps.has(step);
}

/** Then `go`, unless the table says otherwise. */
export function askEarlierGenerations(r: LiveRun, step: OpenStep, go: () => void): void {
  step.state = "recovering";
  askedSteps.add(step);
  verdictOfEarlier(r, step).then(
    (v) => {
      if (r.state.isUnloaded || !r.steps.isOpen(step)) return;
      if (v === undefined || v.then === "run") return go();
      applyVerdict(r, step, v, go);
    },
    (e: unknown) => r.reloadAfterError(e),
  );
}

function applyVerdict(r: LiveRun, step: OpenStep, { then, before }: ChainVerdict, go: () => void): void {
  const copied = then === "adopt" ? copiedOutcome(step, before.past) : null;
  if (copied !== null) return r.arrive(copied);
  step.mayHaveBeenSent = true;
  step.firstAt = before.firstAt;
  step.lastAt = before.lastAt;
  if (then === "recover" || then === "sendSameKey" || then === "verifyFirst") {
    step.inheritedInDoubt = true;
    return go();
  }
  const undone = before.recorded === "undone" || before.recorded === "undoing";
  const what = undone ? "undid it, or began to" : "sent this key already, and this call is another one";
  r.arrive({ type: "doubt", step, code: undone ? "PAWL4051" : "PAWL4050", reason: `run ${before.runId}, an earlier generation, ${what}` });
}

/** What the earlier runs of this workflowId recorded of the key. */
async function verdictOfEarlier(r: LiveRun, step: OpenStep): Promise<ChainVerdict | undefined> {
  const { store } = r.host;
  const { key } = step.started;
  if (key === undefined || step.spec === null) return undefined;
  const { effects } = await store.effects({ scope: r.row.scope, key, limit: recordsMax });
  const own = effects.filter((e) => e.workflowId === r.row.workflowId && e.runId !== r.row.runId);
  const earlier: EarlierRun[] = [];
  // Run ids are made in the order of time.
  for (const runId of [...new Set(own.map((e) => e.runId))].sort()) {
    const row = await store.run({ runId });
    if (row === undefined || row.expiredAt !== null) continue; // a key is remembered for as long as its run is kept
    const { steps } = readHistory(await readEvents(store, runId));
    const under = [...steps.values()].filter((s) => authorKey(s) === key);
    const undos = under.map((s) => steps.get(compensationId(s.stepId))).filter((s): s is RecordedStep => s !== undefined);
    earlier.push({ runId, history: { steps: new Map([...under, ...undos].map((s) => [s.stepId, s])), start: {} }, runInput: "" });
  }
  return new RunChain(earlier, { start: {}, runInput: "" }).judge(step.stepId, step.started, step.spec.input);
}
