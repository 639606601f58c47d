// What can be done with a run now: look at its proof, retry it, pause, resume, cancel, end it. Each change is a dialog that says what follows and takes a reason; what
// the caller may not do is not offered.
import type { JSX } from "preact";
import type { ExplainedRun } from "../../../src/api/types/operate.ts";
import type { Control } from "../../../src/api/types/run.ts";
import { isSettled } from "../../../src/core/model.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Act } from "../../parts/act.tsx";

const controls: Readonly<Record<Control, { readonly label: string; readonly text: string; readonly danger?: true }>> = {
  pause: { label: "Pause", text: "Steps that are at work finish. Nothing further begins until somebody resumes the run." },
  resume: { label: "Resume", text: "The run continues where it stopped." },
  cancel: { label: "Cancel", text: "What the run has done is undone by its compensations, then it ends as cancelled.", danger: true },
  terminate: { label: "Terminate", text: "The run ends at once. No compensation runs: what it has done stays done.", danger: true },
};

export function RunActions({ run, reload }: { readonly run: ExplainedRun; readonly reload: () => void }): JSX.Element {
  const ended = isSettled(run.status);
  const offered: readonly Control[] =
    ended || run.origin === "external" || !may("operate") ? [] : [run.status === "PAUSED" ? "resume" : "pause", "cancel", "terminate"];
  return (
    <div class="row run-actions">
      <a class="button" href={linkTo(["runs", run.runId, "proof"])}>
        Proof
      </a>
      {ended && run.origin !== "external" ? (
        <a class="button" href={linkTo(["runs", run.runId, "retry"])}>
          Retry …
        </a>
      ) : null}
      {offered.map((what) => (
        <Act
          key={what}
          label={`${controls[what].label} …`}
          title={`${controls[what].label} this run?`}
          verb={`${controls[what].label} the run`}
          danger={controls[what].danger === true}
          reason={what === "terminate" ? "needed" : "optional"}
          act={async (reason) => {
            const answer = await call(`runs.${what}`, { id: run.runId, ...(reason === "" ? {} : { reason }) });
            reload();
            return answer.state === "posted"
              ? "It was asked for, and is durable. The engine that owns the run acts on it next."
              : undefined;
          }}
        >
          <p>{controls[what].text}</p>
        </Act>
      ))}
    </div>
  );
}
