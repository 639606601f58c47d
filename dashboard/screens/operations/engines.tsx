// Engines of this tenant, their leases and what they serve, with draining; and the store that they share, with what is unsafe about it.
// Draining is asked for and recorded; the engine does it.
import type { JSX } from "preact";
import type { ExplainedEngine } from "../../../src/api/types/operate.ts";
import { useLoad } from "../../data/load.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Act } from "../../parts/act.tsx";
import { Badge } from "../../parts/badges.tsx";
import { Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { ListTable } from "../../parts/table.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago, Moment } from "../../parts/time.tsx";

export function Engines(): JSX.Element {
  return (
    <ListTable
      what="engines"
      everyMs={5_000}
      read={(signal) => call("engines.list", { limit: 100 }, { signal })}
      idOf={(e) => e.engineId}
      empty={{
        title: "No engine has ever worked here",
        text: "Start one with pawl start, or engine() in a program of yours. Runs wait until then.",
      }}
      columns={[
        { title: "Engine", cell: (e) => <Id text={e.engineId} max={40} /> },
        {
          title: "State",
          cell: (e) =>
            e.draining === undefined ? (
              <Badge tone={e.alive ? "good" : "ended"} text={e.alive ? "alive" : "gone"} />
            ) : (
              <Badge tone="warn" text="draining" />
            ),
        },
        { title: "Lease until", cell: (e) => <Ago at={e.leaseUntil} /> },
        { title: "Serves", cell: (e) => <Serves of={e.serves} /> },
        {
          title: "",
          cell: (e, reload) =>
            e.alive && e.draining === undefined && may("operate") ? (
              <Act
                label="Drain …"
                title="Drain this engine?"
                verb="Drain it"
                reason="optional"
                act={async (reason) => {
                  await call("engines.drain", { engineId: e.engineId, ...(reason === "" ? {} : { reason }) });
                  reload();
                }}
              >
                <p>It claims no more runs and releases those that it owns; other engines take them over.</p>
              </Act>
            ) : null,
        },
      ]}
    />
  );
}

function Serves({ of }: { readonly of: ExplainedEngine["serves"] }): JSX.Element {
  if (of.length === 0) return <span class="faint">no workflow: steps of queues only</span>;
  return <Plain text={of.map((s) => `${s.workflow}@${s.version}`).join(", ")} max={300} />;
}

export function Store(): JSX.Element {
  const { value, error, reload } = useLoad("store", (signal) => call("store.info", {}, { signal }));
  if (error !== undefined) return <Problem error={error} again={reload} />;
  if (value === undefined) return <Loading what="the store" />;
  return (
    <div class="card">
      <dl>
        <dt>Kind</dt>
        <dd>
          <Plain text={value.store} /> <Badge tone={value.persistence === "durable" ? "good" : "warn"} text={value.persistence} />
        </dd>
        <dt>Id</dt>
        <dd>
          <Id text={value.storeId} />
        </dd>
        <dt>Format</dt>
        <dd class="num">
          {value.format}{" "}
          <span class="faint">
            (read by {value.oldestReader} and newer, written by {value.oldestWriter} and newer)
          </span>
        </dd>
        <dt>Restored</dt>
        <dd class="num">{value.incarnation > 1 ? `${value.incarnation - 1} times` : "never"}</dd>
        <dt>Its clock</dt>
        <dd>
          <Moment at={value.now} />
        </dd>
        <dt>Unsafe settings</dt>
        <dd>{value.unsafe.length === 0 ? "none" : <span class="bad-text">{value.unsafe.join(", ")}</span>}</dd>
        {Object.entries(value.settings).map(([name, setting]) => (
          <>
            <dt>
              <Plain text={name} />
            </dt>
            <dd>
              <Plain text={setting} />
            </dd>
          </>
        ))}
      </dl>
    </div>
  );
}
