// The inbox of everything that waits for a person: each decision is read from its run's log, with the answers that are legal and
// what follows from each. It answers nothing itself (answers.ts does).
import { inputDigest } from "../../codec/canonical.ts";
import { revive } from "../../codec/value.ts";
import type { OpenDecision } from "../../events/open-decisions.ts";
import type { EffectHistory } from "../../events/effect-history.ts";
import { toTimeText } from "../../events/envelope.ts";
import { readPayload } from "../../events/payload.ts";
import { encodeCursor } from "../../store/keys.ts";
import type { RunRow, Store } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { verifierSaid } from "../operate/log-tail.ts";
import { checkLimit, decodePlace, encodePlace, filterMark, invalidCursor, markedCursor, placeOf } from "../lists/list-cursor.ts";
import type { LogFolds } from "../lists/log-folds.ts";
import { questionView } from "../questions/list.ts";
import type { DecisionPage, DecisionView, LegalAnswer, PageOptions } from "../types.ts";

const pageRuns = 100;

/** All of them, until there are so many. */
export async function listDecisions(
  c: LocalClientDeps,
  folds: LogFolds,
  o: { readonly limit?: number } = {},
): Promise<readonly DecisionView[]> {
  const limit = checkLimit(o.limit, 100);
  const found: DecisionView[] = [];
  let cursor: string | undefined;
  do {
    const page = await readDecisionPage(c, folds, { limit: limit - found.length, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.decisions);
    cursor = page.cursor;
  } while (cursor !== undefined && found.length < limit);
  return found;
}

/** Where a page ended: after which run, and, if the page ended within one, after which of its decisions. */
interface DecisionPlace {
  readonly from?: string;
  readonly runId?: string;
  readonly after?: string;
}

/** Newest runs first, or of one run. No more logs are read than there are runs in a page of them. */
export async function readDecisionPage(c: LocalClientDeps, folds: LogFolds, o: PageOptions = {}, only?: RunRow): Promise<DecisionPage> {
  const limit = checkLimit(o.limit, 100);
  const mark = filterMark(c.scope, "decisions", only === undefined ? {} : { run: only.runId });
  const place: DecisionPlace = o.cursor === undefined ? {} : checkPlace(decodePlace(placeOf(o.cursor, mark)));
  const next = (to: DecisionPlace): string => markedCursor(mark, encodePlace(to));
  let { from } = place;
  const page: Awaited<ReturnType<Store["runs"]>> =
    only === undefined
      ? await c.store.runs({ scope: c.scope, waiting: "decision", limit: pageRuns, ...(from === undefined ? {} : { cursor: from }) })
      : { runs: only.waiting === "decision" ? [only] : [] };
  const found: DecisionView[] = [];
  for (const row of page.runs) {
    const open = await folds.decisions(row);
    const posted = open.length === 0 ? noAnswers : await postedAnswers(c, row.runId);
    // One that was answered meanwhile is not there any more: then the run's others are shown again, rather than left out.
    const seen = place.runId === row.runId ? open.findIndex((d) => d.decisionId === place.after) + 1 : 0;
    for (const [i, d] of open.entries()) {
      if (i < seen) continue;
      if (found.length >= limit) {
        const within = { ...(from === undefined ? {} : { from }), runId: row.runId };
        return { decisions: found, cursor: next(i === 0 ? within : { ...within, after: open[i - 1]!.decisionId }) };
      }
      found.push({ ...toDecisionView(row, d), ...(posted.has(d.decisionId) ? { answered: true } : {}) });
    }
    from = encodeCursor(row);
  }
  return page.cursor === undefined || from === undefined ? { decisions: found } : { decisions: found, cursor: next({ from }) };
}
const noAnswers: ReadonlySet<string> = new Set();

function checkPlace(place: unknown): DecisionPlace {
  const isPlace = typeof place === "object" && place !== null && Object.values(place).every((x) => typeof x === "string");
  if (!isPlace) throw invalidCursor();
  return place as DecisionPlace;
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
    ...(d.kind === "failure" || d.code === verifierSaid ? { quotes: d.reason } : {}),
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
    ...(d.question === undefined ? {} : { question: questionView(d.question) }),
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
  if (d.kind === "question")
    return [{ answer: "answer", consequence: "the run continues with your answer, if its schema accepts the value (pawl answer)" }];
  if (d.kind === "failure")
    return [
      ...retryOfHeld(d),
      { answer: "complete", consequence: "the step completes with the result you give, and is not sent again" },
      { answer: "resolve", consequence: "the step counts as completed without a result, and is not sent again" },
      {
        answer: "skip",
        consequence:
          "the step is skipped: the run's code gets that as its error; in a DAG, each node that needs it is skipped or runs, as its trigger says",
      },
      {
        answer: "fail",
        consequence:
          "the step fails: the run's code gets its error; in a DAG, the nodes that need it are blocked, and the run fails when the others have ended",
      },
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

/** I6: what may be sent only once is sent again only if a person says that it did not happen. */
function retryOfHeld(d: OpenDecision): LegalAnswer[] {
  if (d.effect?.class !== "AT-MOST-ONCE") return [{ answer: "retry", consequence: "the step is sent again as a new attempt" }];
  const consequence = "the step is sent again as a new attempt; it may be sent only once, so this must be known for certain";
  return [{ answer: "did-not-happen", consequence, from: toTimeText(d.settledAt ?? d.since) }];
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
    {
      answer: "did-not-happen",
      consequence: `the step is sent again as a new attempt; ${unless}, or its node of a graph has ended, nothing is sent`,
    },
    {
      answer: "fail",
      consequence: `the step fails as INDETERMINATE, and the run's code continues from there, or, ${unless}, it ends; nothing is sent`,
    },
  ];
}
