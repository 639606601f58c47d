// One superstep of a graph: the state after it, what its items returned, the work that came next, and, when somebody asks, what its calls outside were given and gave.
// Everything is as the log has it; it must never compute a state by itself.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RecordedIO, Standpoint } from "../../../src/events/graph-log.ts";
import { durationText } from "../../data/clock.ts";
import { useGrowing, useLoad, type Loaded } from "../../data/load.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { Badge } from "../../parts/badges.tsx";
import { Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Value } from "../../parts/value.tsx";
import { Section } from "./inspector.tsx";

const itemsShown = 50;

/** Where the graph stood after the superstep of that text; null where it has none. */
export function useStandpoint(runId: string, chosen: string | null, head: number): Loaded<Standpoint | null> {
  const at = chosen !== null && /^\d{1,15}$/.test(chosen) ? Number(chosen) : undefined;
  return useGrowing(`superstep ${runId} ${chosen ?? ""}`, head, async (signal) =>
    at === undefined ? null : call("runs.state", { id: runId, at }, { signal }),
  );
}

interface SuperstepProps {
  readonly runId: string;
  readonly chosen: string;
  readonly loaded: Loaded<Standpoint | null>;
}

export function Superstep({ runId, chosen, loaded: { value, error, reload } }: SuperstepProps): JSX.Element {
  if (error !== undefined) return <Problem error={error} again={reload} />;
  if (value === undefined) return <Loading what="the superstep" />;
  if (value === null)
    return (
      <p class="quiet">
        This run has not ended a superstep <Plain text={chosen} max={20} />.
      </p>
    );
  const at = value.superstep;
  return (
    <section class="superstep" aria-label={`Superstep ${at}`}>
      <Section title={`State after superstep ${at}`}>
        <Value of={value.values} />
      </Section>
      <Returned items={value.items} />
      <Frontier next={value.next} />
      <Calls runId={runId} superstep={at} />
      <p class="small faint">
        Checkpoint <Id text={value.key} max={60} />, event{" "}
        <a class="num" href={linkTo(["runs", runId], { event: String(value.runSeq) })}>
          {value.runSeq}
        </a>
      </p>
    </section>
  );
}

function Returned({ items }: { readonly items: Standpoint["items"] }): JSX.Element | null {
  if (items.length === 0) return null;
  return (
    <Section title="What its nodes returned">
      <Cut of={items}>
        {({ node, item, ok, update, failure, route }) => (
          <li key={item}>
            <Plain text={node} max={120} />{" "}
            <span class="faint small">
              <Id text={item} max={80} />
            </span>{" "}
            {ok ? null : <Badge tone="bad" text="failed" />}
            {route.length === 0 ? null : (
              <span class="small quiet">
                {" "}
                leads to <Plain text={route.join(", ")} max={300} />
              </span>
            )}
            {failure === undefined ? null : (
              <p class="small bad-text">
                <Plain text={`${failure.code}: ${failure.message}`} max={2_000} />
              </p>
            )}
            {update === undefined ? null : <Value of={update} />}
          </li>
        )}
      </Cut>
    </Section>
  );
}

function Frontier({ next }: { readonly next: Standpoint["next"] }): JSX.Element {
  return (
    <Section title="Frontier">
      {next.length === 0 ? (
        <p class="small quiet">No work came next: the graph was done.</p>
      ) : (
        <Cut of={next}>
          {({ node, item, input }) => (
            <li key={item}>
              <Plain text={node} max={120} />{" "}
              <span class="faint small">
                <Id text={item} max={80} />
              </span>
              {input === undefined ? null : <Value of={input} />}
            </li>
          )}
        </Cut>
      )}
    </Section>
  );
}

function Calls({ runId, superstep }: { readonly runId: string; readonly superstep: number }): JSX.Element {
  const [asked, ask] = useState(false);
  return (
    <Section title="Recorded calls">
      {asked ? (
        <CallList runId={runId} superstep={superstep} />
      ) : (
        <button type="button" class="small" onClick={() => ask(true)}>
          Read what its calls were given and gave
        </button>
      )}
    </Section>
  );
}

function CallList({ runId, superstep }: { readonly runId: string; readonly superstep: number }): JSX.Element {
  const { value, error, reload } = useLoad(`io ${runId} ${superstep}`, (signal) => call("runs.io", { id: runId, superstep }, { signal }));
  if (error !== undefined) return <Problem error={error} again={reload} />;
  if (value === undefined) return <Loading what="its calls" />;
  if (value.items.length === 0) return <p class="small quiet">Nothing outside was called.</p>;
  return (
    <Cut of={value.items}>
      {(io) => (
        <li key={`${io.stepId} ${io.attempt}`}>
          <Call runId={runId} io={io} />
        </li>
      )}
    </Cut>
  );
}

function Call({ runId, io }: { readonly runId: string; readonly io: RecordedIO }): JSX.Element {
  return (
    <>
      <a href={linkTo(["runs", runId], { superstep: io.stepId.split("/")[0], step: io.stepId })}>
        <Plain text={io.stepId} max={120} />
      </a>{" "}
      <span class="small quiet">
        {io.attempt > 1 ? `try ${io.attempt}, ` : ""}
        {durationText(io.durationMs)}, <Id text={io.hash} max={24} />
      </span>
      {io.request === undefined ? null : <Value of={io.request} />}
      {io.error === undefined ? (
        <Value of={io.response} />
      ) : (
        <p class="small bad-text">
          <Plain text={`${io.error.category}: ${io.error.message}`} max={2_000} />
        </p>
      )}
    </>
  );
}

/** A long list: its first items, and all when somebody asks. */
function Cut<T>({ of, children }: { readonly of: readonly T[]; readonly children: (item: T) => JSX.Element }): JSX.Element {
  const [shown, show] = useState(itemsShown);
  return (
    <ul class="plain-list small">
      {of.slice(0, shown).map((item) => children(item))}
      {of.length > shown ? (
        <li>
          <button type="button" class="small quiet-button" onClick={() => show(shown * 10)}>
            … {(of.length - shown).toLocaleString("en")} more
          </button>
        </li>
      ) : null}
    </ul>
  );
}
