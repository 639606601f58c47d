// What becomes of the events that were appended to one run: known ones are answered with their record first (D-074, resolution
// 30), the rest is refused or goes into one Commit. Everything is decided against one look at the run, and nothing is
// written here; if the look was stale, so is the Commit (D-141), and the plan is made again. It must never reject an event by
// a look that was kept from before: a rejection is remembered.
import { checkTransition } from "../core/transitions.ts";
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { Platform } from "../platform/platform.ts";
import type { EventRecord, EventWrite, Store } from "../store/port.ts";
import type { CheckedEvent } from "./append-check.ts";
import type { Appended, AppendOptions } from "./append-types.ts";
import { toTimeText } from "../events/envelope.ts";
import {
  buildAddition,
  extendRun,
  readExternal,
  transitionOf,
  newExternalRun,
  withDerivedState,
  type Addition,
  type ExternalRun,
} from "./external-run.ts";
import { samePayload, type PayloadMismatch } from "./payload-mismatch.ts";
import { rejectionError, rejectionKey, rejectionOf, type Rejection } from "./rejections.ts";

/** One event of a call that waits for its answers. */
export interface PlanItem {
  readonly event: CheckedEvent;
  readonly o: AppendOptions;
  readonly call: PlanCall;
  readonly index: number;
}
export interface PlanCall {
  readonly outcomes: (Appended | PawlError)[];
  /** The runs whose first event is one of its events. */
  readonly began: Set<string>;
  left: number;
  readonly resolve: () => void;
  readonly reject: (e: PawlError) => void;
}

export interface PlanContext {
  readonly store: Store;
  readonly platform: Platform;
  readonly scope: Scope;
  /** What was rejected before, of the events at hand. */
  readonly remembered: ReadonlyMap<string, Rejection>;
  /** The run whose workflowId a new run takes over, by the new run's id. */
  readonly supersedes: ReadonlyMap<string, string>;
}

export interface AppendPlan {
  readonly runId: string;
  readonly items: readonly PlanItem[];
  readonly addition: Addition | null;
  /** The run as it was found; null when there is none to write. */
  readonly run: ExternalRun | null;
  readonly rejections: readonly Rejection[];
  /** What each item is answered once the Commit, if there is one, is there. */
  answersAt(persistedAt: number): PlanEnding;
}

export type ItemAnswer = readonly [PlanItem, Appended | PawlError];
export interface PlanEnding {
  readonly answers: readonly ItemAnswer[];
  readonly mismatches: readonly PayloadMismatch[];
}

/** What a runId leads to: a run to write, or why there is none. */
type FoundRun = ExternalRun | "engine" | "moved" | "elsewhere" | "gone";

async function findRun(c: PlanContext, { event }: PlanItem): Promise<FoundRun> {
  const { runId, planId, planVersion } = event.write;
  const row = await c.store.run({ runId });
  if (row === undefined) return newExternalRun(runId, planId, planVersion);
  const { tenantId, projectId, environmentId } = row.scope;
  // I11: of another tenant's run nothing is returned but that the id is taken.
  if (tenantId !== c.scope.tenantId || projectId !== c.scope.projectId || environmentId !== c.scope.environmentId) return "elsewhere";
  if (row.origin !== "external") return row.origin; // K23
  return row.purgedAt !== null ? "gone" : ((await readExternal(c.store, row)) ?? "gone");
}

