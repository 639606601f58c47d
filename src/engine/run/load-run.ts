// A claimed run, read from the store and made live: its log, its inbox, and, for a run that retries another, what its run chain knows.
// Input that came in without the workflow's schema is checked here, before the code sees it. A run that cannot continue without a person
// asks for a decision here.
import { decode, encode } from "../../codec/value.ts";
import { failureOf, type Failure } from "../../codec/failure.ts";
import type { RunRow, Store } from "../../store/port.ts";
import type { Definition } from "../definition.ts";
import { readHistory, type History } from "./history.ts";
import type { RunHost } from "../run-host.ts";
import { manualUndoText } from "../chain/manual-undo.ts";
import { LiveRun } from "./live-run.ts";
import { readEvents } from "./read-events.ts";
import { readRunChain } from "../chain/read-run-chain.ts";
import { askDecision } from "../decisions/needs-decision.ts";

export { readEvents };

export async function loadRun(
  host: RunHost,
  row: RunRow,
  definition: Definition | null,
  again?: { readonly refused: ReadonlySet<string>; readonly reason: string | null },
): Promise<LiveRun> {
  const history = await withLocalInboxIds(host.store, row.runId, readHistory(await readEvents(host.store, row.runId)));
  const inbox = await host.store.inbox({ runId: row.runId });
  const { input, refused } = await parseInput(host, definition, history);
  const { chain: line, lost, isContinuation: continued, manualUndo: byHand } = await readRunChain(host.store, history.start, input);
  if (byHand !== null && history.start.retryOf !== undefined && history.startedEmittedAt === null)
    host.log("warn", `run ${row.runId} retries ${history.start.retryOf}: ${manualUndoText(byHand)}`, { runId: row.runId });
  const poisoned = row.idleClaims > host.limits.idleClaimsMax && history.decision === null;
  const run = new LiveRun({
    host,
    row,
    definition,
    history,
    chain: line,
    isContinuation: continued,
    inbox,
    create: null,
    input,
    withoutCode: refused !== null,
    ...(again === undefined ? {} : { refused: again.refused }),
  });
  if (refused !== null) run.arrive({ type: "input-refused", failure: refused });
  if (again !== undefined && again.reason !== null && again.refused.size === 0)
    askDecision(run, `the store refused what the code asked for: ${again.reason}`);
  else if (lost !== null && history.decision === null && !history.goneWithout.has(lost))
    askDecision(run, `the log of run ${lost}, an earlier run of its chain, is gone: what that run sent is not known`, undefined, lost);
  else if (poisoned) askDecision(run, `${row.idleClaims} engines claimed this run in a row and none could commit`); // K5
  host.metrics.add("pawl_recoveries_total");
  return run;
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
    return { input: null, refused: failureOf(e) };
  }
}
