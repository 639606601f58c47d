// Batches: what was ordered for many runs at once, how far each is, what failed. A batch is ordered from the list of runs, where its preview is.
// Stopping one leaves done what was done.
import type { JSX } from "preact";
import { call } from "../../data/server.ts";
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
        { title: "Does", cell: (b) => b.action },
        { title: "State", cell: (b) => <Badge tone={tones[b.state]} text={b.state} /> },
        { title: "Done", cell: (b) => <span class="num">{b.done}</span> },
        { title: "Skipped", cell: (b) => <span class="num">{b.skipped}</span> },
        { title: "Failed", cell: (b) => <span class={b.failed > 0 ? "num bad-text" : "num"}>{b.failed}</span> },
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
