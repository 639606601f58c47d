// Investigations: runs that somebody should look at, because they stand still, gave up or nobody serves them, with what people noted. Noting and closing change nothing of
// the run: what becomes of it is decided on its own page.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { InvestigationView } from "../../../src/api/types/queues.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Act } from "../../parts/act.tsx";
import { Badge } from "../../parts/badges.tsx";
import { ListTable } from "../../parts/table.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago } from "../../parts/time.tsx";

const ends = ["resolved", "failed", "cancelled"] as const;

export function Investigations(): JSX.Element {
  return (
    <ListTable
      what="investigations"
      everyMs={10_000}
      read={(signal) => call("investigations.list", { limit: 200 }, { signal })}
      idOf={(i) => `${i.runId} ${i.n}`}
      empty={{
        title: "No investigations",
        text: "A run that stands still for too long appears here by itself: pawl investigations open adds one by hand.",
      }}
      columns={[
        {
          title: "Run",
          cell: (i) => (
            <a href={linkTo(["runs", i.runId])}>
              <Id text={i.runId} max={40} />
            </a>
          ),
        },
        { title: "Why", cell: (i) => i.why.replaceAll("-", " ") },
        {
          title: "State",
          cell: (i) => (i.closed === undefined ? <Badge tone="warn" text="open" /> : <Badge tone="ended" text={i.closed.as} />),
        },
        { title: "Opened", cell: (i) => <Ago at={i.openedAt} /> },
        { title: "What people said", cell: (i) => <Notes of={i} /> },
        { title: "", cell: (i, reload) => (i.closed === undefined && may("operate") ? <Acts of={i} reload={reload} /> : null) },
      ]}
    />
  );
}

function Notes({ of: { notes, closed } }: { readonly of: InvestigationView }): JSX.Element {
  return (
    <ul class="plain-list small">
      {[...notes, ...(closed === undefined ? [] : [closed])].map((n, i) => (
        <li key={i}>
          <Plain text={n.by} max={60} />: <Plain text={n.reason} max={300} />{" "}
          <span class="faint">
            <Ago at={n.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Acts({ of: { runId }, reload }: { readonly of: InvestigationView; readonly reload: () => void }): JSX.Element {
  const [as, setAs] = useState<(typeof ends)[number]>("resolved");
  return (
    <div class="row">
      <Act
        label="Note …"
        title="Add a note"
        verb="Add it"
        act={async (reason) => {
          await call("investigations.note", { id: runId, reason });
          reload();
        }}
      >
        <p>It is kept with your name. The run is not changed.</p>
      </Act>
      <Act
        label="Close …"
        title="Close this investigation?"
        verb="Close it"
        act={async (reason) => {
          await call("investigations.close", { id: runId, as, reason });
          reload();
        }}
      >
        <label>
          As{" "}
          <select value={as} onChange={(e) => setAs(e.currentTarget.value as typeof as)}>
            {ends.map((end) => (
              <option key={end} value={end}>
                {end}
              </option>
            ))}
          </select>
        </label>
        <p>Its history stays, and the run is not changed.</p>
      </Act>
    </div>
  );
}
