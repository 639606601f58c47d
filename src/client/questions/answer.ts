// The way to answer a question of a run's code. An answer is a row in the run's inbox under an id that joins question and submission: the same
// submission is accepted once, and gets the same reply however often it is sent. The first answer that fits counts; every other one is refused
// with who answered. What the value may be, only the owner decides, by the code's schema.
import type { AnswerOptions, Answered } from "../../api/types/questions.ts";
import { inputDigest } from "../../codec/canonical.ts";
import { encode } from "../../codec/value.ts";
import { checkOptions } from "../../core/guarantee.ts";
import { answerRefusal } from "../../core/question.ts";
import { checkId } from "../../core/names.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import type { Code } from "../../errors/catalogue.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import { toTimeText } from "../../events/envelope.ts";
import { openDecisions } from "../../events/open-decisions.ts";
import { jsonObject, jsonValue, pawlEvents, readPayload, type AnswerPayload } from "../../events/payload.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { EventRecord } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { checkSaid, findRunOfDecision, speakerOf } from "../ledger/answering.ts";
import type { PostedMessage } from "../messages/post-message.ts";
import { statedBy } from "../stated-by.ts";
import type { StoreWatcher } from "../store-watcher.ts";
import type { DecisionAnswer, Resolved } from "../types.ts";

/** How long `answer` waits for an owner to take it, by default. */
const ownerWaitMs = 5_000;

interface Answering {
  readonly c: LocalClientDeps;
  readonly watcher: StoreWatcher;
  readonly post: (runId: string, messageId: string, payload: string) => Promise<PostedMessage>;
  /** An approval is answered as any decision is. */
  readonly resolve: (
    id: string,
    answer: DecisionAnswer,
    o: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ) => Promise<Resolved>;
}
interface Reply {
  readonly ok: boolean;
  readonly state?: "applied" | "proposed";
  readonly code?: Code;
  readonly problem?: string;
}

const answerOptions: ReadonlySet<string> = new Set([
  "by",
  "submissionId",
  "reason",
  "timeoutMs",
  "signal",
] satisfies (keyof AnswerOptions)[]);

export async function answerQuestion(a: Answering, questionId: string, value: unknown, o: AnswerOptions = {}): Promise<Answered> {
  checkOptions(o, answerOptions, "answer");
  const { c } = a;
  const by = checkSaid(statedBy(c.by, o.by, "/by"), "by");
  const reason = o.reason === undefined ? undefined : checkSaid(o.reason, "reason");
  const given = value === undefined ? undefined : encode(value, c.limits, "value");
  const submissionId =
    o.submissionId === undefined ? `sha256-${sha256Hex(`${by}\n${given ?? ""}`)}` : checkId(o.submissionId, "the submission's id");
  const { runId } = await findRunOfDecision(c, questionId);
  const events = await readEvents(c.store, runId);
  const open = openDecisions(runId, events).find((d) => d.decisionId === questionId);
  if (open?.kind === "approval") return answerApproval(a, questionId, value, by, reason, o);
  if (open !== undefined && open.question === undefined)
    throw new PawlError("PAWL4011", `${questionId} (${open.kind}) is not a question: answer it with resolve (pawl resolve)`);
  const mine = { questionId, submissionId };
  if (open?.question === undefined) return outcomeOf(mine, events);
  const known = a.c.store;
  const refused = answerRefusal(open.question, by, []);
  if (refused !== undefined) throw new PawlError("PAWL4081", refused, { data: { questionId } });
  const payload = jsonObject({
    decisionId: jsonValue(questionId),
    answer: jsonValue("answer"),
    by: jsonValue(by),
    reason: jsonValue(reason),
    submissionId: jsonValue(submissionId),
    result: given,
    ...speakerOf(c),
  });
  try {
    const place = `answer/${questionId}/${sha256Hex(submissionId)}`;
    for (let n = 1; ; n++) {
      const posted = await a.post(runId, n === 1 ? place : `${place}/${n}`, payload);
      if (posted.replayed) {
        const row = (await known.inbox({ runId, all: true })).find((r) => r.inboxId === posted.record.inboxId);
        assertSameValue(mine, row?.payload ?? null, given);
        if (wasUntimely(row?.reply ?? posted.record.reply)) continue;
      }
      return { ...(await takenAs(a, posted, mine, o)), replayed: posted.replayed };
    }
  } catch (e) {
    if (!isPawlError(e, "PAWL4003")) throw e; // the run ended meanwhile, perhaps with this answer
    return outcomeOf(mine, await readEvents(c.store, runId), e);
  }
}

