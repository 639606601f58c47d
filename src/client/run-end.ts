// Waiting for the end of a run: from the engine's memory while the run is live here, else from the store; through every run that continues it. The
// end is what its last event says. A run whose code and log disagree does not end by itself: its waiter learns why, unless it wants to wait.
import { revive } from "../codec/value.ts";
import { isSettled } from "../core/model.ts";
import type { RunOutcome } from "../engine/end-waiters.ts";
import type { EngineCore } from "../engine/engine.ts";
import { readEvents } from "../engine/run/load-run.ts";
import type { Code } from "../errors/catalogue.ts";
import { PawlError } from "../errors/error.ts";
import { openDecisions } from "../events/open-decisions.ts";
import { readPayload, type RunEndPayload } from "../events/payload.ts";
import { settlingEvent } from "../log/external-run.ts";
import type { RunRow } from "../store/port.ts";
import { assertLocal, requirePayloads } from "./archive/availability.ts";
import type { LocalClientDeps } from "./client-deps.ts";
import { requireRun } from "./find-run.ts";
import type { StoreWatcher } from "./store-watcher.ts";
import { hubOf } from "./streams/hub.ts";
import type { RunEnd, WhenDiverged } from "./types.ts";

/** No longer than the engine's own rhythm, so that a virtual clock passes over it. */
const quietMs = 1_000;
/** A run that was moved to another store has no new event: after so many quiet waits it is looked at in any case. */
const quietWaitsMax = 5;

interface WaitOptions {
  readonly timeoutMs?: number;
  readonly whenDiverged?: WhenDiverged;
  readonly signal?: AbortSignal | undefined;
}

export async function waitForEnd(c: LocalClientDeps, watcher: StoreWatcher, id: string, o: WaitOptions = {}): Promise<RunEnd> {
  let runId = c.engine?.isLive(id) === true ? id : (await requireRun(c, id)).runId;
  for (;;) {
    const live = c.engine?.isLive(runId) === true ? await liveEnd(c.engine, watcher, runId, o) : null;
    const ended = live ?? (await waitForOwnEnd(c, runId, o));
    if ("external" in ended && ended.external) return { runId, status: ended.status, ...externalOutcome(ended.payload) };
    const end = publicEnd(runId, ended);
    if (!("continuedAs" in end)) return end;
    runId = end.continuedAs;
  }
}

/** From the engine's memory; nothing stays there of a caller that has gone. */
async function liveEnd(engine: EngineCore, watcher: StoreWatcher, runId: string, o: WaitOptions): Promise<RunOutcome | null> {
  const { ended, leave } = engine.whenEnded(runId);
  try {
    return await watcher.within(ended, o.timeoutMs, runId, o.signal);
  } finally {
    leave();
  }
}

/** The end of a run that is not live here, from the store. */
async function waitForOwnEnd(c: LocalClientDeps, runId: string, o: WaitOptions): Promise<RunOutcome & { external: boolean }> {
  const row = requirePayloads(await whenSettled(c, runId, o));
  const external = row.origin === "external";
  const last = external ? await settlingEvent(c.store, runId) : (await c.store.events({ runId, after: row.headSeq - 1, limit: 1 }))[0];
  return { status: row.status, payload: last?.payload ?? null, external };
}

/** All who wait share one look at many heads; a row is read again when its head has moved, or a hint says so. */
async function whenSettled(c: LocalClientDeps, runId: string, o: WaitOptions): Promise<RunRow> {
  const { heads } = hubOf(c.store, c.platform);
  const deadline = o.timeoutMs === undefined ? Number.POSITIVE_INFINITY : c.platform.monotonicMs() + o.timeoutMs;
  const over = new AbortController();
  const stop = (): void => over.abort();
  o.signal?.addEventListener("abort", stop, { once: true });
  let known = (await c.store.run({ runId }))?.headSeq ?? 0;
  let looked = 0;
  let quiet = 0;
  try {
    for (;;) {
      const timeoutMs = Math.min(quietMs, Math.max(0, deadline - c.platform.monotonicMs()));
      const next = heads.waitBeyond(runId, known, { signal: over.signal, timeoutMs }); // before the look: what comes after it is not missed
      if (quiet > 0 && c.platform.monotonicMs() < deadline) {
        quiet = (await next) ? 0 : (quiet + 1) % quietWaitsMax;
        o.signal?.throwIfAborted();
        continue;
      }
      const row = await c.store.run({ runId });
      o.signal?.throwIfAborted();
      if (row !== undefined && (isSettled(row.status) || assertLocal(row) !== row)) return row;
      if (row?.status === "PAUSED" && o.whenDiverged === "reject" && row.headSeq > looked) {
        looked = row.headSeq;
        await rejectIfDiverged(c, row);
      }
      if (c.platform.monotonicMs() >= deadline)
        throw new PawlError("PAWL4006", `nothing came of run ${runId} within ${o.timeoutMs} ms`, { data: { runId } });
      known = Math.max(known, row?.headSeq ?? 0);
      quiet = (await next) ? 0 : 1;
      o.signal?.throwIfAborted();
    }
  } finally {
    o.signal?.removeEventListener("abort", stop);
    over.abort();
  }
}

/** A run whose code and log disagree does not continue by itself: its reason is what there is to say (K20). */
async function rejectIfDiverged(c: LocalClientDeps, { runId, workflowId }: RunRow): Promise<void> {
  const d = openDecisions(runId, await readEvents(c.store, runId)).find((x) => x.kind === "diverged");
  if (d === undefined) return;
  const data = { runId, workflowId, status: "PAUSED", category: "DIVERGED", decisionId: d.decisionId };
  throw new PawlError(d.code as Code, `run ${runId} is paused: ${d.reason}`, { data });
}

/** What a producer outside says of its run's end, as far as a reader of any producer can understand it. */
function externalOutcome(payload: string | null): { result?: unknown; reason?: string } {
  const said: unknown = payload === null ? null : JSON.parse(payload);
  if (typeof said !== "object" || said === null) return {};
  const { result, reason } = said as { result?: unknown; reason?: unknown };
  return { ...(result === undefined ? {} : { result }), ...(typeof reason === "string" ? { reason } : {}) };
}

/** The end of a run as its last event says it, or the run that it continues as. */
export function publicEnd(runId: string, ended: RunOutcome): RunEnd | { readonly continuedAs: string } {
  const p = readPayload<RunEndPayload>(ended.payload);
  if (p.continuedAs !== undefined) return { continuedAs: p.continuedAs };
  const end: { -readonly [K in keyof RunEnd]: RunEnd[K] } = { runId, status: ended.status };
  if (p.result !== undefined) end.result = revive(p.result);
  if (p.error !== undefined) end.error = p.error;
  if (p.category !== undefined) end.category = p.category;
  if (p.reason !== undefined) end.reason = p.reason;
  if (p.abandoned !== undefined) end.abandoned = p.abandoned;
  return end;
}
