// The runs that a run called. Nothing is shown where there are none; long lists continue in the list of runs.
// It must never read more than its first page.
import type { JSX } from "preact";
import { useLoad } from "../../data/load.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { Status } from "../../parts/badges.tsx";
import { Plain } from "../../parts/text.tsx";

const shown = 20;

export function Children({ runId }: { readonly runId: string }): JSX.Element | null {
  const { value } = useLoad(`children ${runId}`, (signal) => call("runs.list", { parent: runId, limit: shown }, { signal }));
  if (value === undefined || value.items.length === 0) return null;
  return (
    <section class="card">
      <h2>Children</h2>
      <ul class="plain-list">
        {value.items.map((run) => (
          <li key={run.runId}>
            <Status status={run.status} />{" "}
            <a href={linkTo(["runs", run.runId])}>
              <Plain text={run.workflowId} max={120} />
            </a>{" "}
            <span class="faint">
              <Plain text={run.workflow} max={60} />
            </span>
          </li>
        ))}
      </ul>
      {value.nextCursor === undefined ? null : <a href={linkTo(["runs"], { parent: runId })}>All children</a>}
    </section>
  );
}
