// The inbox of everything that waits for a person, and the way to answer it. A decision is read from its run's log; an
// answer is a row in the run's inbox, durable once accepted, which the run's owner turns into events (K8, K27). Whatever can
// be refused is refused before anything is posted; the owner looks again.
import { inputDigest } from "../codec/canonical.ts";
import { encode, revive } from "../codec/value.ts";
import { isWellFormedText, nameBytesMax, utf8Length } from "../core/names.ts";
import { readEvents } from "../engine/load.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import { openDecisions, parseDecisionId, type OpenDecision } from "../log/decisions.ts";
import type { EffectStory } from "../log/effect-story.ts";
import { timeText } from "../log/envelope.ts";
import { jsonObject, quote, readPayload } from "../log/payload.ts";
import type { AcceptedRecord, RunRow } from "../store/port.ts";
import type { LocalContext } from "./local.ts";
import type { DecisionAnswer, DecisionView, LegalAnswer, Resolved } from "./types.ts";
import type { Watcher } from "./watcher.ts";

const pageRuns = 100;
/** How long `resolve` waits for an owner to take the answer, unless told otherwise. */
const ownerMs = 5_000;

export async function listDecisions(c: LocalContext, o: { readonly limit?: number } = {}): Promise<readonly DecisionView[]> {
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
        found.push({ ...decisionView(row, d), ...(posted.has(d.decisionId) ? { answered: true } : {}) });
      if (found.length >= limit) return found.slice(0, limit);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

/** The decisions of a run that somebody has answered, and no owner has taken. */
async function postedAnswers(c: LocalContext, runId: string): Promise<ReadonlySet<string>> {
  const rows = (await c.store.inbox({ runId })).filter((r) => r.kind === "control");
  return new Set(rows.flatMap((r) => readPayload<{ decisionId?: string }>(r.payload).decisionId ?? []));
}

function decisionView(row: RunRow, d: OpenDecision): DecisionView {
  const e = d.effect;
  return {
    decisionId: d.decisionId,
    kind: d.kind,
    runId: row.runId,
    workflowId: row.workflowId,
    workflow: row.workflow,
    since: timeText(d.since),
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
            firstSentAt: timeText(e.firstAt),
            lastSentAt: timeText(e.lastAt),
          },
        }),
    ...(e === undefined || d.kind !== "approval" ? {} : { approval: approvalView(e) }),
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

