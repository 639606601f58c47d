// The part of the client that answers for effects: what is recorded of them, what is in doubt and who decides, the proof, the evidence, and
// what caused them. Shapes only; what they mean is written in docs/effects.md and docs/evidence.md.
import type { RunUsage } from "../../events/usage.ts";
import type { DecisionAnswer, DecisionView, EffectFilter, EffectView, Resolved } from "../../api/types/ledger.ts";
import type { RunGuarantee } from "../../api/types/operate.ts";
import type { AnswerOptions, Answered, OpenQuestion } from "../../api/types/questions.ts";
import type { AskedBy, StepAct } from "../../api/types/queues.ts";
import type { Cause } from "../../events/causes.ts";
import type { Proof } from "../../events/proof.ts";
import type { EvidenceOptions } from "../../log/evidence.ts";
import type { Abortable, DecisionPage, PageOptions } from "../control/call-options.ts";

export interface LedgerVerbs {
  /**
   * An archive that proves the run offline (docs/evidence.md); `pawl verify` checks it.
   *
   * @example
   * await writeFile("order-17.zip", await client.evidence("order-17"));
   */
  evidence(id: string, o?: EvidenceOptions): Promise<Uint8Array>;
  /**
   * The ledger: recorded effects across runs, by key, class, status, name, receiver or run.
   *
   * @example
   * const { effects } = await client.effects({ status: "indeterminate" });
   */
  effects(q?: EffectFilter): Promise<{ readonly effects: readonly EffectView[]; readonly cursor?: string }>;
  /**
   * The weakest guarantee among the first 64 effects in the ledger of each of at most 100 runs, by runId. The ledger leaves out steps that may repeat,
   * and a run that has only such steps is left out here.
   *
   * @example
   * const { runs } = await client.list({ limit: 50 });
   * const [found] = await client.guarantees(runs.map((run) => run.runId));
   * if (found?.inDoubt) console.log("nobody knows whether an effect of it happened");
   */
  guarantees(runs: readonly string[]): Promise<readonly RunGuarantee[]>;
  /**
   * Everything that waits for a person, with the answers that are possible and what follows from each.
   *
   * @example
   * for (const d of await client.decisions()) console.log(d.decisionId, d.reason);
   */
  decisions(o?: { readonly limit?: number }): Promise<readonly DecisionView[]>;
  /**
   * The same, a page at a time, of all runs or of one. A page reads the logs of 100 runs at most: it may be empty and have a cursor.
   *
   * @example
   * const { decisions, cursor } = await client.decisionPage({ limit: 20 });
   */
  decisionPage(o?: PageOptions & { readonly run?: string }): Promise<DecisionPage>;
  /**
   * Answers a decision. It is durable once this returns; the run's owner records who answered, and why.
   *
   * @example
   * await client.resolve(id, { happened: false, by: "ann", reason: "the bank has no such charge" });
   */
  resolve(
    decisionId: string,
    answer: DecisionAnswer,
    o?: { readonly requestId?: string; readonly timeoutMs?: number } & Abortable,
  ): Promise<Resolved>;
  /**
   * The questions that a run, and the runs that it called, ask people: those of `ctx.ask`, and steps that need approval.
   *
   * @example
   * for (const q of await client.questions("order-17")) console.log(q.questionId, q.text);
   */
  questions(id: string): Promise<readonly OpenQuestion[]>;
  /**
   * Answers a question. The run's own schema checks the value (PAWL1008). The same submission again gets the same reply; another answer after the
   * first is refused (PAWL4070). A step that needs approval is answered with true or false.
   *
   * @example
   * const [question] = await client.questions("order-17");
   * await client.answer(question!.questionId, { cents: 500 }, { by: "ann", submissionId: "form-3" });
   */
  answer(questionId: string, value: unknown, o?: AnswerOptions): Promise<Answered>;
  /**
   * How often effects may have happened, and why that is known: of a run, or of every effect under a key.
   *
   * @example
   * const { sentence } = await client.proof("order-17");
   */
  proof(id: string): Promise<Proof>;
  /**
   * What the model calls of a run used: calls, tokens and cost, in all and by model. Of children, ask each.
   *
   * @example
   * const { modelCalls, inputTokens, outputTokens, cost } = await client.usage("ticket-17");
   */
  usage(id: string): Promise<RunUsage>;
  /**
   * Which recorded output of a model caused which effect: of a run, or of every effect under a key. Calls that no model asked for are left out.
   *
   * @example
   * for (const { effect, by, model } of await client.causes("refund:ch_7")) console.log(effect.stepId, by.eventId, model.id);
   */
  causes(id: string): Promise<readonly Cause[]>;
  /**
   * What a person does about a step that waits for one: another attempt, a result, settled without one, skipped, or failed. It is recorded with who
   * and why, and the run continues from it. A step on a queue is taken off it first; a worker that has it is asked to stop, and its result stands if it has one.
   *
   * @example
   * await client.act("order-17", "charge", { do: "retry" }, { by: "ann", reason: "the bank is back" });
   */
  act(
    id: string,
    step: string,
    act: StepAct,
    o: AskedBy & { readonly requestId?: string; readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<Resolved>;
}
