// Workflows as their engines published them: versions, who serves them, pausing. "Can this version be retired?" looks at the runs that have not ended, version by
// version, and says how many it looked at.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { WorkflowView } from "../../../src/api/types/operate.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Act } from "../../parts/act.tsx";
import { Badge } from "../../parts/badges.tsx";
import { Paused } from "../../parts/paused.tsx";
import { ListTable } from "../../parts/table.tsx";
import { Plain } from "../../parts/text.tsx";
import { Ago } from "../../parts/time.tsx";

const lookedMax = 5_000;

export function Workflows(): JSX.Element {
  return (
    <ListTable
      what="workflows"
      everyMs={15_000}
      read={(signal) => call("workflows.list", { limit: 200 }, { signal })}
      idOf={(w) => w.workflow}
      empty={{ title: "No workflow was published", text: "An engine publishes its workflows when it starts." }}
      columns={[
        {
          title: "Workflow",
          cell: (w) => (
            <a href={linkTo(["runs"], { workflow: w.workflow })}>
              <Plain text={w.workflow} max={80} />
            </a>
          ),
        },
        {
          title: "State",
          cell: (w) =>
            w.paused !== undefined ? (
              <Paused of={w.paused} />
            ) : (
              <Badge tone={w.served ? "good" : "bad"} text={w.served ? "served" : "not served"} />
            ),
        },
        { title: "Versions", cell: (w) => <Versions workflow={w} /> },
        { title: "", cell: (w, reload) => (may("operate") ? <Pause workflow={w} reload={reload} /> : null) },
      ]}
    />
  );
}

function Versions({ workflow: { workflow, versions, latest } }: { readonly workflow: WorkflowView }): JSX.Element {
  return (
    <ul class="plain-list small">
      {versions.map((v) => (
        <li key={v.version}>
          <Plain text={v.version} max={24} /> {v.version === latest ? <span class="faint">latest,</span> : null}{" "}
          {v.served ? null : <span class="faint">no engine serves it,</span>}{" "}
          <span class="faint">
            published <Ago at={v.publishedAt} />
          </span>{" "}
          {v.version === latest ? null : <Retire workflow={workflow} version={v.version} />}
        </li>
      ))}
    </ul>
  );
}

function Retire({ workflow, version }: { readonly workflow: string; readonly version: string }): JSX.Element {
  const [answer, setAnswer] = useState("");
  const look = async (): Promise<void> => {
    setAnswer("looking …");
    let [open, looked] = [0, 0];
    let cursor: string | undefined;
    do {
      const page = await call("runs.list", {
        workflow,
        status: ["PENDING", "RUNNING", "PAUSED"],
        limit: 500,
        ...(cursor === undefined ? {} : { cursor }),
      });
      open += page.items.filter((r) => r.version === version).length;
      looked += page.items.length;
      cursor = page.nextCursor;
    } while (cursor !== undefined && looked < lookedMax);
    const rest = cursor === undefined ? "" : ` (among the newest ${looked})`;
    setAnswer(
      open === 0
        ? rest === ""
          ? "yes: no open run needs it"
          : `none needs it${rest}`
        : `no: ${open === 1 ? "1 open run needs" : `${open} open runs need`} it${rest}`,
    );
  };
  return (
    <>
      <button type="button" class="small quiet-button" onClick={() => void look().catch(() => setAnswer("the server did not say"))}>
        Can it be retired?
      </button>{" "}
      <span role="status">{answer}</span>
    </>
  );
}

function Pause({ workflow: { workflow, paused }, reload }: { readonly workflow: WorkflowView; readonly reload: () => void }): JSX.Element {
  const verb = paused === undefined ? "pause" : "resume";
  return (
    <Act
      label={paused === undefined ? "Pause …" : "Resume …"}
      title={paused === undefined ? "Pause this workflow?" : "Resume this workflow?"}
      verb={paused === undefined ? "Pause it" : "Resume it"}
      reason="optional"
      act={async (reason) => {
        await call(`workflows.${verb}`, { name: workflow, ...(reason === "" ? {} : { reason }) });
        reload();
      }}
    >
      <p>{paused === undefined ? "Engines begin and take on no run of it. New runs wait." : "Engines work on its runs again."}</p>
    </Act>
  );
}
