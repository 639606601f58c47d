// What must hold when a campaign is over, read from the store, the ledger and the charges, never from an engine. A violation
// has a kind: lost (something acknowledged is gone, or a run will not end), duplicate (something happened or was recorded more
// often than its class permits), zombie (an old owner changed something), broken (a log that does not
// hold together), differs (a store that does not answer as the specification does).
import { defaultScope } from "../../src/client/environment.ts";
import { isSettled } from "../../src/core/model.ts";
import { verifyChain } from "../../src/events/hash-chain.ts";
import { foldLog } from "../../src/events/fold.ts";
import type { EventRecord, RunRow } from "../../src/store/port.ts";
import type { CampaignStore } from "./campaign-store.ts";
import { readLedger, type Line } from "./programs/ledger.ts";

export type Kind = "lost" | "duplicate" | "zombie" | "broken" | "differs";
export interface Violation {
  readonly kind: Kind;
  readonly what: string;
  /** The run's log and its effects, for whoever looks into it. */
  readonly log?: readonly string[];
}
export interface Verdict {
  readonly runs: number;
  readonly effects: number;
  /** Effects sent again, as their class permits. */
  readonly resent: number;
  readonly inDoubt: number;
  readonly violations: readonly Violation[];
}

type Effect = Extract<Line, { kind: "effect" }>;

