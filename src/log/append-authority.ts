// The append authority (D-141): the one place through which producers outside an engine write runs, and the sole authority over
// their order. While one batch is being written the next one gathers, so what many callers append goes together: one Commit per
// run, one transaction for all. K23: an engine's run is written by its owner only; its known events are answered here, the rest
// is refused. It must never insert an event twice, and never answer before what it says is durable.
import { defaultLimits, type Limits } from "../core/limits.ts";
import { isSettled, type Scope } from "../core/model.ts";
import { checkId } from "../core/names.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { CommitAnswer } from "../store/port.ts";
import { clashReason } from "../store/rules.ts";
import { checkAppend } from "./append-check.ts";
import { planRun, type PlanCall, type PlanItem, type AppendPlan, type PlanContext } from "./append-plan.ts";
import type { AppendAuthority, Appended, AppendedBatch, AppendOptions, AppendRejection } from "./append-types.ts";
import type { RunEventWrite } from "../core/contract.ts";
import type { ExternalRun } from "./external-run.ts";
import { recordMismatches } from "./payload-mismatch.ts";
import { rejectionError, rejectionKey, rejectionStore } from "./rejections.ts";

export interface AuthorityOptions {
  readonly scope: Scope;
  /** Layer 2 for every append that does not say otherwise. */
  readonly validate?: boolean;
  readonly limits?: Limits;
}

const batchEventsMax = 1_000;
const batchRunsMax = 256;
/** Runs whose end is known without looking: those written last. */
const keptRunsMax = 1_000;
/** How often a run may be written by somebody else in between, and how often a store that does not answer is asked. */
const roundsMax = 60;
const asksMax = 8;

type AppendOutcome = Appended | PawlError;

export function appendAuthority(store: FullStore, platform: Platform, o: AuthorityOptions): AppendAuthority {
  const limits = o.limits ?? defaultLimits;
  const memory = rejectionStore(store, o.scope);
  const kept = new Map<string, ExternalRun>();
  let queue: PlanItem[] = [];
  let busy = false;

  const pause = (n: number, mostMs: number): Promise<void> => {
    const ms = Math.ceil((Number.parseInt(platform.randomHex(2), 16) / 65_536) * Math.min(2 ** n, mostMs));
    return new Promise((resolve) => void platform.timer(ms, resolve, true));
  };

  /** A run is taken out while it is written: what is kept is always what the store acknowledged. */
  const takeKept = (runId: string): ExternalRun | undefined => {
    const run = kept.get(runId);
    kept.delete(runId);
    return run;
  };
  const keep = (run: ExternalRun): void => {
    kept.set(run.runId, run);
    const [oldest] = kept.keys();
    if (kept.size > keptRunsMax && oldest !== undefined) kept.delete(oldest);
  };

  /** K10: a batch whose outcome is unknown is asked again, byte for byte. */
  const ask = async (plans: readonly AppendPlan[]): Promise<readonly CommitAnswer[]> => {
    const batch = plans.flatMap((p) => (p.addition === null ? [] : [p.addition.commit]));
    for (let n = 1; batch.length > 0; n++) {
      try {
        return (await store.commit(batch)).answers;
      } catch (e) {
        if (!(isPawlError(e, "PAWL3001") || isPawlError(e, "PAWL3002")) || n === asksMax) throw e;
        await pause(n + 4, 2_000);
      }
    }
    return [];
  };

  const settle = async (plans: readonly { plan: AppendPlan; persistedAt: number }[]): Promise<void> => {
    const endings = plans.map(({ plan, persistedAt }) => plan.answersAt(persistedAt));
    const memos = await memory.remember(plans.flatMap(({ plan }) => plan.rejections));
    await recordMismatches(
      store,
      o.scope,
      endings.flatMap((e) => e.mismatches),
    );
    for (const { answers } of endings)
      for (const [item, answer] of answers) {
        const first = isPawlError(answer, "PAWL4021") ? memos.get(rejectionKey(item.event.write)) : undefined;
        settleItem(item, first === undefined ? answer : rejectionError(first));
      }
  };

  const flush = async (items: readonly PlanItem[]): Promise<void> => {
    const byRun = new Map<string, [PlanItem, ...PlanItem[]]>();
    for (const item of items) {
      const group = byRun.get(item.event.write.runId);
      if (group === undefined) byRun.set(item.event.write.runId, [item]);
      else group.push(item);
    }
    const supersedes = new Map<string, string>();
    for (let round = 1; byRun.size > 0; round++) {
      const validated = [...byRun.values()].flat().filter((i) => i.o.validate === true);
      const remembered = await memory.known(validated.map((i) => i.event.write));
      const c: PlanContext = { store, platform, scope: o.scope, remembered, supersedes };
      const plans = await Promise.all(
        [...byRun.values()].map(async (group) => {
          const run = takeKept(group[0].event.write.runId);
          return ((await planRun(c, group, run)) ?? (await planRun(c, group, undefined))) as AppendPlan;
        }),
      );
      const answers = [...(await ask(plans))];
      const done: { plan: AppendPlan; persistedAt: number }[] = [];
      for (const plan of plans) {
        const answer = plan.addition === null ? undefined : answers.shift();
        if (answer === undefined) {
          if (plan.run !== null && plan.run.at !== null) keep(plan.run); // nothing was added: it is as it was
          done.push({ plan, persistedAt: 0 });
        } else if (answer.kind === "committed" || answer.kind === "duplicate") {
          keep(plan.addition!.settled(answer.persistedAt));
          done.push({ plan, persistedAt: answer.persistedAt });
        } else if (!mustReplan(plan, answer, supersedes)) {
          for (const item of plan.items) settleItem(item, commitRefusal(plan, answer));
        } else if (round === roundsMax) {
          for (const item of plan.items) item.call.reject(tooManyWriters(plan));
        } else continue;
        byRun.delete(plan.runId);
      }
      await settle(done);
      if (byRun.size > 0) await pause(round, 100);
    }
  };

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      const items = next();
      try {
        await flush(items);
      } catch (e) {
        // Those that were answered already stay answered. What was written and not answered is found when it is asked again.
        const failure = e instanceof PawlError ? e : new PawlError("PAWL5010", String(e), { cause: e, outcome: "unknown" });
        for (const item of items) item.call.reject(failure);
      }
    }
    busy = false;
  };

  const next = (): PlanItem[] => {
    const runs = new Set<string>();
    let [n, bytes] = [0, 0];
    for (const { event } of queue) {
      runs.add(event.write.runId);
      bytes += event.bytes;
      if (n > 0 && (n >= batchEventsMax || runs.size > batchRunsMax || bytes > limits.batchBytesMax)) break;
      n++;
    }
    const items = queue.slice(0, n);
    queue = queue.slice(n);
    return items;
  };

  const submit = (events: readonly unknown[], options: AppendOptions, at: (i: number) => string): Promise<AppendOutcome[]> => {
    // All of it is checked before any of it is taken: an invalid event leaves nothing behind (P-41).
    const checked = events.map((e, i) => checkAppend(e, o.scope, limits.valueBytesMax, at(i)));
    if (options.workflowId !== undefined) checkId(options.workflowId, "workflowId");
    if (checked.length === 0) return Promise.resolve([]);
    const given: AppendOptions = { ...options, validate: options.validate ?? o.validate ?? false };
    const outcomes: AppendOutcome[] = [];
    return new Promise((resolve, reject) => {
      const call: PlanCall = { outcomes, began: new Set(), left: checked.length, resolve: () => resolve(outcomes), reject };
      checked.forEach((event, index) => queue.push({ event, o: given, call, index }));
      if (busy) return;
      busy = true;
      // Whatever else is appended in this turn goes along.
      void Promise.resolve().then(drain);
    });
  };

  async function append(given: RunEventWrite | readonly RunEventWrite[], options: AppendOptions = {}): Promise<never> {
    if (Array.isArray(given)) return batchOf(given, await submit(given, options, (i) => `/${i}`)) as never;
    const [only] = await submit([given], options, () => "");
    if (only instanceof PawlError) throw only;
    return only as never;
  }
  return { append, clearRejection: (runId, key) => memory.clear(runId, key) };
}

