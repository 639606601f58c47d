// Screen 9: how it goes. How many runs begin and how they end, what fails with what, what waits for people, what was taken over after a crash. Every figure leads to
// the list behind it. Counts stop at 1,000, and the newest 500 runs are drawn: nothing here reads a whole store.
import type { JSX } from "preact";
import type { EffectView } from "../../../src/api/types/ledger.ts";
import type { RunView } from "../../../src/api/types/run.ts";
import { durationText, nowMs } from "../../data/clock.ts";
import { useLoad } from "../../data/load.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago } from "../../parts/time.tsx";
import "../../style/effects.css";
import "../../style/operations.css";

const everyMs = 15_000;
const drawnRuns = 500;
const columns = 40;

export function Overview(): JSX.Element {
  const { value, error, reload } = useLoad("overview", readOverview, everyMs);
  if (value === undefined) return error === undefined ? <Loading what="how it goes" /> : <Problem error={error} again={reload} />;
  const { counts, newest, doubts, decisions, effects, engines } = value;
  const max = counts.max;
  const n = (status: keyof typeof counts.byStatus): string => figure(counts.byStatus[status] ?? 0, max);
  const waiting = decisions.toSorted((a, b) => (a.since < b.since ? -1 : 1));
  return (
    <section class="overview">
      <h1>Overview</h1>
      {error === undefined ? null : <Problem error={error} />}
      <div class="figures">
        <Figure label="Running" text={n("RUNNING")} href={linkTo(["runs"], { status: "running" })} />
        <Figure
          label="Failed"
          text={n("FAILED")}
          href={linkTo(["runs"], { status: "failed" })}
          alarming={(counts.byStatus.FAILED ?? 0) > 0}
        />
        <Figure label="Effects in doubt" text={figure(doubts, 100)} href={linkTo(["effects"], { phase: "doubt" })} alarming={doubts > 0} />
        <Figure label="Open decisions" text={figure(decisions.length, 100)} href="#/decisions" />
        <Figure label="Engines alive" text={String(engines)} href="#/operations/engines" alarming={engines === 0} />
        <Figure
          label="Longest wait"
          text={waiting[0] === undefined ? "none" : durationText(nowMs.value - Date.parse(waiting[0].since))}
          href="#/decisions"
        />
      </div>
      <div class="two">
        <section class="card">
          <h2>Runs that began</h2>
          <Starts runs={newest} />
        </section>
        <section class="card">
          <h2>Steps taken over after a crash</h2>
          <TakeOvers effects={effects} />
        </section>
        <section class="card">
          <h2>Failures by error</h2>
          <Shares of={counts.byErrorCode} tone="bad" link={(code) => linkTo(["runs"], { error: code })} none="Nothing has failed." />
        </section>
        <section class="card">
          <h2>Runs by workflow</h2>
          <Shares of={counts.byWorkflow} tone="" link={(name) => linkTo(["runs"], { workflow: name })} none="No runs yet." />
        </section>
        <section class="card">
          <h2>Waiting longest for a person</h2>
          {waiting.length === 0 ? <p class="quiet">Nothing waits.</p> : null}
          <ul class="plain-list">
            {waiting.slice(0, 8).map((d) => (
              <li key={d.decisionId}>
                <a href={linkTo(["decisions"], { run: d.runId })}>
                  <Plain text={d.workflowId} max={60} />
                </a>{" "}
                <span class="quiet small">
                  <Ago at={d.since} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </section>
  );
}

async function readOverview(signal: AbortSignal) {
  const [counts, newest, doubts, decisions, effects, engines] = await Promise.all([
    call("runs.count", {}, { signal }),
    call("runs.list", { limit: drawnRuns }, { signal }),
    call("effects.list", { phase: "doubt", limit: 100 }, { signal }),
    call("decisions.list", { limit: 100 }, { signal }),
    call("effects.list", { limit: 200 }, { signal }),
    call("engines.list", { limit: 100 }, { signal }),
  ]);
  return {
    counts,
    newest: newest.items,
    doubts: doubts.items.length,
    decisions: decisions.items,
    effects: effects.items,
    engines: engines.items.filter((e) => e.alive).length,
  };
}

function figure(n: number, max: number): string {
  return n >= max ? `${max.toLocaleString("en")}+` : n.toLocaleString("en");
}

function Figure({
  label,
  text,
  href,
  alarming = false,
}: {
  readonly label: string;
  readonly text: string;
  readonly href: string;
  readonly alarming?: boolean;
}): JSX.Element {
  return (
    <a class={alarming ? "figure alarming" : "figure"} href={href}>
      <strong>{text}</strong>
      <span class="quiet small">{label}</span>
    </a>
  );
}

/** The newest runs as columns of time; failed ones below, in their own colour. */
function Starts({ runs }: { readonly runs: readonly RunView[] }): JSX.Element {
  if (runs.length === 0) return <p class="quiet">No runs yet.</p>;
  const failed = runs.filter((r) => r.status === "FAILED").length;
  return (
    <Columns
      of={runs.map((r) => ({ at: r.createdAt, bad: r.status === "FAILED" }))}
      text={(span, ms) =>
        `${runs.length === 1 ? "1 run" : `${runs.length} runs`} in ${span} (${rateText(runs.length, ms)}), ${failed} of them failed`
      }
      words={["ended or open", "failed"]}
    />
  );
}

/** When steps were dispatched by a second engine, because the first was lost, among the newest effects. */
function TakeOvers({ effects }: { readonly effects: readonly EffectView[] }): JSX.Element {
  if (effects.length === 0) return <p class="quiet">No effects yet.</p>;
  const taken = effects.filter((e) => e.engineAttempts > 1);
  return (
    <>
      <Columns
        of={effects.map((e) => ({ at: e.updatedAt, bad: e.engineAttempts > 1 }))}
        text={(span) => `${taken.length} of the newest ${effects.length} effects, in ${span}`}
        words={["sent by one engine", "taken over by another"]}
      />
      <ul class="plain-list small">
        {taken.slice(0, 4).map((e) => (
          <li key={e.effectId}>
            <a href={linkTo(["runs", e.runId], { step: e.stepId })}>
              <Plain text={e.workflowId} max={50} />
            </a>{" "}
            <span class="quiet">
              <Plain text={e.activityName} max={50} /> <Ago at={e.updatedAt} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ColumnsProps {
  readonly of: readonly { readonly at: string; readonly bad: boolean }[];
  /** What the picture shows, in words; it is given how long that was. */
  readonly text: (span: string, ms: number) => string;
  /** What the two colours mean. */
  readonly words: readonly [string, string];
}

/** How many in a second, a minute or an hour: the largest unit that is no guess. */
function rateText(n: number, ms: number): string {
  const [size, unit] = ms >= 3_600_000 ? [3_600_000, "hour"] : ms >= 60_000 ? [60_000, "minute"] : [1_000, "second"];
  const rate = (n * size) / ms;
  return `${rate >= 10 ? Math.round(rate).toLocaleString("en") : rate.toFixed(1)} a ${unit}`.replace("a hour", "an hour");
}

/** Moments as columns of time, from the first until now. */
function Columns({ of, text: textOf, words }: ColumnsProps): JSX.Element {
  const from = Math.min(...of.map((m) => Date.parse(m.at)));
  const span = Math.max(1_000, nowMs.value - from);
  const all = Array.from({ length: columns }, () => ({ begun: 0, failed: 0 }));
  for (const { at, bad } of of) {
    const column = all[Math.max(0, Math.min(columns - 1, Math.floor(((Date.parse(at) - from) / span) * columns)))]!;
    column.begun++;
    if (bad) column.failed++;
  }
  const top = Math.max(...all.map((c) => c.begun));
  const text = textOf(durationText(span), span);
  return (
    <>
      <svg class="chart" viewBox={`0 0 ${columns * 10} 100`} preserveAspectRatio="none" role="img" aria-label={text}>
        {all.map(({ begun, failed: bad }, i) => {
          const height = (begun / top) * 96;
          const red = begun === 0 ? 0 : (bad / begun) * height;
          return (
            <g key={i}>
              <rect x={i * 10 + 1} y={100 - height} width="8" height={height - red} />
              <rect class="failed" x={i * 10 + 1} y={100 - red} width="8" height={red} />
            </g>
          );
        })}
      </svg>
      <p class="axis small faint" aria-hidden="true">
        <span>{durationText(span)} ago</span>
        <span>
          at most {top} in {durationText(span / columns)}
        </span>
        <span>now</span>
      </p>
      <p class="small quiet">{text}.</p>
      <p class="small faint legend">
        <span class="swatch" /> {words[0]} <span class="swatch failed" /> {words[1]}
      </p>
    </>
  );
}

interface SharesProps {
  readonly of: Readonly<Record<string, number>>;
  readonly tone: "bad" | "";
  readonly link: (name: string) => string;
  readonly none: string;
}

function Shares({ of, tone, link, none }: SharesProps): JSX.Element {
  const sorted = Object.entries(of)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 8);
  if (sorted.length === 0) return <p class="quiet">{none}</p>;
  const top = sorted[0]![1];
  return (
    <>
      {sorted.map(([name, n]) => (
        <div key={name} class="share">
          <a href={link(name)}>
            <Id text={name} max={40} />
          </a>
          <span class="track" aria-hidden="true">
            <span class={`fill ${tone}`} style={{ width: `${(n / top) * 100}%` }} />
          </span>
          <span class="num">{n.toLocaleString("en")}</span>
        </div>
      ))}
    </>
  );
}
