// A step on a queue that its run's owner runs itself: its row was born claimed. Right before it begins the queue must not have been paused or
// limited (K3 and the queue's row are asked together); if it was, the row is given to the next that claims it, since nothing has begun.
import { PawlError } from "../../errors/error.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { readDispatches } from "./read-dispatches.ts";

/** True: it has its place on its queue, or needs none. Otherwise `then` is called when it has; who gets none leaves its row to anybody. */
export function hasOwnPlace(r: LiveRun, step: OpenStep, then: () => void): boolean {
  const entered = step.queue?.place?.enter() ?? true;
  if (entered === true) return true;
  r.host.platform.hit("engine:own-wait");
  entered
    .then((has) => {
      if (has) return then();
      if (!r.state.isUnloaded && r.steps.isOpen(step)) return giveToQueue(r, step);
    })
    .catch((e: unknown) => r.reloadAfterError(e));
  return false;
}

/** `go(true)` when it may begin, `go(false)` when this engine is dead. It has its place among the running effects. */
export function beginOwnDispatch(r: LiveRun, step: OpenStep, fresh: true | Promise<boolean>, go: (sure: boolean) => void): void {
  const queue = step.spec?.queued?.queue;
  const open = step.queue?.open;
  if (queue === undefined || open?.own !== true) return void Promise.resolve(fresh).then(go);
  const permitted = r.host.localQueues()?.mayBegin(queue) ?? Promise.resolve(false);
  if (fresh === true && permitted === true) return go(true);
  Promise.all([fresh, permitted]).then(
    ([sure, may]) => {
      if (!sure || r.state.isUnloaded || !r.steps.isOpen(step)) return go(sure);
      // An answer that took its time says nothing about now: what counts is when it was sent. Both are looked at once more.
      if (may) return beginOwnDispatch(r, step, r.host.ensureFreshLease(), go);
      r.host.effectLimiter.release();
      giveToQueue(r, step).catch((e: unknown) => r.reloadAfterError(e));
    },
    (e: unknown) => {
      r.host.effectLimiter.release();
      r.reloadAfterError(e);
    },
  );
}

async function giveToQueue(r: LiveRun, step: OpenStep): Promise<void> {
  const { store } = r.host;
  const open = step.queue?.open;
  if (open === undefined || open === null) return;
  const row = (await readDispatches(r.host, r.row.runId)).find((d) => d.seq === open.seq && d.what === open.what);
  if (row === undefined || row.token === null) throw new PawlError("PAWL3007", `the dispatch of ${step.stepId} is gone from its queue`);
  await store.queues.giveBack([{ dispatchId: row.dispatchId, token: row.token }]);
  if (r.state.isUnloaded || !r.steps.isOpen(step)) return;
  step.queue?.releasePlace();
  open.own = false;
  step.state = "queued";
  r.pump();
}