/** undefined: `kept` would reject an event, and is too old to be believed. */
export async function planRun(
  c: PlanContext,
  items: readonly [PlanItem, ...PlanItem[]],
  kept: ExternalRun | undefined,
): Promise<AppendPlan | undefined> {
  const { runId } = items[0].event.write;
  // The look comes before the question for known keys: whatever is written after the look makes the Commit stale.
  const found = kept ?? (await findRun(c, items[0]));
  // A run that this authority wrote last, and that was sent nothing twice, is not asked: an event that is there nevertheless makes
  // the whole Commit clash, and the next plan asks.
  const known = kept !== undefined && !kept.repeats ? noEvents : await knownEvents(c.store, runId, items, found);
  const asked = items.some((i) => i.o.validate === true && !known.has(i.event.write.idempotencyKey));
  const sound = typeof found === "string" ? found : { ...found, repeats: known.size > 0 };
  let run = typeof sound !== "string" && asked ? await withDerivedState(c.store, sound) : sound;

  // A call is written in several batches when it is long: it may continue with the run that it began.
  for (const { call, event } of items) if (known.get(event.write.idempotencyKey)?.runSeq === 1) call.began.add(runId);
  const decided: ItemAnswer[] = [];
  const fresh: PlanItem[] = [];
  /** The place among the fresh ones, by key. */
  const places = new Map<string, number>();
  const twins: PlanItem[] = [];
  const refused = new Map<string, PawlError>();
  const rejections: Rejection[] = [];
  const mismatches: PayloadMismatch[] = [];
  for (const item of items) {
    const { write, payload } = item.event;
    const key = write.idempotencyKey;
    const record = known.get(key);
    if (record !== undefined) {
      const same = samePayload(record, payload);
      if (same === false) mismatches.push({ record, given: item.event });
      decided.push([item, appendedAnswer(record, record.persistedAt, same, true)]);
    } else if (places.has(key)) twins.push(item);
    else {
      const why = refused.get(key) ?? itemRefusal(c, run, item, rejections);
      if (why === undefined) {
        places.set(key, fresh.push(item) - 1);
        run = extendRun(run as ExternalRun, item.event);
        continue;
      }
      if (kept !== undefined) return undefined;
      refused.set(key, why);
      decided.push([item, why]);
    }
  }

  const birth = { scope: c.scope, workflowId: items[0].o.workflowId ?? runId, supersedes: c.supersedes.get(runId) ?? null };
  const incoming = fresh.map((i) => i.event);
  const added = incoming.length === 0 ? null : buildAddition(c.platform, run as ExternalRun, birth, incoming);
  const ending = (persistedAt: number): PlanEnding => {
    const written = added?.events ?? [];
    const answers = written.map((e, i): ItemAnswer => [fresh[i] as PlanItem, appendedAnswer(e, persistedAt, true, false)]);
    for (const item of twins) {
      const e = written[places.get(item.event.write.idempotencyKey) as number] as EventWrite;
      const same = samePayload(e, item.event.payload);
      if (same === false) mismatches.push({ record: { ...e, persistedAt, stateVersion: 0 }, given: item.event });
      answers.push([item, appendedAnswer(e, persistedAt, same, true)]);
    }
    return { answers: decided.length === 0 ? answers : [...decided, ...answers], mismatches };
  };
  return { runId, items, addition: added, run: typeof sound === "string" ? null : sound, rejections, answersAt: ending };
}

const noEvents: ReadonlyMap<string, EventRecord> = new Map();

async function knownEvents(store: Store, runId: string, items: readonly PlanItem[], found: FoundRun): Promise<Map<string, EventRecord>> {
  const none = found === "elsewhere" || (typeof found !== "string" && found.at === null);
  const idempotencyKeys = [...new Set(items.map((i) => i.event.write.idempotencyKey))];
  const records = none ? [] : await store.events({ runId, idempotencyKeys });
  return new Map(records.map((r) => [r.idempotencyKey, r]));
}

/** Why an event that is not in the log cannot be added to it; undefined when it can. */
function itemRefusal(c: PlanContext, run: FoundRun, item: PlanItem, rejections: Rejection[]): PawlError | undefined {
  const { write } = item.event;
  const { runId, eventType } = write;
  if (run === "engine")
    return new PawlError("PAWL4023", `run ${runId} is written by its owner only: an event that is not in its log cannot be appended`, {
      data: { runId, eventType },
    });
  if (run === "moved") return new PawlError("PAWL4042", `run ${runId} was moved to another store`, { data: { runId } });
  if (run === "gone")
    return new PawlError("PAWL4040", `the log of run ${runId} was removed: nothing can be added to it`, { data: { runId } });
  if (run === "elsewhere") return notAppendable(runId, "belongs to somebody else");
  if (run.planId !== write.planId || run.planVersion !== write.planVersion) return notAppendable(runId, "is of another plan");
  if (item.o.first === true && run.at !== null && !item.call.began.has(runId)) return notAppendable(runId, "has begun");
  if (item.o.validate !== true) return undefined;
  const remembered = c.remembered.get(rejectionKey(write));
  if (remembered !== undefined) return rejectionError(remembered);
  const check = checkTransition(run.derived as NonNullable<ExternalRun["derived"]>, transitionOf(item.event));
  if (check.ok) return undefined;
  const rejection = rejectionOf(write, check, run.head.seq);
  rejections.push(rejection);
  return rejectionError(rejection);
}

function notAppendable(runId: string, why: string): PawlError {
  return new PawlError("PAWL4022", `run ${runId} exists, and ${why}`, { data: { runId } });
}

function appendedAnswer(e: EventWrite, persistedAt: number, same: boolean | null, idempotent: boolean): Appended {
  return {
    eventId: e.eventId,
    runSeq: e.runSeq,
    persistedAt: toTimeText(persistedAt),
    idempotent,
    persisted: !idempotent,
    replayed: idempotent,
    samePayload: same,
  };
}
