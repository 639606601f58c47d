// Schedules: what each starts and when next, what became of its last due times; pausing, resuming, firing now, removing. Each act is recorded with its reason.
// A new one is written in code or from the command line.
import type { JSX } from "preact";
import type { ScheduleView } from "../../../src/schedule/types.ts";
import { durationText } from "../../data/clock.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Act } from "../../parts/act.tsx";
import { Badge } from "../../parts/badges.tsx";
import { ListTable } from "../../parts/table.tsx";
import { Paused } from "../../parts/paused.tsx";
import { Plain } from "../../parts/text.tsx";
import { Ago } from "../../parts/time.tsx";

export function Schedules(): JSX.Element {
  return (
    <ListTable
      what="schedules"
      everyMs={10_000}
      read={(signal) => call("schedules.list", { limit: 200 }, { signal })}
      idOf={(s) => s.name}
      empty={{ title: "No schedules", text: "A schedule starts a workflow at due times: schedule() in code, or pawl schedules." }}
      columns={[
        { title: "Schedule", cell: (s) => <Plain text={s.name} max={60} /> },
        { title: "When", cell: (s) => <Plain text={whenText(s)} max={80} /> },
        { title: "Starts", cell: (s) => <Plain text={s.workflow} max={60} /> },
        {
          title: "Next",
          cell: (s) =>
            s.paused !== undefined ? (
              <Paused of={s.paused} />
            ) : s.nextAt === undefined ? (
              <Badge tone="ended" text="over" />
            ) : (
              <Ago at={s.nextAt} />
            ),
        },
        { title: "Last time", cell: (s) => <LastFire of={s} /> },
        { title: "", cell: (s, reload) => (may("operate") ? <ScheduleActs of={s} reload={reload} /> : null) },
      ]}
    />
  );
}

/** What became of the last due time, and the run that it started. */
function LastFire({ of: { fires, lastRunId } }: { readonly of: ScheduleView }): JSX.Element | null {
  const last = fires[0];
  if (last === undefined) return <span class="faint">never</span>;
  const runId = last.runId ?? lastRunId;
  return (
    <>
      <Badge tone={fireTones[last.did]} text={last.did} />{" "}
      <span class="small">
        <Ago at={last.at} /> {runId === undefined ? null : <a href={linkTo(["runs", runId])}>open</a>}
      </span>
      {last.because === undefined ? null : (
        <div class="small quiet">
          <Plain text={last.because} max={200} />
        </div>
      )}
    </>
  );
}

const fireTones = { started: "good", skipped: "calm", missed: "warn", failed: "bad" } as const;

function whenText({ when }: ScheduleView): string {
  return when.cron === undefined ? `every ${durationText(when.everyMs ?? 0)}` : `${when.cron}${when.tz === undefined ? "" : ` ${when.tz}`}`;
}

function ScheduleActs({ of: s, reload }: { readonly of: ScheduleView; readonly reload: () => void }): JSX.Element {
  const verb = s.paused === undefined ? "pause" : "resume";
  return (
    <div class="row">
      <Act
        label={verb === "pause" ? "Pause …" : "Resume …"}
        title={verb === "pause" ? "Pause this schedule?" : "Resume this schedule?"}
        verb={verb === "pause" ? "Pause it" : "Resume it"}
        reason="optional"
        act={async (reason) => {
          await call(`schedules.${verb}`, { name: s.name, ...(reason === "" ? {} : { reason }) });
          reload();
        }}
      >
        <p>{verb === "pause" ? "It starts nothing until somebody resumes it." : "It fires again, from its next due time on."}</p>
      </Act>
      <Act
        label="Fire now …"
        title="Start its workflow now?"
        verb="Start it"
        reason="optional"
        act={async (reason) => {
          await call("schedules.fire", { name: s.name, ...(reason === "" ? {} : { reason }) });
          reload();
        }}
      >
        <p>One run, besides its due times.</p>
      </Act>
      <Act
        label="Remove …"
        title="Remove this schedule?"
        verb="Remove it"
        danger
        act={async (reason) => {
          await call("schedules.remove", { name: s.name, reason });
          reload();
        }}
      >
        <p>It starts nothing any more, and the record of its due times is gone. Its runs stay.</p>
        {s.inCode ? <p>An engine has it in its code: the next start of that engine adds it again.</p> : null}
      </Act>
    </div>
  );
}
