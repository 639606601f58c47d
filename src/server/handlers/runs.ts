// Starting runs, finding them and waiting for their end.
// It must never wait longer than its input says.
import { parseTraceparent } from "../../core/traceparent.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import { isWaitEnded, type HandlersOf } from "../call.ts";
import type { Call } from "../call.ts";
import type { RunEnd, WhenDiverged } from "../../api/types/run.ts";
import type { StartWait } from "../../client/types.ts";
import { page } from "./pages.ts";

type Own = "runs.start" | "runs.list" | "runs.count" | "runs.guarantees" | "runs.get" | "runs.result" | "runs.watch";

const restartMs = 10_000;
const storeAwayMs = 3_000;

export const runHandlers: HandlersOf<Own> = {
  "runs.start": async (call, input) => {
    const { wait, ...request } = input;
    const traced = parseTraceparent(call.traceparent) === null ? request : { traceparent: call.traceparent!, ...request };
    // `call` has the signal: it is made for a start that waits, which few do.
    const ending = request.onConflict === "restart" && wait !== undefined ? endingWithin(call, wait) : call;
    const started = await unlessStoreIsAway(call, call.client.start(traced, ending)).catch((e: unknown) => {
      if (isWaitEnded(call, e))
        throw new PawlError("PAWL4085", "the run in whose place this one starts is still ending: send the same request again");
      const { runId, workflowId } = request.onConflict === "restart" && isPawlError(e, "PAWL4006") ? e.data : {};
      if (typeof runId !== "string" || typeof workflowId !== "string") throw e;
      return { ending: runId, workflowId, pending: true } as const;
    });
    if ("pending" in started) return { body: started, outcome: "pending", at: ["runs", started.ending] };
    const { replayed } = started;
    const body = started;
    const at = ["runs", started.runId];
    if (wait === undefined || wait === 0) return { body, replayed, at, ...(started.created ? { outcome: "created" } : {}) };
    const waited = await endWithin(call, started.runId, wait);
    return "pending" in waited ? { body, replayed, at, outcome: "pending" } : { body: { ...body, end: waited }, replayed };
  },
  "runs.list": async ({ client }, input) => {
    const { runs, cursor } = await client.list(input);
    return { body: page(runs, cursor) };
  },
  "runs.count": async ({ client }, input) => ({ body: await client.count(input) }),
  "runs.guarantees": async ({ client }, { runs }) => ({ body: { items: await client.guarantees(runs) } }),
  "runs.get": async ({ client }, { id }) => {
    const run = await client.get(id);
    if (run === undefined) throw new PawlError("PAWL4001", `there is no run ${id}`, { data: { id } });
    return { body: run };
  },
  "runs.result": async (call, { id, wait = 0, whenDiverged }) => {
    const waited = await endWithin(call, id, wait, whenDiverged);
    return "pending" in waited ? { body: waited, outcome: "pending", at: ["runs", waited.runId, "result"] } : { body: waited };
  },
  "runs.watch": () => Promise.reject(new PawlError("PAWL4011", "runs.watch never ends: ask for it as a stream, GET /v1/changes")),
};

/** An engine asks again until its store takes a new run; a caller elsewhere hears that it does not, and may send the same request again. */
function unlessStoreIsAway<T>({ server }: Call, started: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (server.engineTrouble() === null) cancel = server.platform.timer(storeAwayMs, look);
      else reject(new PawlError("PAWL3002", "the store takes nothing now; the run may be created later", { outcome: "unknown" }));
    };
    let cancel = server.platform.timer(storeAwayMs, look);
    started.then(resolve, reject).finally(() => cancel());
  });
}

/** A caller that waits for less than a restart does by itself is answered sooner. */
function endingWithin(call: Call, waitS: number): StartWait {
  return { signal: call.signal, timeoutMs: Math.min(waitS * 1_000, restartMs) };
}

/** How it ended, or, when it has not within `wait` seconds, which run is awaited. */
async function endWithin(
  { client, signal }: Call,
  id: string,
  wait: number,
  whenDiverged?: WhenDiverged,
): Promise<RunEnd | { readonly runId: string; readonly pending: true }> {
  try {
    const timeoutMs = signal.aborted ? 0 : wait * 1_000;
    return await client.waitForEnd(id, { timeoutMs, signal, ...(whenDiverged === undefined ? {} : { whenDiverged }) });
  } catch (e) {
    if (isWaitEnded({ signal }, e)) return { runId: id, pending: true }; // the server stops: ask again
    if (isPawlError(e, "PAWL4006")) return { runId: String(e.data["runId"] ?? id), pending: true };
    throw e;
  }
}
