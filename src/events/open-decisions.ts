// What in a run waits for a person, from its log: questions of its code, steps to be approved, effects in doubt, compensations in doubt, recorded effects that were not
// confirmed, a divergence, a run that its engines gave up. Each has an id that names the event which asked, so that an answer to an older question can never be taken
// for one to a newer. Pure; the answers themselves are taken by the owner.
import type { EventRecord } from "./event.ts";
import { effectHistories, mayArriveUntil, type RecordedAnswer, type EffectHistory } from "./effect-history.ts";
import { openQuestions, type AskedQuestion } from "./open-questions.ts";
import { pawlEvents, questionOf, readPayload, type AnswerPayload, type ConfirmationPayload } from "./payload.ts";

interface NeededPayload {
  readonly reason: string;
  readonly code?: string;
  readonly unconfirmed?: readonly string[];
}

export interface OpenDecision {
  readonly decisionId: string;
  readonly kind: "effect" | "compensation" | "diverged" | "given-up" | "confirmation" | "approval" | "failure" | "question";
  /** The event that asked, and the store's time of it. */
  readonly runSeq: number;
  readonly since: number;
  readonly code: string;
  readonly reason: string;
  readonly effect?: EffectHistory;
  /** Of a question that the run's code asks. */
  readonly question?: AskedQuestion;
  /** Recorded effects that their verifiers did not confirm, and what those said. */
  readonly unconfirmed?: readonly ConfirmationPayload[];
  /** From when on "it did not happen" may be believed; only of effects. */
  readonly settledAt?: number;
  /** The run was asked to end: nothing new is sent but compensations. Its code may have ended without the log saying so. */
  readonly ending?: true;
  /** One person's answer, waiting for another's. */
  readonly proposal?: RecordedAnswer;
  readonly events: readonly number[];
}

export function decisionId(runId: string, runSeq: number): string {
  return `${runId}:${runSeq}`;
}

/** The run and the event that an id names; undefined for text that is no id. */
export function parseDecisionId(id: string): { readonly runId: string; readonly runSeq: number } | undefined {
  const at = id.lastIndexOf(":");
  const runSeq = Number(id.slice(at + 1));
  return at > 0 && Number.isSafeInteger(runSeq) && runSeq > 0 && String(runSeq) === id.slice(at + 1)
    ? { runId: id.slice(0, at), runSeq }
    : undefined;
}

export function openDecisions(runId: string, events: readonly EventRecord[]): OpenDecision[] {
  const ending = events.some((e) => e.eventType === pawlEvents.cancelRequested) ? ({ ending: true } as const) : {};
  const found = effectHistories(events).flatMap((s): OpenDecision[] => {
    const proposed = s.proposal === null ? {} : { proposal: s.proposal };
    if (s.awaitingApproval !== null && s.end === null) {
      const { runSeq, at } = s.awaitingApproval;
      const id = decisionId(runId, runSeq);
      return [
        {
          decisionId: id,
          kind: "approval",
          runSeq,
          since: at,
          code: "PAWL2033",
          reason: questionOf(s.awaitingApproval),
          effect: s,
          ...proposed,
          events: s.events,
        },
      ];
    }
    if (s.held !== null && s.end === null)
      return [
        {
          decisionId: decisionId(runId, s.held.runSeq),
          kind: "failure",
          runSeq: s.held.runSeq,
          since: s.held.at,
          code: s.held.code,
          reason: s.held.reason,
          effect: s,
          settledAt: mayArriveUntil(s),
          ...proposed,
          events: s.events,
        },
      ];
    if (s.doubt === null) return [];
    return [
      {
        decisionId: decisionId(runId, s.doubt.runSeq),
        kind: s.kind === "compensation" ? "compensation" : "effect",
        runSeq: s.doubt.runSeq,
        since: s.doubt.at,
        code: s.doubt.code,
        reason: s.doubt.reason,
        effect: s,
        settledAt: mayArriveUntil(s),
        ...ending,
        ...proposed,
        events: s.events,
      },
    ];
  });
  for (const q of openQuestions(events))
    found.push({
      decisionId: decisionId(runId, q.runSeq),
      kind: "question",
      runSeq: q.runSeq,
      since: q.askedAt,
      code: "PAWL2035",
      reason: q.text,
      question: q,
      events: [q.runSeq],
    });
  const whole = runDecision(runId, events);
  return whole === null ? found : [whole, ...found];
}

function runDecision(runId: string, events: readonly EventRecord[]): OpenDecision | null {
  let open: OpenDecision | null = null;
  let refused: { readonly runSeq: number; readonly said: ConfirmationPayload }[] = [];
  for (const e of events) {
    const at = { decisionId: decisionId(runId, e.runSeq), runSeq: e.runSeq, since: e.persistedAt, events: [e.runSeq] };
    switch (e.eventType) {
      case pawlEvents.confirmationFailed:
        refused.push({ runSeq: e.runSeq, said: readPayload<ConfirmationPayload>(e.payload) });
        break;
      case pawlEvents.decisionNeeded: {
        const { reason, code = "PAWL2001", unconfirmed } = readPayload<NeededPayload>(e.payload);
        open = { ...at, kind: unconfirmed === undefined ? "given-up" : "confirmation", code, reason };
        if (unconfirmed !== undefined) {
          refused = refused.filter((x) => x.said.mode === "human" && unconfirmed.includes(x.said.stepId));
          open = { ...open, unconfirmed: refused.map((x) => x.said), events: [...refused.map((x) => x.runSeq), e.runSeq] };
        }
        refused = [];
        break;
      }
      case pawlEvents.decisionProposed: {
        const p = readPayload<AnswerPayload>(e.payload);
        if (p.stepId === undefined && open !== null) open = { ...(open as OpenDecision), proposal: { ...p, runSeq: e.runSeq } };
        break;
      }
      case "RunPaused": {
        const p = readPayload<{ category?: string; code?: string; message?: string }>(e.payload);
        if (p.category === "DIVERGED")
          open = { ...at, kind: "diverged", code: p.code ?? "PAWL1006", reason: p.message ?? "code and log disagree" };
        break;
      }
      case pawlEvents.decisionAnswered:
        if (readPayload<{ stepId?: string }>(e.payload).stepId === undefined) open = null;
        break;
      case "RunResumed":
      case "RunCompleted":
      case "RunFailed":
      case "RunCancelled":
        open = null;
        break;
      default: // nothing that asks or answers
    }
  }
  return open;
}
