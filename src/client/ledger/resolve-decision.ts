// The way to answer a decision. An answer is a row in the run's inbox, durable once accepted, which the run's owner turns into
// events (K8, K27). The first answer counts: it has a place of its own in the inbox that no second one can take, however many race.
// The same answer again is a replay; another one is refused, and the error says who answered what, and when. What is not legal is refused
// before anything is posted; the owner looks again.
import { inputDigest } from "../../codec/canonical.ts";
import { encode } from "../../codec/value.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import { openDecisions, type OpenDecision } from "../../events/open-decisions.ts";
import { toTimeText } from "../../events/envelope.ts";
import { jsonObject, pawlEvents, jsonValue, readPayload, type AnswerPayload } from "../../events/payload.ts";
import type { AcceptedRecord, EventRecord, RunRow } from "../../store/port.ts";
import { checkSaid, findRunOfDecision, speakerOf } from "./answering.ts";
import { legalAnswers } from "./decisions.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { statedBy } from "../stated-by.ts";
import type { Abortable, DecisionAnswer, LegalAnswer, Resolved } from "../types.ts";
import type { StoreWatcher } from "../store-watcher.ts";

/** How long `resolve` waits for an owner to take the answer, by default. */
const ownerWaitMs = 5_000;

type Posted = { readonly record: AcceptedRecord; readonly replayed: boolean };
type Post = (id: string, name: string, messageId: string, payload: string) => Promise<Posted>;
interface AnswerAttempt {
  readonly c: LocalClientDeps;
  readonly watcher: StoreWatcher;
  readonly row: RunRow;
  readonly decisionId: string;
  readonly mine: AnswerPayload;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}
/** An answer that was given: in the log, or in the inbox until an owner takes it. */
interface EarlierAnswer {
  readonly answer: AnswerPayload;
  readonly at: number;
}
interface Reply {
  readonly ok: boolean;
  readonly state?: "applied" | "proposed";
  readonly problem?: string;
}

export async function resolveDecision(
  c: LocalClientDeps,
  watcher: StoreWatcher,
  post: Post,
  id: string,
  answer: DecisionAnswer,
  o: { readonly requestId?: string; readonly timeoutMs?: number } & Abortable = {},
): Promise<Resolved> {
  const [by, reason, said] = [
    checkSaid(statedBy(c.by, answer.by, "/answer/by"), "by"),
    checkSaid(answer.reason, "reason"),
    answerKind(answer),
  ];
  const given = "result" in answer && said !== "did-not-happen" ? answer.result : undefined;
  const result = given === undefined ? undefined : encode(given, c.limits, "result");
  const row = await findRunOfDecision(c, id);
  const events = await readEvents(c.store, row.runId);
  const mine: AnswerPayload = {
    decisionId: id,
    answer: said,
    by,
    reason,
    ...(result === undefined ? {} : { result: JSON.parse(result) as unknown }),
  };
  const a: AnswerAttempt = { c, watcher, row, decisionId: id, mine, timeoutMs: o.timeoutMs ?? ownerWaitMs, signal: o.signal };
  const decision = openDecisions(row.runId, events).find((d) => d.decisionId === id);
  if (decision === undefined) return outcomeInLog(a, events);
  const legal = legalAnswers(decision).map((l) => l.answer);
  if (!legal.includes(said))
    throw new PawlError("PAWL4011", `${said} is not an answer to ${id} (${decision.kind}), which takes ${legal.join(", ")}`);
  await assertNotTooEarly(c, decision, said);
  const payload = jsonObject({
    decisionId: jsonValue(id),
    answer: jsonValue(said),
    by: jsonValue(by),
    reason: jsonValue(reason),
    result,
    ...speakerOf(c),
  });
  try {
    if (decision.kind === "diverged" || decision.kind === "given-up") return await answerRunDecision(a, post, payload);
    return await answerOnce(a, (n) => post(row.runId, "resolve", o.requestId ?? `answer/${id}/${n}`, payload), o.requestId !== undefined);
  } catch (e) {
    if (!isPawlError(e, "PAWL4003")) throw e; // it ended meanwhile, perhaps by an answer to this very question
    return outcomeInLog(a, await readEvents(c.store, row.runId), e);
  }
}

async function assertNotTooEarly(c: LocalClientDeps, d: OpenDecision, said: string): Promise<void> {
  if (said !== "did-not-happen" || d.settledAt === undefined || (await c.store.info()).nowMs >= d.settledAt) return;
  throw new PawlError("PAWL4010", `the last dispatch may still arrive: ask again after ${toTimeText(d.settledAt)}`, {
    data: { decisionId: d.decisionId, from: toTimeText(d.settledAt) },
  });
}

