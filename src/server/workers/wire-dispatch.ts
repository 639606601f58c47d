// A dispatch as a worker over HTTP sees it: its opaque id, its input put together, its values as plain data. The id names the run too, so that
// a report can be judged after the row has gone. It must never hand out anything of another tenant: rows come from the caller's own claims.
import type { WorkerClaim } from "../../api/types/workers.ts";
import { revive } from "../../codec/value.ts";
import { readDispatchSpec, type DispatchBeat } from "../../engine/queued/dispatch-spec.ts";
import { PawlError } from "../../errors/error.ts";
import { inputOf } from "../../queue/dispatch-input.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { DispatchRow } from "../../store/port.ts";

export interface WireDispatch {
  readonly dispatchId: number;
  readonly runId: string;
}

export function wireDispatchId(d: WireDispatch): string {
  return `${d.dispatchId}.${d.runId}`;
}

export function parseDispatchId(text: string): WireDispatch {
  const found = /^([1-9]\d{0,15})\.(.{1,512})$/.exec(text);
  if (found === null) throw new PawlError("PAWL4011", `dispatchId ${JSON.stringify(text.slice(0, 60))} is not one that a poll handed out`);
  return { dispatchId: Number(found[1]), runId: found[2]! };
}

export async function workerClaim(store: FullStore, d: DispatchRow, beginWithinMs: number): Promise<WorkerClaim> {
  const spec = readDispatchSpec(d.spec);
  const at = d.task.lastIndexOf("@");
  const beat = (d.beat === null ? {} : JSON.parse(d.beat)) as DispatchBeat;
  const said = beat.detail ?? spec.last;
  const last = said === undefined ? undefined : revive(structuredClone(said));
  const given = await inputOf(store, d.runId, spec.input);
  const input = d.what === "undo" ? { input: given, result: await inputOf(store, d.runId, spec.result) } : given;
  return {
    dispatchId: wireDispatchId(d),
    token: d.token ?? "",
    what: d.what,
    task: at > 0 ? d.task.slice(0, at) : d.task,
    ...(at > 0 ? { version: d.task.slice(at + 1) } : {}),
    queue: d.queue,
    runId: d.runId,
    stepId: d.stepId,
    ...(input === undefined ? {} : { input }),
    key: spec.key,
    fence: String(d.seq),
    class: spec.class,
    attempt: { logical: d.attempt, engine: d.engineAttempt },
    timeoutMs: d.timeoutMs,
    beginWithinMs,
    ...(last === undefined ? {} : { lastHeartbeat: last, ...progressOf(last) }),
    ...(spec.traceparent === undefined ? {} : { traceparent: spec.traceparent }),
  };
}

/** A checkpoint is a heartbeat whose detail is a cursor and what is carried along. */
function progressOf(last: unknown): { readonly cursor?: unknown; readonly carried?: unknown } {
  if (typeof last !== "object" || last === null || !("cursor" in last)) return {};
  const { cursor, carried } = last as { readonly cursor: unknown; readonly carried?: unknown };
  return { cursor, ...(carried === undefined ? {} : { carried }) };
}
