// ctx.tx (K11): the user's rows and the step's outcome in one transaction of the store. Never grouped: it takes the
// run's place in the committer, so that no other Commit of the run can be in flight. The value reaches the code only
// after the acknowledgement (I5: both, or neither).
import { encode } from "../../codec/value.ts";
import { failureOf } from "../../codec/failure.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import type { RunRow } from "../../store/port.ts";
import type { TxSql } from "../../store/transaction-store.ts";
import { completedPayload, deliverCompleted } from "./outcome.ts";
import type { PendingEvent } from "../run/commit-draft.ts";
import { completedState, effectDraft } from "../effects/ledger.ts";
import { storeUnavailable } from "../committer.ts";
import { acknowledge } from "../run/acknowledge.ts";
import type { LiveRun } from "../run/live-run.ts";
import { ActingKind } from "./acting-kind.ts";
import type { GivenByPlan, TxOf, TxUndo } from "../calls.ts";
import type { ChainVerdict } from "../chain/run-chain.ts";
import { undoByTransaction, type UndoPlan } from "./compensation-plan.ts";
import { openStep } from "./open.ts";
import { openToolCall } from "./tool-call.ts";
import { withNeeds, type StepStart } from "./step-start.ts";
import type { OpenStep } from "./open-step.ts";
import type { CommitBuilder } from "../run/commit-builder.ts";

const txLimitMs = 5_000;
/** A store that is busy or away is asked again after this long. */
const againMs = 100;
/** How often in a row a transaction may pass its limit while it is not clear that its author was slow. */
const unclearMax = 3;

export interface TransactionBody {
  readonly fn: (sql: TxSql) => Promise<unknown>;
  readonly undo: TxUndo | null;
}

class TransactionKind extends ActingKind<TransactionBody> {
  dispatch(r: LiveRun, step: OpenStep<TransactionBody>): void {
    dispatchTransaction(r, step, step.body.fn);
  }
  hasCompensation(step: OpenStep<TransactionBody>): boolean {
    return step.body.undo !== null;
  }
  undoPlan(step: OpenStep<TransactionBody>, result: string | null): UndoPlan | null {
    const { undo } = step.body;
    return undo === null ? null : undoByTransaction(step.name, undo, result);
  }
}
export const transactionKind: TransactionKind = new TransactionKind();

export function openTransaction(
  r: LiveRun,
  scope: string,
  name: string,
  body: TransactionBody,
  of?: TxOf,
  given?: GivenByPlan,
): Promise<unknown> {
  const open = (start: StepStart, repeat?: ChainVerdict): Promise<unknown> =>
    openStep(r, transactionKind, {
      scope,
      start,
      input: of?.input ?? null,
      body: () => body,
      given: given?.hash,
      repeat,
      onOpened: of?.onOpened,
    });
  const start = (): StepStart => withNeeds({ kind: "tx", name, class: "ATOMIC" }, given);
  return of === undefined ? open(start()) : openToolCall(r, of.tool, start, open);
}

export function dispatchTransaction(r: LiveRun, step: OpenStep, fn: TransactionBody["fn"]): void {
  step.state = "running";
  runTransaction(r, step, fn).catch((e: unknown) => r.reloadAfterError(e));
}

