// One question to a person, wherever it is shown: its evidence, what is known, who has answered already, and the answers that are legal now. The inbox lists them, and
// a run shows its own. It must never leave out what an answer would do.
import type { JSX } from "preact";
import type { DecisionView } from "../../../src/api/types/ledger.ts";
import { linkTo } from "../../data/route.ts";
import { Badge, Guarantee } from "../../parts/badges.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago, Moment } from "../../parts/time.tsx";
import { Value } from "../../parts/value.tsx";
import { Answer } from "./answer.tsx";
import "../../style/decisions.css";
import "../../style/value.css";

const kinds: Readonly<Record<DecisionView["kind"], string>> = {
  effect: "Did it happen?",
  compensation: "Was it undone?",
  diverged: "Code and log disagree",
  "given-up": "Engines gave it up",
  confirmation: "Is the record still true?",
  approval: "May it be sent?",
  failure: "It failed for good",
  question: "The run asks",
};

export function Question({
  decision: d,
  onAnswered,
}: {
  readonly decision: DecisionView;
  readonly onAnswered: (text: string) => void;
}): JSX.Element {
  const { step, approval } = d;
  return (
    <article class="card question" aria-label={`${kinds[d.kind]} ${d.workflowId.slice(0, 80)}`}>
      <header class="row">
        <h2>{kinds[d.kind]}</h2>
        <a href={linkTo(["runs", d.runId])}>
          <Plain text={d.workflowId} max={120} />
        </a>
        <span class="faint">
          <Plain text={d.workflow} max={60} />
        </span>
        <span class="faint small when">
          asked <Ago at={d.since} />
        </span>
      </header>
      <p class={d.kind === "approval" || d.kind === "question" ? "because as-written" : "because"}>
        <Plain text={d.reason} max={1_000} />
      </p>
      {step === undefined ? null : (
        <dl class="small">
          <dt>Step</dt>
          <dd>
            <a href={linkTo(["runs", d.runId], { step: step.stepId })}>
              <Plain text={step.name} max={80} />
            </a>{" "}
            <Guarantee of={step.class} />
          </dd>
          {step.key === undefined ? null : (
            <>
              <dt>Key</dt>
              <dd>
                <a href={linkTo(["effects"], { key: step.key })}>
                  <Id text={step.key} max={80} />
                </a>
              </dd>
            </>
          )}
          <dt>May have been sent</dt>
          <dd>
            {step.sends === 1 ? (
              <>
                once, <Moment at={step.lastSentAt} />
              </>
            ) : (
              <>
                up to {step.sends} times, first <Moment at={step.firstSentAt} />, last <Moment at={step.lastSentAt} />
              </>
            )}
          </dd>
        </dl>
      )}
      {approval === undefined ? null : (
        <>
          <dl class="small">
            <dt>Would send</dt>
            <dd>
              <Plain text={approval.name} max={80} /> <Guarantee of={approval.class} />
            </dd>
            {approval.receiver === undefined ? null : (
              <>
                <dt>To</dt>
                <dd>
                  <Plain text={approval.receiver} max={120} />
                </dd>
              </>
            )}
          </dl>
          {Object.hasOwn(approval, "input") ? <Value of={approval.input} /> : null}
        </>
      )}
      {d.question === undefined ? null : <Asked of={d.question} />}
      {(d.unconfirmed ?? []).map((u) => (
        <p key={u.stepId} class="small">
          <Plain text={`${u.verifier} about ${u.stepId}: ${u.reason}`} max={600} />
        </p>
      ))}
      <p class="small quiet evidence">
        Evidence:{" "}
        {d.evidence.map((seq) => (
          <a key={seq} class="num" href={linkTo(["runs", d.runId], { event: String(seq) })}>
            event {seq}
          </a>
        ))}
      </p>
      {d.proposed === undefined ? null : (
        <p class="proposed">
          <Badge tone="warn" text="second person" /> <Plain text={d.proposed.by} max={80} /> proposes “{d.proposed.answer}”:{" "}
          <Plain text={d.proposed.reason} max={400} />. It counts when another person gives the same answer.
        </p>
      )}
      {d.answered === true ? (
        <p class="quiet">An answer was posted; no engine has taken it yet.</p>
      ) : (
        <Answer decision={d} onAnswered={onAnswered} />
      )}
    </article>
  );
}

/** What a run's code asks: what there is to know, who may answer, what an answer must be. */
function Asked({ of: q }: { readonly of: NonNullable<DecisionView["question"]> }): JSX.Element {
  const people = [
    ...(q.from === undefined ? [] : [`from ${q.from.join(", ")}`]),
    ...(q.notBy === undefined ? [] : [`not by ${q.notBy.join(", ")}`]),
    ...(q.votes === undefined ? [] : [`${q.votes} people must answer, ${q.answered?.length ?? 0} have`]),
  ];
  return (
    <>
      {people.length === 0 ? null : (
        <p class="small quiet">
          <Plain text={people.join("; ")} max={400} />
        </p>
      )}
      {q.expiresAt === undefined ? null : (
        <p class="small quiet">
          It ends without an answer <Ago at={q.expiresAt} />.
        </p>
      )}
      {Object.hasOwn(q, "data") ? <Value of={q.data} /> : null}
      {q.schema === undefined ? null : (
        <details class="small">
          <summary>What an answer must be</summary>
          <Value of={q.schema} />
        </details>
      )}
    </>
  );
}
