// A graph: its last supersteps, what is known of the one that the address names, and what an agent said until then. Other runs have none, and nothing is shown for them. The states are read a few at
// a time; the calls of a superstep when somebody asks.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Cause } from "../../../src/events/causes.ts";
import type { Standpoint } from "../../../src/events/graph-log.ts";
import { useGrowing } from "../../data/load.ts";
import { linkTo, route } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Problem } from "../../parts/problem.tsx";
import { Plain } from "../../parts/text.tsx";
import { Moment } from "../../parts/time.tsx";
import { Conversation } from "./conversation.tsx";
import { Superstep, useStandpoint } from "./superstep.tsx";

const shownAtFirst = 8;
const shownMax = 200;
const namesShown = 6;

interface GraphProps {
  readonly runId: string;
  readonly head: number;
  readonly causes: readonly Cause[];
  /** What the run asks now: below the conversation of an agent. */
  readonly children: ComponentChildren;
}

export function Graph({ runId, head, causes, children }: GraphProps): JSX.Element {
  const [shown, setShown] = useState(shownAtFirst);
  const { value, error, reload } = useGrowing(`supersteps ${runId} ${shown}`, head, (signal) => supersteps(runId, shown, signal));
  const chosen = route.value.query.get("superstep");
  const looked = useStandpoint(runId, chosen, head);
  if (error !== undefined && value === undefined) return <Problem error={error} again={reload} />;
  if (value === undefined || value.length === 0) return <>{children}</>;
  const more = value.at(-1)!.superstep > 0 && value.length === shown && shown < shownMax;
  return (
    <>
      <Conversation runId={runId} standpoint={chosen === null ? value[0]! : (looked.value ?? value[0]!)} causes={causes} />
      {children}
      <section class="card graph" aria-labelledby="graph-title">
        <h2 id="graph-title">Supersteps</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">Superstep</th>
              <th scope="col">Ended</th>
              <th scope="col">Ran</th>
              <th scope="col">Came next</th>
            </tr>
          </thead>
          <tbody>
            {value.map((s) => (
              <Row key={s.superstep} runId={runId} standpoint={s} chosen={String(s.superstep) === chosen} />
            ))}
          </tbody>
        </table>
        {more ? (
          <button type="button" class="small" onClick={() => setShown(Math.min(shownMax, shown * 5))}>
            Older supersteps
          </button>
        ) : null}
        {chosen === null ? null : <Superstep key={chosen} runId={runId} chosen={chosen} loaded={looked} />}
      </section>
    </>
  );
}

/** Newest first; none where the run is no graph. Its log is asked first: asking a run that is no graph for its history is an error. */
async function supersteps(runId: string, limit: number, signal: AbortSignal): Promise<readonly Standpoint[]> {
  if (!may("payloads")) return [];
  const { items } = await call("runs.events", { id: runId, types: ["pawl.Superstep"], limit: 1, payloads: "none" }, { signal });
  return items.length === 0 ? [] : (await call("runs.history", { id: runId, limit }, { signal })).items;
}

interface RowProps {
  readonly runId: string;
  readonly standpoint: Standpoint;
  readonly chosen: boolean;
}

function Row({ runId, standpoint: { superstep, at, items, next }, chosen }: RowProps): JSX.Element {
  const step = route.value.query.get("step") ?? undefined;
  const failed = items.filter((i) => !i.ok).length;
  return (
    <tr class={chosen ? "chosen" : ""}>
      <td>
        <a
          class="num"
          href={linkTo(["runs", runId], { step, superstep: chosen ? undefined : String(superstep) })}
          {...(chosen ? { "aria-current": "true" as const } : {})}
        >
          Superstep {superstep}
        </a>
      </td>
      <td>
        <Moment at={at} />
      </td>
      <td>
        <Nodes of={items} none="it began" />
        {failed === 0 ? null : <span class="bad-text small"> {failed} failed</span>}
      </td>
      <td>
        <Nodes of={next} none="nothing" />
      </td>
    </tr>
  );
}

/** Each node once, with how many items it had. */
function Nodes({ of, none }: { readonly of: readonly { readonly node: string }[]; readonly none: string }): JSX.Element {
  const counts = new Map<string, number>();
  for (const { node } of of) counts.set(node, (counts.get(node) ?? 0) + 1);
  if (counts.size === 0) return <span class="faint">{none}</span>;
  return (
    <>
      {[...counts].slice(0, namesShown).map(([node, n], i) => (
        <span key={node}>
          {i === 0 ? "" : ", "}
          <Plain text={node} max={60} />
          {n === 1 ? "" : ` ×${n.toLocaleString("en")}`}
        </span>
      ))}
      {counts.size > namesShown ? <span class="faint"> and {counts.size - namesShown} more</span> : null}
    </>
  );
}