function approvalView({ stepId, name, class: cls, key, receiver, unsent }: EffectStory): NonNullable<DecisionView["approval"]> {
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

function legalAnswers(d: OpenDecision): LegalAnswer[] {
  if (d.kind === "confirmation")
    return [
      { answer: "accept", consequence: "the run goes on from the recorded results, and these steps are not confirmed again" },
      { answer: "retry", consequence: "the verifiers are asked again, and the run goes on if they confirm" },
      { answer: "fail", consequence: "the run fails as UNCONFIRMED, after its compensations" },
    ];
  if (d.kind === "approval")
    return [
      { answer: "approve", consequence: "the step is sent, as its first attempt; nobody is asked again" },
      { answer: "refuse", consequence: "the step fails as NOT_APPROVED, and the run's code goes on from there; nothing is sent" },
    ];
  if (d.effect === undefined)
    return [
      {
        answer: "retry",
        consequence: d.kind === "diverged" ? "the run is resumed: its code is run over the log again" : "engines may try the run again",
      },
      { answer: "fail", consequence: "the run is terminated: it ends as CANCELLED, and open effects are recorded as indeterminate" },
    ];
  return [
    { answer: "happened", consequence: "the step completes with the result you give, and the run goes on; nothing is sent" },
    {
      answer: "did-not-happen",
      consequence: "the step is sent again as a new attempt, unless the run is ending",
      from: timeText(d.settledAt ?? d.since),
    },
    { answer: "fail", consequence: "the step fails as INDETERMINATE, and the run's code goes on from there; nothing is sent" },
  ];
}

type Post = (id: string, name: string, messageId: string, payload: string) => Promise<{ record: AcceptedRecord }>;

export async function resolveDecision(
  c: LocalContext,
  watcher: Watcher,
  post: Post,
  id: string,
  answer: DecisionAnswer,
  o: { readonly requestId?: string; readonly timeoutMs?: number } = {},
): Promise<Resolved> {
  const [by, reason, said] = [said512(answer.by, "by"), said512(answer.reason, "reason"), answerOf(answer)];
  const { row, decision } = await find(c, id);
  if (!legalAnswers(decision).some((l) => l.answer === said))
    throw new PawlError("PAWL4011", `${said} is no answer to ${id} (${decision.kind})`);
  const requestId = o.requestId ?? c.platform.uuidV4();
  if (decision.kind === "diverged" || decision.kind === "given-up") {
    await post(
      row.runId,
      said === "retry" ? "resume" : "terminate",
      requestId,
      jsonObject({ decisionId: quote(id), by: quote(by), reason: quote(reason) }),
    );
    return { state: "posted" };
  }
  const { nowMs } = await c.store.info();
  if (said === "did-not-happen" && decision.settledAt !== undefined && nowMs < decision.settledAt)
    throw new PawlError("PAWL4010", `the last dispatch may still arrive: ask again after ${timeText(decision.settledAt)}`, {
      data: { decisionId: id, from: timeText(decision.settledAt) },
    });
  const result =
    "happened" in answer && answer.happened && answer.result !== undefined ? encode(answer.result, c.limits, "result") : undefined;
  const payload = jsonObject({ decisionId: quote(id), answer: quote(said), by: quote(by), reason: quote(reason), result });
  const ask = (): Promise<{ record: AcceptedRecord }> => post(row.runId, "resolve", requestId, payload);
  return taken(c, watcher, await ask(), o.timeoutMs ?? ownerMs, id);
}

/** The owner's word on it; "posted" when nobody has taken it yet. */
async function taken(
  c: LocalContext,
  watcher: Watcher,
  first: { record: AcceptedRecord },
  timeoutMs: number,
  id: string,
): Promise<Resolved> {
  const { runId, inboxId } = first.record;
  let reply: string | null = first.record.reply;
  try {
    await watcher.until(runId, timeoutMs, async () => {
      reply ??= (await c.store.inbox({ runId, all: true })).find((r) => r.inboxId === inboxId)?.reply ?? null;
      return reply !== null;
    });
  } catch (e) {
    if (!isPawlError(e, "PAWL4006")) throw e;
    return { state: "posted" };
  }
  const said = JSON.parse(reply ?? "{}") as { ok: boolean; state?: "applied" | "proposed"; problem?: string };
  if (said.ok) return { state: said.state ?? "applied" };
  throw new PawlError("PAWL4010", said.problem ?? "the answer was refused", { data: { decisionId: id } });
}

async function find(c: LocalContext, id: string): Promise<{ row: RunRow; decision: OpenDecision }> {
  const at = parseDecisionId(id);
  const row = at === undefined ? undefined : await c.store.run({ runId: at.runId });
  const s = row?.scope;
  const own = s?.tenantId === c.scope.tenantId && s.projectId === c.scope.projectId && s.environmentId === c.scope.environmentId;
  if (row === undefined || !own) throw new PawlError("PAWL4001", `there is no decision ${id}`, { data: { id } });
  const decision = openDecisions(row.runId, await readEvents(c.store, row.runId)).find((d) => d.decisionId === id);
  if (decision === undefined)
    throw new PawlError("PAWL4010", `nothing waits for ${id}: it was answered, or the run went on`, { data: { decisionId: id } });
  return { row, decision };
}

function said512(text: unknown, what: string): string {
  if (typeof text !== "string" || text.trim() === "" || !isWellFormedText(text) || utf8Length(text) > nameBytesMax)
    throw new PawlError("PAWL4011", `an answer needs ${what}: well-formed text of 1 to ${nameBytesMax} bytes`);
  return text;
}

const others = ["fail", "retry", "accept", "approve", "refuse"] as const;

function answerOf(a: DecisionAnswer): LegalAnswer["answer"] {
  const o = a as Readonly<Partial<Record<"happened" | (typeof others)[number], unknown>>>;
  const given: LegalAnswer["answer"][] = others.filter((word) => o[word] === true);
  if (o.happened === true) given.push("happened");
  if (o.happened === false) given.push("did-not-happen");
  const [only, more] = given;
  if (only === undefined || more !== undefined)
    throw new PawlError(
      "PAWL4011",
      `an answer is one of happened: true, happened: false, ${others.map((word) => `${word}: true`).join(", ")}`,
    );
  return only;
}
