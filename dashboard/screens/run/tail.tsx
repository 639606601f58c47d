// The log of a run: its newest events, older ones on request, new ones as they come, unless the reader holds it still. A payload is read when its event is opened.
// At most 1,000 events are kept on the page.
import type { JSX } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { RunEventRecord } from "../../../src/core/contract.ts";
import type { PawlError } from "../../../src/errors/error.ts";
import { problemOf, useLoad } from "../../data/load.ts";
import { payloadOf } from "../../data/payload.ts";
import { route } from "../../data/route.ts";
import { call, follow } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Problem } from "../../parts/problem.tsx";
import { Plain, stepText } from "../../parts/text.tsx";
import { Moment } from "../../parts/time.tsx";
import { Value } from "../../parts/value.tsx";

const pageSize = 50;
const keptMax = 1_000;

export function Tail({
  runId,
  head,
  onGrown,
}: {
  readonly runId: string;
  readonly head: number;
  readonly onGrown: () => void;
}): JSX.Element {
  const [, show] = useReducer((n: number) => n + 1, 0);
  const [held, setHeld] = useState(false);
  const [error, setError] = useState<PawlError | undefined>(undefined);
  /** Newest first. */
  const events = useRef<RunEventRecord[]>([]);
  const waiting = useRef<RunEventRecord[]>([]);
  const isHeld = useRef(false);
  isHeld.current = held;
  const older = async (signal?: AbortSignal): Promise<void> => {
    const before = events.current.at(-1)?.runSeq ?? head + 1;
    try {
      const { items } = await call("runs.events", { id: runId, before, limit: pageSize, payloads: "none" }, { signal });
      events.current = [...events.current, ...items.toReversed()].slice(0, keptMax);
      show(undefined as never);
    } catch (e) {
      if (signal?.aborted !== true) setError(problemOf(e));
    }
  };
  useEffect(() => {
    const ending = new AbortController();
    void older(ending.signal).then(async () => {
      try {
        for await (const item of follow(runId, { after: head, payloads: "none", signal: ending.signal })) {
          if (item.kind !== "event") continue;
          waiting.current = [item.event, ...waiting.current].slice(0, keptMax);
          if (!isHeld.current) take();
          onGrown();
        }
      } catch (e) {
        if (!ending.signal.aborted) setError(problemOf(e));
      }
    });
    return () => ending.abort(new DOMException("the view was left", "AbortError"));
  }, [runId]);
  const take = (): void => {
    events.current = [...waiting.current, ...events.current].slice(0, keptMax);
    waiting.current = [];
    show(undefined as never);
  };
  const first = events.current.at(-1)?.runSeq ?? 1;
  const toggle = (): void => {
    if (held) take();
    setHeld(!held);
  };
  return (
    <section class="card tail" aria-labelledby="log-title">
      <header class="row">
        <h2 id="log-title">Log</h2>
        <button type="button" class="small" aria-pressed={held} onClick={toggle}>
          {held ? `Updates paused${waiting.current.length > 0 ? `: ${waiting.current.length} new` : ""} · continue` : "Pause updates"}
        </button>
      </header>
      {error === undefined ? null : <Problem error={error} />}
      <ol class="events" reversed>
        {events.current.map((e) => (
          <EventRow key={e.runSeq} runId={runId} event={e} />
        ))}
      </ol>
      {first > 1 ? (
        <button type="button" class="small" onClick={() => void older()}>
          Older events
        </button>
      ) : null}
    </section>
  );
}

function EventRow({ runId, event }: { readonly runId: string; readonly event: RunEventRecord }): JSX.Element {
  const [open, setOpen] = useState(route.peek().query.get("event") === String(event.runSeq));
  return (
    <li>
      <button type="button" class="event" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="num faint">{event.runSeq}</span>
        <Moment at={event.persistedAt} short />
        <span>
          <Plain text={event.eventType} max={80} />
        </span>
        <span class="quiet">{event.stepId === undefined ? null : <Plain text={stepText(event.stepId)} max={80} />}</span>
      </button>
      {open ? <EventPayload runId={runId} seq={event.runSeq} /> : null}
    </li>
  );
}

function EventPayload({ runId, seq }: { readonly runId: string; readonly seq: number }): JSX.Element {
  const { value, error, reload } = useLoad(`event ${runId} ${seq}`, async (signal) =>
    may("payloads") ? call("runs.event", { id: runId, seq }, { signal }) : undefined,
  );
  if (!may("payloads")) return <p class="small quiet">This token may not see payloads.</p>;
  if (error !== undefined) return <Problem error={error} again={reload} />;
  return value === undefined ? <p class="small quiet">Reading …</p> : <Value of={{ ...value, payload: payloadOf(value) }} />;
}
