// Queues: how full, how old, who serves them, pausing; and the processes that run queued steps.
// A queue's limits are changed from the command line, where a number is checked before it is sent.
import type { JSX } from "preact";
import { durationText } from "../../data/clock.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Act } from "../../parts/act.tsx";
import { Badge } from "../../parts/badges.tsx";
import { Paused } from "../../parts/paused.tsx";
import { ListTable } from "../../parts/table.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago } from "../../parts/time.tsx";

const tones = { healthy: "good", warning: "warn", stale: "bad" } as const;

export function Queues(): JSX.Element {
  return (
    <ListTable
      what="queues"
      everyMs={5_000}
      read={(signal) => call("queues.list", { limit: 200 }, { signal })}
      idOf={(q) => q.name}
      empty={{ title: "No queues", text: "A task with a queue makes one when its first step is dispatched." }}
      columns={[
        { title: "Queue", cell: (q) => <Plain text={q.name} max={60} /> },
        {
          title: "Health",
          cell: (q) => (q.paused === undefined ? <Badge tone={tones[q.health]} text={q.health} /> : <Paused of={q.paused} />),
        },
        { title: "Ready", cell: (q) => <span class="num">{q.ready.toLocaleString("en")}</span> },
        {
          title: "Claimed",
          cell: (q) => (
            <span class="num">
              {q.claimed}
              {q.concurrency === null ? "" : ` of ${q.concurrency}`}
            </span>
          ),
        },
        {
          title: "Rate",
          cell: (q) => (q.rate === null ? "" : <span class="num">{`${q.rate.limit} in ${durationText(q.rate.perMs)}`}</span>),
        },
        { title: "Oldest", cell: (q) => (q.ready === 0 ? "" : <span class="num">{durationText(q.oldestMs)}</span>) },
        { title: "Workers", cell: (q) => <span class="num">{q.workers}</span> },
        { title: "No worker for", cell: (q) => <Unserved tasks={q.unserved} /> },
        {
          title: "",
          cell: (q, reload) =>
            may("operate") ? (
              <Act
                label={q.paused === undefined ? "Pause …" : "Resume …"}
                title={q.paused === undefined ? "Pause this queue?" : "Resume this queue?"}
                verb={q.paused === undefined ? "Pause it" : "Resume it"}
                act={async (reason) => {
                  await call(q.paused === undefined ? "queues.pause" : "queues.resume", { name: q.name, reason });
                  reload();
                }}
              >
                <p>{q.paused === undefined ? "Nothing more of it is claimed or begun." : "Its steps are claimed again."}</p>
              </Act>
            ) : null,
        },
      ]}
    />
  );
}

/** Tasks of steps that wait, which no process that is alive can do. */
function Unserved({ tasks }: { readonly tasks: readonly string[] }): JSX.Element {
  return (
    <span class="bad-text">
      <Plain text={tasks.join(", ")} max={200} />
    </span>
  );
}

export function Workers(): JSX.Element {
  return (
    <ListTable
      what="workers"
      everyMs={5_000}
      read={(signal) => call("queues.workers", { limit: 200 }, { signal })}
      idOf={(w) => w.workerId}
      empty={{
        title: "No workers",
        text: "Processes that run queued steps appear here: pawl worker, or a program that speaks the worker protocol.",
      }}
      columns={[
        { title: "Worker", cell: (w) => <Id text={w.workerId} max={40} /> },
        { title: "Kind", cell: (w) => <Plain text={`${w.kind}, ${w.lang}`} max={40} /> },
        { title: "State", cell: (w) => <Badge tone={w.alive ? "good" : "ended"} text={w.alive ? "alive" : "gone"} /> },
        { title: "Lease until", cell: (w) => <Ago at={w.leaseUntil} /> },
        { title: "Queues", cell: (w) => <Plain text={w.queues.join(", ")} max={120} /> },
        { title: "Can do", cell: (w) => <Plain text={w.works.join(", ")} max={200} /> },
        { title: "Labels", cell: (w) => <Plain text={labelsText(w.labels)} max={200} /> },
        { title: "Running", cell: (w) => <span class="num">{w.running}</span> },
      ]}
    />
  );
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}
