// What a run asks a person now, on its own page: the same questions as in the inbox, answered in place. Nothing is shown for a run that asks nothing.
// A run that waits for its agent's tool to be approved shows it here, beside the conversation.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ExplainedRun } from "../../../src/api/types/operate.ts";
import { useGrowing } from "../../data/load.ts";
import { call } from "../../data/server.ts";
import { Problem } from "../../parts/problem.tsx";
import { Question } from "../decisions/question.tsx";

const shownMax = 20;

export function RunQuestions({ run, reload }: { readonly run: ExplainedRun; readonly reload: () => void }): JSX.Element | null {
  const { runId, waiting, headSeq } = run;
  const asks = waiting === "decision";
  const [said, say] = useState("");
  const { value, error } = useGrowing(`questions ${runId} ${String(asks)}`, headSeq, async (signal) =>
    asks ? call("decisions.list", { run: runId, limit: shownMax }, { signal }) : { items: [] },
  );
  const again = (text: string): void => {
    say(text);
    reload();
  };
  return (
    <>
      {said === "" ? null : (
        <p class="done" role="status">
          {said}
        </p>
      )}
      {error === undefined ? null : <Problem error={error} />}
      {value?.items.map((d) => (
        <Question key={d.decisionId} decision={d} onAnswered={again} />
      ))}
    </>
  );
}