async function runTransaction(r: LiveRun, step: OpenStep, fn: (sql: TxSql) => Promise<unknown>, unclear = 0): Promise<void> {
  const fresh = r.host.ensureFreshLease();
  if (fresh !== true && !(await fresh)) return r.unload({ kind: "abandoned" });
  await r.commitLock.acquire();
  if (r.state.isUnloaded || !r.steps.isOpen(step)) return r.commitLock.release();
  const first = step.attempt === 1 && step.engineAttempt === 1;
  if (first) r.host.platform.hit(`${step.stepId}:B`, r.row.workflowId);
  r.host.metrics.add("pawl_step_attempts_total");
  const attempt = r.trace === null ? null : r.trace.attempt(step);
  const user = (sql: TxSql): Promise<unknown> => {
    const call = (): Promise<unknown> => fn(sql);
    const running = r.host.context.run(r, attempt === null ? call : () => attempt.run(call), step.name);
    running.catch(() => {}); // a crash here leaves nobody who awaits it
    if (first) r.host.platform.hit(`${step.stepId}:C`, r.row.workflowId);
    return running;
  };
  const sealed = new TransactionCommit(r, step);
  try {
    const { answer } = await r.host.store.transact(user, (value) => sealed.commit(value), txLimitMs);
    if (answer.kind === "committed" || answer.kind === "duplicate") {
      attempt?.end("completed");
      return sealed.onAcknowledged(answer);
    }
    if (answer.kind === "fenced" || answer.kind === "stale") {
      r.host.metrics.add("pawl_fence_rejections_total");
      return r.unload({ kind: "abandoned" });
    }
    throw new PawlError("PAWL3007", `the transaction was answered ${answer.kind}`);
  } catch (e) {
    if (isPawlError(e) && e.outcome === "unknown") {
      // Asking the Commit again would write it without the user's rows: look whether it is there.
      const row = await readRunUntilAnswered(r);
      if (row === null) return; // given up meanwhile
      if (row !== undefined && row.commitId === sealed.commitId) {
        attempt?.end("completed");
        return sealed.onAcknowledged(row);
      }
      attempt?.fail(e);
      sealed.onRolledBack();
      r.commitLock.release();
      // K11: the transaction was ended from inside, so nobody can say what was kept. I7: a person decides.
      if (isPawlError(e, "PAWL3010"))
        return r.arrive({ type: "doubt", step, code: "PAWL2001", reason: "the transaction was ended from inside ctx.tx" });
      return r.arrive({ type: "redispatch", step });
    }
    attempt?.fail(e);
    sealed.onRolledBack();
    r.commitLock.release();
    const isUnclear = isPawlError(e, "PAWL3011") && e.data["again"] === true;
    if (isPawlError(e) && (storeUnavailable.includes(e.page) || (isUnclear && unclear + 1 < unclearMax))) {
      // Nothing was written: the function runs again once the store is there. Only its author's own slowness is its failure.
      if (isUnclear) r.log("warn", `${step.name} was rolled back and runs again: ${e.message}`);
      r.host.platform.timer(againMs, () => {
        runTransaction(r, step, fn, isUnclear ? unclear + 1 : 0).catch((x: unknown) => r.reloadAfterError(x));
      });
      return;
    }
    const category = isPawlError(e, "PAWL1003") || isPawlError(e, "PAWL1004") ? "NOT_ENCODABLE" : "FAILED";
    r.arrive({ type: "failed", step, category, failure: failureOf(e, r.host.limits) });
  }
}

/** The run's row, asked for until the store answers: what became of a COMMIT is never guessed (K10). Null: the run was given up. */
async function readRunUntilAnswered(r: LiveRun): Promise<RunRow | undefined | null> {
  for (;;) {
    if (r.state.isUnloaded) return null;
    try {
      return await r.host.store.run({ runId: r.row.runId });
    } catch (e) {
      if (!isPawlError(e) || !storeUnavailable.includes(e.page)) throw e;
    }
    await new Promise<void>((resolve) => void r.host.platform.timer(againMs, resolve));
  }
}

/** The Commit of a transaction: made inside it, undone with it. */
class TransactionCommit {
  readonly #run: LiveRun;
  readonly #step: OpenStep;
  #made: {
    readonly proto: PendingEvent;
    readonly commit: ReturnType<CommitBuilder["build"]>["commit"];
    readonly adopt: () => void;
  } | null = null;
  #result: string | null = null;

  constructor(run: LiveRun, step: OpenStep) {
    this.#run = run;
    this.#step = step;
  }
  get commitId(): string | undefined {
    return this.#made?.commit.commitId;
  }
  commit(value: unknown): ReturnType<CommitBuilder["build"]>["commit"] {
    const r = this.#run;
    const step = this.#step;
    this.#result = value === undefined ? null : encode(value, r.host.limits, `result of ${step.name}`);
    if (step.engineAttempt === 1) r.host.platform.hit(`${step.stepId}:D`, r.row.workflowId);
    r.steps.close(step.stepId); // the Commit's `waiting` and `due` are those of the run without it
    const proto: PendingEvent = {
      eventType: "StepCompleted",
      stepId: step.stepId,
      logical: step.attempt,
      engine: step.engineAttempt,
      emittedAt: r.host.storeNowMs(),
      payload: completedPayload({ result: this.#result }),
      effect: effectDraft(r, step, completedState),
      onAck: () => r.host.platform.hit(`${step.stepId}:E`, r.row.workflowId),
    };
    const { maker, adopt } = r.commits.forkMaker();
    const { commit } = r.commits.build([proto], true, maker); // active: its delivery follows
    this.#made = { proto, commit, adopt };
    return commit;
  }
  onAcknowledged(answer: { readonly persistedAt: number; readonly dueAt: number | null }): void {
    const made = this.#made!;
    made.adopt();
    const r = this.#run;
    r.commits.applyOutcome(this.#step, made.proto);
    acknowledge(r, { persistedAt: answer.persistedAt, dueAt: answer.dueAt, children: [] }, made.commit, [made.proto]);
    r.commits.noteAtWork();
    if (r.state.isUnloaded) return;
    r.host.metrics.countEffect("ATOMIC", "completed");
    deliverCompleted(r, this.#step, this.#result, false, made.proto.emittedAt);
    r.commitLock.release();
  }
  onRolledBack(): void {
    if (this.#made !== null) this.#run.steps.open(this.#step);
  }
}
