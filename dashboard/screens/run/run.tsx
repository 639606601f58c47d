// Screen 2: one run. On top one sentence why it is where it is; then its steps in time, the step that is looked at, what it was given and returned, its children
// and its log. It follows the log while it is open; what somebody reads stays where it is.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isSettled } from "../../../src/core/model.ts";
import type { ScreenProps } from "../../app/screen.tsx";
import { useGrowing, useLoad } from "../../data/load.ts";
import { route } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Causes } from "./causes.tsx";
import { Children } from "./children.tsx";
import { Graph } from "./graph.tsx";
import { RunHead } from "./run-head.tsx";
import { Inspector } from "./inspector.tsx";
import { Plan } from "./plan.tsx";
import { RunQuestions } from "./run-questions.tsx";
import { Tail } from "./tail.tsx";
import { RunValues } from "./run-values.tsx";
import { ToolPlans } from "./tool-plans.tsx";
import { Waterfall } from "./waterfall.tsx";
import "../../style/run.css";
import "../../style/value.css";

/** While the log grows, the run is read again at most this often. */
const againMs = 700;

export function Run({ ids: [id = ""] }: ScreenProps): JSX.Element {
  const [grown, setGrown] = useState(0);
  const run = useLoad(`run ${id}`, (signal) => call("runs.get", { id }, { signal }));
  const timeline = useLoad(`timeline ${id}`, (signal) => call("runs.timeline", { id }, { signal }));
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (grown === 0) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      run.reload();
      timeline.reload();
    }, againMs);
  }, [grown]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const causes = useGrowing(`causes ${id}`, run.value?.headSeq ?? 0, async (signal) =>
    run.value === undefined ? undefined : (await call("runs.causes", { id }, { signal })).items,
  );
  if (run.value === undefined)
    return run.error === undefined ? <Loading what="the run" /> : <Problem error={run.error} again={run.reload} />;
  const view = run.value;
  const step = route.value.query.get("step");
  return (
    <article class="run">
      <RunHead run={view} reload={run.reload} />
      <div class={step === null ? "run-body" : "run-body with-inspector"}>
        <div class="run-main">
          {timeline.error === undefined ? null : <Problem error={timeline.error} again={timeline.reload} />}
          {timeline.value === undefined ? <Loading what="its steps" /> : <Waterfall timeline={timeline.value} chosen={step ?? undefined} />}
          <Plan runId={view.runId} head={view.headSeq} ended={isSettled(view.status)} />
          <Graph runId={view.runId} head={view.headSeq} causes={causes.value ?? []}>
            <RunQuestions run={view} reload={run.reload} />
          </Graph>
          <ToolPlans runId={view.runId} head={view.headSeq} plans={timeline.value?.plans ?? []} causes={causes.value ?? []} />
          <Causes runId={view.runId} causes={causes.value ?? []} />
          <RunValues runId={view.runId} status={view.status} />
          <Children runId={view.runId} />
          <Tail runId={view.runId} head={view.headSeq} onGrown={() => setGrown((n) => n + 1)} />
        </div>
        {step === null ? null : <Inspector runId={view.runId} stepId={step} head={view.headSeq} owner={view.owner} />}
      </div>
    </article>
  );
}