/** Refused for what the run was at that time, such as paused, and not for who answers or what: the question is open, so it may be asked again. */
function wasUntimely(reply: string | null): boolean {
  if (reply === null) return false;
  const { ok, code } = JSON.parse(reply) as Reply;
  return !ok && code === undefined;
}

/** The owner's word on it. */
async function takenAs(
  a: Answering,
  { record, replayed }: PostedMessage,
  mine: { readonly questionId: string; readonly submissionId: string },
  o: AnswerOptions,
): Promise<Answered> {
  const { runId, inboxId } = record;
  let reply = record.reply;
  try {
    const isTaken = async (): Promise<boolean> => {
      reply ??= (await a.c.store.inbox({ runId, all: true })).find((r) => r.inboxId === inboxId)?.reply ?? null;
      return reply !== null;
    };
    await a.watcher.until(runId, o.timeoutMs ?? ownerWaitMs, isTaken, o.signal);
  } catch (e) {
    if (!isPawlError(e, "PAWL4006")) throw e;
    return { state: "posted", replayed };
  }
  const said = JSON.parse(reply ?? "{}") as Reply;
  if (said.ok) return { state: said.state ?? "applied", replayed };
  const refused = new PawlError(said.code ?? "PAWL4010", said.problem ?? "the answer was refused", {
    data: { questionId: mine.questionId },
  });
  if (said.code !== undefined) throw refused;
  return outcomeOf(mine, await readEvents(a.c.store, runId), refused);
}

/** A question that is not open: the same submission is a replay, another one is refused with who answered. `otherwise`: nobody did. */
function outcomeOf(
  { questionId, submissionId }: { readonly questionId: string; readonly submissionId: string },
  events: readonly EventRecord[],
  otherwise?: PawlError,
): Answered {
  for (const e of events) {
    if (e.eventType !== pawlEvents.decisionAnswered && e.eventType !== pawlEvents.decisionProposed) continue;
    const p = readPayload<AnswerPayload>(e.payload);
    if (p.decisionId !== questionId) continue;
    if (p.submissionId === submissionId) return { state: "applied", replayed: true };
    if (e.eventType === pawlEvents.decisionProposed) continue;
    const [by, at] = [p.by ?? "somebody", toTimeText(e.persistedAt)];
    throw new PawlError("PAWL4070", `${by} answered ${questionId} at ${at}: another answer changes nothing`, {
      data: { questionId, by, at },
    });
  }
  const why = `nobody waits for an answer to ${questionId} any more: its time was over, or the run has ended`;
  throw otherwise ?? new PawlError("PAWL4010", why, { data: { questionId } });
}

/** A submission is one answer: it cannot be used for another. */
function assertSameValue(
  mine: { readonly questionId: string; readonly submissionId: string },
  stored: string | null,
  given: string | undefined,
): void {
  if (stored === null) return;
  const { result, by = "somebody" } = readPayload<AnswerPayload>(stored);
  const same =
    result === undefined ? given === undefined : given !== undefined && inputDigest(JSON.stringify(result)) === inputDigest(given);
  if (same) return;
  throw new PawlError(
    "PAWL4070",
    `submission ${mine.submissionId} of ${by} had another value: a new answer needs a submission of its own`,
    {
      data: mine,
    },
  );
}

async function answerApproval(
  a: Answering,
  id: string,
  value: unknown,
  by: string,
  reason: string | undefined,
  o: AnswerOptions,
): Promise<Answered> {
  if (typeof value !== "boolean") throw new PawlError("PAWL1008", `${id} is a step that waits for approval: the answer is true or false`);
  const who = { by, reason: reason ?? (value ? "approved" : "refused") };
  const wait = {
    ...(o.timeoutMs === undefined ? {} : { timeoutMs: o.timeoutMs }),
    ...(o.signal === undefined ? {} : { signal: o.signal }),
  };
  const { state, replayed = false } = await a.resolve(id, value ? { ...who, approve: true } : { ...who, refuse: true }, wait);
  return { state, replayed };
}
