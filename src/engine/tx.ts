// ctx.tx (K11): the user's rows and the step's outcome in one transaction of the store. Never grouped: it takes the
// run's place in the committer, so that no other Commit of the run can be in flight. The value reaches the code only
// after the acknowledgement (I5: both, or neither).
import { encode } from "../codec/value.ts";
import { failureOf } from "../codec/failure.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import type { RunRow, TxSql } from "../store/port.ts";
import { completedPayload, deliverCompleted } from "./outcome.ts";
import type { Proto } from "./draft.ts";
import { completedWell, effectOf } from "./ledger.ts";
import { away } from "./committer.ts";
import type { LiveRun } from "./live-run.ts";
import type { OpenStep } from "./open-step.ts";
import type { Pen } from "./pen.ts";

const txLimitMs = 5_000;
/** A store that is busy or away is asked again after this long. */
const againMs = 100;
/** How often in a row a transaction may pass its limit while it is not clear that its author was slow. */
const unclearMax = 3;

export async function runTx(r: LiveRun, step: OpenStep, fn: (sql: TxSql) => Promise<unknown>, unclear = 0): Promise<void> {
  const fresh = r.host.fresh();
  if (fresh !== true && !(await fresh)) return r.leave({ kind: "abandoned" });
  await r.slot.borrow();
  if (r.gone || r.open.get(step.stepId) !== step) return r.slot.giveBack();
  const first = step.attempt === 1 && step.engineAttempt === 1;
  if (first) r.host.platform.hit(`${step.stepId}:B`);
  r.host.metrics.add("pawl_step_attempts_total");
  const user = (sql: TxSql): Promise<unknown> => {
    const running = r.host.context.run(r, () => fn(sql), step.name);
    running.catch(() => {}); // whoever dies here awaits it no more
    if (first) r.host.platform.hit(`${step.stepId}:C`);
    return running;
  };
  const sealed = new Sealed(r, step);
  try {
    const { answer } = await r.host.store.transact(user, (value) => sealed.commit(value), txLimitMs);
    if (answer.kind === "committed" || answer.kind === "duplicate") return sealed.acknowledged(answer);
    if (answer.kind === "fenced" || answer.kind === "stale") {
      r.host.metrics.add("pawl_fence_rejections_total");
      return r.leave({ kind: "abandoned" });
    }
    throw new PawlError("PAWL3007", `the transaction was answered ${answer.kind}`);
  } catch (e) {
    if (isPawlError(e) && e.outcome === "unknown") {
      // Asking the Commit again would write it without the user's rows: look whether it is there.
      const row = await lookUp(r);
      if (row === null) return; // given up meanwhile
      if (row !== undefined && row.commitId === sealed.commitId) return sealed.acknowledged(row);
      sealed.rolledBack();
      r.slot.giveBack();
      // K11: the transaction was ended from inside, so nobody can say what was kept. I7: a person decides.
      if (isPawlError(e, "PAWL3010"))
        return r.arrive({ type: "doubt", step, code: "PAWL2001", reason: "the transaction was ended from inside ctx.tx" });
      return r.arrive({ type: "redispatch", step });
    }
    sealed.rolledBack();
    r.slot.giveBack();
    const isUnclear = isPawlError(e, "PAWL3011") && e.data["again"] === true;
    if (isPawlError(e) && (away.includes(e.page) || (isUnclear && unclear + 1 < unclearMax))) {
      // Nothing was written: the function runs again once the store is there. Only its author's own slowness is its failure.
      if (isUnclear) r.host.log("warn", `${step.name} was rolled back and runs again: ${e.message}`, { runId: r.row.runId });
      r.host.platform.timer(againMs, () => {
        runTx(r, step, fn, isUnclear ? unclear + 1 : 0).catch((x: unknown) => r.broken(x));
      });
      return;
    }
    const category = isPawlError(e, "PAWL1003") || isPawlError(e, "PAWL1004") ? "NOT_ENCODABLE" : "FAILED";
    r.arrive({ type: "failed", step, category, failure: failureOf(e) });
  }
}

/** The run's row, asked for until the store answers: what became of a COMMIT is never guessed (K10). Null: the run was given up. */
async function lookUp(r: LiveRun): Promise<RunRow | undefined | null> {
  for (;;) {
    if (r.gone) return null;
    try {
      return await r.host.store.run({ runId: r.row.runId });
    } catch (e) {
      if (!isPawlError(e) || !away.includes(e.page)) throw e;
    }
    await new Promise<void>((resolve) => void r.host.platform.timer(againMs, resolve));
  }
}

/** The Commit of a transaction: made inside it, undone with it. */
class Sealed {
  readonly #run: LiveRun;
  readonly #step: OpenStep;
  #made: { readonly proto: Proto; readonly commit: ReturnType<Pen["build"]>["commit"]; readonly adopt: () => void } | null = null;
  #result: string | null = null;

  constructor(run: LiveRun, step: OpenStep) {
    this.#run = run;
    this.#step = step;
  }
  get commitId(): string | undefined {
    return this.#made?.commit.commitId;
  }
  commit(value: unknown): ReturnType<Pen["build"]>["commit"] {
    const r = this.#run;
    const step = this.#step;
    this.#result = value === undefined ? null : encode(value, r.host.limits, `result of ${step.name}`);
    if (step.engineAttempt === 1) r.host.platform.hit(`${step.stepId}:D`);
    r.open.delete(step.stepId); // the Commit's `waiting` and `due` are those of the run without it
    const proto: Proto = {
      eventType: "StepCompleted",
      stepId: step.stepId,
      logical: step.attempt,
      engine: step.engineAttempt,
      emittedAt: r.host.storeNowMs(),
      payload: completedPayload({ result: this.#result }),
      effect: effectOf(r, step, completedWell),
      onAck: () => r.host.platform.hit(`${step.stepId}:E`),
    };
    const { maker, adopt } = r.pen.forkMaker();
    const { commit } = r.pen.build([proto], true, maker); // active: its delivery follows
    this.#made = { proto, commit, adopt };
    return commit;
  }
  acknowledged(answer: { readonly persistedAt: number; readonly dueAt: number | null }): void {
    const made = this.#made!;
    made.adopt();
    const r = this.#run;
    r.pen.settleStep(this.#step, made.proto);
    r.slot.acknowledged({ persistedAt: answer.persistedAt, dueAt: answer.dueAt, children: [] }, made.commit, [made.proto]);
    if (r.gone) return;
    r.host.metrics.effect("ATOMIC", "completed");
    deliverCompleted(r, this.#step, this.#result, false, made.proto.emittedAt);
    r.slot.giveBack();
  }
  rolledBack(): void {
    if (this.#made !== null) this.#run.open.set(this.#step.stepId, this.#step);
  }
}