function settleItem({ call, index, event }: PlanItem, outcome: AppendOutcome): void {
  if (!(outcome instanceof PawlError) && outcome.runSeq === 1) call.began.add(event.write.runId);
  call.outcomes[index] = outcome;
  if (--call.left === 0) call.resolve();
}

/** Whether another round can help: somebody else wrote the run, or created it, or holds its row. */
function mustReplan(plan: AppendPlan, answer: CommitAnswer, supersedes: Map<string, string>): boolean {
  if (answer.kind === "refused") return answer.reason === clashReason;
  if (answer.kind !== "conflict" || answer.by === "runId") return true;
  if (!isSettled(answer.existing.status) || supersedes.get(plan.runId) === answer.existing.runId) return false;
  supersedes.set(plan.runId, answer.existing.runId);
  return true;
}

function commitRefusal({ runId }: AppendPlan, answer: CommitAnswer): PawlError {
  if (answer.kind === "conflict" && answer.by !== "runId")
    return new PawlError("PAWL4002", `the workflowId of run ${runId} has another run: ${answer.existing.runId}`, { data: { runId } });
  return new PawlError("PAWL3018", `run ${runId}: ${answer.kind === "refused" ? answer.reason : answer.kind}`, { data: { runId } });
}

function tooManyWriters({ runId }: AppendPlan): PawlError {
  return new PawlError("PAWL3001", `too many concurrent appends to run ${runId}: try again`, { data: { runId } });
}

function batchOf(events: readonly RunEventWrite[], outcomes: readonly AppendOutcome[]): AppendedBatch {
  const [appended, deduped, rejected]: [Appended[], Appended[], AppendRejection[]] = [[], [], []];
  const results = outcomes.map((a, i) => {
    if (a instanceof PawlError) return pushAndReturn(rejected, rejectionFor(events[i]!, a));
    return pushAndReturn(a.persisted ? appended : deduped, a);
  });
  return { results, appended, deduped, rejected };
}

function pushAndReturn<T>(of: T[], answer: T): T {
  of.push(answer);
  return answer;
}

function rejectionFor({ runId, eventId, idempotencyKey }: RunEventWrite, e: PawlError): AppendRejection {
  return { runId, eventId, idempotencyKey, code: e.code, message: e.message, data: e.data };
}
