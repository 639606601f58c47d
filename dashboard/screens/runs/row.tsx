// One run in the list: its business id first, then what it is and what it waits for. The row is one link; everything else is beside it.
// It must never be higher than the list expects.
import type { JSX } from "preact";
import type { RunGuarantee } from "../../../src/api/types/operate.ts";
import type { RunView } from "../../../src/api/types/run.ts";
import { isSettled } from "../../../src/core/model.ts";
import { linkTo } from "../../data/route.ts";
import { Badge, classTexts, classTones, Status } from "../../parts/badges.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago, Took } from "../../parts/time.tsx";

interface RowProps {
  readonly run: RunView;
  readonly guarantee: RunGuarantee | undefined;
  readonly index: number;
}

export function RunRow({ run, guarantee, index }: RowProps): JSX.Element {
  return (
    <>
      <span role="cell">
        <Status status={run.status} />
      </span>
      <span role="cell" class="run-id">
        <a href={linkTo(["runs", run.runId])} data-row={index}>
          <Plain text={run.workflowId} max={120} />
        </a>
      </span>
      <span role="cell" class="run-workflow">
        <Plain text={run.workflow} max={60} />
        <span class="faint">
          @<Plain text={run.version} max={9} />
        </span>
      </span>
      <span role="cell" class="run-guarantee">
        {guarantee === undefined ? null : (
          <a href={linkTo(["runs", run.runId, "proof"])}>
            <Weakest of={guarantee} />
          </a>
        )}
      </span>
      <span role="cell" class="run-why">
        <Why run={run} />
      </span>
      <span role="cell" class="quiet">
        <Ago at={run.createdAt} />
      </span>
      <span role="cell" class="quiet run-took">
        <Took from={run.createdAt} to={isSettled(run.status) ? run.updatedAt : undefined} />
      </span>
    </>
  );
}

/** The weakest guarantee in its ledger; an effect in doubt goes before. */
function Weakest({ of: { weakest, inDoubt, more } }: { readonly of: RunGuarantee }): JSX.Element {
  const among = more === true ? "Among its first 64 effects. " : "";
  if (inDoubt === true)
    return <Badge tone="bad" text="in doubt" title={`${among}Nobody knows of one of its effects whether it happened.`} />;
  if (weakest === "REPEATABLE" || weakest === "UNDECLARED")
    return <Badge tone={classTones[weakest]} text="at least once" title={`All of its effects may repeat. ${classTexts[weakest]}`} />;
  return (
    <Badge
      tone={classTones[weakest]}
      text={weakest.toLowerCase()}
      title={`Its weakest effect, not counting steps that may repeat. ${among}${classTexts[weakest]}`}
    />
  );
}

const waits = {
  timer: "a time",
  signal: "a signal",
  child: "a child",
  retry: "its next attempt",
  worker: "a worker",
  decision: "a decision",
  drain: "its engine",
} as const;

function Why({ run }: { readonly run: RunView }): JSX.Element | null {
  if (run.errorCode !== undefined)
    return (
      <span class="bad-text">
        <Id text={run.errorCode} max={50} />
      </span>
    );
  if (isSettled(run.status)) return null;
  if (run.origin === "external") return <span class="quiet">written from outside</span>;
  if (run.waiting === undefined) return run.owner === undefined ? <span class="quiet">queued</span> : <span class="quiet">at work</span>;
  return (
    <span class={run.waiting === "decision" ? "warn-text" : "quiet"}>
      {waits[run.waiting]}
      {run.dueAt === undefined ? null : (
        <>
          {" · "}
          <Ago at={run.dueAt} />
        </>
      )}
    </span>
  );
}
