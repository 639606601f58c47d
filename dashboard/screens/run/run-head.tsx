// The top of a run: its business id, its status, the sentence that says why it is not further and what to do, and what can be done with it. The sentence is the
// server's own; this page adds no guess.
import type { JSX } from "preact";
import type { ExplainedRun } from "../../../src/api/types/operate.ts";
import { isSettled } from "../../../src/core/model.ts";
import { linkTo } from "../../data/route.ts";
import { Status } from "../../parts/badges.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago, Moment, Took } from "../../parts/time.tsx";
import { RunActions } from "./run-actions.tsx";

export function RunHead({ run, reload }: { readonly run: ExplainedRun; readonly reload: () => void }): JSX.Element {
  const { because } = run;
  return (
    <header class="run-top">
      <p class="crumbs small">
        <a href="#/runs">Runs</a> /{" "}
        <a href={linkTo(["runs"], { workflow: run.workflow })}>
          <Plain text={run.workflow} max={60} />
        </a>
        <span class="faint">
          @<Plain text={run.version} max={20} />
        </span>
      </p>
      <div class="run-title">
        <h1>
          <Plain text={run.workflowId} max={200} />
        </h1>
        <Status status={run.status} />
        <RunActions run={run} reload={reload} />
      </div>
      <p class="because">
        <Plain text={because.text} max={600} />
        {run.errorCode === undefined ? null : (
          <>
            {" "}
            <a class="bad-text" href={linkTo(["runs"], { error: run.errorCode })}>
              <Id text={run.errorCode} max={60} />
            </a>
          </>
        )}
        {because.until === undefined ? null : (
          <>
            {" "}
            <span class="quiet">
              Continues <Ago at={because.until} />.
            </span>
          </>
        )}
      </p>
      {because.fix === undefined ? null : (
        <p class="small quiet">
          <Plain text={because.fix} max={400} />
        </p>
      )}
      <Facts run={run} />
    </header>
  );
}

function Facts({ run }: { readonly run: ExplainedRun }): JSX.Element {
  return (
    <dl class="facts small">
      <dt>Run</dt>
      <dd>
        <Id text={run.runId} /> <CopyButton text={run.runId} />
      </dd>
      <dt>Started</dt>
      <dd>
        <Moment at={run.createdAt} />{" "}
        <span class="faint">
          (<Ago at={run.createdAt} />, {isSettled(run.status) ? "took" : "open for"}{" "}
          <Took from={run.createdAt} to={isSettled(run.status) ? run.updatedAt : undefined} />)
        </span>
      </dd>
      {run.owner === undefined ? null : (
        <>
          <dt>Owner</dt>
          <dd>
            <Id text={run.owner} />
          </dd>
        </>
      )}
      {run.deadlineAt === undefined ? null : (
        <>
          <dt>Deadline</dt>
          <dd>
            <Moment at={run.deadlineAt} />
          </dd>
        </>
      )}
      {run.parentRunId === undefined ? null : <Related name="Called by" runId={run.parentRunId} />}
      {run.originalRunId === undefined ? null : <Related name="Retry of" runId={run.originalRunId} />}
      {Object.keys(run.tags).length === 0 ? null : (
        <>
          <dt>Tags</dt>
          <dd>
            {Object.entries(run.tags).map(([name, value]) => (
              <a key={name} class="tag" href={linkTo(["runs"], { tag: `${name}=${value}` })}>
                <Plain text={`${name}=${value}`} max={80} />
              </a>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}

function Related({ name, runId }: { readonly name: string; readonly runId: string }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <a href={linkTo(["runs", runId])}>
          <Id text={runId} />
        </a>
      </dd>
    </>
  );
}