/** A run as a whole continues, or ends: any engine may do that, with or without the code (K5). */
async function answerRunDecision(a: AnswerAttempt, post: Post, payload: string): Promise<Resolved> {
  const { c, row, decisionId, mine } = a;
  const waiting = (await c.store.inbox({ runId: row.runId })).find(
    (r) => r.kind === "control" && readPayload<AnswerPayload>(r.payload).decisionId === decisionId,
  );
  if (waiting !== undefined) {
    assertSameAnswer(a, { answer: readPayload<AnswerPayload>(waiting.payload), at: waiting.acceptedAt });
    return { state: "posted", replayed: true };
  }
  return waitUntilTaken(a, await post(row.runId, mine.answer === "retry" ? "resume" : "terminate", c.platform.uuidV4(), payload));
}

/** The first free place: one that holds an answer which was refused, or that waits for a second person, is passed over. */
async function answerOnce(a: AnswerAttempt, post: (n: number) => Promise<Posted>, once: boolean): Promise<Resolved> {
  for (let n = 1; ; n++) {
    const posted = await post(n);
    if (!posted.replayed) return waitUntilTaken(a, posted);
    const { runId, inboxId, acceptedAt } = posted.record;
    const row = (await a.c.store.inbox({ runId, all: true })).find((r) => r.inboxId === inboxId);
    const reply = row?.reply ?? posted.record.reply;
    const said = reply === null ? null : (JSON.parse(reply) as Reply);
    if (!once && said !== null && (!said.ok || said.state === "proposed")) continue;
    const first = row === undefined || row.payload === null ? undefined : readPayload<AnswerPayload>(row.payload);
    if (first !== undefined) assertSameAnswer(a, { answer: first, at: acceptedAt });
    // Another person says the same, and nobody has looked at the first: it may be the second word that two people need.
    if (!once && said === null && first?.by !== a.mine.by) continue;
    return { ...(await waitUntilTaken(a, posted)), replayed: true };
  }
}

/** The owner's word on it; "posted" when nobody has taken it yet. */
async function waitUntilTaken(a: AnswerAttempt, { record }: Posted): Promise<Resolved> {
  const { c, watcher, timeoutMs, decisionId } = a;
  const { runId, inboxId } = record;
  let reply: string | null = record.reply;
  try {
    const isTaken = async (): Promise<boolean> => {
      reply ??= (await c.store.inbox({ runId, all: true })).find((r) => r.inboxId === inboxId)?.reply ?? null;
      return reply !== null;
    };
    await watcher.until(runId, timeoutMs, isTaken, a.signal);
  } catch (e) {
    if (!isPawlError(e, "PAWL4006")) throw e;
    return { state: "posted" };
  }
  const said = JSON.parse(reply ?? "{}") as Reply;
  if (said.ok) return { state: said.state ?? "applied" };
  const refused = new PawlError("PAWL4010", said.problem ?? "the answer was refused", { data: { decisionId } });
  return outcomeInLog(a, await readEvents(c.store, runId), refused);
}

/** What is not open any more: a replay of the answer that counts, or refused with who gave it. `otherwise`: nobody answered it. */
function outcomeInLog(a: AnswerAttempt, events: readonly EventRecord[], otherwise?: PawlError): Resolved {
  const { decisionId } = a;
  for (const e of events) {
    if (e.eventType !== pawlEvents.decisionAnswered) continue;
    const answer = readPayload<AnswerPayload>(e.payload);
    if (answer.decisionId !== decisionId) continue;
    assertSameAnswer(a, { answer, at: e.persistedAt });
    return { state: "applied", replayed: true };
  }
  throw otherwise ?? new PawlError("PAWL4010", `nothing waits for ${decisionId} any more: the run has continued`, { data: { decisionId } });
}

/** Refuses an answer that is not the one which was given. */
function assertSameAnswer({ decisionId, mine }: AnswerAttempt, { answer: first, at }: EarlierAnswer): void {
  if (first.answer === mine.answer && resultDigest(first.result) === resultDigest(mine.result)) return;
  const [by, what, when] = [first.by ?? "somebody", first.answer ?? "", toTimeText(at)];
  throw new PawlError(
    "PAWL4070",
    `${by} answered ${what} to ${decisionId} at ${when}: ${mine.answer === first.answer ? "another result" : (mine.answer ?? "")} changes nothing`,
    {
      data: { decisionId, by, answer: what, at: when, reason: first.reason ?? "" },
    },
  );
}

/** The same for equal values, however their members are ordered. */
function resultDigest(result: unknown): string | undefined {
  return result === undefined ? undefined : inputDigest(JSON.stringify(result));
}

const otherAnswers = ["fail", "retry", "accept", "approve", "refuse", "complete", "resolve", "skip"] as const;

function answerKind(a: DecisionAnswer): LegalAnswer["answer"] {
  const o = a as Readonly<Partial<Record<"happened" | (typeof otherAnswers)[number], unknown>>>;
  const given: LegalAnswer["answer"][] = otherAnswers.filter((word) => o[word] === true);
  if (o.happened === true) given.push("happened");
  if (o.happened === false) given.push("did-not-happen");
  const [only, more] = given;
  if (only === undefined || more !== undefined)
    throw new PawlError(
      "PAWL4011",
      `an answer is one of happened: true, happened: false, ${otherAnswers.map((word) => `${word}: true`).join(", ")}`,
    );
  return only;
}
