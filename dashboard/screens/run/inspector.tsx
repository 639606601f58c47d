// One step, from the events that concern it: what it returned or failed with and why, its key and how long the receiver still remembers it, what verifiers said, who
// ran it and who took it over. Payloads are read only here, when somebody looks.
import type { ComponentChildren, JSX } from "preact";
import type { RunEventRecord } from "../../../src/core/contract.ts";
import type { GuaranteeClass } from "../../../src/core/model.ts";
import { durationText, nowMs } from "../../data/clock.ts";
import { useLoad } from "../../data/load.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { classTexts, Guarantee } from "../../parts/badges.tsx";
import { Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Id, Plain, visibleText } from "../../parts/text.tsx";
import { Moment, Took } from "../../parts/time.tsx";
import { Value } from "../../parts/value.tsx";
import { stepFacts, type StepFacts } from "./step-facts.ts";

export function Inspector({
  runId,
  stepId,
  head,
  owner,
}: {
  readonly runId: string;
  readonly stepId: string;
  readonly head: number;
  /** The engine that works on the run now. */
  readonly owner: string | undefined;
}): JSX.Element {
  const { value, error, reload } = useLoad(`step ${runId} ${stepId} ${head}`, (signal) =>
    call("runs.events", { id: runId, step: stepId, limit: 200 }, { signal }),
  );
  return (
    <aside class="card inspector" aria-label="Step">
      <header class="row">
        <h2>
          <Plain text={value === undefined ? stepId : (stepFacts(value.items).name ?? stepId)} max={120} />
        </h2>
        <a class="small" href={linkTo(["runs", runId])}>
          Close
        </a>
      </header>
      {error === undefined ? null : <Problem error={error} again={reload} />}
      {value === undefined ? (
        <Loading what="the step" />
      ) : (
        <Facts facts={stepFacts(value.items)} events={value.items} runId={runId} owner={owner} />
      )}
    </aside>
  );
}

function Facts({
  facts,
  events,
  runId,
  owner,
}: {
  readonly facts: StepFacts;
  readonly events: readonly RunEventRecord[];
  readonly runId: string;
  readonly owner: string | undefined;
}): JSX.Element {
  const { class: guarantee, key, dedupMs, firstAt } = facts;
  return (
    <>
      {guarantee === undefined ? null : (
        <p>
          <Guarantee of={guarantee as GuaranteeClass} /> <span class="small quiet">{classTexts[guarantee as GuaranteeClass]}</span>
        </p>
      )}
      <dl class="small">
        <Fact name="Key" when={key}>
          <a href={linkTo(["effects"], { key })}>
            <Id text={key ?? ""} max={60} />
          </a>
        </Fact>
        <Fact name="Receiver" when={facts.receiver}>
          <Plain text={facts.receiver ?? ""} max={120} />
        </Fact>
        <Fact name="Remembered" when={dedupMs}>
          {dedupText(dedupMs ?? 0, firstAt)}
        </Fact>
        <Fact name="Time limit" when={facts.timeoutMs}>
          {durationText(facts.timeoutMs ?? 0)}
        </Fact>
        <Fact name="Verifier" when={facts.verified === true ? "yes" : undefined}>
          is asked before it is sent again
        </Fact>
        <Fact name="Taken over by" when={facts.takenOver}>
          <Id text={facts.takenOver?.engine ?? ""} max={40} />
          {facts.takenOver?.fence === undefined ? null : <span class="quiet">, fence {facts.takenOver.fence}</span>}
        </Fact>
        <Fact name="Owner now" when={facts.hasResult ? undefined : owner}>
          <Id text={owner ?? ""} max={40} />
        </Fact>
        {facts.child === undefined ? null : (
          <Fact name="Child" when={facts.child.runId}>
            <a href={linkTo(["runs", facts.child.runId])}>
              <Plain text={facts.child.workflowId} max={120} />
            </a>
          </Fact>
        )}
      </dl>
      {facts.doubt === undefined ? null : (
        <p class="warn-text">
          In doubt: <Plain text={facts.doubt} max={600} /> <a href={linkTo(["decisions"], { run: runId })}>Decide</a>
        </p>
      )}
      {facts.failures.length === 0 ? null : <Failures facts={facts} />}
      {facts.answers.length === 0 ? null : (
        <Section title="What its verifier said">
          <ul class="plain-list small">
            {facts.answers.map(({ seq, at, text }) => (
              <li key={seq}>
                <Moment at={at} short /> <Plain text={text} max={1_000} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {!may("payloads") ? <p class="small quiet">This token may not see payloads.</p> : null}
      {facts.hasInput ? (
        <Section title="Input">
          <Value of={facts.input} />
        </Section>
      ) : null}
      {facts.hasResult ? (
        <Section title={facts.via === undefined ? "Output" : `Output (${facts.via})`}>
          <Value of={facts.result} />
        </Section>
      ) : null}
      <Section title="What happened">
        <ol class="history small">
          {events.map((e) => (
            <li key={e.runSeq}>
              <a href={linkTo(["runs", runId], { event: String(e.runSeq) })} class="num">
                {e.runSeq}
              </a>{" "}
              <Moment at={e.persistedAt} short /> <EventWords event={e} />
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}

function dedupText(dedupMs: number, firstAt: string | undefined): string {
  if (dedupMs >= Number.MAX_SAFE_INTEGER) return "by its receiver, forever";
  const left = dedupMs - (nowMs.value - Date.parse(firstAt ?? ""));
  return left > 0 ? `by its receiver for ${durationText(left)} more` : `no longer: its window of ${durationText(dedupMs)} is over`;
}

function Failures({ facts }: { readonly facts: StepFacts }): JSX.Element {
  return (
    <Section title={facts.failures.length === 1 ? "Error" : "Errors"}>
      {facts.failures.map((f) => (
        <div key={f.seq} class="failure">
          <p>
            <strong>
              <Plain text={f.name} max={80} />
            </strong>{" "}
            <Plain text={f.message} max={4_000} />
            {f.category === undefined ? null : <span class="faint small"> {visibleText(f.category)}</span>}
          </p>
          {f.causes.map((cause, i) => (
            <p key={i} class="small cause">
              caused by <Plain text={cause} max={2_000} />
            </p>
          ))}
          {f.retryAt === undefined ? null : (
            <p class="small quiet">
              Tried again <Took from={f.at} to={f.retryAt} /> later.
            </p>
          )}
        </div>
      ))}
    </Section>
  );
}

function EventWords({ event }: { readonly event: RunEventRecord }): JSX.Element {
  const p = (event.payload ?? {}) as Readonly<Record<string, unknown>>;
  const words = (["engine", "worker", "fence", "by", "reason", "answer"] as const).flatMap((name) =>
    typeof p[name] === "string" || typeof p[name] === "number" ? [`${name} ${String(p[name])}`] : [],
  );
  return (
    <>
      <Plain text={event.eventType} max={60} />
      {event.logicalAttemptId > 1 ? ` · try ${event.logicalAttemptId}` : ""}
      {event.engineAttemptId > 1 ? ` · dispatch ${event.engineAttemptId}` : ""}
      {words.length === 0 ? null : (
        <span class="faint">
          {" · "}
          <Plain text={words.join(" · ")} max={300} />
        </span>
      )}
    </>
  );
}

export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <section class="section">
      <h3>{visibleText(title)}</h3>
      {children}
    </section>
  );
}

function Fact({
  name,
  when,
  children,
}: {
  readonly name: string;
  readonly when: unknown;
  readonly children: ComponentChildren;
}): JSX.Element | null {
  if (when === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
