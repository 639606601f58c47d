// Batches: what was ordered for many runs at once, how far each is, what failed. A batch is ordered from the list of runs, where its preview is.
// Stopping one leaves done what was done.
import type { JSX } from "preact";
import { call } from "../../data/server.ts";
import type { BatchView } from "../../../src/api/types/operate.ts";
import { linkTo } from "../../data/route.ts";
import { Act } from "../../parts/act.tsx";
import { Badge } from "../../parts/badges.tsx";
import { ListTable } from "../../parts/table.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago } from "../../parts/time.tsx";

const tones = { working: "busy", done: "good", stopped: "ended", "dry-run": "calm" } as const;

export function Batches(): JSX.Element {
  return (
    <ListTable
      what="batches"
      everyMs={3_000}
      read={(signal) => call("batches.list", { limit: 100 }, { signal })}
      idOf={(b) => b.batchId}
      empty={{
        title: "No batches",
        text: (
          <>
            Filter the <a href="#/runs">runs</a>, then act on all that match.
          </>
        ),
      }}
      columns={[
        { title: "Batch", cell: (b) => <Id text={b.batchId} max={24} /> },
        { title: "Does", cell: (b) => <Order batch={b} /> },
        { title: "State", cell: (b) => <Badge tone={tones[b.state]} text={b.state} /> },
        { title: "Done", cell: (b) => <span class="num">{b.done}</span> },
        { title: "Skipped", cell: (b) => <span class="num">{b.skipped}</span> },
        { title: "Failed", cell: (b) => <Failed batch={b} /> },
        { title: "By", cell: (b) => <Plain text={b.by?.subject ?? ""} max={40} /> },
        { title: "Reason", cell: (b) => <Plain text={b.reason} max={120} /> },
        { title: "Ordered", cell: (b) => <Ago at={b.createdAt} /> },
        {
          title: "",
          cell: (b, reload) =>
            b.state === "working" ? (
              <Act
                label="Stop …"
                title="Stop this batch?"
                verb="Stop it"
                act={async (reason) => {
                  await call("batches.stop", { batchId: b.batchId, reason });
                  reload();
                }}
              >
                <p>What it did stays done.</p>
              </Act>
            ) : null,
        },
      ]}
    />
  );
}

/** What it does, and to which runs: the filter as it was ordered. */
function Order({ batch: { action, filter } }: { readonly batch: BatchView }): JSX.Element {
  const members = Object.entries(filter).map(([name, value]) => `${name}: ${memberText(value)}`);
  return (
    <>
      {action}
      <div class="small quiet">
        <Plain text={members.length === 0 ? "all runs" : members.join("; ")} max={200} />
      </div>
    </>
  );
}

function memberText(value: unknown): string {
  if (Array.isArray(value)) return value.map(memberText).join(", ").toLowerCase();
  return typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(([name, v]) => `${name}=${String(v)}`)
        .join(", ")
    : String(value);
}

const failuresShown = 3;

/** How many it could not act on, and why the first ones. */
function Failed({ batch: { failed, failures } }: { readonly batch: BatchView }): JSX.Element {
  return (
    <>
      <span class={failed > 0 ? "num bad-text" : "num"}>{failed}</span>
      {failures.slice(0, failuresShown).map((f) => (
        <div key={f.runId} class="small">
          <a href={linkTo(["runs", f.runId])}>
            <Id text={f.code} max={24} />
          </a>{" "}
          <span class="quiet">
            <Plain text={f.message} max={160} />
          </span>
        </div>
      ))}
    </>
  );
}