export async function allRuns(eye: CampaignStore["observer"]): Promise<RunRow[]> {
  const found: RunRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await eye.runs({ scope: defaultScope, limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.runs);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

/** Nothing more will happen to it by itself. */
export function isOver(row: RunRow): boolean {
  return isSettled(row.status) || row.waiting === "decision";
}

export async function check(field: CampaignStore): Promise<Verdict> {
  const violations: Violation[] = [];
  const say = (kind: Kind, what: string): void => void violations.push({ kind, what });
  const rows = new Map((await allRuns(field.observer)).map((r) => [r.workflowId, r]));
  const lines = readLedger(field.ledger);
  const charges = await field.charges();
  for (const l of lines) if (l.kind === "accepted" && !rows.has(l.run)) say("lost", `${l.run} was accepted and does not exist`);

  const effects = new Map<string, Effect[]>();
  for (const l of lines) {
    if (l.kind !== "effect") continue;
    const list = effects.get(l.run) ?? [];
    list.push(l);
    effects.set(l.run, list);
  }
  let resent = 0;
  let inDoubt = 0;
  for (const [id, row] of rows) {
    const events = await field.observer.events({ runId: row.runId, after: 0, limit: 10_000 });
    const sent = effects.get(id) ?? [];
    const told = lines.filter((l) => "run" in l && l.run === id);
    const inbox = isOver(row) ? [] : await field.observer.inbox({ runId: row.runId, all: true });
    const log = (): string[] => [...events.map(shown), ...[...told, ...inbox, row].map((x) => JSON.stringify(x))];
    const tell = (kind: Kind, what: string): void => void violations.push({ kind, what: `${id}: ${what}`, log: log() });
    checkLog(row, events, tell);
    checkOwners(events, tell);
    checkEffects(events, sent, tell);
    const charged = events.some((e) => e.eventType === "StepCompleted" && e.stepId === "charge");
    const times = charges.get(id) ?? 0;
    if (times > 1) tell("duplicate", `charged ${times} times`);
    if (times !== 1 && charged) tell("lost", "its charge is recorded and its row is not there");
    if (times > 0 && !charged) tell("lost", "it was charged and no outcome is recorded");
    if (!isOver(row)) tell("lost", `it is ${row.status} and makes no progress`);
    else if (isSettled(row.status) && row.status !== "COMPLETED" && !tookTooLong(events)) tell("broken", `it ended as ${row.status}`);
    if (!isSettled(row.status) && row.waiting === "decision") inDoubt++;
    resent += sent.length - new Set(sent.map((e) => e.step)).size;
  }
  return { runs: rows.size, effects: [...effects.values()].reduce((n, l) => n + l.length, 0), resent, inDoubt, violations };
}

/** A process that is stopped, or starved, inside a transaction exceeds its limit: taken back, recorded as such, an honest end. */
function tookTooLong(events: readonly EventRecord[]): boolean {
  return events.at(-1)?.payload?.includes("PAWL3011") === true;
}

function shown(e: EventRecord): string {
  return `${e.runSeq} v${e.stateVersion} ${new Date(e.persistedAt).toISOString()} ${e.eventType} ${e.stepId ?? ""} ${e.logicalAttemptId}.${e.engineAttemptId} ${e.payload ?? ""}`;
}

type Tell = (kind: Kind, what: string) => void;

/** The chain verifies, the fold has no problems, and the row is what the log says. */
function checkLog(row: RunRow, events: readonly EventRecord[], tell: Tell): void {
  const run = { runId: row.runId, scope: row.scope, planId: row.workflow, planVersion: row.version };
  const chain = verifyChain(run, events);
  if (!chain.ok) tell("broken", `the chain breaks at ${chain.runSeq}: ${chain.problem}`);
  const folded = foldLog(events);
  for (const p of folded.problems) tell("broken", `event ${p.runSeq} may not follow what is before it`);
  if (folded.headSeq !== row.headSeq || folded.headLink !== row.headLink || folded.status !== row.status)
    tell("broken", `its row says ${row.status} at ${row.headSeq}, its log says ${folded.status ?? "nothing"} at ${folded.headSeq}`);
  const ended = new Set<string>();
  for (const e of events) {
    if (e.eventType !== "StepCompleted" || e.stepId === null) continue;
    if (ended.has(e.stepId)) tell("duplicate", `${e.stepId} has two recorded outcomes`);
    ended.add(e.stepId);
  }
}

/** Every outcome carries the fence it was earned under: fences never go back, and none comes from before a re-dispatch. */
function checkOwners(events: readonly EventRecord[], tell: Tell): void {
  let fence = 0;
  const attempts = new Map<string, number>();
  for (const e of events) {
    const payload = JSON.parse(e.payload ?? "{}") as { result?: unknown; stepId?: string; engineAttemptId?: number };
    if (e.eventType === "pawl.StepRedispatched") attempts.set(payload.stepId ?? "", payload.engineAttemptId ?? 0);
    if (e.eventType !== "StepCompleted" || e.stepId === null) continue;
    if (e.engineAttemptId < (attempts.get(e.stepId) ?? 0)) tell("zombie", `${e.stepId} was recorded by an owner that had lost it`);
    if (typeof payload.result !== "number" || e.stepId.startsWith("paid")) continue;
    if (payload.result < fence) tell("zombie", `${e.stepId} was recorded under fence ${payload.result} after ${fence}`);
    fence = payload.result;
  }
}

/** The ledger against the log: no step before one that was recorded, and no send that the log does not know. */
function checkEffects(events: readonly EventRecord[], sent: readonly Effect[], tell: Tell): void {
  const steps = new Map(foldLog(events).steps.map((s) => [s.stepId, s]));
  const completed = new Set(events.filter((e) => e.eventType === "StepCompleted").map((e) => e.stepId));
  // An old owner may be late with what it had begun; under its own fence it is in order.
  const ordered = sent.toSorted((a, b) => a.fence - b.fence);
  let furthest: Effect | undefined;
  for (const e of ordered) {
    if (furthest !== undefined && e.place < furthest.place)
      tell("lost", `${e.step} ran again under fence ${e.fence} after ${furthest.step} had begun under ${furthest.fence}`);
    if (furthest !== undefined && e.place === furthest.place && e.fence === furthest.fence)
      tell("duplicate", `${e.step} was sent twice under fence ${e.fence}`);
    if (furthest === undefined || e.place >= furthest.place) furthest = e;
  }
  for (const step of new Set(sent.map((e) => e.step))) {
    const sends = sent.filter((e) => e.step === step);
    const known = steps.get(step)?.engineAttempts ?? 0;
    if (step === "once" && sends.length > 1) tell("duplicate", `an AT-MOST-ONCE effect was sent ${sends.length} times`);
    if (new Set(sends.map((e) => e.key)).size > 1) tell("duplicate", `${step} was sent under several keys`);
    if (known === 0) tell("lost", `${step} was sent and its start is not recorded`);
    else if (sends.length > known) tell("duplicate", `${step} was sent ${sends.length} times, ${known} are recorded`);
  }
  for (const s of steps.values())
    if (s.kind === "effect" && completed.has(s.stepId) && !sent.some((e) => e.step === s.stepId))
      tell("lost", `${s.stepId} is recorded as done and was never sent`);
}
