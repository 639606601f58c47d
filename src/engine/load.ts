// A claimed run, read from the store and made live: its log, its inbox, and, for a run that retries another, what that
// one finished. Input that came in without the workflow's schema is checked here, before the code sees it.
import { compensationId } from "../core/step-id.ts";
import { decode, encode } from "../codec/value.ts";
import { failureOf, type Failure } from "../codec/failure.ts";
import type { EventRecord, RunRow, Store } from "../store/port.ts";
import type { Definition } from "./definition.ts";
import { readHistory, type History, type StepPast } from "./history.ts";
import type { RunHost } from "./host.ts";
import { LiveRun } from "./live-run.ts";
import { needsDecision } from "./standstill.ts";

const pageSize = 1_000;

export async function readEvents(store: Store, runId: string): Promise<EventRecord[]> {
  const all: EventRecord[] = [];
  for (;;) {
    const page = await store.events({ runId, after: all.at(-1)?.runSeq ?? 0, limit: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}

export async function loadRun(
  host: RunHost,
  row: RunRow,
  definition: Definition | null,
  again?: { readonly refused: ReadonlySet<string>; readonly reason: string | null },
): Promise<LiveRun> {
  const history = await renumbered(host.store, row.runId, readHistory(await readEvents(host.store, row.runId)));
  const inbox = await host.store.inbox({ runId: row.runId });
  const { retryOf, fromStep } = history.start;
  const adopted = retryOf === undefined ? null : await adoptedFrom(host.store, retryOf, fromStep);
  const lost = typeof adopted === "string" ? adopted : null;
  const { input, refused } = await checkedInput(host, definition, history);
  const poisoned = row.idleClaims > host.limits.idleClaimsMax && history.decision === null;
  const run = new LiveRun({
    host,
    row,
    definition,
    history,
    adopted: typeof adopted === "string" ? null : adopted,
    inbox,
    create: null,
    input,
    noCode: refused !== null,
    ...(again === undefined ? {} : { refused: again.refused }),
  });
  if (refused !== null) run.arrive({ type: "input-refused", failure: refused });
  if (again !== undefined && again.reason !== null && again.refused.size === 0)
    needsDecision(run, `the store refused what the code asked for: ${again.reason}`);
  else if (lost !== null && history.decision === null)
    needsDecision(run, `the run that it retries, ${lost}, has lost its log to retention`);
  else if (poisoned) needsDecision(run, `${row.idleClaims} engines claimed this run in a row and none could commit`); // K5
  host.metrics.add("pawl_recoveries_total");
  return run;
}

/** A run that came from another store has other numbers for its messages than its log says: an answer finds its update by its id. */
async function renumbered(store: Store, runId: string, history: History): Promise<History> {
  const open = history.schedule.some((e) => e.type === "update" && !history.updatesCompleted.has(e.update.updateId));
  if (!open) return history;
  const rows = (await store.inbox({ runId, all: true })).filter((r) => r.kind === "update");
  const numbers = new Map(rows.map((r) => [r.id, r.inboxId]));
  const schedule = history.schedule.map((e) =>
    e.type === "update" ? { ...e, update: { ...e.update, inboxId: numbers.get(e.update.updateId) ?? e.update.inboxId } } : e,
  );
  return { ...history, schedule };
}

async function checkedInput(host: RunHost, d: Definition | null, h: History): Promise<{ input: string | null; refused: Failure | null }> {
  const raw = h.start.input === undefined ? null : JSON.stringify(h.start.input);
  if (d === null || h.start.parsed === true) return { input: raw, refused: null };
  try {
    const value = await d.input(raw === null ? undefined : decode(raw), "input");
    return { input: value === undefined ? null : encode(value, host.limits, "input"), refused: null };
  } catch (e) {
    return { input: null, refused: failureOf(e) };
  }
}

/**
 * What is known of the steps of the run that is retried, and, of those it never came to, what the run knew that it retried itself.
 * Of what began with `fromStep` and after only what nobody knows the end of (I7). The id of a run that has lost its log, if
 * one has: without it, steps that were done would be done again.
 */
async function adoptedFrom(store: Store, runId: string, fromStep: string | undefined): Promise<ReadonlyMap<string, StepPast> | string> {
  if ((await store.run({ runId }))?.expiredAt !== null) return runId;
  const { steps, start } = readHistory(await readEvents(store, runId));
  const earlier = start.retryOf === undefined ? [] : await adoptedFrom(store, start.retryOf, start.fromStep);
  if (typeof earlier === "string") return earlier;
  const known = new Map(earlier);
  for (const [id, s] of steps) {
    known.set(id, s);
    if (s.outcome?.ok === true) known.delete(compensationId(id)); // done again since it was undone
  }
  const from = fromStep === undefined ? undefined : steps.get(fromStep);
  if (from === undefined) return known;
  return new Map([...known].filter(([id, s]) => (steps.get(id)?.runSeq ?? from.runSeq) < from.runSeq || s.outcome?.ok !== true));
}
