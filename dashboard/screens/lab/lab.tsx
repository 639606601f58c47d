// The crash lab of `pawl dev`: choose a step of a run and a window, let the process die there for real, and see how the step's class answers. The table is that of
// `pawl crashtest`, and it fills as one goes. Runs that a change of the code stopped are here, too. It must never be shown by a server that others rely on.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DevState, DevTrial } from "../../data/dev.ts";
import { problemOf, useLoad } from "../../data/load.ts";
import { linkTo, route } from "../../data/route.ts";
import { call, dev } from "../../data/server.ts";
import { Problem } from "../../parts/problem.tsx";
import { Id, Plain, stepText, visibleText } from "../../parts/text.tsx";
import { LabTable } from "./table.tsx";
import type { PawlError } from "../../../src/errors/error.ts";
import "./lab.css";

const lookMs = 500;

export function Lab(): JSX.Element {
  const { value, error, reload } = useLoad("dev state", (signal) => dev<DevState>("state", {}, signal), lookMs);
  return (
    <div class="lab">
      <h1>Crash lab</h1>
      <p class="quiet">
        The process dies with SIGKILL in the window that you choose; another one takes over. Effects are real: use test accounts.
      </p>
      {error === undefined ? null : <Problem error={error} />}
      <Choose windows={value?.lab.windows ?? {}} onAsked={reload} />
      {value === undefined ? null : <Trials trials={value.lab.trials} />}
      {value === undefined || value.diverged.length === 0 ? null : <Diverged runs={value.diverged} onAsked={reload} />}
    </div>
  );
}

function Choose({ windows, onAsked }: { readonly windows: Readonly<Record<string, string>>; readonly onAsked: () => void }): JSX.Element {
  const [run, setRun] = useState(route.value.query.get("run") ?? "");
  const [step, setStep] = useState("");
  const [window, setWindow] = useState("D");
  const [error, setError] = useState<PawlError | undefined>(undefined);
  const runs = useLoad("lab runs", (signal) => call("runs.list", { limit: 50 }, { signal }), 2_000);
  const steps = useLoad(`lab steps ${run}`, async (signal) =>
    run === "" ? { items: [] } : call("runs.steps", { id: run, limit: 200 }, { signal }),
  );
  const names = (steps.value?.items ?? []).map((s) => s.stepId);
  const chosen = names.includes(step) ? step : (names[0] ?? "");
  const crash = (e: Event): void => {
    e.preventDefault();
    setError(undefined);
    dev("crash", { run, step: chosen, window }).then(onAsked, (thrown: unknown) => setError(problemOf(thrown)));
  };
  return (
    <form class="choose" onSubmit={crash}>
      <div>
        <label for="lab-run">Run</label>
        <select id="lab-run" value={run} onChange={(e) => setRun(e.currentTarget.value)}>
          <option value="">Choose a run</option>
          {[...new Set((runs.value?.items ?? []).map((r) => r.workflowId))].map((id) => (
            <option key={id} value={id}>
              {visibleText(id)}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="lab-step">Step</label>
        <select id="lab-step" value={chosen} onChange={(e) => setStep(e.currentTarget.value)} disabled={names.length === 0}>
          {names.length === 0 ? <option value="">{run === "" ? "of the run" : "it has none yet"}</option> : null}
          {names.map((id) => (
            <option key={id} value={id}>
              {visibleText(stepText(id))}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="lab-window">Window</label>
        <select id="lab-window" value={window} onChange={(e) => setWindow(e.currentTarget.value)}>
          {Object.entries(windows).map(([name, title]) => (
            <option key={name} value={name}>
              {name}: {title}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" class="primary" disabled={chosen === ""}>
        Crash here
      </button>
      {error === undefined ? null : <Problem error={error} />}
    </form>
  );
}

const states: Readonly<Record<DevTrial["state"], string>> = {
  armed: "waits for the run to come to this window",
  killed: "the process died; the run continues",
  judged: "done",
  missed: "the run did not pass this window",
  withdrawn: "another crash took its place",
};

function Trials({ trials }: { readonly trials: readonly DevTrial[] }): JSX.Element {
  if (trials.length === 0) return <p>No crash yet. Choose a run that has ended: a new one like it is started and dies.</p>;
  const last = trials.at(-1)!;
  return (
    <>
      <p role="status">
        <Id text={last.workflowId} />: <Plain text={stepText(last.stepId)} max={120} />, window {last.window}: {states[last.state]}.{" "}
        {last.waits === undefined ? null : (
          <>
            <Plain text={last.waits} max={400} />{" "}
          </>
        )}
        <a href={linkTo(["runs", last.workflowId])}>Open the run</a>
      </p>
      <LabTable trials={trials} />
    </>
  );
}

function Diverged({ runs, onAsked }: { readonly runs: DevState["diverged"]; readonly onAsked: () => void }): JSX.Element {
  const [error, setError] = useState<PawlError | undefined>(undefined);
  const again = (run: string): void => {
    dev("again", { run }).then(onAsked, (e: unknown) => setError(problemOf(e)));
  };
  return (
    <section aria-label="Runs that the new code cannot continue">
      <h2>Runs that the new code cannot continue</h2>
      {error === undefined ? null : <Problem error={error} />}
      {runs.map((r) => (
        <article key={r.runId} class="card diverged">
          <h3>
            <a href={linkTo(["runs", r.runId])}>
              <Id text={r.workflowId} />
            </a>
          </h3>
          <Sides reason={r.reason} />
          <button type="button" onClick={() => again(r.runId)}>
            Start again on the new code
          </button>
        </article>
      ))}
      <p class="small quiet">Or undo the change: then resume the run, and it continues where it is.</p>
    </section>
  );
}

/** What the code calls and what the log has, one below the other. A sentence of another form is shown as it is. */
function Sides({ reason }: { readonly reason: string }): JSX.Element {
  const [, code, log] = /^the code (calls .+) where the record has (.+)$/s.exec(reason) ?? [];
  if (code === undefined || log === undefined)
    return (
      <p>
        <Plain text={reason} max={4_000} />
      </p>
    );
  return (
    <dl>
      <dt>The code</dt>
      <dd>
        <Plain text={stepText(code)} max={2_000} />
      </dd>
      <dt>The log has</dt>
      <dd>
        <Plain text={stepText(log)} max={2_000} />
      </dd>
    </dl>
  );
}
