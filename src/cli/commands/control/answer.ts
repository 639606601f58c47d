// `pawl answer`: answers a question of a run, with who answers. It is durable once it is accepted, whether an engine is alive or not; the value is
// checked by the run's own code when an engine takes it.
import type { OpenQuestion } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { parseDecisionId } from "../../../events/open-decisions.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, ParamOption, StoreOptions, TimeoutOption, WhoOptions } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { printJson, printNote } from "../../output/print.ts";
import { parseDurationMs, readValueOption } from "../../parse-values.ts";
import { withoutControlChars } from "../../output/format.ts";
import { hasLiveEngine } from "../../../client/served.ts";
import { withSession, type CliSession } from "../../session.ts";
import { readBy } from "../../who.ts";

export interface AnswerCommandOptions extends WhoOptions, ParamOption, TimeoutOption, JsonOption, StoreOptions {
  readonly value?: string;
  readonly submission?: string;
}

export async function answerCommand(args: readonly string[], o: AnswerCommandOptions): Promise<number> {
  const by = readBy(o, "an answer");
  const value = await readValueOption(o, "value");
  if (value === undefined) throw new PawlError("PAWL4011", "an answer needs --value, or -P");
  const asked = parseDurationMs(o.timeout, "--timeout");
  const who = { ...by, ...(o.reason === undefined ? {} : { reason: o.reason }) };
  return withSession(o, async (s) => {
    const question = await findQuestion(s, args[0] ?? "");
    const questionId = typeof question === "string" ? question : question.questionId;
    const served = typeof question === "string" || (await hasLiveEngine(s.client, question.workflow));
    const { state, replayed } = await s.client.answer(questionId, value, {
      ...who,
      ...(o.submission === undefined ? {} : { submissionId: o.submission }),
      timeoutMs: asked ?? (served ? 10_000 : 0),
    });
    if (o.json === true) printJson({ questionId, state, replayed });
    else writeOut(`${questionId}: ${words[state]}${replayed ? " (this was the answer already)" : ""}\n`);
    if (state === "posted" && typeof question !== "string")
      printNote(
        served ? "an engine will take it in a moment" : `queued: no engine that serves ${withoutControlChars(question.workflow)} is alive`,
      );
    return exitCodes.ok;
  });
}
const words = {
  applied: "answered; the run continues with it",
  proposed: "counted; more people must answer",
  posted: "kept; it is checked, and counts, when an engine takes it",
} as const;

/** By its id; or by the run, if that asks one question alone. */
async function findQuestion(s: CliSession, id: string): Promise<OpenQuestion | string> {
  if (parseDecisionId(id) !== undefined) {
    const of = await s.client.questions(parseDecisionId(id)!.runId).catch(() => []);
    return of.find((q) => q.questionId === id) ?? id;
  }
  const [only, ...more] = await s.client.questions(id);
  if (more.length > 0) throw new PawlError("PAWL4011", `${id} asks ${more.length + 1} questions: name one of them (pawl decisions)`);
  if (only === undefined) throw new PawlError("PAWL4072", `${id} asks no question`, { data: { id } });
  return only;
}
