// Screen 6: what a retry would do, before it is done: what is kept, what runs again, what may happen a second time, and what a person would be asked. It is the
// server's own plan, from the same table that the engine obeys. The retry itself needs a reason.
import type { JSX } from "preact";
import type { PlannedStep, RetryPlan } from "../../../src/api/types/retry.ts";
import type { RunView } from "../../../src/api/types/run.ts";
import type { RetryOutlook } from "../../../src/core/send-again.ts";
import type { ScreenProps } from "../../app/screen.tsx";
import { useLoad } from "../../data/load.ts";
import { goTo, linkTo, replaceQuery, route } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Act } from "../../parts/act.tsx";
import { Badge, Guarantee } from "../../parts/badges.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import "../../style/effects.css";

const groups: readonly { readonly outlook: RetryOutlook; readonly tone: "good" | "busy" | "warn" | "bad"; readonly text: string }[] = [
  { outlook: "needs a decision", tone: "bad", text: "The new run stops here and asks a person." },
  { outlook: "may repeat", tone: "warn", text: "It ran before, and its author permits that it happens again." },
  { outlook: "runs again", tone: "busy", text: "It runs, safely: nothing of it took effect, or its receiver or verifier makes sure." },
  { outlook: "kept", tone: "good", text: "Its recorded outcome is taken over. Nothing is sent." },
];

export function Retry({ ids: [id = ""] }: ScreenProps): JSX.Element {
  const fromStep = route.value.query.get("from") ?? undefined;
  const from = fromStep === undefined ? {} : { fromStep };
  const run = useLoad(`run ${id}`, (signal) => call("runs.get", { id }, { signal }));
  const status = run.value?.status;
  // A run that completed has nothing to retry, unless somebody says from where.
  const mustChoose = status === "COMPLETED" && fromStep === undefined;
  const plan = useLoad(`retry ${id} ${fromStep ?? ""} ${status ?? ""}`, async (signal) =>
    status === undefined || mustChoose ? undefined : ((await call("runs.retry", { id, dryRun: true, ...from }, { signal })) as RetryPlan),
  );
  const error = run.error ?? plan.error;
  if (error !== undefined) return <Problem error={error} again={plan.reload} />;
  if (run.value !== undefined && mustChoose) return <ChooseStep run={run.value} />;
  if (run.value === undefined || plan.value === undefined) return <Loading what="what a retry would do" />;
  const { steps, warnings, lost } = plan.value;
  const { runId, workflowId } = run.value;
  return (
    <article class="retry">
      <p class="crumbs small">
        <a href="#/runs">Runs</a> /{" "}
        <a href={linkTo(["runs", runId])}>
          <Plain text={workflowId} max={100} />
        </a>
      </p>
      <div class="run-title">
        <h1>Retry preview</h1>
        <div class="row run-actions">
          {may("operate") ? (
            <Act
              label="Retry …"
              primary
              title="Start a new run in place of this one?"
              verb="Start the retry"
              act={async (reason) => {
                const made = await call("runs.retry", { id: runId, reason, ...from });
                if ("dryRun" in made) return undefined;
                goTo(["runs", made.runId]);
                return undefined;
              }}
            >
              <p>The new run has the same business id, and does what this page says.</p>
            </Act>
          ) : (
            <span class="quiet">Retrying needs a token with the scope operate.</span>
          )}
        </div>
      </div>
      {lost === undefined ? null : <p class="warn-text">The log of run {lost} was removed: the new run would ask a person first.</p>}
      {warnings.map((w) => (
        <p key={w.message} class="warn-text">
          <Plain text={w.message} max={600} />
        </p>
      ))}
      {steps.length === 0 ? (
        <Empty title="Nothing was recorded before">
          <p>The new run begins at the beginning.</p>
        </Empty>
      ) : null}
      {groups.map((g) => (
        <Group key={g.outlook} {...g} steps={steps.filter((s) => s.outlook === g.outlook)} fromStep={fromStep} />
      ))}
    </article>
  );
}

const choicesMax = 200;

/** A completed run is run again from one of its steps on; the steps before it are kept. */
function ChooseStep({ run: { runId, workflowId } }: { readonly run: RunView }): JSX.Element {
  const { value, error, reload } = useLoad(`choices ${runId}`, (signal) =>
    call("runs.steps", { id: runId, limit: choicesMax }, { signal }),
  );
  return (
    <article class="retry">
      <p class="crumbs small">
        <a href="#/runs">Runs</a> /{" "}
        <a href={linkTo(["runs", runId])}>
          <Plain text={workflowId} max={100} />
        </a>
      </p>
      <h1>Retry preview</h1>
      <p>It completed, so nothing failed that could be retried. Choose the step from which it runs again; what came before is kept.</p>
      {error === undefined ? null : <Problem error={error} again={reload} />}
      {value === undefined ? (
        <Loading what="its steps" />
      ) : (
        <section class="card">
          <ul class="plain-list">
            {value.items.map((s) => (
              <li key={s.stepId}>
                <a href={linkTo(["runs", runId, "retry"], { from: s.stepId })}>
                  <Plain text={s.name} max={80} />
                </a>{" "}
                {s.class === undefined ? <span class="faint small">{s.kind}</span> : <Guarantee of={s.class} />}
              </li>
            ))}
          </ul>
          {value.nextCursor === undefined ? null : <p class="small quiet">These are its first {choicesMax} steps.</p>}
        </section>
      )}
    </article>
  );
}

interface GroupProps {
  readonly outlook: RetryOutlook;
  readonly tone: "good" | "busy" | "warn" | "bad";
  readonly text: string;
  readonly steps: readonly PlannedStep[];
  readonly fromStep: string | undefined;
}

function Group({ outlook, tone, text, steps, fromStep }: GroupProps): JSX.Element | null {
  if (steps.length === 0) return null;
  return (
    <section class="card table-card">
      <header class="row">
        <h2>
          <Badge tone={tone} text={outlook} /> <span class="num">{steps.length}</span>
        </h2>
        <span class="quiet small">{text}</span>
      </header>
      <table>
        <thead>
          <tr>
            <th>Step</th>
            <th>Guarantee</th>
            <th>Why</th>
            <th>
              <span class="hidden-text">From here</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.slice(0, 500).map((s) => (
            <tr key={s.stepId}>
              <td>
                <a href={linkTo(["runs", s.runId], { step: s.stepId })}>
                  <Plain text={s.name} max={80} />
                </a>
                {s.key === undefined ? null : (
                  <div class="faint small">
                    <Id text={s.key} max={60} />
                  </div>
                )}
              </td>
              <td>{s.class === undefined ? <span class="faint">{s.kind}</span> : <Guarantee of={s.class} />}</td>
              <td class="quiet">
                <Plain text={s.why} max={600} />
              </td>
              <td>
                <button
                  type="button"
                  class="small quiet-button"
                  onClick={() => replaceQuery({ from: fromStep === s.stepId ? undefined : s.stepId })}
                >
                  {fromStep === s.stepId ? "not from here" : "from here"}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
