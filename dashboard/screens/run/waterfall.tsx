// The steps of a run in time: at most 400 bars, long waits drawn short, crashes as gaps that say who continued. Each bar leads to its step. The words beside the
// bars say everything that the colours say.
import type { JSX } from "preact";
import type { Timeline, TimelineBar } from "../../../src/api/types/operate.ts";
import { durationText, nowMs } from "../../data/clock.ts";
import { linkTo, route } from "../../data/route.ts";
import { Guarantee } from "../../parts/badges.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Id, Plain, stepText } from "../../parts/text.tsx";
import { Took } from "../../parts/time.tsx";
import { timeScale, triesOf, type TimeScale } from "./time-scale.ts";

export function Waterfall({ timeline, chosen }: { readonly timeline: Timeline; readonly chosen: string | undefined }): JSX.Element {
  const { bars, gaps } = timeline;
  if (bars.length === 0)
    return (
      <Empty title="No steps yet">
        <p>Its first step appears here when an engine begins it.</p>
      </Empty>
    );
  const scale = timeScale(timeline, nowMs.value);
  return (
    <section class="card waterfall" aria-labelledby="steps-title">
      <h2 id="steps-title">Steps</h2>
      {gaps.map((g) => (
        <p key={g.to} class="small crash">
          <strong>{g.reason === "crash" ? "Crash" : "Handover"}</strong>: nobody worked on it for <Took from={g.from} to={g.to} />
          {g.engine === undefined ? null : (
            <>
              , then engine <Id text={g.engine} max={40} /> took over
              {g.lost === undefined ? null : (
                <>
                  {" "}
                  from <Id text={g.lost} max={40} />
                </>
              )}
            </>
          )}
          .
        </p>
      ))}
      <ol>
        {bars.map((bar) => (
          <Bar key={bar.stepId} bar={bar} scale={scale} chosen={bar.stepId === chosen} timeline={timeline} />
        ))}
      </ol>
      {scale.cuts.length === 0 ? null : (
        <p class="small faint">
          Dotted: waits, drawn short (
          {scale.cuts
            .map((c) => durationText(c.ms))
            .slice(0, 5)
            .join(", ")}
          ).
        </p>
      )}
    </section>
  );
}

interface BarProps {
  readonly bar: TimelineBar;
  readonly scale: TimeScale;
  readonly chosen: boolean;
  readonly timeline: Timeline;
}

function Bar({ bar, scale, chosen, timeline }: BarProps): JSX.Element {
  const link = linkTo(route.value.path, chosen ? {} : { step: bar.stepId });
  return (
    <li class={chosen ? "step chosen" : "step"}>
      <a href={link} {...(chosen ? { "aria-current": "true" } : {})}>
        <span class="step-name">
          <Plain text={stepText(bar.stepId).endsWith(`/${bar.name}`) ? stepText(bar.stepId) : bar.name} max={80} />
          {bar.steps > 1 ? <span class="faint"> {bar.steps} steps</span> : null}
        </span>
        <span class="step-class">
          {bar.class === undefined ? <span class="faint small">{bar.kind}</span> : <Guarantee of={bar.class} />}
        </span>
        <span class="step-track" aria-hidden="true">
          {scale.cuts.map((c) => (
            <span key={c.from} class="cut" style={{ left: `${c.from}%`, width: `${c.to - c.from}%` }} />
          ))}
          {timeline.gaps.map((g) => (
            <span
              key={g.to}
              class="gap"
              style={{ left: `${scale.at(Date.parse(g.from))}%`, width: `${scale.at(Date.parse(g.to)) - scale.at(Date.parse(g.from))}%` }}
            />
          ))}
          {triesOf(bar).map((t) => {
            const [left, right] = [scale.at(Date.parse(t.from)), scale.at(t.to === undefined ? nowMs.value : Date.parse(t.to))];
            const kind = `bar ${t.status.toLowerCase()} ${bar.kind}`;
            return <span key={t.from} class={kind} style={{ left: `${left}%`, width: `${Math.max(0.4, right - left)}%` }} />;
          })}
        </span>
        <span class="step-facts small">
          {bar.status === "SUCCESS" ? null : (
            <span class={bar.status === "FAILED" ? "bad-text" : "quiet"}>{bar.status.toLowerCase()} </span>
          )}
          {bar.attempts > bar.steps ? <span class="warn-text">{bar.attempts} tries </span> : null}
          <Took from={bar.startedAt} to={bar.endedAt} />
        </span>
      </a>
    </li>
  );
}
