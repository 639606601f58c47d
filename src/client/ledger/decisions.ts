// The inbox of everything that waits for a person: each decision is read from its run's log, with the answers that are legal and
// what follows from each. It answers nothing itself (answers.ts does).
import { inputDigest } from "../../codec/canonical.ts";
import { revive } from "../../codec/value.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import { PawlError } from "../../errors/error.ts";
import { openDecisions, type OpenDecision } from "../../events/open-decisions.ts";
import type { EffectHistory } from "../../events/effect-history.ts";
import { toTimeText } from "../../events/envelope.ts";
import { readPayload } from "../../events/payload.ts";
import type { RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import type { DecisionView, LegalAnswer } from "../types.ts";

const pageRuns = 100;

export async function listDecisions(c: LocalClientDeps, o: { readonly limit?: number } = {}): Promise<readonly DecisionView[]> {
  const limit = o.limit ?? 100;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
  const found: DecisionView[] = [];
  let cursor: string | undefined;
  do {
    const page = await c.store.runs({ scope: c.scope, waiting: "decision", limit: pageRuns, ...(cursor === undefined ? {} : { cursor }) });
    for (const row of page.runs) {
      const posted = await postedAnswers(c, row.runId);
      for (const d of openDecisions(row.runId, await readEvents(c.store, row.runId)))
        found.push({ ...toDecisionView(row, d), ...(posted.has(d.decisionId) ? { answered: true } : {}) });
      if (found.length >= limit) return found.slice(0, limit);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

/** The decisions of a run that somebody has answered, and no owner has taken. */
async function postedAnswers(c: LocalClientDeps, runId: string): Promise<ReadonlySet<string>> {
  const rows = (await c.store.inbox({ runId })).filter((r) => r.kind === "control");
  return new Set(rows.flatMap((r) => readPayload<{ decisionId?: string }>(r.payload).decisionId ?? []));
}

function toDecisionView(row: RunRow, d: OpenDecision): DecisionView {
  const e = d.effect;
  return {
    decisionId: d.decisionId,
    kind: d.kind,
    runId: row.runId,
    workflowId: row.workflowId,
    workflow: row.workflow,
    since: toTimeText(d.since),
    code: d.code,
    reason: d.reason,
    ...(e === undefined || d.kind === "approval"
      ? {}
      : {
          step: {
            stepId: e.stepId,
            name: e.name,
            class: e.class,
            ...(e.key === undefined ? {} : { key: e.key }),
            attempts: e.attempts,
            sends: e.sends,
            firstSentAt: toTimeText(e.firstAt),
            lastSentAt: toTimeText(e.lastAt),
          },
        }),
    ...(e === undefined || d.kind !== "approval" ? {} : { approval: toApprovalView(e) }),
    ...(d.unconfirmed === undefined
      ? {}
      : { unconfirmed: d.unconfirmed.map(({ stepId, verifier, reason }) => ({ stepId, verifier, reason })) }),
    ...(d.proposal === undefined
      ? {}
      : { proposed: { by: d.proposal.by ?? "", reason: d.proposal.reason ?? "", answer: d.proposal.answer } }),
    evidence: d.events,
    answers: legalAnswers(d),
  };
}

function toApprovalView({
  stepId,
  name,
  class: cls,
  key,
  receiver,
  awaitingApproval: unsent,
}: EffectHistory): NonNullable<DecisionView["approval"]> {
  const input = unsent?.input;
  return {
    stepId,
    name,
    class: cls,
    ...(key === undefined ? {} : { key }),
    ...(receiver === undefined ? {} : { receiver }),
    ...(input === undefined ? {} : { input: revive(input), argsDigest: inputDigest(JSON.stringify(input)) }),
  };
}

export function legalAnswers(d: OpenDecision): LegalAnswer[] {
  if (d.kind === "confirmation")
    return [
      { answer: "accept", consequence: "the run continues from the recorded results, and these steps are not confirmed again" },
      { answer: "retry", consequence: "the verifiers are asked again, and the run continues if they confirm" },
      { answer: "fail", consequence: "the run fails as UNCONFIRMED, after its compensations" },
    ];
  if (d.kind === "approval")
    return [
      { answer: "approve", consequence: "the step is sent, as its first attempt; nobody is asked again" },
      { answer: "refuse", consequence: "the step fails as NOT_APPROVED, and the run's code continues from there; nothing is sent" },
    ];
  if (d.effect === undefined)
    return [
      {
        answer: "retry",
        consequence: d.kind === "diverged" ? "the run is resumed: its code is run over the log again" : "engines may try the run again",
      },
      { answer: "fail", consequence: "the run is terminated: it ends as CANCELLED, and open effects are recorded as indeterminate" },
    ];
  const from = toTimeText(d.settledAt ?? d.since);
  return effectAnswers(d).map((a) => (a.answer === "did-not-happen" ? { ...a, from } : a));
}

/** A run can be ending without its log saying so: its code threw, or its deadline passed. */
function effectAnswers(d: OpenDecision): LegalAnswer[] {
  if (d.kind === "compensation")
    return [
      {
        answer: "happened",
        consequence: "the step completes with the result you give, and is not sent again; the run continues to its end",
      },
      { answer: "did-not-happen", consequence: "the compensation is sent again as a new attempt" },
      { answer: "fail", consequence: "the compensation fails as INDETERMINATE; nothing is sent for it, and the run continues to its end" },
    ];
  if (d.ending === true)
    return [
      {
        answer: "happened",
        consequence: "the step completes with the result you give; the run is ending, so its compensation is sent if it has one",
      },
      {
        answer: "did-not-happen",
        consequence: "the step is closed as cancelled, since the run is ending; nothing is sent or undone for it",
      },
      { answer: "fail", consequence: "the step fails as INDETERMINATE, and the run ends; nothing is sent or undone for it" },
    ];
  const unless = "if the run is ending";
  return [
    {
      answer: "happened",
      consequence: `the step completes with the result you give and is not sent again; the run continues, or, ${unless}, sends the step's compensation`,
    },
    { answer: "did-not-happen", consequence: `the step is sent again as a new attempt; ${unless}, nothing is sent` },
    {
      answer: "fail",
      consequence: `the step fails as INDETERMINATE, and the run's code continues from there, or, ${unless}, it ends; nothing is sent`,
    },
  ];
}
