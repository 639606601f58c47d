// A claimed run, read from the store and made live: its log, its inbox, and, for a run that retries another, what its run chain knows.
// Input that came in without the workflow's schema is checked here, before the code sees it. A run that cannot continue without a person
// asks for a decision here.
import { decode, encode } from "../../codec/value.ts";
import { failureOf, type Failure } from "../../codec/failure.ts";
import type { ClaimedRun, Store } from "../../store/port.ts";
import type { Definition } from "../definition.ts";
import type { History } from "./history.ts";
import type { RunHost } from "../run-host.ts";
import { manualUndoText } from "../chain/manual-undo.ts";
import { LiveRun } from "./live-run.ts";
import { takeOverOf } from "../chain/take-over.ts";
import { readDispatches } from "../queued/read-dispatches.ts";
import { readEvents } from "./read-events.ts";
import { readLog } from "../snapshot/read-log.ts";
import { prepareResume, type RestoredFrom } from "../snapshot/resume-run.ts";
import { readForkPoint } from "../chain/fork-point.ts";
import { readRunChain } from "../chain/read-run-chain.ts";
import { askDecision } from "../decisions/needs-decision.ts";
import { integrityCode, otherContent } from "../publish/template-registry.ts";

export { readEvents };

export async function loadRun(
  host: RunHost,
  row: ClaimedRun,
  definition: Definition | null,
  again?: { readonly refused: ReadonlySet<string>; readonly reason: string | null },
): Promise<LiveRun> {
  let log = await readLog(host, row, definition);
  let history = await withLocalInboxIds(host.store, row.runId, log.history);
  // Rows before the inbox: a dispatch that ends in between is found there.
  const dispatchRows = hasOpenDispatch(history) ? await readDispatches(host, row.runId) : [];
  const inbox = await host.store.inbox({ runId: row.runId });
  const { input, refused } = await parseInput(host, definition, history);
  let from: RestoredFrom | null = null;
  if (log.from !== null) {
    from = await prepareResume(host, row.runId, definition!, input, history, log.from);
    if (from === null) {
      log = await readLog(host, row, definition, true);
      history = await withLocalInboxIds(host.store, row.runId, log.history);
    }
  }
  const { chain: line, lost, isContinuation: continued, manualUndo: byHand } = await readRunChain(host.store, history.start, input);
  if (byHand !== null && history.start.retryOf !== undefined && history.startedEmittedAt === null)
    host.log("warn", `run ${row.runId} retries ${history.start.retryOf}: ${manualUndoText(byHand)}`, { runId: row.runId });
  const fork = from === null ? await readForkPoint(host.store, row.runId, history.start) : null;
  const template = definition?.template;
  const registered = template === undefined ? undefined : await otherContent(host.store, host.scope, template);
  const poisoned = row.idleClaims > host.limits.idleClaimsMax && history.decision === null;
  const run = new LiveRun({
    host,
    row,
    definition,
    history,
    fold: log.fold,
    unfolded: log.unfolded,
    from,
    forkPoint: fork === "lost" ? null : fork,
    chain: line,
    isContinuation: continued,
    inbox,
    dispatchRows,
    create: null,
    input,
    withoutCode: refused !== null || fork === "lost" || registered !== undefined || (poisoned && host.onGivenUp === "fail"),
    ...(again === undefined ? {} : { refused: again.refused }),
  });
  run.commits.takeOver = takeOverOf(row, inbox);
  // P-25: which ids of controls are used, by whichever owner took them. Asked only where one waits to be taken.
  if (inbox.some((row) => row.kind === "control"))
    for (const row of await host.store.inbox({ runId: run.row.runId, all: true }))
      if (row.kind === "control" && row.consumed) run.controlIds.set(row.id, row.name);
  if (refused !== null) run.arrive({ type: "input-refused", failure: refused });
  if (again !== undefined && again.reason !== null && again.refused.size === 0)
    askDecision(run, `the store refused what the code asked for: ${again.reason}`);
  else if (registered !== undefined && history.decision === null) refuseContent(run, registered.digest, template!.digest);
  else if (fork === "lost" && history.decision === null)
    askDecision(run, `the log of run ${sourceOf(history)}, from which this run begins, is gone: it cannot begin`);
  else if (lost !== null && history.decision === null && !history.goneWithout.has(lost))
    askDecision(run, `the log of run ${lost}, an earlier run of its chain, is gone: what that run sent is not known`, undefined, lost);
  else if (poisoned) giveUp(run, `${row.idleClaims} engines claimed this run in a row and none could commit`);
  host.metrics.add("pawl_recoveries_total");
  return run;
}

/** P-43: what this engine has is not what the version was registered with. Nothing of it begins. */
function refuseContent(run: LiveRun, registered: string, given: string): void {
  const { workflow, version } = run.row;
  const reason = `${integrityCode}: ${workflow} version ${version} is registered with the digest ${registered}, and this engine has ${given}`;
  run.log("error", reason, { code: integrityCode, registered, given });
  run.host.metrics.add("pawl_divergences_total"); // P-43: an alert is made of it (docs/alerts.yml)
  askDecision(run, reason);
}

function sourceOf({ start: { begin, fork } }: History): string {
  return (begin ?? fork)?.runId ?? "";
}

/** K5, AX-18: one poisonous run must not kill every engine in turn. */
function giveUp(run: LiveRun, reason: string): void {
  if (run.host.onGivenUp === "fail") run.arrive({ type: "given-up", reason });
  else askDecision(run, reason);
}

function hasOpenDispatch(h: History): boolean {
  for (const s of h.steps.values()) if (s.queue !== null && (s.state === "open" || s.state === "retrying")) return true;
  return false;
}
/** A run that came from another store has other numbers for its messages than its log says: an answer finds its update by its id. */
async function withLocalInboxIds(store: Store, runId: string, history: History): Promise<History> {
  const open = history.schedule.some((e) => e.type === "update" && !history.updatesCompleted.has(e.update.updateId));
  if (!open) return history;
  const rows = (await store.inbox({ runId, all: true })).filter((r) => r.kind === "update");
  const numbers = new Map(rows.map((r) => [r.id, r.inboxId]));
  const schedule = history.schedule.map((e) =>
    e.type === "update" ? { ...e, update: { ...e.update, inboxId: numbers.get(e.update.updateId) ?? e.update.inboxId } } : e,
  );
  return { ...history, schedule };
}

async function parseInput(host: RunHost, d: Definition | null, h: History): Promise<{ input: string | null; refused: Failure | null }> {
  const raw = h.start.input === undefined ? null : JSON.stringify(h.start.input);
  if (d === null || h.start.parsed === true) return { input: raw, refused: null };
  try {
    const value = await d.input(raw === null ? undefined : decode(raw), "input");
    return { input: value === undefined ? null : encode(value, host.limits, "input"), refused: null };
  } catch (e) {
    return { input: null, refused: failureOf(e, host.limits) };
  }
}
