// Screen 3: what waits for a person. Each question with its evidence, the answers that are legal now and what each does, and who has answered already. It works with
// the keyboard alone and on a phone. An answer needs a reason, and is recorded with the caller's name.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useLoad } from "../../data/load.ts";
import { route } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { Command } from "../../parts/copy.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Question } from "./question.tsx";

const everyMs = 5_000;
const pageSize = 50;

export function Decisions(): JSX.Element {
  const only = route.value.query.get("run");
  const of = only === null ? {} : { run: only };
  const { value, error, reload } = useLoad(
    `decisions ${only ?? ""}`,
    (signal) => call("decisions.list", { limit: pageSize, ...of }, { signal }),
    everyMs,
  );
  const [answered, setAnswered] = useState<ReadonlyMap<string, string>>(new Map());
  if (value === undefined) return error === undefined ? <Loading what="decisions" /> : <Problem error={error} again={reload} />;
  const shown = value.items;
  return (
    <section class="decisions">
      <h1>Decisions</h1>
      {error === undefined ? null : <Problem error={error} />}
      {[...answered].map(([id, text]) => (
        <p key={id} class="done" role="status">
          {text}
        </p>
      ))}
      {shown.length === 0 ? (
        <NothingToDecide />
      ) : (
        shown.map((d) => (
          <Question
            key={d.decisionId}
            decision={d}
            onAnswered={(text) => {
              setAnswered(new Map([...answered, [d.decisionId, text]]));
              reload();
            }}
          />
        ))
      )}
      {value.nextCursor === undefined ? null : <p class="quiet">There are more; these {pageSize} come first.</p>}
    </section>
  );
}

function NothingToDecide(): JSX.Element {
  return (
    <Empty title="Nothing waits for a person">
      <p>
        A question appears here when a step must be approved, or when nobody but a person can know whether an effect happened: a payment
        whose answer was lost, for example. Pawl never sends such an effect again by itself.
      </p>
      <p class="quiet">The same list in a terminal:</p>
      <Command text="pawl decisions" />
    </Empty>
  );
}
