// `pawl resolve`: answers a decision, with who and why. The answer is durable once it is accepted, whether an engine is alive
// or not; what is not legal now is refused before anything is written.
import type { DecisionAnswer, DecisionView } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { parseDecisionId } from "../../../events/open-decisions.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { DryRunOption, JsonOption, ParamOption, StoreOptions, TimeoutOption, WhoOptions } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseDurationMs, readValueOption } from "../../parse-values.ts";
import { printNote, printJson } from "../../output/print.ts";
import { hasLiveEngine } from "../../../client/served.ts";
import { withSession, type CliSession } from "../../session.ts";
import { readWho } from "../../who.ts";

export interface ResolveOptions extends WhoOptions, ParamOption, DryRunOption, TimeoutOption, JsonOption, StoreOptions {
  readonly happened?: boolean;
  readonly result?: string;
  readonly didNotHappen?: boolean;
  readonly fail?: boolean;
  readonly retry?: boolean;
  readonly accept?: boolean;
  readonly approve?: boolean;
  readonly refuse?: boolean;
  readonly complete?: boolean;
  readonly settle?: boolean;
  readonly skip?: boolean;
}

export async function resolveCommand(args: readonly string[], o: ResolveOptions): Promise<number> {
  const answer = await parseAnswer(o);
  const timeoutMs = parseDurationMs(o.timeout, "--timeout");
  return withSession(o, async (s) => {
    const decision = await findDecision(s, args[0] ?? "");
    if (typeof decision === "string") return answerAgain(s, decision, answer, o);
    const id = decision.decisionId;
    const word = answerName(answer);
    const legal = decision.answers.find((a) => a.answer === word);
    if (legal === undefined)
      throw new PawlError("PAWL4011", `${id} (${decision.kind}) takes ${decision.answers.map((a) => a.answer).join(", ")}, not ${word}`);
    if (o.dryRun === true) {
      if (o.json === true) printJson({ decisionId: id, dryRun: true, ...legal });
      else writeOut(`${id}: ${legal.consequence}${legal.from === undefined ? "" : `; not before ${legal.from}`}\n`);
      return exitCodes.ok;
    }
    const served = await hasLiveEngine(s.client, decision.workflow);
    const { state, replayed } = await s.client.resolve(id, answer, { timeoutMs: timeoutMs ?? (served ? 10_000 : 0) });
    if (o.json === true) printJson({ decisionId: id, answer: word, state, ...(replayed === true ? { replayed } : {}) });
    else
      writeOut(
        `${id}: ${state === "applied" ? legal.consequence : state === "proposed" ? "proposed; another person must confirm it" : "kept; it counts when an engine takes it"}\n`,
      );
    if (word === "happened" && !("result" in answer)) printNote("no --result was given: the step completes with undefined");
    if (state === "posted")
      printNote(served ? "an engine will take it in a moment" : `queued: no engine that serves ${decision.workflow} is alive`);
    return exitCodes.ok;
  });
}

/** Nothing waits there any more: the answer that counts, if this is it; else refused with who gave that one. */
async function answerAgain(s: CliSession, id: string, answer: DecisionAnswer, o: ResolveOptions): Promise<number> {
  const { state, replayed } = await s.client.resolve(id, answer, { timeoutMs: 0 });
  if (o.json === true) printJson({ decisionId: id, answer: answerName(answer), state, ...(replayed === true ? { replayed } : {}) });
  else writeOut(`${id}: this was the answer already\n`);
  return exitCodes.ok;
}

/** By its id; or by the run that has no other. An id of a decision that does not wait is given back as it is. */
async function findDecision(s: CliSession, id: string): Promise<DecisionView | string> {
  const all = await s.client.decisions({ limit: 1_000 });
  const exact = all.find((d) => d.decisionId === id);
  if (exact !== undefined) return exact;
  const [only, ...more] = all.filter((d) => d.runId === id || d.workflowId === id);
  if (more.length > 0) throw new PawlError("PAWL4011", `${id} waits for ${more.length + 1} decisions: name one of them (pawl decisions)`);
  if (only === undefined && parseDecisionId(id) !== undefined) return id;
  if (only === undefined) throw new PawlError("PAWL4072", `there is no open decision ${id}`, { data: { id } });
  return only;
}

function answerName(a: DecisionAnswer): DecisionView["answers"][number]["answer"] {
  if ("retry" in a) return "retry";
  if ("accept" in a) return "accept";
  if ("fail" in a) return "fail";
  if ("approve" in a) return "approve";
  if ("refuse" in a) return "refuse";
  if ("complete" in a) return "complete";
  if ("resolve" in a) return "resolve";
  if ("skip" in a) return "skip";
  return a.happened ? "happened" : "did-not-happen";
}

async function parseAnswer(o: ResolveOptions): Promise<DecisionAnswer> {
  const who = readWho(o, "an answer");
  const given = [o.happened, o.didNotHappen, o.fail, o.retry, o.accept, o.approve, o.refuse, o.complete, o.settle, o.skip].filter(
    (x) => x === true,
  ).length;
  if (given !== 1)
    throw new PawlError(
      "PAWL4011",
      "give one of --happened, --did-not-happen, --fail, --retry, --accept, --approve, --refuse, --complete, --settle, --skip",
    );
  if (o.fail === true) return { ...who, fail: true };
  if (o.retry === true) return { ...who, retry: true };
  if (o.accept === true) return { ...who, accept: true };
  if (o.approve === true) return { ...who, approve: true };
  if (o.refuse === true) return { ...who, refuse: true };
  if (o.settle === true) return { ...who, resolve: true };
  if (o.skip === true) return { ...who, skip: true };
  if (o.didNotHappen === true) return { ...who, happened: false };
  const result = await readValueOption(o, "result");
  if (o.complete === true) return { ...who, complete: true, ...(result === undefined ? {} : { result }) };
  return { ...who, happened: true, ...(result === undefined ? {} : { result }) };
}
