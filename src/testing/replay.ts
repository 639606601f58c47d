// replay: the log of a real run against the code as it is now. The log is written into a store of its own and an engine continues
// with it; no step's function is ever called. It passes when the code asks for what is recorded, in order, and ends as recorded;
// else it throws the divergence with both sides. That is how a change is known to fit the runs that are under way.
import { canonicalJson } from "../codec/canonical.ts";
import type { Code } from "../errors/catalogue.ts";
import { PawlError } from "../errors/error.ts";
import { isSettled } from "../core/model.ts";
import { createCommit } from "../engine/create-run.ts";
import type { RunEventRecord } from "../core/contract.ts";
import { EventMaker } from "../events/event-maker.ts";
import type { Platform } from "../platform/platform.ts";
import type { Commit } from "../store/port.ts";
import type { AnyWorkflow } from "../workflow/types.ts";
import { historyEvents, type RecordedHistory } from "./recorded-history.ts";
import { TestBed, type TestBedOptions } from "./test-bed.ts";

export interface ReplayOpts {
  /** Workflows that the code calls, besides those it names itself. */
  workflows?: readonly AnyWorkflow[];
  /** Of a run that retries another: the logs of the runs before it, oldest first. What they finished, it takes over. */
  before?: readonly RecordedHistory[];
  /** What `ctx.run.workflowId` says, which the log does not; the run's id unless given. */
  workflowId?: string;
}

const ends: readonly string[] = ["RunCompleted", "RunFailed", "RunCancelled"];

export async function openReplay(
  open: TestBedOptions["open"],
  wf: AnyWorkflow,
  history: RecordedHistory,
  o: ReplayOpts = {},
): Promise<void> {
  const { recorded, end } = splitHistory(await historyEvents(history), wf);
  const first = recorded[0]!;
  const before = await earlierRuns(first, o.before ?? []);
  const place = await TestBed.open({
    open: async (platform) => {
      const store = await open(platform);
      let written: Promise<unknown> | undefined;
      // The log is there before the first engine is.
      const connect: typeof store.connect = async (p) => {
        const connected = await store.connect(p);
        written ??= (async () => {
          for (const run of before) await connected.commit([importCommit(platform, run, endStatus(run))]);
          await connected.commit([importCommit(platform, recorded, "RUNNING", o.workflowId)]);
        })();
        await written;
        return connected;
      };
      return { ...store, connect };
    },
    guard: "off",
    inert: true,
    startMs: Math.max(...recorded.map((e) => Date.parse(e.persistedAt))),
    patienceMs: 0,
    engine: {
      workflows: [wf, ...(o.workflows ?? [])],
      tenant: { tenantId: first.tenantId, projectId: first.projectId, environmentId: first.environmentId },
    },
  });
  try {
    await place.clock.advance(1_000);
    const since = await place.client.events(first.runId, { after: recorded.length, limit: 1_000 });
    compareEnds(since, end);
  } finally {
    await place.close();
  }
}

/** The record up to where the code stood, and how the run ended, if it did. A pause at the end is not the code's doing. */
function splitHistory(all: readonly RunEventRecord[], wf: AnyWorkflow): { recorded: RunEventRecord[]; end: RunEventRecord | undefined } {
  const recorded = [...all];
  let end: RunEventRecord | undefined;
  for (let last = recorded.at(-1); last !== undefined; last = recorded.at(-1)) {
    if (ends.includes(last.eventType)) end = last;
    else if (last.eventType !== "RunPaused" && !last.eventType.startsWith("pawl.")) break;
    recorded.pop();
  }
  const first = recorded[0];
  if (first === undefined || (first.eventType !== "RunQueued" && first.eventType !== "RunStarted"))
    throw new PawlError("PAWL4011", "the history does not begin with the start of a run");
  if (first.planId !== wf.name)
    throw new PawlError("PAWL4011", `the history is one of workflow ${first.planId}, not of ${String(wf.name)}`);
  return { recorded, end };
}

/** The logs of the run chain before this run. Without the one it retries, its finished steps would seem to be new ones. */
async function earlierRuns(first: RunEventRecord, histories: readonly RecordedHistory[]): Promise<RunEventRecord[][]> {
  const all = await Promise.all(histories.map(historyEvents));
  const retried = retriedBy(first);
  if (retried !== undefined && !all.some((events) => events[0]?.runId === retried))
    throw new PawlError("PAWL4011", `the run retries run ${retried}: give that run's log too, in the option before`);
  return all;
}

/** The run that this one retries, as its first event says. */
export function retriedBy(first: RunEventRecord): string | undefined {
  return (first.payload as { retryOf?: string } | undefined)?.retryOf;
}

function endStatus(run: readonly RunEventRecord[]): "COMPLETED" | "FAILED" | "CANCELLED" {
  const type = run.findLast((e) => ends.includes(e.eventType))?.eventType;
  return type === "RunCompleted" ? "COMPLETED" : type === "RunCancelled" ? "CANCELLED" : "FAILED";
}

/** The record as one Commit that creates the run. Its events get a chain of their own: it is a copy, not the log itself. */
function importCommit(platform: Platform, recorded: readonly RunEventRecord[], status: Commit["status"], id?: string): Commit {
  const [first] = recorded as [RunEventRecord];
  const { runId, planId, planVersion, tenantId, projectId, environmentId } = first;
  const scope = { tenantId, projectId, environmentId };
  const maker = new EventMaker({ runId, scope, planId, planVersion }, platform, { seq: 0, link: "", sealedAt: null });
  const events = recorded.map((e) =>
    maker.make(
      {
        eventType: e.eventType,
        stepId: e.stepId ?? null,
        logicalAttemptId: e.logicalAttemptId,
        engineAttemptId: e.engineAttemptId,
        emittedAt: Date.parse(e.emittedAt),
        payload: e.payload === undefined ? null : JSON.stringify(e.payload),
      },
      1,
    ),
  );
  const definition = { name: planId, version: planVersion };
  const commit = createCommit({ scope, platform }, { runId, workflowId: id ?? runId, definition, input: null, parsed: true });
  return { ...commit, events, status, ...(isSettled(status) ? { due: { at: null, inMs: null } } : {}) };
}

/** What the code did where the record ends. */
function compareEnds(since: readonly RunEventRecord[], end: RunEventRecord | undefined): void {
  const stopped = since.find((e) => e.eventType === "RunPaused");
  if (stopped !== undefined) {
    const p = stopped.payload as { code?: Code; message?: string; expected?: string; found?: string };
    throw divergence(p.code ?? "PAWL1006", p.message ?? "the code no longer fits the record", p.expected ?? "?", p.found ?? "?");
  }
  if (end === undefined) return;
  const next = since.find((e) => !e.eventType.startsWith("pawl."));
  const found = next === undefined ? "nothing: the code still waits" : describeEvent(next);
  if (next === undefined || next.eventType !== end.eventType || resultOf(next) !== resultOf(end))
    throw divergence("PAWL1006", `the record ends with ${describeEvent(end)}; now comes ${found}`, describeEvent(end), found);
}

function divergence(code: Code, message: string, expected: string, found: string): PawlError {
  return new PawlError(code, message, { data: { expected, found } });
}

function describeEvent(e: RunEventRecord): string {
  return `${e.eventType}${e.stepId === undefined ? "" : ` ${e.stepId}`}${resultOf(e) === "" ? "" : ` ${resultOf(e).slice(0, 200)}`}`;
}

function resultOf(e: RunEventRecord): string {
  const result = (e.payload as { result?: unknown } | undefined)?.result;
  return result === undefined ? "" : canonicalJson(result);
}
