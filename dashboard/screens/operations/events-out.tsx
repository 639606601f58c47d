// Events out: endpoints that events are sent to, and everybody else who reads the log, with how far behind they are. Secrets are never shown here.
// What is lost when an endpoint is removed is said before.
import type { JSX } from "preact";
import type { ConsumerView } from "../../../src/readers/consumer-list.ts";
import type { TestResult } from "../../../src/webhooks/types.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { Act } from "../../parts/act.tsx";
import { Badge } from "../../parts/badges.tsx";
import { Paused } from "../../parts/paused.tsx";
import { ListTable } from "../../parts/table.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago } from "../../parts/time.tsx";

export function Webhooks(): JSX.Element {
  return (
    <ListTable
      what="webhooks"
      everyMs={10_000}
      read={(signal) => call("webhooks.list", { limit: 200 }, { signal })}
      idOf={(e) => e.id}
      empty={{ title: "No endpoints", text: "pawl webhooks add sends events to an address of yours, signed and in order." }}
      columns={[
        { title: "Endpoint", cell: (e) => <Plain text={e.id} max={60} /> },
        { title: "Address", cell: (e) => <Id text={e.url} max={60} /> },
        { title: "Events", cell: (e) => <Plain text={e.events.join(", ")} max={100} /> },
        {
          title: "State",
          cell: (e) => (e.paused === undefined ? <Badge tone="good" text="sending" /> : <Paused of={e.paused} />),
        },
        { title: "Waiting", cell: (e) => <span class="num">{e.waiting.toLocaleString("en")}</span> },
        {
          title: "",
          cell: (e, reload) => (
            <div class="row">
              <Act
                label="Test …"
                title="Send a test event?"
                verb="Send it"
                reason="none"
                act={async () => {
                  return testText(await call("webhooks.test", { endpointId: e.id }));
                }}
              >
                <p>One event that says it is a test.</p>
              </Act>
              <Act
                label={e.paused === undefined ? "Pause …" : "Resume …"}
                title={e.paused === undefined ? "Stop sending?" : "Send again?"}
                verb={e.paused === undefined ? "Pause it" : "Resume it"}
                reason={e.paused === undefined ? "optional" : "none"}
                act={async (reason) => {
                  if (e.paused !== undefined) await call("webhooks.resume", { endpointId: e.id });
                  else await call("webhooks.pause", { endpointId: e.id, ...(reason === "" ? {} : { reason }) });
                  reload();
                }}
              >
                <p>Events wait meanwhile; none is lost.</p>
              </Act>
              <Act
                label="Remove …"
                title="Remove this endpoint?"
                verb="Remove it"
                danger
                act={async (reason) => {
                  await call("webhooks.remove", { endpointId: e.id, reason });
                  reload();
                }}
              >
                <p>What waits for it is not sent, and its record of deliveries is gone.</p>
              </Act>
            </div>
          ),
        },
      ]}
    />
  );
}

function testText({ delivered, status, error }: TestResult): string {
  const answer = status === undefined ? "" : ` It answered with status ${status}.`;
  const why = error === undefined ? "" : ` ${error}`;
  return `${delivered ? "It was delivered." : "It was not delivered."}${answer}${why}`;
}

export function Consumers(): JSX.Element {
  return (
    <ListTable
      what="consumers"
      everyMs={10_000}
      read={(signal) => call("consumers.list", { limit: 200 }, { signal })}
      idOf={(c) => c.consumer}
      empty={{ title: "Nobody reads the log", text: "Subscriptions and projectors of your programs appear here." }}
      columns={[
        { title: "Consumer", cell: (c) => <Plain text={c.consumer} max={80} /> },
        { title: "State", cell: (c) => <Badge tone={c.active ? "good" : "calm"} text={c.active ? "reading" : "away"} /> },
        { title: "Behind by", cell: (c) => <span class="num">{c.waiting.toLocaleString("en")}</span> },
        { title: "Held runs", cell: (c) => <Held runs={c.held} /> },
        { title: "Given up", cell: (c) => <span class={c.deadLetters > 0 ? "num bad-text" : "num"}>{c.deadLetters}</span> },
        { title: "Joined", cell: (c) => <Ago at={c.joinedAt} /> },
      ]}
    />
  );
}

/** How many runs an event holds up, the one that is tried next, and what its handler threw. */
function Held({ runs }: { readonly runs: ConsumerView["held"] }): JSX.Element {
  const next = runs[0];
  return (
    <>
      <span class={next === undefined ? "num" : "num bad-text"}>{runs.length}</span>
      {next === undefined ? null : (
        <div class="small">
          <a href={linkTo(["runs", next.runId], { event: String(next.watermark + 1) })}>
            <Id text={next.runId} max={40} />
          </a>{" "}
          <span class="quiet">
            <Plain text={next.error} max={160} />
          </span>
        </div>
      )}
    </>
  );
}

/** What projectors and the append authority found wrong with the log of a run. */
export function Alerts(): JSX.Element {
  return (
    <ListTable
      what="alerts"
      everyMs={10_000}
      read={(signal) => call("alerts.list", { limit: 200 }, { signal })}
      idOf={(a) => `${a.runId} ${a.runSeq} ${a.code} ${a.projector}`}
      empty={{
        title: "No alerts",
        text: "An event that its run's state does not permit, or the same event with another payload, appears here: pawl alerts shows the same.",
      }}
      columns={[
        { title: "Alert", cell: (a) => <Badge tone="bad" text={a.code.toLowerCase().replaceAll("_", " ")} /> },
        {
          title: "Run",
          cell: (a) => (
            <a href={linkTo(["runs", a.runId], { event: String(a.runSeq) })}>
              <Id text={a.runId} max={40} /> <span class="num faint">event {a.runSeq}</span>
            </a>
          ),
        },
        { title: "Event", cell: (a) => <Plain text={a.eventType} max={60} /> },
        { title: "From, to", cell: (a) => <Plain text={`${a.priorState} → ${a.attemptedState}`} max={80} /> },
        { title: "When", cell: (a) => <Ago at={a.persistedAt} /> },
        { title: "Raised by", cell: (a) => <Plain text={a.projector} max={60} /> },
      ]}
    />
  );
}
