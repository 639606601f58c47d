// The open questions of a run and of the runs that it called, read from their logs.
// It answers nothing, and must never show a run of another tenant.
import type { OpenQuestion, QuestionView } from "../../api/types/questions.ts";
import { inputDigest } from "../../codec/canonical.ts";
import { revive } from "../../codec/value.ts";
import { isSettled } from "../../core/model.ts";
import { toTimeText } from "../../events/envelope.ts";
import type { OpenDecision } from "../../events/open-decisions.ts";
import type { AskedQuestion } from "../../events/open-questions.ts";
import type { RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import type { LogFolds } from "../lists/log-folds.ts";

/** No more runs are looked at: a person reads these. */
const runsMax = 1_000;
const pageRuns = 100;

export async function listQuestions(c: LocalClientDeps, folds: LogFolds, first: RunRow): Promise<readonly OpenQuestion[]> {
  const found: OpenQuestion[] = [];
  const rows = [first];
  for (let i = 0; i < rows.length && i < runsMax; i++) {
    const row = rows[i]!;
    if (isSettled(row.status)) continue;
    if (row.waiting === "decision") found.push(...questionsOf(row, await folds.decisions(row)));
    let cursor: string | undefined;
    do {
      const page = await c.store.runs({
        scope: c.scope,
        parentRunId: row.runId,
        limit: pageRuns,
        ...(cursor === undefined ? {} : { cursor }),
      });
      rows.push(...page.runs);
      cursor = page.cursor;
    } while (cursor !== undefined && rows.length < runsMax);
  }
  return found;
}

function questionsOf(row: RunRow, open: readonly OpenDecision[]): OpenQuestion[] {
  return open.flatMap((d): OpenQuestion[] => {
    const said = d.question === undefined ? approvalView(d) : questionView(d.question);
    if (said === undefined) return [];
    const { runId, workflowId, workflow } = row;
    const kind = d.question === undefined ? "approval" : kindOf(d.question);
    return [{ ...said, questionId: d.decisionId, runId, workflowId, workflow, kind, text: d.reason, askedAt: toTimeText(d.since) }];
  });
}

/** Who asked: the run's code, or its graph between two supersteps. */
export function kindOf({ interrupt }: Pick<AskedQuestion, "interrupt">): "question" | "interrupt" {
  return interrupt === true ? "interrupt" : "question";
}

export function questionView(q: AskedQuestion): QuestionView {
  const { stepId, name, data, from, notBy, votes, answered, schema, expiresAt } = q;
  return {
    stepId,
    name,
    ...(data === undefined ? {} : { data: revive(data) }),
    ...(from === undefined ? {} : { from }),
    ...(notBy === undefined ? {} : { notBy }),
    ...(votes === undefined ? {} : { votes, answered }),
    ...(schema === undefined ? {} : { schema }),
    ...(expiresAt === undefined ? {} : { expiresAt: toTimeText(expiresAt) }),
  };
}

/** A step that needs approval is a question, too: yes or no. */
function approvalView({ kind, effect }: OpenDecision): QuestionView | undefined {
  if (kind !== "approval" || effect === undefined) return undefined;
  const input = effect.awaitingApproval?.input;
  return {
    stepId: effect.stepId,
    name: effect.name,
    schema: { type: "boolean" },
    ...(input === undefined ? {} : { data: { input: revive(input), argsDigest: inputDigest(JSON.stringify(input)) } }),
  };
}
