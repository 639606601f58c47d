// The answer to a question: one of those that are legal now, each with what it does, a reason, and a button. A result may be given where the answer says that
// something happened. Nothing is sent before the button is pressed, and nothing is chosen beforehand.
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import type { AnswerInput } from "../../../src/api/operation-types.ts";
import type { DecisionView, LegalAnswer } from "../../../src/api/types/ledger.ts";
import { PawlError } from "../../../src/errors/error.ts";
import { nowMs } from "../../data/clock.ts";
import { problemOf } from "../../data/load.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Problem } from "../../parts/problem.tsx";
import { Plain } from "../../parts/text.tsx";
import { Ago } from "../../parts/time.tsx";

type AnswerWord = LegalAnswer["answer"];

const words: Readonly<Record<AnswerWord, string>> = {
  happened: "It happened",
  "did-not-happen": "It did not happen",
  fail: "Fail it",
  retry: "Try again",
  accept: "Accept what was recorded",
  approve: "Approve",
  refuse: "Refuse",
  complete: "Complete it with a result",
  resolve: "Settled, without a result",
  skip: "Skip it",
  answer: "Answer it",
};
const takesResult: ReadonlySet<AnswerWord> = new Set(["happened", "complete", "answer"]);
const states = {
  applied: "Recorded: the run continues with it.",
  proposed: "Proposed: another person must give the same answer.",
  posted: "Durable: an engine takes it next.",
} as const;
const waitSeconds = 5;

export function Answer({
  decision,
  onAnswered,
}: {
  readonly decision: DecisionView;
  readonly onAnswered: (text: string) => void;
}): JSX.Element {
  const id = useId();
  const [chosen, choose] = useState<AnswerWord | undefined>(undefined);
  const [reason, setReason] = useState("");
  const [result, setResult] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<PawlError | undefined>(undefined);
  if (!may("resolve")) return <p class="quiet">Answering needs a token with the scope resolve.</p>;
  // An answer to a question of the run's code speaks for itself; everything else is recorded with a reason.
  const ready = chosen === "answer" ? result.trim() !== "" : reason.trim() !== "";
  const submit = async (e: Event): Promise<void> => {
    e.preventDefault();
    if (chosen === undefined || !ready) return;
    setBusy(true);
    setError(undefined);
    try {
      const { state } = await send(decision.decisionId, chosen, reason.trim(), result.trim());
      onAnswered(`${decision.workflowId}: ${words[chosen].toLowerCase()}. ${states[state]}`);
    } catch (thrown) {
      setError(problemOf(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="answer" onSubmit={(e) => void submit(e)}>
      <fieldset>
        <legend>Your answer</legend>
        {decision.answers.map((a) => {
          const early = a.from !== undefined && Date.parse(a.from) > nowMs.value;
          return (
            <label key={a.answer} class="choice">
              <input
                type="radio"
                name={id}
                value={a.answer}
                disabled={early}
                checked={chosen === a.answer}
                onChange={() => choose(a.answer)}
              />
              <span>
                <strong>{words[a.answer]}</strong>
                <span class="quiet small">
                  <Plain text={a.consequence} max={400} />
                  {early ? (
                    <>
                      {" "}
                      Possible <Ago at={a.from ?? ""} />: what was sent may still arrive.
                    </>
                  ) : null}
                </span>
              </span>
            </label>
          );
        })}
      </fieldset>
      {chosen !== undefined && takesResult.has(chosen) ? (
        <label>
          {chosen === "answer" ? "Answer, as JSON" : "Result, as JSON (if there is one)"}
          <input type="text" spellcheck={false} value={result} onInput={(e) => setResult(e.currentTarget.value)} />
        </label>
      ) : null}
      <label>
        Reason{chosen === "answer" ? " (if there is one)" : ""}
        <textarea value={reason} maxLength={1_000} onInput={(e) => setReason(e.currentTarget.value)} placeholder="What did you look at?" />
      </label>
      {error === undefined ? null : <Problem error={error} />}
      <button type="submit" class="primary" disabled={busy || chosen === undefined || !ready}>
        {busy ? "Recording …" : chosen === undefined ? "Choose an answer" : `Record: ${words[chosen].toLowerCase()}`}
      </button>
    </form>
  );
}

async function send(id: string, word: AnswerWord, reason: string, result: string): Promise<{ readonly state: keyof typeof states }> {
  if (word === "answer")
    return call("questions.answer", { questionId: id, value: parse(result), wait: waitSeconds, ...(reason === "" ? {} : { reason }) });
  return call("decisions.resolve", { decisionId: id, answer: answerOf(word, reason, result), wait: waitSeconds });
}

function answerOf(word: AnswerWord, reason: string, result: string): AnswerInput {
  const given = takesResult.has(word) && result !== "" ? { result: parse(result) } : {};
  if (word === "happened" || word === "did-not-happen") return { reason, happened: word === "happened", ...given } as AnswerInput;
  return { reason, [word]: true, ...given } as unknown as AnswerInput;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (e) {
    throw new PawlError("PAWL4011", 'the result is not JSON; text needs quotes, such as "tr-77"', { cause: e });
  }
}
