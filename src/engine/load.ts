// A claimed run, read from the store and made live: its log, its inbox, and, for a run that retries another, what that
// one finished. Input that came in without the workflow's schema is checked here, before the code sees it.
import { decode, encode } from "../codec/value.ts";
import { failureOf, type Failure } from "../codec/failure.ts";
import type { EventRecord, RunRow, Store } from "../store/port.ts";
import type { Definition } from "./definition.ts";
import { readHistory, type History, type StepPast } from "./history.ts";
import type { RunHost } from "./host.ts";
import { LiveRun } from "./live-run.ts";

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
  const history = readHistory(await readEvents(host.store, row.runId));
  const inbox = await host.store.inbox({ runId: row.runId });
  const adopted = history.start.retryOf === undefined ? null : await adoptedFrom(host.store, history.start.retryOf, history.start.fromStep);
  const { input, refused } = await checkedInput(host, definition, history);
  const poisoned = row.idleClaims > host.limits.idleClaimsMax && history.decision === null;
  const run = new LiveRun({
    host,
    row,
    definition,
    history,
    adopted,
    inbox,
    create: null,
    input,
    noCode: refused !== null,
    ...(again === undefined ? {} : { refused: again.refused }),
  });
  if (refused !== null) run.arrive({ type: "input-refused", failure: refused });
  if (again !== undefined && again.reason !== null && again.refused.size === 0)
    run.needsDecision(`the store refused what the code asked for: ${again.reason}`);
  else if (poisoned) run.needsDecision(`${row.idleClaims} engines claimed this run in a row and none could commit`); // K5
  host.metrics.add("pawl_recoveries_total");
  return run;
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

/** Outcomes of the run that is retried: all of them, or those of steps begun before `fromStep` was. */
async function adoptedFrom(store: Store, runId: string, fromStep: string | undefined): Promise<ReadonlyMap<string, StepPast>> {
  const { steps } = readHistory(await readEvents(store, runId));
  const from = fromStep === undefined ? undefined : steps.get(fromStep);
  if (from === undefined) return steps;
  return new Map([...steps].filter(([, s]) => s.runSeq < from.runSeq));
}
